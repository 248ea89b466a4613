/* SPDX-License-Identifier: GPL-2.0-only */
#include "doc/applications.h"

#include <stdlib.h>

#include "base/str.h"
#include "doc/metric_cells.h"
#include "doc/review.h"

static void add_rows(struct rp_table *table, const struct rp_review *review,
		     const struct rp_review_application *application,
		     bool with_drive)
{
	for (size_t i = 0; i < application->results.count; i++) {
		const struct rp_application_result *result =
			&application->results.at[i];

		rp_table_text(table, application->title);
		if (with_drive)
			rp_table_text(table, review->labels.at[result->run]);
		rp_unit_cell(table, RP_UNIT_COUNT, result->of->rate,
			     RP_MARK_NONE);
		rp_table_text(table,
			      application->is_iops ? "IOPS" : "transactions/s");
		rp_unit_cell(table, RP_UNIT_LATENCY, result->of->mean_ns,
			     RP_MARK_NONE);
		rp_unit_cell(table, RP_UNIT_LATENCY, result->of->p99_ns,
			     RP_MARK_NONE);
		rp_table_text(table, result->of->p99_kind);
	}
}

static void add_table(struct rp_doc *doc, const struct rp_review *review,
		      bool with_drive)
{
	struct rp_table *table = rp_doc_table(doc, "applications", "");

	rp_table_column(table, "application", "application", "", RP_ALIGN_LEFT);
	if (with_drive)
		rp_table_column(table, "drive", "drive", "", RP_ALIGN_LEFT);
	rp_table_column(table, "rate_per_s", "rate", "", RP_ALIGN_RIGHT);
	rp_table_column(table, "rate_of", "of", "", RP_ALIGN_LEFT);
	rp_table_column(table, "lat_mean_ns", "mean", "", RP_ALIGN_RIGHT);
	rp_table_column(table, "lat_p99_ns", "p99", "", RP_ALIGN_RIGHT);
	rp_table_column(table, "percentiles", "p99 is from", "", RP_ALIGN_LEFT);
	for (size_t i = 0; i < review->applications.count; i++)
		add_rows(table, review, &review->applications.at[i],
			 with_drive);
}

void rp_doc_application_table(struct rp_doc *doc,
			      const struct rp_review *review)
{
	add_table(doc, review, true);
}

static void add_figure(struct rp_doc *doc,
		       const struct rp_review_application *application)
{
	char *stem = rp_strf(RP_CHART_DIR "/%s", application->stem);
	char *alt = rp_strf(
		"Rate, mean latency and 99th percentile of %s as bars: the numbers are in the table of applications",
		application->title);
	char *caption =
		rp_strf("%s: %s", application->title, application->method);

	if (!stem || !alt || !caption)
		doc->failed = true;
	else
		rp_doc_figure(doc, stem, alt, caption);
	free(stem);
	free(alt);
	free(caption);
}

void rp_doc_applications(struct rp_doc *doc, const struct rp_review *review,
			 bool charts)
{
	if (!review->applications.count)
		return;
	rp_doc_heading(doc, 2, "Applications");
	rp_doc_paragraph(
		doc,
		"Real programs on a file system of the drive, each with all its threads at work all the time. A rate is of transactions or I/Os that ended, latency is of one of them.");
	add_table(doc, review, review->runs->count > 1);
	for (size_t i = 0; i < review->applications.count; i++) {
		const struct rp_review_application *application =
			&review->applications.at[i];

		if (charts && application->results.count)
			add_figure(doc, application);
		for (size_t w = 0; w < application->warnings.count; w++)
			rp_doc_note(doc, "%s: %s", application->title,
				    application->warnings.at[w]);
	}
}
