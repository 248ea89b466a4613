/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_CHART_LINES_H
#define RP_CHART_LINES_H

/* Lines of text above and below a plot, from the left edge on. */

#include <stddef.h>

#include "base/str.h"
#include "base/vec.h"

#define RP_CHART_WIDTH 960.0
#define RP_CHART_EDGE 20.0 /* white at the left and right of all */

#define RP_TITLE_COLOUR "#1a1a1a"
#define RP_METHOD_COLOUR "#444444"
#define RP_QUIET_COLOUR "#6b6b6b"

struct rp_line {
	char *text; /* clean */
	double size, y;
	const char *colour; /* borrowed */
};

typedef RP_VEC(struct rp_line) rp_lines;

/*
 * Add text, cleaned for gnuplot's data, in as many as `max` lines; *y is where
 * the next line may stand, in pixels from above.  0 or -ENOMEM.
 */
int rp_lines_add(rp_lines *lines, const char *text, double size,
		 const char *colour, size_t max, double *y);
void rp_lines_release(rp_lines *lines);

/* The block "text" of a chart's data, and the labels that show it. */
void rp_lines_data(const rp_lines *lines, struct rp_str *out);
void rp_lines_script(const rp_lines *lines, struct rp_str *out);

#endif
