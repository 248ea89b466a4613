/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyse/levels.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A running median over this many windows hides dips of up to two. */
#define FILTER 5
/* The least penalty a stretch at which noise makes none: see the README. */
#define PENALTY 4
/* Speeds that differ by less are one: logs are not that exact. */
#define LEAST_NOISE 0.005
/* More windows than that are looked at in means of several. */
#define COARSE_MOST 16384
/* A stop has no logarithm: it counts as this share of the fastest. */
#define FLOOR 1e-3

struct stretch {
	size_t end;
	double level; /* the median of x in it */
	double step;  /* at its end, see step_at() */
};

struct work {
	double *x;	 /* logarithms of the filtered speeds */
	double *scratch; /* as many */
	size_t count;
	RP_VEC(struct stretch) stretches;
};

static void work_release(struct work *work)
{
	free(work->x);
	free(work->scratch);
	rp_vec_release(&work->stretches);
}

static size_t begin_of(const struct work *work, size_t i)
{
	return i ? work->stretches.at[i - 1].end : 0;
}

static size_t length_of(const struct work *work, size_t i)
{
	return work->stretches.at[i].end - begin_of(work, i);
}

static double median_of(const struct work *work, size_t begin, size_t end)
{
	memcpy(work->scratch, work->x + begin,
	       (end - begin) * sizeof(*work->x));
	return rp_median(work->scratch, end - begin);
}

static void set_level(struct work *work, size_t i)
{
	struct stretch *stretch = &work->stretches.at[i];

	stretch->level = median_of(work, begin_of(work, i), stretch->end);
}

static void filter(double *out, const double *x, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t reach = FILTER / 2;
		double near[FILTER];

		/* as far to both sides, so that steps stay where they are */
		reach = i < reach ? i : reach;
		reach = count - 1 - i < reach ? count - 1 - i : reach;
		memcpy(near, x + i - reach, (2 * reach + 1) * sizeof(*near));
		out[i] = rp_median(near, 2 * reach + 1);
	}
}

/* In logarithms a step of ten percent is the same at any speed. */
static void take_logarithms(double *x, const double *speeds, size_t count)
{
	double most = 0;

	for (size_t i = 0; i < count; i++)
		most = fmax(most, speeds[i]);
	for (size_t i = 0; i < count; i++)
		x[i] = most > 0 ? log(fmax(speeds[i], most * FLOOR)) : 0;
}

static void take_means(double *means, const double *x, size_t blocks,
		       size_t block)
{
	for (size_t i = 0; i < blocks; i++) {
		double sum = 0;

		for (size_t k = 0; k < block; k++)
			sum += x[i * block + k];
		means[i] = sum / (double)block;
	}
}

/* `noise` is that of a window. */
static int split(struct work *work, size_t block, double noise, rp_ends *ends)
{
	size_t blocks = work->count / block;

	take_means(work->scratch, work->x, blocks, block);
	noise = fmax(noise / sqrt((double)block),
		     rp_noise(work->scratch, blocks));
	noise = fmax(noise, LEAST_NOISE);
	return rp_changepoints(work->scratch, blocks, RP_LEVEL_WINDOWS,
			       PENALTY * noise * noise * log((double)blocks),
			       ends);
}

/* Squared distances from the mean of a stretch that begins at x[begin]. */
static double spread(const double *x, size_t count)
{
	double mean = 0, squares = 0;

	for (size_t i = 0; i < count; i++)
		mean += x[i] / (double)count;
	for (size_t i = 0; i < count; i++)
		squares += (x[i] - mean) * (x[i] - mean);
	return squares;
}

/* A step that is known to a block, to the window. */
static size_t sharpen(const struct work *work, size_t end, size_t block)
{
	const double *x = work->x + end - 2 * block;
	size_t best_at = 2 * block;
	double best = INFINITY;

	for (size_t at = block; at <= 3 * block; at++) {
		double sum = spread(x, at) + spread(x + at, 4 * block - at);

		if (sum < best) {
			best = sum;
			best_at = at;
		}
	}
	return end - 2 * block + best_at;
}

static int take_ends(struct work *work, size_t block, const rp_ends *ends)
{
	for (size_t i = 0; i < ends->count; i++) {
		struct stretch *stretch = rp_vec_push(&work->stretches);
		size_t end = ends->at[i] * block;

		if (!stretch)
			return -ENOMEM;
		if (i + 1 == ends->count)
			stretch->end = work->count;
		else
			stretch->end =
				block > 1 ? sharpen(work, end, block) : end;
		set_level(work, i);
	}
	return 0;
}

/* Stretch `i` and the next become one. */
static void join_next(struct work *work, size_t i)
{
	struct stretch *at = work->stretches.at + i;

	memmove(at, at + 1, (work->stretches.count - i - 1) * sizeof(*at));
	work->stretches.count--;
	set_level(work, i);
}

static bool is_dip(const struct work *work, size_t i)
{
	const struct stretch *here = &work->stretches.at[i];
	double longest =
		fmax(RP_DIP_WINDOWS, RP_DIP_SHARE * (double)work->count);

	/* the first may be a small cache, the last may be cut off */
	if (!i || (double)length_of(work, i) >= longest)
		return false;
	if (i + 1 == work->stretches.count ||
	    length_of(work, i) < RP_DIP_WINDOWS)
		return true;
	return here->level < fmin(here[-1].level, here[1].level) ||
	       here->level > fmax(here[-1].level, here[1].level);
}

/* A stretch that is no level joins the neighbour whose speed is nearer. */
static void join_nearer(struct work *work, size_t i)
{
	const struct stretch *here = &work->stretches.at[i];
	bool with_next = i + 1 < work->stretches.count &&
			 fabs(here[1].level - here->level) <
				 fabs(here[-1].level - here->level);

	join_next(work, with_next ? i : i - 1);
}

static void join_dips(struct work *work)
{
	for (;;) {
		size_t shortest = 0, least = work->count + 1;

		for (size_t i = 1; i < work->stretches.count; i++)
			if (length_of(work, i) < least && is_dip(work, i)) {
				shortest = i;
				least = length_of(work, i);
			}
		if (!shortest)
			return;
		join_nearer(work, shortest);
	}
}

/* The change from one half of a stretch to the other, for each window. */
static double slope_of(const struct work *work, size_t begin, size_t end)
{
	size_t half = (end - begin) / 2;

	return (median_of(work, end - half, end) -
		median_of(work, begin, begin + half)) /
	       (double)(end - begin - half);
}

/* What both sides drift alike; a drift of one side alone explains no step. */
static double common_slope(double before, double after)
{
	if (before * after <= 0)
		return 0;
	return fabs(before) < fabs(after) ? before : after;
}

static size_t count_below(const double *sorted, size_t count, double value)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (sorted[middle] < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The share of pairs of a window in each stretch that differ alike. */
static double apart(const struct work *work, size_t begin, size_t at,
		    size_t end)
{
	size_t before = at - begin, after = end - at;
	double below = 0;

	/* median_of() leaves the stretch sorted in scratch */
	median_of(work, begin, at);
	for (size_t i = at; i < end; i++)
		below += (double)count_below(work->scratch, before, work->x[i]);
	below /= (double)before * (double)after;
	return fmax(below, 1 - below);
}

/*
 * The step at the end of stretch `i`, less what the speed drifts there anyhow;
 * 0 if its sides overlap.  Only near windows count, as many on both sides: a
 * slow drift makes far ones differ, too.
 */
static double near_step(const struct work *work, size_t i)
{
	size_t at = work->stretches.at[i].end;
	size_t reach = (size_t)fmax(RP_LEVEL_WINDOWS,
				    RP_NEAR_SHARE * (double)work->count);
	size_t left = length_of(work, i), right = length_of(work, i + 1);
	double step, drift;

	reach = left < reach ? left : reach;
	reach = right < reach ? right : reach;
	if (apart(work, at - reach, at, at + reach) < RP_LEVEL_APART)
		return 0;
	step = median_of(work, at, at + reach) -
	       median_of(work, at - reach, at);
	drift = common_slope(slope_of(work, at - reach, at),
			     slope_of(work, at, at + reach)) *
		(double)reach;
	if (step * drift < 0)
		return fabs(step);
	return fmax(fabs(step) - fabs(drift), 0);
}

/* Neighbours differ where they meet and as a whole, or they are one. */
static double step_at(const struct work *work, size_t i)
{
	const struct stretch *here = &work->stretches.at[i];

	return fmin(near_step(work, i), fabs(here[1].level - here->level));
}

static void set_step(struct work *work, size_t i)
{
	if (i + 1 < work->stretches.count)
		work->stretches.at[i].step = step_at(work, i);
}

static void drop_slight_steps(struct work *work)
{
	for (size_t i = 0; i < work->stretches.count; i++)
		set_step(work, i);
	while (work->stretches.count > 1) {
		size_t least = 0;

		for (size_t i = 1; i + 1 < work->stretches.count; i++)
			if (work->stretches.at[i].step <
			    work->stretches.at[least].step)
				least = i;
		if (work->stretches.at[least].step >= -log(1 - RP_LEVEL_STEP))
			return;
		join_next(work, least);
		set_step(work, least);
		if (least)
			set_step(work, least - 1);
	}
}

static int find(struct work *work, const double *speeds)
{
	size_t block = work->count / COARSE_MOST + 1;
	rp_ends ends = {0};
	double noise;
	int ret;

	take_logarithms(work->scratch, speeds, work->count);
	filter(work->x, work->scratch, work->count);
	/* the filter hides noise from one window to the next, not its effect */
	noise = rp_noise(work->scratch, work->count);
	ret = split(work, block, noise, &ends);
	if (!ret)
		ret = take_ends(work, block, &ends);
	rp_vec_release(&ends);
	if (ret)
		return ret;
	join_dips(work);
	drop_slight_steps(work);
	return 0;
}

int rp_levels_find(const double *speeds, size_t count, rp_ends *ends)
{
	struct work work = {.count = count};
	int ret = -ENOMEM;

	if (!count)
		return 0;
	work.x = calloc(count, sizeof(double));
	work.scratch = calloc(count, sizeof(double));
	if (work.x && work.scratch)
		ret = find(&work, speeds);
	for (size_t i = 0; !ret && i < work.stretches.count; i++) {
		size_t *end = rp_vec_push(ends);

		if (end)
			*end = work.stretches.at[i].end;
		else
			ret = -ENOMEM;
	}
	work_release(&work);
	return ret;
}
