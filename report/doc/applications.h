/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_DOC_APPLICATIONS_H
#define RP_DOC_APPLICATIONS_H

#include <stdbool.h>

#include "analyse/review.h"
#include "doc/doc.h"

/* All results in one table for machines, of each application the fastest first.
 */
void rp_doc_application_table(struct rp_doc *doc,
			      const struct rp_review *review);

/* A section with the table, bars of each application, and notes. */
void rp_doc_applications(struct rp_doc *doc, const struct rp_review *review,
			 bool charts);

#endif
