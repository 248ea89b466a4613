/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_CHART_BARS_H
#define RP_CHART_BARS_H

#include <stddef.h>

#include "analyse/applications.h"
#include "base/err.h"

/*
 * Bars of one application: a row a drive, the fastest first, and beside each
 * other its rate, mean latency and 99th percentile, each number at its bar's
 * end.  All bars begin at 0.
 */
struct rp_bars_chart {
	const struct rp_review_application *application;
	const rp_strings *labels; /* of each run */
	const char *footer;	  /* fio, engine, kernel, drive, date */
};

/*
 * Write DIR/STEM.dat and DIR/STEM.gp, from which gnuplot makes STEM.svg and
 * STEM.png.  The application must have a result.
 */
int rp_bars_chart_write(const struct rp_bars_chart *chart, const char *dir,
			const char *stem, struct rp_err *err);

#endif
