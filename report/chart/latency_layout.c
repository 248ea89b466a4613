/* SPDX-License-Identifier: GPL-2.0-only */
#include "chart/latency_plan.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "chart/text.h"

#define LEFT 78.0 /* where the plot begins */
#define MAIN_HEIGHT 380.0
#define MAIN_HEIGHT_WITH_PANELS 330.0
#define PANEL_HEIGHT 170.0
#define PANEL_GAP 40.0
#define LABEL_GAP 14.0	/* from a curve's last point to its name */
#define KEY_SAMPLE 44.0 /* what a key draws beside a name */
#define BELOW_PLOT 50.0 /* tick labels and the name of the axis */

static bool any_missed(const struct rp_latency_plan *plan)
{
	for (size_t i = 0; i < plan->series.count; i++)
		for (size_t j = 0; j < plan->series.at[i].dots.count; j++)
			if (plan->series.at[i].dots.at[j].missed)
				return true;
	return false;
}

static bool any_maxima(const struct rp_latency_plan *plan)
{
	for (size_t i = 0; i < plan->series.count; i++)
		if (plan->series.at[i].maxima.count)
			return true;
	return false;
}

/* How to read the picture, in one line. */
static void add_notation(const struct rp_latency_plan *plan, struct rp_str *out)
{
	char number[RP_NUMBER_MAX];

	rp_str_add(out, plan->y.log ? "Logarithmic latency scale"
				    : "Linear latency scale");
	if (plan->capped)
		rp_str_addf(
			out, ", cut at %s (arrows: highest mean above)",
			rp_tick_latency(number, sizeof(number), plan->y.max));
	rp_str_add(out, " · points in load order");
	if (plan->bands)
		rp_str_add(out, " · dotted: p99 up to the peak");
	if (any_missed(plan))
		rp_str_addf(out, " · hollow: under %g %% of the asked rate",
			    100 - RP_MISSED_PERCENT);
	if (any_maxima(plan))
		rp_str_add(out, " · ×: run without a rate limit");
	if (plan->bounds_only)
		rp_str_add(out, " · percentiles of several jobs can't be "
				"merged: not drawn");
	for (size_t i = 0; i < plan->left_out.count; i++)
		rp_str_addf(out, "%s%s",
			    i ? ", " : " · left out: ", plan->left_out.at[i]);
}

static int add_head(struct rp_latency_plan *plan,
		    const struct rp_latency_chart *chart, double *y)
{
	struct rp_str notation = RP_STR_INIT;
	int ret;

	add_notation(plan, &notation);
	ret = rp_lines_add(&plan->lines, chart->title, 18, RP_TITLE_COLOUR, 1,
			   y);
	if (!ret)
		ret = rp_lines_add(&plan->lines, chart->subtitle, 12.5,
				   RP_METHOD_COLOUR, 2, y);
	if (!ret && rp_str_failed(&notation))
		ret = -ENOMEM;
	if (!ret)
		ret = rp_lines_add(&plan->lines, rp_str_text(&notation), 11,
				   RP_QUIET_COLOUR, 2, y);
	rp_str_release(&notation);
	return ret;
}

static double longest_label(const struct rp_latency_plan *plan)
{
	double longest = 0;

	for (size_t i = 0; i < plan->series.count; i++)
		longest = fmax(longest,
			       rp_chart_text_width(plan->series.at[i].label,
						   RP_LABEL_SIZE));
	return longest;
}

static void place_panels(struct rp_latency_plan *plan, double *y)
{
	double width = (RP_CHART_WIDTH - RP_CHART_EDGE - LEFT -
			(RP_PANELS - 1) * PANEL_GAP) /
		       RP_PANELS;

	*y += 34;
	for (size_t i = 0; i < RP_PANELS; i++) {
		struct rp_box *box = &plan->panel[i];

		box->left = LEFT + (double)i * (width + PANEL_GAP);
		box->right = box->left + width;
		box->top = *y;
		box->bottom = *y + PANEL_HEIGHT;
	}
	*y += PANEL_HEIGHT + BELOW_PLOT;
}

double rp_latency_px(const struct rp_latency_plan *plan, double x)
{
	return plan->main.left + rp_axis_fraction(&plan->x, x) *
					 (plan->main.right - plan->main.left);
}

double rp_latency_py(const struct rp_latency_plan *plan, double y)
{
	return plan->main.bottom - rp_axis_fraction(&plan->y, y) *
					   (plan->main.bottom - plan->main.top);
}

double rp_latency_from_py(const struct rp_latency_plan *plan, double pixel)
{
	return rp_axis_value(&plan->y,
			     (plan->main.bottom - pixel) /
				     (plan->main.bottom - plan->main.top));
}

int rp_latency_layout(struct rp_latency_plan *plan,
		      const struct rp_latency_chart *chart)
{
	double y = 14;
	int ret = rp_latency_cuts(plan);

	if (!ret)
		ret = add_head(plan, chart, &y);
	if (ret)
		return ret;
	plan->width = RP_CHART_WIDTH;
	plan->main.left = LEFT;
	plan->main.top = y + 40;
	plan->main.bottom =
		plan->main.top +
		(plan->panels ? MAIN_HEIGHT_WITH_PANELS : MAIN_HEIGHT);
	plan->main.right = RP_CHART_WIDTH - RP_CHART_EDGE - LABEL_GAP -
			   longest_label(plan);
	y = plan->main.bottom + BELOW_PLOT;
	plan->key = plan->series.count > RP_MOST_LABELS;
	if (!plan->key)
		ret = rp_latency_labels(plan);
	if (plan->key)
		plan->main.right -= KEY_SAMPLE;
	if (plan->panels)
		place_panels(plan, &y);
	if (!ret)
		ret = rp_lines_add(&plan->lines, chart->footer, 10.5,
				   RP_QUIET_COLOUR, 2, &y);
	plan->height = ceil(y + 8);
	return ret;
}
