/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_ANALYSE_CURVE_H
#define RP_ANALYSE_CURVE_H

/*
 * A latency-versus-IOPS curve and what a review says of it.
 * All latencies are those of `kind`; NAN = not known or never.
 */

#include "analyse/sample.h"
#include "model/run.h"

#define RP_MISSED_PERCENT 3.0	/* achieved below asked by more: missed */
#define RP_LITTLE_PERCENT 5.0	/* IOPS x latency off from N by more: warn */

struct rp_curve_point {
	const struct rp_point *point;	/* borrowed from the run */
	struct rp_sample sample;
	bool missed;		/* asked rate not reached (RP_MISSED_PERCENT) */
	double outstanding;	/* IOPS x mean latency (Little's law) */
	bool little_off;	/* deviates from what the profile keeps busy */
};

struct rp_curve {
	const struct rp_profile_run *profile;	/* borrowed */
	const char *label;			/* the run's; borrowed */
	enum rp_lat_kind kind;
	RP_VEC(struct rp_curve_point) points;	/* measured ones, load order */
	size_t peak;		/* index of the point with most IOPS */
	double mean_1ms_iops;	/* where the mean leaves 1 ms, interpolated */
	double p99_1ms_iops;
	double lat10_ns, lat50_ns, lat90_ns, lat100_ns;	/* mean at % of load */
	double knee_iops, knee_ns;	/* most IOPS per latency (Kleinrock) */
	size_t missed, failed;		/* points */
	rp_strings warnings;
};

/*
 * -EBADMSG if no point was measured (the message gives the first reason).
 * The curve borrows from `run`, which must outlive it.
 */
int rp_curve_make(const struct rp_run *run,
		  const struct rp_profile_run *profile, struct rp_curve *curve,
		  struct rp_err *err);
void rp_curve_release(struct rp_curve *curve);

#endif
