/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_DOC_CURVE_TABLE_H
#define RP_DOC_CURVE_TABLE_H

#include <stdbool.h>

#include "analyse/review.h"
#include "doc/doc.h"

/*
 * A row a curve: peak, latencies, where 1 ms is left, knee, points missed.
 * Two tables for people, one wide one for machines.
 */
void rp_doc_curves(struct rp_doc *doc, const struct rp_review *review);
void rp_doc_curves_wide(struct rp_doc *doc, const struct rp_review *review);

/* A row a point of one profile's curves, in load order. */
void rp_doc_points(struct rp_doc *doc, const struct rp_review_profile *profile,
		   bool several_runs);

/* Every point of every curve in one table (for CSV and JSON). */
void rp_doc_all_points(struct rp_doc *doc, const struct rp_review *review);

/* Whatever a reader of the curves must know: notes. */
void rp_doc_curve_notes(struct rp_doc *doc,
			const struct rp_review_profile *profile);

/* Whatever a reader of the runs must know: notes. */
void rp_doc_run_notes(struct rp_doc *doc, const struct rp_review *review);

#endif
