/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_CHART_TEXT_H
#define RP_CHART_TEXT_H

#include "base/str.h"
#include "base/vec.h"

/*
 * Text of a file as a string of gnuplot *data*: control characters, tabs,
 * quotes, backticks and backslashes become harmless look-alikes, so a field
 * can't end early, start a comment or hold an escape.
 */
void rp_chart_text_add(struct rp_str *out, const char *text);

/* About how wide the text is, in pixels, in a sans-serif of `size` pixels. */
double rp_chart_text_width(const char *text, double size);

/* As above, cut with an ellipsis where it has more than `max` characters. */
void rp_chart_text_add_short(struct rp_str *out, const char *text, size_t max);

/*
 * Break clean text into lines of at most `width` pixels, `max` of them; the
 * last ends in an ellipsis if there was more.  0 or -ENOMEM.
 */
int rp_chart_text_wrap(rp_strings *lines, const char *text, double size,
		       double width, size_t max);

#endif
