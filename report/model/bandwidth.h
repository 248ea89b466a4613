/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_MODEL_BANDWIDTH_H
#define RP_MODEL_BANDWIDTH_H

/*
 * Bandwidth over time as fio logs it, and a drive's temperature beside it.
 * Times are seconds since the job (or the point) began.
 */

#include "base/vec.h"

struct rp_bw_window {
	double begin_s, end_s;
	double bytes_per_s; /* 0: nothing was written in it */
};

typedef RP_VEC(struct rp_bw_window) rp_bw_windows;

/* What one job wrote: its windows follow each other without a gap. */
struct rp_bw_log {
	char *path;
	double period_s; /* the usual length of a window */
	rp_bw_windows windows;
};

struct rp_bw_logs {
	RP_VEC(struct rp_bw_log) jobs;
	size_t windows; /* of all jobs */
	rp_strings warnings;
};

struct rp_heat_reading {
	double seconds, celsius;
};

struct rp_heat {
	char *point; /* the point that it belongs to; "" = not said */
	RP_VEC(struct rp_heat_reading) readings; /* in the order of time */
};

void rp_bw_logs_release(struct rp_bw_logs *logs);
void rp_heat_release(struct rp_heat *heat);

#endif
