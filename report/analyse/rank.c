/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyse/rank.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

struct ranked {
	double value;
	size_t index;
};

static int by_value(const void *one, const void *other)
{
	const struct ranked *a = one, *b = other;

	return (a->value > b->value) - (a->value < b->value);
}

/* Ranks less their mean, so that the sums of products need no correction. */
static int rank(const double *values, size_t count, double *ranks)
{
	struct ranked *sorted = calloc(count, sizeof(*sorted));
	size_t end;

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		sorted[i] = (struct ranked){values[i], i};
	qsort(sorted, count, sizeof(*sorted), by_value);
	for (size_t begin = 0; begin < count; begin = end) {
		for (end = begin + 1; end < count; end++)
			if (sorted[end].value > sorted[begin].value)
				break;
		for (size_t i = begin; i < end; i++)
			ranks[sorted[i].index] =
				((double)(begin + end) - (double)count) / 2;
	}
	free(sorted);
	return 0;
}

int rp_rank_correlation(const double *x, const double *y, size_t count,
			double *correlation)
{
	double *a = calloc(count + 1, sizeof(*a));
	double *b = calloc(count + 1, sizeof(*b));
	double ab = 0, aa = 0, bb = 0;
	int ret = a && b ? rank(x, count, a) : -ENOMEM;

	if (!ret)
		ret = rank(y, count, b);
	for (size_t i = 0; i < count && !ret; i++) {
		ab += a[i] * b[i];
		aa += a[i] * a[i];
		bb += b[i] * b[i];
	}
	*correlation = count > 2 && aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : NAN;
	free(a);
	free(b);
	return ret;
}
