/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_ANALYSE_SAMPLE_H
#define RP_ANALYSE_SAMPLE_H

/*
 * One measurement as one row of numbers: a job's direction, or all jobs and
 * directions of a point together.  NAN stands for "not known", never 0.
 */

#include <stddef.h>
#include <stdint.h>

#include "model/result.h"

/* Where the percentiles come from; printed wherever it is not the obvious. */
enum rp_pct_source {
	RP_PCT_NONE,
	RP_PCT_FIO,  /* fio's own list, one flow */
	RP_PCT_BINS, /* (merged) json+ bins: exact to 1/128 */
	RP_PCT_MAX,  /* largest of several flows: an upper bound */
};

struct rp_sample {
	uint64_t ios, bytes;
	double iops, bytes_per_s;
	enum rp_lat_kind kind; /* one kind for mean and percentiles alike */
	enum rp_pct_source source;
	double mean_ns, min_ns, max_ns, stddev_ns;
	double p50_ns, p90_ns, p95_ns, p99_ns, p999_ns, p9999_ns;
	double total_mean_ns; /* of total latency, whatever `kind` is */
	double read_percent;  /* share of I/Os */
	uint64_t errors;      /* jobs that ended with an error */
};

/* One direction of one job.  0 or -ENOMEM. */
int rp_sample_of_flow(const struct rp_job *job, enum rp_ddir ddir,
		      struct rp_sample *sample);

/*
 * All jobs and directions of a document as one; "All clients" and a
 * "mixed" beside read and write are not added again.  0 or -ENOMEM.
 */
int rp_sample_of_result(const struct rp_result *result,
			struct rp_sample *sample);

#endif
