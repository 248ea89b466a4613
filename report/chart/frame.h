/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_CHART_FRAME_H
#define RP_CHART_FRAME_H

/* What stands around a plot, as gnuplot commands. */

#include <stdbool.h>

#include "base/str.h"
#include "chart/axis.h"

/* In pixels from the upper left corner. */
struct rp_box {
	double left, right, top, bottom;
};

/* The script must have defined px() and py(). */
void rp_box_script(const struct rp_box *box, struct rp_str *out);

/* Range and ticks of the axis `name`, "x" or "y"; `labels`: with numbers. */
void rp_ticks_script(const struct rp_axis *axis, const char *name, bool labels,
		     struct rp_str *out);

void rp_frame_script(struct rp_str *out);

#endif
