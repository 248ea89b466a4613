/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_LOAD_POINT_H
#define RP_LOAD_POINT_H

#include "base/err.h"
#include "model/run.h"

/*
 * Take over what a point's file gave: one result, which is released if a job
 * of it failed (the point then has that job's reason as its own).  Its
 * warnings go to `warnings` as well, with the file's name.  0 or -ENOMEM.
 */
int rp_point_take(struct rp_point *point, struct rp_result *result,
		  rp_strings *warnings);

/* Set the failure of a point that has none.  0 or -ENOMEM. */
int rp_point_fail(struct rp_point *point, const char *reason);

/* Set it to what an error says, without the name of the place. */
int rp_point_fail_err(struct rp_point *point, const struct rp_err *err);

/* Load order, the peak run first; of the same load by asked rate and file. */
void rp_points_sort(struct rp_profile_run *profile);

#endif
