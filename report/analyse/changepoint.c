/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyse/changepoint.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* A normal distribution's deviation from its median distance. */
#define DEVIATION_OF_MEDIAN 1.4826
#define LARGEST_BLOCK 4
/* Fewer blocks than that give no median worth having. */
#define LEAST_BLOCKS 20

struct candidate {
	size_t begin;  /* where the last stretch might begin */
	size_t pruned; /* from this end on it can't be the best; 0 = can be */
};

struct search {
	double *sum, *squares; /* of the values before an index */
	double *best;	       /* cost of the values before an index */
	size_t *last;	       /* where the last stretch of it begins */
	struct candidate *candidates;
	size_t candidate_count;
};

static void search_release(struct search *search)
{
	free(search->sum);
	free(search->squares);
	free(search->best);
	free(search->last);
	free(search->candidates);
}

static int search_init(struct search *search, const double *values,
		       size_t count)
{
	search->sum = calloc(count + 1, sizeof(double));
	search->squares = calloc(count + 1, sizeof(double));
	search->best = calloc(count + 1, sizeof(double));
	search->last = calloc(count + 1, sizeof(size_t));
	search->candidates = calloc(count + 1, sizeof(struct candidate));
	if (!search->sum || !search->squares || !search->best ||
	    !search->last || !search->candidates)
		return -ENOMEM;
	/* around the first value: sums of squares then cancel less */
	for (size_t i = 0; i < count; i++) {
		double value = values[i] - values[0];

		search->sum[i + 1] = search->sum[i] + value;
		search->squares[i + 1] = search->squares[i] + value * value;
	}
	return 0;
}

static double cost(const struct search *search, size_t begin, size_t end)
{
	double sum = search->sum[end] - search->sum[begin];
	double squares = search->squares[end] - search->squares[begin];

	return fmax(squares - sum * sum / (double)(end - begin), 0);
}

static void find_best(struct search *search, size_t end, double penalty)
{
	search->best[end] = INFINITY;
	for (size_t i = 0; i < search->candidate_count; i++) {
		size_t begin = search->candidates[i].begin;
		double total = search->best[begin] + cost(search, begin, end) +
			       penalty;

		if (total < search->best[end]) {
			search->best[end] = total;
			search->last[end] = begin;
		}
	}
}

/*
 * A begin that is worse than a new stretch at `end`, even without paying for
 * that, stays so for every end to which the new stretch can reach.
 */
static void prune(struct search *search, size_t end, size_t least)
{
	size_t kept = 0;

	for (size_t i = 0; i < search->candidate_count; i++) {
		struct candidate candidate = search->candidates[i];

		if (!candidate.pruned &&
		    search->best[candidate.begin] +
				    cost(search, candidate.begin, end) >
			    search->best[end])
			candidate.pruned = end + least;
		if (!candidate.pruned || candidate.pruned > end + 1)
			search->candidates[kept++] = candidate;
	}
	search->candidate_count = kept;
}

static int collect(const struct search *search, size_t count, rp_ends *ends)
{
	size_t stretches = 0, *end;

	for (size_t at = count; at; at = search->last[at])
		stretches++;
	for (size_t i = 0; i < stretches; i++)
		if (!rp_vec_push(ends))
			return -ENOMEM;
	end = ends->at + ends->count;
	for (size_t at = count; at; at = search->last[at])
		*--end = at;
	return 0;
}

int rp_changepoints(const double *values, size_t count, size_t least,
		    double penalty, rp_ends *ends)
{
	struct search search = {0};
	int ret = count ? search_init(&search, values, count) : 0;

	if (!ret && count) {
		/* the first stretch pays nothing */
		search.best[0] = -penalty;
		for (size_t end = 1; end <= count; end++)
			search.best[end] = INFINITY;
	}
	for (size_t end = least; !ret && count && end <= count; end++) {
		/* a begin at which a split of what is before it can end */
		if (isfinite(search.best[end - least]))
			search.candidates[search.candidate_count++] =
				(struct candidate){.begin = end - least};
		find_best(&search, end, penalty);
		prune(&search, end, least);
	}
	/* too short to be split: last[] of all is 0, the begin */
	if (!ret && count)
		ret = collect(&search, count, ends);
	search_release(&search);
	return ret;
}

static int by_value(const void *one, const void *other)
{
	double a = *(const double *)one, b = *(const double *)other;

	return (a > b) - (a < b);
}

double rp_median(double *values, size_t count)
{
	if (!count)
		return NAN;
	qsort(values, count, sizeof(*values), by_value);
	return count % 2 ? values[count / 2]
			 : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static double block_mean(const double *values, size_t block)
{
	double sum = 0;

	for (size_t i = 0; i < block; i++)
		sum += values[i];
	return sum / (double)block;
}

/* The noise of one value, as neighbouring means of `block` values show it. */
static double noise_of_blocks(const double *values, size_t count, size_t block,
			      double *distances)
{
	size_t blocks = count / block;

	for (size_t i = 0; i + 1 < blocks; i++)
		distances[i] =
			fabs(block_mean(values + (i + 1) * block, block) -
			     block_mean(values + i * block, block));
	return DEVIATION_OF_MEDIAN * rp_median(distances, blocks - 1) *
	       sqrt((double)block / 2);
}

double rp_noise(const double *values, size_t count)
{
	double *distances = count > 1 ? calloc(count, sizeof(double)) : NULL;
	double most = NAN;

	if (!distances)
		return NAN;
	for (size_t block = 1; block <= LARGEST_BLOCK; block *= 2) {
		if (block > 1 && count / block < LEAST_BLOCKS)
			break;
		/* fmax() passes over the NAN of the begin */
		most = fmax(most,
			    noise_of_blocks(values, count, block, distances));
	}
	free(distances);
	return most;
}
