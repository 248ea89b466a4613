/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_LOAD_RUN_JSON_H
#define RP_LOAD_RUN_JSON_H

#include <stddef.h>

#include "base/err.h"
#include "model/run.h"

/* The newest run.json that is understood; newer ones may mean other things. */
#define RP_RUN_FORMAT 1

/*
 * Fill `run` from the text of a run.json; the points have a file or a
 * failure, their results are not read here.  Keys that are not known are
 * left alone, so that a runner may add some.
 * -EBADMSG with the place for one that is not understood.
 */
int rp_run_json_read(const char *path, const char *text, size_t len,
		     struct rp_run *run, struct rp_err *err);

#endif
