/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_BASE_UTF8_H
#define RP_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

#define RP_UTF8_REPLACEMENT 0xFFFDu
#define RP_UTF8_REPLACEMENT_TEXT "\xef\xbf\xbd"

/*
 * Length of the valid sequence at `text` and its code point; 0 if there is
 * none (overlong, surrogate, beyond U+10FFFF, cut off).  `code` may be NULL.
 */
size_t rp_utf8_decode(const char *text, size_t len, uint32_t *code);

/*
 * The code point at *text, which moves behind it; 0 at the end.  Anything
 * that is no valid UTF-8 gives U+FFFD, a byte at a time.
 */
uint32_t rp_utf8_next(const char **text);

void rp_utf8_add(struct rp_str *out, uint32_t code);

/* Columns on a terminal: 0 (combining), 1 or 2 (East Asian wide, emoji). */
unsigned rp_utf8_width(uint32_t code);

/*
 * Characters that act instead of being seen: C0, DEL, C1, line separators,
 * marks that turn the direction of text, and what XML does not allow.
 */
bool rp_utf8_is_control(uint32_t code);

/*
 * A copy fit for a message: what is no UTF-8 becomes U+FFFD, what is a
 * control character (names can hold terminal escapes) a blank.  Caller
 * frees; NULL if memory is out.
 */
char *rp_utf8_printable(const char *text, size_t len);

#endif
