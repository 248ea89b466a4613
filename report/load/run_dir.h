/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_LOAD_RUN_DIR_H
#define RP_LOAD_RUN_DIR_H

#include <stdbool.h>

#include "base/err.h"
#include "model/run.h"

/*
 * Read a run directory: run.json and every point's file.  A point that
 * can't be read, failed, or did no I/O becomes a point with `failure` set;
 * it never stops the others.
 * Errors: -EBADMSG for a directory without run.json or with a broken one.
 */
int rp_load_run_dir(const char *path, struct rp_run *run, struct rp_err *err);

/*
 * Loose fio JSON files as one run with one profile: a file is a point, its
 * asked rate comes from rate_iops x numjobs in the options fio recorded.
 * Errors: -EBADMSG if the files do not hold one and the same job (both names
 * are in the message).
 */
int rp_load_run_files(const char *const *paths, size_t count,
		      struct rp_run *run, struct rp_err *err);

#endif
