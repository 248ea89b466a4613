/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_CHART_LATENCY_IOPS_H
#define RP_CHART_LATENCY_IOPS_H

#include "analyse/curve.h"
#include "base/err.h"

/*
 * Latency over achieved IOPS (MB/s from 64 KiB blocks up), a line a drive.
 *
 * The rated points are joined in load order, never sorted or smoothed; the
 * run without a rate limit, which comes first in a curve, is a mark of its
 * own (x) that no line goes through.  A curve without rated points joins
 * what it has in the order given.  Points that missed their rate are hollow.
 *
 * Up to three curves show p99 as a dotted line and a ribbon above the mean,
 * as far as their peak; more get a panel for each of p50, p99 and p99.9.
 * Percentiles that are only upper bounds (RP_PCT_MAX) are not drawn, which
 * the chart says.  Curves of another kind of latency than the others are
 * left out by name.
 */
struct rp_latency_chart {
	const char *title;    /* the workload */
	const char *subtitle; /* the method */
	const char *footer;   /* fio, engine, kernel, drive, date */
	const struct rp_curve *curves;
	const size_t
		*colours; /* of each curve: its drive's index in the review */
	size_t curve_count;
	bool linear; /* linear milliseconds instead of the default scale */
};

/*
 * Write DIR/STEM.dat and DIR/STEM.gp, from which gnuplot makes STEM.svg and
 * STEM.png (see chart/gnuplot.h).  `stem` is [a-z0-9-]+: never a user's text.
 */
int rp_latency_chart_write(const struct rp_latency_chart *chart,
			   const char *dir, const char *stem,
			   struct rp_err *err);

#endif
