/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_ANALYSE_CURVE_H
#define RP_ANALYSE_CURVE_H

/*
 * A latency-versus-IOPS curve and what a review says of it.
 * All latencies are those of `kind`; NAN = not known.
 */

#include "analyse/crossing.h"
#include "analyse/sample.h"
#include "base/err.h"
#include "model/run.h"

/*
 * A point is missed if it achieved less than it was asked for by more than
 * this, and by more than chance explains: arrivals are random, so a short
 * point of n I/Os may fall short by 3/sqrt(n) of it (three standard
 * deviations of a Poisson count).  Beyond 100 % a miss is the rule.
 */
#define RP_MISSED_PERCENT 3.0

/*
 * Little's law: IOPS x mean total latency is the mean number of I/Os
 * outstanding.  Where nothing holds the threads back (no rate, or 100 % and
 * more asked for and not reached) it must be the profile's N; elsewhere it
 * can't be more.  A point off by more than this is told: I/O did not reach
 * the device, or the host could not keep it busy.
 */
#define RP_LITTLE_PERCENT 5.0

struct rp_curve_point {
	const struct rp_point *point; /* borrowed from the run */
	struct rp_sample sample;
	bool missed;	    /* asked rate not reached; see RP_MISSED_PERCENT */
	double outstanding; /* IOPS x mean latency (Little's law) */
	bool little_off;    /* see RP_LITTLE_PERCENT */
};

struct rp_curve {
	const struct rp_profile_run *profile; /* borrowed */
	const char *label;		      /* the run's; borrowed */
	enum rp_lat_kind kind;
	RP_VEC(struct rp_curve_point) points; /* measured ones, load order */
	size_t peak; /* index of the point with most IOPS */
	/* up to the peak, in load order */
	struct rp_crossing mean_1ms, p99_1ms;		/* in IOPS */
	double lat10_ns, lat50_ns, lat90_ns, lat100_ns; /* mean at % of load */
	double knee_iops, knee_ns; /* NAN: the curve has no knee */
	size_t missed;	/* rated points up to 100 % that were missed */
	size_t failed;	/* points tried without a measurement */
	size_t pending; /* points not tried yet */
	rp_strings warnings;
};

/*
 * -EBADMSG if no point was measured; the message is the first reason.
 * The curve borrows from `run`, which must outlive it.
 */
int rp_curve_make(const struct rp_run *run,
		  const struct rp_profile_run *profile, struct rp_curve *curve,
		  struct rp_err *err);
void rp_curve_release(struct rp_curve *curve);

/*
 * "70 %"; a run without a rate is the "maximum", "16 outstanding" in a sweep
 * of queue depths, or "limited" by something else (rp_point.held_back). Returns
 * buf; RP_POINT_NAME_MAX bytes are enough.
 */
#define RP_POINT_NAME_MAX 32
const char *rp_point_name(const struct rp_point *point, char *buf, size_t size);

#endif
