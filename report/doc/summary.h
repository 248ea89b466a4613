/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_DOC_SUMMARY_H
#define RP_DOC_SUMMARY_H

#include "analyse/metric.h"
#include "doc/doc.h"
#include "model/result.h"

/* The columns of a summary where none are chosen. */
#define RP_SUMMARY_COLUMNS                                                     \
	"iops,bandwidth_bytes_s,lat_mean_ns,lat_p50_ns,lat_p99_ns,"            \
	"lat_p99_9_ns,lat_max_ns"

/*
 * A table with a row a job and direction, and a note for everything that was
 * odd.  A job that is no measurement has its reason in its row and no zeros.
 * Gives the number of such jobs.  Memory running out sets doc->failed.
 */
size_t rp_doc_summary(struct rp_doc *doc, const rp_results *results,
		      const rp_metric_names *columns);

#endif
