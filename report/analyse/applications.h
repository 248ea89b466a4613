/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_ANALYSE_APPLICATIONS_H
#define RP_ANALYSE_APPLICATIONS_H

/* Results of one application, run by run, the fastest first. */

#include "base/vec.h"
#include "model/run.h"

struct rp_review;

struct rp_application_result {
	size_t run; /* index of its run */
	const struct rp_application *of;
};

struct rp_review_application {
	const char *id, *title, *method; /* borrowed from the first run */
	char *stem; /* [a-z0-9-]+, unique in the review: file names */
	bool is_iops;
	RP_VEC(struct rp_application_result) results;
	size_t unmeasured; /* runs that have it without a result */
	rp_strings warnings;
};

/* Add the applications of run `index`.  0 or -ENOMEM. */
int rp_review_add_applications(struct rp_review *review, size_t index);
void rp_review_application_release(struct rp_review_application *application);

#endif
