/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_DOC_SINGLE_TABLE_H
#define RP_DOC_SINGLE_TABLE_H

#include "analyse/review.h"
#include "doc/doc.h"

/*
 * Profiles that are one call of fio and no curve: a table each, with a row a
 * job and direction, and notes of what was not measured.  Nothing if there
 * are none.
 */
void rp_doc_singles(struct rp_doc *doc, const struct rp_review *review);

/* The same in one table for machines. */
void rp_doc_singles_wide(struct rp_doc *doc, const struct rp_review *review);

#endif
