/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_ANALYSE_ENDURANCE_H
#define RP_ANALYSE_ENDURANCE_H

/*
 * A linear write over a target: levels of speed, where it falls for good, and
 * the drive's temperature beside them.  report/README.md argues the method.
 */

#include <stdbool.h>

#include "base/err.h"
#include "model/bandwidth.h"

struct rp_level {
	size_t begin, end; /* windows; `end` is behind the last */
	double begin_s, end_s;
	double from_bytes, to_bytes; /* written before it, and at its end */
	double mean, median, least, most; /* bytes per second */
	double celsius;			  /* mean; NAN = not known */
	double end_celsius;		  /* at its end */
	bool ends_hot; /* its end lies in the hottest stretch */
};

struct rp_dips {
	size_t count;
	double seconds, longest_s;
};

/* The drive's temperature during the windows. */
struct rp_heat_sight {
	bool known;
	double coldest, hottest, hottest_s;
	/* around the hottest, within RP_HOT_CELSIUS of it without a break */
	double hot_begin_s, hot_end_s;
	double hot_share; /* of the time with a temperature */
	/* Spearman's rank correlation of speed and temperature; NAN = none */
	double correlation;
	size_t windows; /* with a temperature */
};

#define RP_HOT_CELSIUS 2.0
/* A drive that changes by less was as warm all the time. */
#define RP_HEAT_MOVES 4.0

struct rp_endurance {
	rp_bw_windows windows;
	double *written; /* bytes at the end of each window */
	double *celsius; /* in each; NAN = not known; NULL without a reading */
	double bytes, seconds;
	double mean, least, most;
	RP_VEC(struct rp_level) levels;
	/*
	 * After `fast_levels` levels none comes near the fastest any more.
	 * All of them = the speed did not fall for good.
	 */
	size_t fast_levels;
	double before, after; /* mean speeds of these and the others */
	double first_tenth, last_tenth; /* mean speeds of the windows */
	struct rp_dips dips; /* windows below half of their level's median */
	struct rp_heat_sight heat;
	rp_strings warnings;
};

/* Less than this share of the level is a dip. */
#define RP_DIP_DEPTH 0.5

/* `heat` may be NULL.  0, -EBADMSG or -ENOMEM. */
int rp_endurance_make(const struct rp_bw_logs *logs, const struct rp_heat *heat,
		      struct rp_endurance *endurance, struct rp_err *err);
void rp_endurance_release(struct rp_endurance *endurance);

/* Bytes written and seconds gone when the speed falls for good. */
const struct rp_level *rp_endurance_last_fast(const struct rp_endurance *e);
bool rp_endurance_fell(const struct rp_endurance *endurance);

#endif
