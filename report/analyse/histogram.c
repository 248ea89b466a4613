/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyse/histogram.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

void rp_histogram_release(struct rp_histogram *histogram)
{
	rp_vec_release(&histogram->bins);
	histogram->total = 0;
}

int rp_histogram_add(struct rp_histogram *histogram,
		     const struct rp_latency *lat)
{
	for (size_t i = 0; i < lat->bins.count; i++) {
		struct rp_bin *bin = rp_vec_push(&histogram->bins);

		if (!bin)
			return -ENOMEM;
		*bin = lat->bins.at[i];
		histogram->total += bin->count;
	}
	return 0;
}

static int by_value(const void *a, const void *b)
{
	const struct rp_bin *x = a, *y = b;

	return (x->ns > y->ns) - (x->ns < y->ns);
}

void rp_histogram_sort(struct rp_histogram *histogram)
{
	size_t last = 0;

	if (!histogram->bins.count)
		return;
	qsort(histogram->bins.at, histogram->bins.count,
	      sizeof(*histogram->bins.at), by_value);
	for (size_t i = 1; i < histogram->bins.count; i++) {
		struct rp_bin *bin = &histogram->bins.at[i];

		if (bin->ns == histogram->bins.at[last].ns)
			histogram->bins.at[last].count += bin->count;
		else
			histogram->bins.at[++last] = *bin;
	}
	histogram->bins.count = last + 1;
}

double rp_histogram_percentile(const struct rp_histogram *histogram,
			       double percent)
{
	long double wanted = (long double)percent / 100.0L * histogram->total;
	uint64_t sum = 0;

	for (size_t i = 0; i < histogram->bins.count; i++) {
		sum += histogram->bins.at[i].count;
		if (sum && sum >= wanted)
			return histogram->bins.at[i].ns;
	}
	return NAN;
}
