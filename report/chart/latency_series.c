/* SPDX-License-Identifier: GPL-2.0-only */
#include "chart/latency_plan.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "chart/text.h"

#define BANDWIDTH_FROM_BYTES 65536.0
#define MOST_LABEL_CHARACTERS 28
#define VISIBLY_SHORT 0.98

void rp_latency_plan_release(struct rp_latency_plan *plan)
{
	for (size_t i = 0; i < plan->series.count; i++) {
		rp_vec_release(&plan->series.at[i].dots);
		rp_vec_release(&plan->series.at[i].maxima);
		free(plan->series.at[i].label);
	}
	rp_vec_release(&plan->series);
	rp_lines_release(&plan->lines);
	rp_vec_release(&plan->labels);
	rp_vec_release(&plan->cuts);
	rp_strings_release(&plan->left_out);
	rp_axis_release(&plan->x);
	rp_axis_release(&plan->y);
	rp_axis_release(&plan->panel_x);
	rp_axis_release(&plan->panel_y);
}

/*
 * What no device can do (a damaged or malicious file can say anything) is
 * not drawn: it would leave nothing to see of the rest.
 */
static const double least_ns = 0.1, most_ns = 1e14, most_x = 1e13;

/* A latency that an axis can show, in microseconds. */
static double microseconds(double ns)
{
	return ns >= least_ns && ns <= most_ns ? ns / 1e3 : NAN;
}

static void fill_dot(const struct rp_latency_plan *plan,
		     const struct rp_curve_point *point, struct rp_dot *dot)
{
	const struct rp_sample *sample = &point->sample;
	bool exact =
		sample->source == RP_PCT_FIO || sample->source == RP_PCT_BINS;

	dot->x = plan->bandwidth ? sample->bytes_per_s / 1e6 : sample->iops;
	dot->mean = microseconds(sample->mean_ns);
	dot->percentile[0] = exact ? microseconds(sample->p50_ns) : NAN;
	dot->percentile[1] = exact ? microseconds(sample->p99_ns) : NAN;
	dot->percentile[2] = exact ? microseconds(sample->p999_ns) : NAN;
	dot->missed = point->missed;
	dot->load_percent = point->point ? point->point->load_percent : 0;
}

/* Without any rated point the uncontrolled ones are the curve. */
static bool has_rated_points(const struct rp_curve *curve)
{
	for (size_t i = 0; i < curve->points.count; i++)
		if (curve->points.at[i].point &&
		    curve->points.at[i].point->load_percent != RP_LOAD_PEAK)
			return true;
	return false;
}

static int add_dots(struct rp_latency_plan *plan, const struct rp_curve *curve,
		    struct rp_series *series)
{
	bool rated = has_rated_points(curve);

	for (size_t i = 0; i < curve->points.count; i++) {
		const struct rp_curve_point *point = &curve->points.at[i];
		struct rp_dot dot, *slot;

		fill_dot(plan, point, &dot);
		if (!(dot.x >= 0 && dot.x <= most_x) || isnan(dot.mean))
			continue;
		if (rated && dot.load_percent == RP_LOAD_PEAK)
			slot = rp_vec_push(&series->maxima);
		else
			slot = rp_vec_push(&series->dots);
		if (!slot)
			return -ENOMEM;
		*slot = dot;
		if (point->sample.source == RP_PCT_MAX)
			plan->bounds_only = true;
	}
	return 0;
}

/* "701k", "1.23M": short enough to stand beside a curve. */
static void format_peak(char *buf, size_t size, double value, bool bandwidth)
{
	static const char *const suffix[2][4] = {
		{"", "k", "M", "G"},
		{" MB/s", " GB/s", " TB/s", " PB/s"},
	};
	double unit = value > 0 ? pow(10, floor(log10(value)) - 2) : 1;
	size_t i = 0;

	value = round(value / unit) * unit;
	for (; value >= 1000 && i < 3; i++)
		value /= 1000;
	snprintf(buf, size, "%.4g%s", value, suffix[bandwidth][i]);
}

static double largest_x(const struct rp_series *series)
{
	double x = series->dots.at[series->top].x;

	for (size_t i = 0; i < series->maxima.count; i++)
		x = fmax(x, series->maxima.at[i].x);
	return x;
}

/*
 * "Drive A  701k".  The label stands at the curve's last point: where that is
 * visibly short of the peak, the number says that it is the peak's.
 */
static int name_series(const struct rp_latency_plan *plan, const char *label,
		       struct rp_series *series)
{
	double last = series->dots.at[series->dots.count - 1].x;
	double largest = largest_x(series);
	struct rp_str text = RP_STR_INIT;
	char peak[RP_NUMBER_MAX];

	format_peak(peak, sizeof(peak), largest, plan->bandwidth);
	rp_chart_text_add_short(&text, label ? label : "",
				MOST_LABEL_CHARACTERS);
	rp_str_addf(&text, "  %s%s",
		    last < VISIBLY_SHORT * largest ? "peak " : "", peak);
	series->label = rp_str_detach(&text);
	return series->label ? 0 : -ENOMEM;
}

static int leave_out(struct rp_latency_plan *plan, const char *label,
		     const char *why)
{
	struct rp_str text = RP_STR_INIT;
	int ret;

	rp_chart_text_add_short(&text, label ? label : "",
				MOST_LABEL_CHARACTERS);
	ret = rp_strings_addf(&plan->left_out, "%s (%s)", rp_str_text(&text),
			      why);
	rp_str_release(&text);
	return ret;
}

/* A curve of which only the maximum has a latency is drawn as that point. */
static void join_lone_maxima(struct rp_series *series)
{
	if (series->dots.count)
		return;
	series->dots.at = series->maxima.at;
	series->dots.count = series->maxima.count;
	series->dots.capacity = series->maxima.capacity;
	series->maxima.at = NULL;
	series->maxima.count = series->maxima.capacity = 0;
}

static int add_series(struct rp_latency_plan *plan,
		      const struct rp_curve *curve, size_t colour)
{
	struct rp_series *series = rp_vec_push(&plan->series);
	int ret;

	if (!series)
		return -ENOMEM;
	series->colour = colour;
	ret = add_dots(plan, curve, series);
	if (ret)
		return ret;
	join_lone_maxima(series);
	if (!series->dots.count) {
		plan->series.count--;
		return leave_out(plan, curve->label, "no latency known");
	}
	for (size_t i = 0; i < series->dots.count; i++)
		if (series->dots.at[i].x > series->dots.at[series->top].x)
			series->top = i;
	return name_series(plan, curve->label, series);
}

/* Total latency where anybody has it, for that is what a caller waits. */
static enum rp_lat_kind choose_kind(const struct rp_latency_chart *chart)
{
	for (size_t i = 0; i < chart->curve_count; i++)
		if (chart->curves[i].kind == RP_LAT)
			return RP_LAT;
	return chart->curve_count ? chart->curves[0].kind : RP_LAT;
}

static bool has_percentile(const struct rp_latency_plan *plan, size_t which)
{
	for (size_t i = 0; i < plan->series.count; i++)
		for (size_t j = 0; j < plan->series.at[i].dots.count; j++)
			if (!isnan(plan->series.at[i]
					   .dots.at[j]
					   .percentile[which]))
				return true;
	return false;
}

int rp_latency_collect(struct rp_latency_plan *plan,
		       const struct rp_latency_chart *chart, struct rp_err *err)
{
	int ret = 0;

	plan->kind = choose_kind(chart);
	plan->bandwidth =
		chart->curve_count && chart->curves[0].profile &&
		chart->curves[0].profile->block_bytes >= BANDWIDTH_FROM_BYTES;
	for (size_t i = 0; !ret && i < chart->curve_count; i++) {
		const struct rp_curve *curve = &chart->curves[i];

		if (curve->kind == plan->kind)
			ret = add_series(plan, curve, chart->colours[i]);
		else
			ret = leave_out(plan, curve->label,
					curve->kind == RP_CLAT
						? "only completion latency"
						: "another latency");
	}
	if (ret)
		return rp_err_set(err, ret, "out of memory for a chart");
	if (!plan->series.count)
		return rp_err_set(err, -EBADMSG,
				  "no point with a latency to draw");
	plan->bands = !chart->linear && plan->series.count <= RP_MOST_BANDS &&
		      has_percentile(plan, RP_PANEL_P99);
	plan->panels = !chart->linear && plan->series.count > RP_MOST_BANDS &&
		       has_percentile(plan, RP_PANEL_P99);
	return 0;
}
