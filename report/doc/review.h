/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_DOC_REVIEW_H
#define RP_DOC_REVIEW_H

#include <stdbool.h>

#include "analyse/review.h"
#include "base/str.h"
#include "doc/doc.h"

/* Where the charts lie, seen from the document. */
#define RP_CHART_DIR "charts"

/*
 * The whole review: what came out, the environment, the method, a section a
 * profile with its sentences, chart and points, and what to be careful about.
 * `charts` false: without figures.
 */
void rp_doc_review(struct rp_doc *doc, const struct rp_review *review,
		   bool charts);

/*
 * One line for the foot of a chart: fio, engine, kernel, drive, date, as far
 * as all runs have them in common.
 */
void rp_review_footer(const struct rp_review *review, struct rp_str *out);

#endif
