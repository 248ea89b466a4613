/* SPDX-License-Identifier: GPL-2.0-only */
#include "doc/curve_table.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "base/units.h"
#include "doc/metric_cells.h"

/* People read two tables of ten columns better than one of twenty. */
enum part { PART_PEAK = 1, PART_LOAD = 2, PART_ALL = 3 };

/* What a curve is known by: a row is a column of the table of curves. */
struct curve_metric {
	enum part part;
	const char *name;
	const char *title;
	enum rp_unit unit;
	double (*get)(const struct rp_curve *curve);
	/* words for a value that is no number; NULL = the number's own */
	const char *(*say)(const struct rp_curve *curve, char *buf,
			   size_t size);
};

static const struct rp_sample *peak_of(const struct rp_curve *curve)
{
	return &curve->points.at[curve->peak].sample;
}

static double peak_iops(const struct rp_curve *c)
{
	return peak_of(c)->iops;
}

static double peak_bandwidth(const struct rp_curve *c)
{
	return peak_of(c)->bytes_per_s;
}

static double peak_mean(const struct rp_curve *c)
{
	return peak_of(c)->mean_ns;
}

static double peak_p99(const struct rp_curve *c)
{
	return peak_of(c)->p99_ns;
}

static double crossing_number(const struct rp_crossing *crossing)
{
	return crossing->state == RP_CROSSING_AT ? crossing->x : NAN;
}

/* Words only where the number alone would not do. */
static const char *crossing_words(const struct rp_crossing *crossing, char *buf,
				  size_t size)
{
	char number[RP_NUMBER_MAX];

	switch (crossing->state) {
	case RP_CROSSING_PAST_PEAK:
		return "past the peak";
	case RP_CROSSING_NEVER:
		return crossing->began_above ? "only at first" : "never";
	case RP_CROSSING_ALWAYS:
		return "always above";
	case RP_CROSSING_AT:
		if (!crossing->began_above)
			return NULL;
		rp_fmt_count(number, sizeof(number), crossing->x);
		snprintf(buf, size, "%s, and at first", number);
		return buf;
	case RP_CROSSING_UNKNOWN:
		break;
	}
	return NULL;
}

static double mean_1ms(const struct rp_curve *c)
{
	return crossing_number(&c->mean_1ms);
}

static const char *mean_1ms_words(const struct rp_curve *c, char *buf,
				  size_t size)
{
	return crossing_words(&c->mean_1ms, buf, size);
}

static double p99_1ms(const struct rp_curve *c)
{
	return crossing_number(&c->p99_1ms);
}

static const char *p99_1ms_words(const struct rp_curve *c, char *buf,
				 size_t size)
{
	return crossing_words(&c->p99_1ms, buf, size);
}

static double lat10(const struct rp_curve *c)
{
	return c->lat10_ns;
}

static double lat50(const struct rp_curve *c)
{
	return c->lat50_ns;
}

static double lat90(const struct rp_curve *c)
{
	return c->lat90_ns;
}

static double lat100(const struct rp_curve *c)
{
	return c->lat100_ns;
}

static double knee(const struct rp_curve *c)
{
	return c->knee_iops;
}

static const char *knee_words(const struct rp_curve *c, char *buf, size_t size)
{
	(void)buf;
	(void)size;
	return isnan(c->knee_iops) ? "none" : NULL;
}

static double missed(const struct rp_curve *c)
{
	return (double)c->missed;
}

static double failed(const struct rp_curve *c)
{
	return (double)c->failed;
}

static const struct curve_metric curve_metrics[] = {
	{PART_PEAK, "peak_iops", "peak IOPS", RP_UNIT_IOPS, peak_iops, NULL},
	{PART_PEAK, "peak_bandwidth_bytes_s", "peak MB/s", RP_UNIT_BANDWIDTH,
	 peak_bandwidth, NULL},
	{PART_PEAK, "peak_lat_mean_ns", "mean there", RP_UNIT_LATENCY,
	 peak_mean, NULL},
	{PART_PEAK, "peak_lat_p99_ns", "p99 there", RP_UNIT_LATENCY, peak_p99,
	 NULL},
	{PART_PEAK, "mean_leaves_1ms_iops", "mean leaves 1 ms at", RP_UNIT_IOPS,
	 mean_1ms, mean_1ms_words},
	{PART_PEAK, "p99_leaves_1ms_iops", "p99 leaves 1 ms at", RP_UNIT_IOPS,
	 p99_1ms, p99_1ms_words},
	{PART_LOAD, "lat_mean_at_10_percent_ns", "mean at 10 %",
	 RP_UNIT_LATENCY, lat10, NULL},
	{PART_LOAD, "lat_mean_at_50_percent_ns", "at 50 %", RP_UNIT_LATENCY,
	 lat50, NULL},
	{PART_LOAD, "lat_mean_at_90_percent_ns", "at 90 %", RP_UNIT_LATENCY,
	 lat90, NULL},
	{PART_LOAD, "lat_mean_at_100_percent_ns", "at 100 %", RP_UNIT_LATENCY,
	 lat100, NULL},
	{PART_LOAD, "knee_iops", "knee at IOPS", RP_UNIT_IOPS, knee,
	 knee_words},
	{PART_LOAD, "missed_points", "points missed", RP_UNIT_COUNT, missed,
	 NULL},
	{PART_LOAD, "failed_points", "failed", RP_UNIT_COUNT, failed, NULL},
};

#define CURVE_METRIC_COUNT (sizeof(curve_metrics) / sizeof(curve_metrics[0]))

static const char *const crossing_names[] = {
	[RP_CROSSING_UNKNOWN] = "unknown",     [RP_CROSSING_AT] = "at",
	[RP_CROSSING_PAST_PEAK] = "past-peak", [RP_CROSSING_NEVER] = "never",
	[RP_CROSSING_ALWAYS] = "always",
};

/* What the numbers are; a machine can't read "never" out of an empty cell. */
static void word_columns(struct rp_table *table, enum part part)
{
	if (part & PART_PEAK)
		rp_table_column(table, "latency", "latency", "", RP_ALIGN_LEFT);
	if (part != PART_ALL)
		return;
	rp_table_column(table, "mean_leaves_1ms", "mean leaves 1 ms", "",
			RP_ALIGN_LEFT);
	rp_table_column(table, "p99_leaves_1ms", "p99 leaves 1 ms", "",
			RP_ALIGN_LEFT);
	rp_table_column(table, "percentiles", "percentiles", "", RP_ALIGN_LEFT);
}

static void word_cells(struct rp_table *table, enum part part,
		       const struct rp_curve *curve)
{
	if (part & PART_PEAK)
		rp_table_text(table, rp_latency_word(curve->kind));
	if (part != PART_ALL)
		return;
	rp_table_text(table, crossing_names[curve->mean_1ms.state]);
	rp_table_text(table, crossing_names[curve->p99_1ms.state]);
	rp_table_text(table, rp_percentiles_word(peak_of(curve)->source));
}

static void curve_columns(struct rp_table *table, enum part part)
{
	for (size_t i = 0; i < CURVE_METRIC_COUNT; i++)
		if (curve_metrics[i].part & part)
			rp_table_column(table, curve_metrics[i].name,
					curve_metrics[i].title, "",
					RP_ALIGN_RIGHT);
}

static void curve_cells(struct rp_table *table, enum part part,
			const struct rp_curve *curve)
{
	for (size_t i = 0; i < CURVE_METRIC_COUNT; i++) {
		const struct curve_metric *m = &curve_metrics[i];
		char buf[2 * RP_NUMBER_MAX];
		const char *words =
			m->say ? m->say(curve, buf, sizeof(buf)) : NULL;

		if (!(m->part & part))
			continue;
		if (words)
			rp_table_number(table, m->get(curve), words,
					RP_MARK_NONE);
		else
			rp_unit_cell(table, m->unit, m->get(curve),
				     RP_MARK_NONE);
	}
}

/* "+12.3 %" against the first run that has the profile. */
static void difference_cell(struct rp_table *table,
			    const struct rp_review_profile *profile, size_t i)
{
	double base = peak_iops(&profile->curves.at[0]);
	double percent = (peak_iops(&profile->curves.at[i]) / base - 1) * 100;
	char number[RP_NUMBER_MAX], text[RP_NUMBER_MAX + 1];

	if (i == 0) {
		rp_table_number(table, 0, "base", RP_MARK_NONE);
		return;
	}
	rp_fmt_percent(number, sizeof(number), percent);
	snprintf(text, sizeof(text), "%s%s", percent > 0 ? "+" : "", number);
	rp_table_number(table, percent, text, RP_MARK_NONE);
}

static void profile_rows(struct rp_table *table, enum part part,
			 const struct rp_review_profile *profile,
			 bool with_drive, bool with_difference)
{
	for (size_t i = 0; i < profile->curves.count; i++) {
		rp_table_text(table, profile->title);
		if (with_drive)
			rp_table_text(table, profile->curves.at[i].label);
		curve_cells(table, part, &profile->curves.at[i]);
		word_cells(table, part, &profile->curves.at[i]);
		if (with_difference)
			difference_cell(table, profile, i);
	}
}

static void curve_table(struct rp_doc *doc, const struct rp_review *review,
			enum part part, const char *name)
{
	bool several = review->runs->count > 1;
	bool with_drive = several || part == PART_ALL;
	bool with_difference = several && part & PART_PEAK;
	struct rp_table *table = rp_doc_table(doc, name, "");

	rp_table_column(table, "profile", "profile", "", RP_ALIGN_LEFT);
	if (with_drive)
		rp_table_column(table, "drive", "drive", "", RP_ALIGN_LEFT);
	curve_columns(table, part);
	word_columns(table, part);
	if (with_difference)
		rp_table_column(table, "peak_difference_percent",
				"peak against the first", "higher is better",
				RP_ALIGN_RIGHT);
	for (size_t p = 0; p < review->profiles.count; p++)
		profile_rows(table, part, &review->profiles.at[p], with_drive,
			     with_difference);
}

void rp_doc_curves(struct rp_doc *doc, const struct rp_review *review)
{
	curve_table(doc, review, PART_PEAK, "peaks");
	curve_table(doc, review, PART_LOAD, "loads");
}

void rp_doc_curves_wide(struct rp_doc *doc, const struct rp_review *review)
{
	curve_table(doc, review, PART_ALL, "curves");
}

/* A page is too narrow for the last of them: p99.99 is for machines. */
static const char *const point_columns[] = {
	"iops",	      "bandwidth_bytes_s", "lat_mean_ns", "lat_p50_ns",
	"lat_p99_ns", "lat_p99_9_ns",	   "lat_max_ns",  "lat_p99_99_ns",
};

enum { COLUMNS_TO_READ = 7, COLUMNS_ALL = 8 };

static void point_table_columns(struct rp_table *table, size_t metrics)
{
	rp_table_column(table, "load_percent", "load", "", RP_ALIGN_RIGHT);
	rp_table_column(table, "asked_iops", "asked", "IOPS", RP_ALIGN_RIGHT);
	rp_metric_columns(table, point_columns, metrics);
	rp_table_column(table, "outstanding", "in flight", "", RP_ALIGN_RIGHT);
	if (metrics == COLUMNS_ALL)
		rp_table_column(table, "percentiles", "percentiles", "",
				RP_ALIGN_LEFT);
	rp_table_column(table, "remark", "remark", "", RP_ALIGN_LEFT);
}

static const char *remark_of(const struct rp_curve_point *cp)
{
	bool beyond = cp->point->load_percent > 100;

	if (cp->missed && cp->little_off)
		return beyond ? "saturated; Little's law off"
			      : "rate missed; Little's law off";
	if (cp->little_off)
		return "Little's law off";
	if (cp->missed)
		return beyond ? "saturated" : "rate missed";
	return "";
}

static void load_cell(struct rp_table *table, const struct rp_point *point)
{
	char text[RP_POINT_NAME_MAX];

	rp_table_number(table, point->load_percent,
			rp_point_name(point, text, sizeof(text)), RP_MARK_NONE);
}

static void point_row(struct rp_table *table, size_t metrics,
		      const struct rp_curve_point *cp)
{
	double asked = cp->point->asked_iops > 0 ? cp->point->asked_iops : NAN;
	char text[RP_NUMBER_MAX];

	load_cell(table, cp->point);
	rp_table_number(table, asked,
			isnan(asked) ? "unlimited"
				     : rp_fmt_count(text, sizeof(text), asked),
			RP_MARK_NONE);
	rp_metric_cells(table, point_columns, metrics, &cp->sample);
	snprintf(text, sizeof(text), "%.*f", cp->outstanding < 9.95 ? 2 : 1,
		 cp->outstanding);
	rp_table_number(table, cp->outstanding,
			isnan(cp->outstanding) ? "" : text, RP_MARK_NONE);
	if (metrics == COLUMNS_ALL)
		rp_table_text(table, rp_percentiles_word(cp->sample.source));
	rp_table_text(table, remark_of(cp));
}

void rp_doc_points(struct rp_doc *doc, const struct rp_review_profile *profile,
		   bool several_runs)
{
	struct rp_table *table = rp_doc_table(doc, profile->stem, "");

	if (several_runs)
		rp_table_column(table, "drive", "drive", "", RP_ALIGN_LEFT);
	point_table_columns(table, COLUMNS_TO_READ);
	for (size_t i = 0; i < profile->curves.count; i++) {
		const struct rp_curve *curve = &profile->curves.at[i];

		for (size_t p = 0; p < curve->points.count; p++) {
			if (several_runs)
				rp_table_text(table, curve->label);
			point_row(table, COLUMNS_TO_READ, &curve->points.at[p]);
		}
	}
}

static void all_rows(struct rp_table *table, const char *profile,
		     const struct rp_curve *curve)
{
	for (size_t i = 0; i < curve->points.count; i++) {
		rp_table_text(table, profile);
		rp_table_text(table, curve->label);
		point_row(table, COLUMNS_ALL, &curve->points.at[i]);
	}
}

void rp_doc_all_points(struct rp_doc *doc, const struct rp_review *review)
{
	struct rp_table *table = rp_doc_table(doc, "points", "");

	rp_table_column(table, "profile", "profile", "", RP_ALIGN_LEFT);
	rp_table_column(table, "drive", "drive", "", RP_ALIGN_LEFT);
	point_table_columns(table, COLUMNS_ALL);
	for (size_t p = 0; p < review->profiles.count; p++) {
		const struct rp_review_profile *profile =
			&review->profiles.at[p];

		for (size_t i = 0; i < profile->curves.count; i++)
			all_rows(table, profile->id, &profile->curves.at[i]);
	}
}

void rp_doc_curve_notes(struct rp_doc *doc,
			const struct rp_review_profile *profile)
{
	for (size_t i = 0; i < profile->warnings.count; i++)
		rp_doc_note(doc, "%s: %s", profile->title,
			    profile->warnings.at[i]);
	for (size_t i = 0; i < profile->curves.count; i++) {
		const struct rp_curve *curve = &profile->curves.at[i];

		for (size_t w = 0; w < curve->warnings.count; w++)
			rp_doc_note(doc, "%s, %s, %s", profile->title,
				    curve->label, curve->warnings.at[w]);
	}
}

void rp_doc_run_notes(struct rp_doc *doc, const struct rp_review *review)
{
	for (size_t r = 0; r < review->runs->count; r++) {
		const struct rp_run *run = &review->runs->at[r];
		const char *label = review->labels.at[r];

		if (!run->complete)
			rp_doc_note(
				doc,
				"%s: this run did not end: points are missing",
				label);
		for (size_t i = 0; i < run->warnings.count; i++)
			rp_doc_note(doc, "%s: %s", label, run->warnings.at[i]);
	}
}
