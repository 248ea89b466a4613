/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_LOAD_UTF8_H
#define RP_LOAD_UTF8_H

#include <stddef.h>

#define RP_UTF8_REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/*
 * Length of the valid UTF-8 sequence at `text`; 0 if there is none (overlong,
 * surrogate, beyond U+10FFFF, cut off).
 */
size_t rp_utf8_length(const char *text, size_t len);

/*
 * A copy fit for a message: what is no UTF-8 becomes U+FFFD, what is a
 * control character (names can hold terminal escapes) a blank.  Caller
 * frees; NULL if memory is out.
 */
char *rp_utf8_printable(const char *text, size_t len);

#endif
