/* SPDX-License-Identifier: GPL-2.0-only */
#include "chart/latency_plan.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* Where the line to dot `i`, the first above the axis, crosses its end. */
static double crossing(const struct rp_latency_plan *plan,
		       const struct rp_series *series, size_t i)
{
	const struct rp_dot *b = &series->dots.at[i];
	const struct rp_dot *a = i ? b - 1 : b;

	if (a->mean >= b->mean)
		return b->x;
	return a->x +
	       (b->x - a->x) * (plan->y.max - a->mean) / (b->mean - a->mean);
}

/* The highest latency above the axis, and where it is left; 0 = none. */
static double find_cut(const struct rp_latency_plan *plan,
		       const struct rp_series *series, double *x)
{
	double highest = 0;

	for (size_t i = 0; i < series->dots.count; i++) {
		double mean = series->dots.at[i].mean;

		if (mean <= plan->y.max)
			continue;
		if (highest == 0)
			*x = crossing(plan, series, i);
		highest = fmax(highest, mean);
	}
	for (size_t i = 0; i < series->maxima.count; i++) {
		double mean = series->maxima.at[i].mean;

		if (mean <= plan->y.max)
			continue;
		if (highest == 0)
			*x = series->maxima.at[i].x;
		highest = fmax(highest, mean);
	}
	return highest;
}

static int add_to_label(struct rp_series *series, double highest)
{
	char number[RP_NUMBER_MAX];
	char *label =
		rp_strf("%s  ↑ %s", series->label,
			rp_fmt_latency(number, sizeof(number), highest * 1e3));

	if (!label)
		return -ENOMEM;
	free(series->label);
	series->label = label;
	return 0;
}

int rp_latency_cuts(struct rp_latency_plan *plan)
{
	for (size_t i = 0; plan->capped && i < plan->series.count; i++) {
		double x = 0;
		double highest = find_cut(plan, &plan->series.at[i], &x);
		struct rp_place *cut;

		if (highest == 0)
			continue;
		cut = rp_vec_push(&plan->cuts);
		if (!cut)
			return -ENOMEM;
		cut->series = i;
		cut->x = x;
		cut->y = plan->y.max;
		if (add_to_label(&plan->series.at[i], highest))
			return -ENOMEM;
	}
	return 0;
}
