/* SPDX-License-Identifier: GPL-2.0-only */
#include "doc/single_table.h"

#include <math.h>
#include <string.h>

#include "analyse/sample.h"
#include "doc/metric_cells.h"

static const char *const columns[] = {
	"bandwidth_bytes_s", "iops",	     "lat_mean_ns", "lat_p50_ns",
	"lat_p99_ns",	     "lat_p99_9_ns", "lat_max_ns",
};

enum { COLUMN_COUNT = sizeof(columns) / sizeof(columns[0]) };

/* What tells rows apart: the profile where one table holds them all. */
struct shape {
	bool profile, drive;
};

static struct rp_table *table_start(struct rp_doc *doc, const char *name,
				    struct shape shape)
{
	struct rp_table *table = rp_doc_table(doc, name, "");

	if (shape.profile)
		rp_table_column(table, "profile", "profile", "", RP_ALIGN_LEFT);
	rp_table_column(table, "job", "job", "", RP_ALIGN_LEFT);
	rp_table_column(table, "ddir", "ddir", "", RP_ALIGN_LEFT);
	if (shape.drive)
		rp_table_column(table, "drive", "drive", "", RP_ALIGN_LEFT);
	rp_metric_columns(table, columns, COLUMN_COUNT);
	rp_table_column(table, "latency", "latency", "", RP_ALIGN_LEFT);
	return table;
}

static void flow_row(struct rp_doc *doc, struct rp_table *table,
		     struct shape shape, const struct rp_single *single,
		     const struct rp_job *job, enum rp_ddir ddir)
{
	struct rp_sample sample;

	if (rp_sample_of_flow(job, ddir, &sample))
		doc->failed = true;
	if (shape.profile)
		rp_table_text(table, single->profile->id);
	rp_table_text(table, job->name);
	rp_table_text(table, rp_ddir_name[ddir]);
	if (shape.drive)
		rp_table_text(table, single->label);
	rp_metric_cells(table, columns, COLUMN_COUNT, &sample);
	rp_table_text(table, isnan(sample.mean_ns)
				     ? ""
				     : rp_latency_word(sample.kind));
}

static void point_rows(struct rp_doc *doc, struct rp_table *table,
		       struct shape shape, const struct rp_single *single,
		       const struct rp_point *point)
{
	for (size_t j = 0; j < point->result.jobs.count; j++)
		for (int ddir = 0; ddir < RP_DDIR_COUNT; ddir++) {
			const struct rp_job *job = &point->result.jobs.at[j];

			if (job->flow[ddir].present)
				flow_row(doc, table, shape, single, job,
					 (enum rp_ddir)ddir);
		}
}

static void single_rows(struct rp_doc *doc, struct rp_table *table,
			struct shape shape, const struct rp_single *single)
{
	for (size_t i = 0; i < single->profile->points.count; i++)
		point_rows(doc, table, shape, single,
			   &single->profile->points.at[i]);
}

static void failure_notes(struct rp_doc *doc, const struct rp_single *single)
{
	for (size_t i = 0; i < single->profile->points.count; i++)
		if (single->profile->points.at[i].failure)
			rp_doc_note(doc, "%s, %s: %s", single->profile->title,
				    single->label,
				    single->profile->points.at[i].failure);
}

static bool is_measured(const struct rp_single *single)
{
	for (size_t i = 0; i < single->profile->points.count; i++)
		if (!single->profile->points.at[i].failure)
			return true;
	return false;
}

static bool same_profile(const struct rp_single *a, const struct rp_single *b)
{
	return !strcmp(a->profile->id, b->profile->id);
}

static bool seen_before(const struct rp_review *review, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (same_profile(&review->singles.at[i],
				 &review->singles.at[index]))
			return true;
	return false;
}

/* One profile, of all runs that have it. */
static void profile_section(struct rp_doc *doc, const struct rp_review *review,
			    size_t first)
{
	const struct rp_single *single = &review->singles.at[first];
	struct shape shape = {.drive = review->runs->count > 1};
	struct rp_table *table = NULL;

	rp_doc_heading(doc, 2, "%s", single->profile->title);
	rp_doc_paragraph(doc, "%s. One call of fio; no curve.",
			 single->profile->method);
	for (size_t i = first; i < review->singles.count; i++) {
		if (!same_profile(single, &review->singles.at[i]) ||
		    !is_measured(&review->singles.at[i]))
			continue;
		if (!table)
			table = table_start(doc, single->profile->id, shape);
		single_rows(doc, table, shape, &review->singles.at[i]);
	}
	for (size_t i = first; i < review->singles.count; i++)
		if (same_profile(single, &review->singles.at[i]))
			failure_notes(doc, &review->singles.at[i]);
}

void rp_doc_singles(struct rp_doc *doc, const struct rp_review *review)
{
	for (size_t i = 0; i < review->singles.count; i++)
		if (!seen_before(review, i))
			profile_section(doc, review, i);
}

void rp_doc_singles_wide(struct rp_doc *doc, const struct rp_review *review)
{
	struct shape shape = {.profile = true, .drive = true};
	struct rp_table *table;

	if (!review->singles.count)
		return;
	table = table_start(doc, "singles", shape);
	for (size_t i = 0; i < review->singles.count; i++)
		single_rows(doc, table, shape, &review->singles.at[i]);
	for (size_t i = 0; i < review->singles.count; i++)
		failure_notes(doc, &review->singles.at[i]);
}
