/* SPDX-License-Identifier: GPL-2.0-only */
#include "doc/summary.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "analyse/sample.h"
#include "doc/metric_cells.h"

/* Columns that would say the same in every row are left out. */
struct shape {
	bool several_files;
	bool hosts;
	const rp_metric_names *columns;
};

static struct shape shape_of(const rp_results *results,
			     const rp_metric_names *columns)
{
	struct shape shape = {.columns = columns};

	for (size_t i = 0; i < results->count; i++) {
		const struct rp_result *result = &results->at[i];

		if (i && strcmp(result->path, results->at[0].path))
			shape.several_files = true;
		for (size_t j = 0; j < result->jobs.count; j++)
			if (result->jobs.at[j].host)
				shape.hosts = true;
	}
	return shape;
}

static struct rp_table *table_start(struct rp_doc *doc, struct shape shape)
{
	struct rp_table *table = rp_doc_table(doc, "summary", "");

	if (shape.several_files)
		rp_table_column(table, "file", "file", "", RP_ALIGN_LEFT);
	if (shape.hosts)
		rp_table_column(table, "host", "host", "", RP_ALIGN_LEFT);
	rp_table_column(table, "job", "job", "", RP_ALIGN_LEFT);
	rp_table_column(table, "ddir", "ddir", "", RP_ALIGN_LEFT);
	rp_metric_columns(table, shape.columns->at, shape.columns->count);
	rp_table_column(table, "latency", "latency", "", RP_ALIGN_LEFT);
	rp_table_column(table, "error", "error", "", RP_ALIGN_RIGHT);
	rp_table_column(table, "failure", "failure", "", RP_ALIGN_LEFT);
	return table;
}

/* `sample` NULL: the job did nothing that could be told in numbers. */
static void row_add(struct rp_table *table, struct shape shape,
		    const struct rp_result *result, const struct rp_job *job,
		    const char *ddir, const struct rp_sample *sample)
{
	enum rp_mark mark = job->failure ? RP_MARK_BAD : RP_MARK_NONE;

	if (shape.several_files)
		rp_table_text(table, result->path);
	if (shape.hosts)
		rp_table_text(table, job->host);
	rp_table_text(table, job->name);
	rp_table_text(table, ddir);
	rp_metric_cells(table, shape.columns->at, shape.columns->count, sample);
	rp_table_text(table, sample && !isnan(sample->mean_ns)
				     ? rp_latency_word(sample->kind)
				     : "");
	rp_unit_cell(table, RP_UNIT_COUNT, job->error, mark);
	rp_table_text(table, job->failure);
}

static void job_add(struct rp_doc *doc, struct rp_table *table,
		    struct shape shape, const struct rp_result *result,
		    const struct rp_job *job)
{
	size_t rows = 0;

	for (int ddir = 0; ddir < RP_DDIR_COUNT; ddir++) {
		struct rp_sample sample;

		if (!job->flow[ddir].present)
			continue;
		if (rp_sample_of_flow(job, (enum rp_ddir)ddir, &sample))
			doc->failed = true;
		row_add(table, shape, result, job, rp_ddir_name[ddir], &sample);
		rows++;
	}
	if (!rows)
		row_add(table, shape, result, job, "", NULL);
}

static void notes_add(struct rp_doc *doc, const rp_results *results)
{
	for (size_t i = 0; i < results->count; i++)
		for (size_t j = 0; j < results->at[i].warnings.count; j++)
			rp_doc_note(doc, "%s: %s", results->at[i].path,
				    results->at[i].warnings.at[j]);
}

size_t rp_doc_summary(struct rp_doc *doc, const rp_results *results,
		      const rp_metric_names *columns)
{
	struct shape shape = shape_of(results, columns);
	struct rp_table *table = table_start(doc, shape);
	size_t failures = 0;

	for (size_t i = 0; i < results->count; i++)
		for (size_t j = 0; j < results->at[i].jobs.count; j++) {
			const struct rp_job *job = &results->at[i].jobs.at[j];

			job_add(doc, table, shape, &results->at[i], job);
			failures += job->failure != NULL;
		}
	notes_add(doc, results);
	return failures;
}
