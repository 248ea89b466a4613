/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_ANALYSE_HISTOGRAM_H
#define RP_ANALYSE_HISTOGRAM_H

#include <stdint.h>

#include "model/result.h"

/* The sum of several json+ histograms. */
struct rp_histogram {
	RP_VEC(struct rp_bin) bins; /* ascending, one a value once sorted */
	uint64_t total;
};

void rp_histogram_release(struct rp_histogram *histogram);

/* Add a latency's bins; call rp_histogram_sort() after the last.  0/-ENOMEM */
int rp_histogram_add(struct rp_histogram *histogram,
		     const struct rp_latency *lat);
void rp_histogram_sort(struct rp_histogram *histogram);

/*
 * The value that `percent` of the samples do not exceed, as fio picks it
 * (stat.c calc_clat_percentiles): the first bin at which the running sum
 * reaches percent/100 of all.  NAN if empty.
 */
double rp_histogram_percentile(const struct rp_histogram *histogram,
			       double percent);

#endif
