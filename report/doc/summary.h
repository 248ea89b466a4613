/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_DOC_SUMMARY_H
#define RP_DOC_SUMMARY_H

#include "doc/doc.h"
#include "model/result.h"

/*
 * A table with a row a job and direction, and a note for everything that was
 * odd.  A job that is no measurement has its reason in its row and no zeros.
 * Gives the number of such jobs.  Memory running out sets doc->failed.
 */
size_t rp_doc_summary(struct rp_doc *doc, const rp_results *results);

#endif
