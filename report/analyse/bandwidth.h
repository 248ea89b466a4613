/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_ANALYSE_BANDWIDTH_H
#define RP_ANALYSE_BANDWIDTH_H

#include "base/err.h"
#include "model/bandwidth.h"

/*
 * The logs of jobs that ran at the same time as one: the windows of the job
 * with the most of them, with the bytes that all jobs wrote in each.  Time
 * counts from the begin of the first if the logs tell the time of day.
 * `warnings` says what a reader must know of that.
 *
 * 0, -EBADMSG if the jobs can't have run at the same time, -ENOMEM.
 */
int rp_bandwidth_join(const struct rp_bw_logs *logs, rp_bw_windows *windows,
		      rp_strings *warnings, struct rp_err *err);

#endif
