/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_ANALYSE_REVIEW_H
#define RP_ANALYSE_REVIEW_H

/* Several runs side by side: their curves grouped by profile. */

#include <stdbool.h>

#include "analyse/applications.h"
#include "analyse/curve.h"

struct rp_review_profile {
	const char *id, *title, *method; /* borrowed from the first run */
	char *stem; /* [a-z0-9-]+, unique in the review: file names */
	RP_VEC(struct rp_curve) curves;
	RP_VEC(size_t) runs; /* of each curve: index of its run */
	size_t unmeasured;   /* runs that have it without one measured point */
	rp_strings
		warnings; /* runs without a measurement; methods that differ */
};

/* A profile of a run that is one call of fio and has no curve. */
struct rp_single {
	const struct rp_profile_run *profile; /* borrowed */
	const char *label;		      /* of its run */
};

struct rp_review {
	const rp_runs *runs; /* borrowed */
	rp_strings labels;   /* of each run, made unique */
	RP_VEC(struct rp_review_profile) profiles; /* order of first sight */
	RP_VEC(struct rp_review_application) applications; /* the same */
	RP_VEC(struct rp_single) singles;		   /* run by run */
};

/*
 * -EBADMSG if the runs hold not one measured point together.
 * The review borrows from `runs`, which must outlive it.
 */
int rp_review_make(const rp_runs *runs, struct rp_review *review,
		   struct rp_err *err);

/* Did any point of any run give no measurement? */
bool rp_review_has_failures(const struct rp_review *review);

/*
 * A file name of harmless characters for an id, which no other part of the
 * review has.  Caller frees; NULL if memory is out.
 */
char *rp_review_stem(const struct rp_review *review, const char *id);
void rp_review_release(struct rp_review *review);

#endif
