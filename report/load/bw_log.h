/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_LOAD_BW_LOG_H
#define RP_LOAD_BW_LOG_H

#include "base/err.h"
#include "model/bandwidth.h"

/*
 * Add the writes of a bandwidth log (write_bw_log with log_avg_msec) to
 * `logs`: one job, or several where fio wrote them one after the other into
 * one file (per_job_logs=0).  fio writes no line for a window without I/O:
 * such windows are put in, with 0.  Reads and trims are left out, which is a
 * warning.
 *
 * 0, -EBADMSG with the line and what was expected, or the system's errno.
 */
int rp_load_bw_log(const char *path, struct rp_bw_logs *logs,
		   struct rp_err *err);

/* The same of text in memory; `name` is the file's for messages. */
int rp_load_bw_text(const char *name, const char *text, size_t len,
		    struct rp_bw_logs *logs, struct rp_err *err);

#endif
