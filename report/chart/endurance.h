/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_CHART_ENDURANCE_H
#define RP_CHART_ENDURANCE_H

#include "analyse/endurance.h"
#include "base/err.h"

/*
 * Speed over what was written: every window as a thin line, the mean of each
 * level as steps, a mark where the speed falls for good; below it the drive's
 * temperature if it is known.  Where there are more windows than pixels, the
 * line goes through the least and the most of each pixel.
 */
struct rp_endurance_chart {
	const char *title;
	const char *subtitle; /* what it shows, in up to three lines */
	const char *footer;   /* NULL = none */
	const struct rp_endurance *endurance;
};

/*
 * Write DIR/STEM.dat and DIR/STEM.gp, from which gnuplot makes STEM.svg and
 * STEM.png.  0, -EINVAL for a bad stem, -ENOMEM or the system's errno.
 */
int rp_endurance_chart_write(const struct rp_endurance_chart *chart,
			     const char *dir, const char *stem,
			     struct rp_err *err);

#endif
