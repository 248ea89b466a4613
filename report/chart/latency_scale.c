/* SPDX-License-Identifier: GPL-2.0-only */
#include "chart/latency_plan.h"

#include <math.h>

#define LOG_FROM_RATIO 20.0
#define CAP_FROM_RATIO 3.0
#define GIGABYTES_FROM 2000.0 /* MB/s */

struct extent {
	double low, high;
};

static void widen(struct extent *extent, double value)
{
	if (isnan(value))
		return;
	extent->low = fmin(extent->low, value);
	extent->high = fmax(extent->high, value);
}

static const struct extent nothing = {INFINITY, 0};

static struct extent main_extent(const struct rp_latency_plan *plan)
{
	struct extent y = nothing;

	for (size_t i = 0; i < plan->series.count; i++) {
		const struct rp_series *series = &plan->series.at[i];

		for (size_t j = 0; j < series->maxima.count; j++)
			widen(&y, series->maxima.at[j].mean);
		for (size_t j = 0; j < series->dots.count; j++) {
			const struct rp_dot *dot = &series->dots.at[j];

			widen(&y, dot->mean);
			if (plan->bands && j <= series->top)
				widen(&y, dot->percentile[RP_PANEL_P99]);
		}
	}
	return y;
}

static struct extent panel_extent(const struct rp_latency_plan *plan)
{
	struct extent y = nothing;

	for (size_t i = 0; i < plan->series.count; i++)
		for (size_t j = 0; j < plan->series.at[i].dots.count; j++)
			for (size_t k = 0; k < RP_PANELS; k++)
				widen(&y, plan->series.at[i]
						  .dots.at[j]
						  .percentile[k]);
	return y;
}

/* The largest latency at a load that the drives still carried. */
static double largest_carried(const struct rp_latency_plan *plan)
{
	double largest = 0;

	for (size_t i = 0; i < plan->series.count; i++)
		for (size_t j = 0; j < plan->series.at[i].dots.count; j++)
			if (!plan->series.at[i].dots.at[j].missed)
				largest = fmax(
					largest,
					plan->series.at[i].dots.at[j].mean);
	return largest;
}

static int scale_y(struct rp_axis *axis, struct extent extent)
{
	if (extent.high > extent.low * LOG_FROM_RATIO)
		return rp_axis_log(axis, extent.low, extent.high,
				   rp_tick_latency);
	return rp_axis_linear(axis, extent.high * 1.04, 6, true,
			      rp_tick_latency);
}

/*
 * One overloaded point must not flatten all the others: the linear scale
 * ends above what the drives carried, and arrows tell what lies higher.
 */
static int scale_linear(struct rp_latency_plan *plan, struct extent extent)
{
	double carried = largest_carried(plan);

	plan->capped = carried > 0 && extent.high > carried * CAP_FROM_RATIO;
	return rp_axis_linear(
		&plan->y, (plan->capped ? carried * 1.5 : extent.high) * 1.04,
		6, true, rp_tick_latency);
}

static double x_extent(const struct rp_latency_plan *plan)
{
	double x = 0;

	for (size_t i = 0; i < plan->series.count; i++) {
		const struct rp_series *series = &plan->series.at[i];

		x = fmax(x, series->dots.at[series->top].x);
		for (size_t j = 0; j < series->maxima.count; j++)
			x = fmax(x, series->maxima.at[j].x);
	}
	return x;
}

int rp_latency_scale(struct rp_latency_plan *plan, bool linear)
{
	double x = x_extent(plan) * 1.02;
	rp_tick_format *format = rp_tick_iops;
	int ret;

	if (plan->bandwidth)
		format =
			x >= GIGABYTES_FROM ? rp_tick_thousands : rp_tick_plain;
	ret = rp_axis_linear(&plan->x, x, 8, false, format);
	if (!ret && linear)
		ret = scale_linear(plan, main_extent(plan));
	else if (!ret)
		ret = scale_y(&plan->y, main_extent(plan));
	if (!ret && plan->panels)
		ret = rp_axis_linear(&plan->panel_x, x, 4, false, format);
	if (!ret && plan->panels)
		ret = scale_y(&plan->panel_y, panel_extent(plan));
	return ret;
}
