/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_RENDER_ESCAPE_H
#define RP_RENDER_ESCAPE_H

/*
 * Text of unknown origin, made harmless for one format.  All take any bytes;
 * what is no UTF-8 becomes U+FFFD.
 */

#include "base/str.h"

/* Controls (ESC above all) are shown as \x1b, never sent to a terminal. */
void rp_escape_tty(struct rp_str *out, const char *text);
/* For one line of Markdown, also inside a cell of a table. */
void rp_escape_md(struct rp_str *out, const char *text);
/* For text and for attributes in double quotes. */
void rp_escape_html(struct rp_str *out, const char *text);
/* The inside of a string, without its quotes. */
void rp_escape_json(struct rp_str *out, const char *text);
/* A field, quoted if need be, that no spreadsheet takes for a formula. */
void rp_escape_csv(struct rp_str *out, const char *text);
/* The path of a URL. */
void rp_escape_url(struct rp_str *out, const char *text);

#endif
