/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyse/review.h"
#include "base/file.h"
#include "chart/bars.h"
#include "chart/gnuplot.h"
#include "chart/latency_iops.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/run_input.h"
#include "doc/applications.h"
#include "doc/curve_table.h"
#include "doc/review.h"
#include "doc/single_table.h"

static int write_chart(const struct rp_review *review,
		       const struct rp_review_profile *profile, const char *dir,
		       bool linear, struct rp_err *err)
{
	struct rp_str footer = RP_STR_INIT;
	struct rp_latency_chart chart = {
		.title = profile->title,
		.subtitle = profile->method,
		.curves = profile->curves.at,
		.colours = profile->runs.at,
		.curve_count = profile->curves.count,
		.linear = linear,
	};
	int ret;

	rp_review_footer(review, &footer);
	chart.footer = rp_str_text(&footer);
	ret = rp_latency_chart_write(&chart, dir, profile->stem, err);
	rp_str_release(&footer);
	return ret;
}

static int write_bars(const struct rp_review *review,
		      const struct rp_review_application *application,
		      const char *dir, struct rp_err *err)
{
	struct rp_str footer = RP_STR_INIT;
	struct rp_bars_chart chart = {
		.application = application,
		.labels = &review->labels,
	};
	int ret;

	rp_review_footer(review, &footer);
	chart.footer = rp_str_text(&footer);
	ret = rp_bars_chart_write(&chart, dir, application->stem, err);
	rp_str_release(&footer);
	return ret;
}

/* Data and scripts of all charts; `stems` has room for all. */
static int write_charts(const struct rp_review *review, const char *dir,
			bool linear, const char **stems, size_t *count,
			struct rp_err *err)
{
	int ret = 0;

	for (size_t i = 0; i < review->profiles.count && !ret; i++) {
		if (!review->profiles.at[i].curves.count)
			continue;
		stems[(*count)++] = review->profiles.at[i].stem;
		ret = write_chart(review, &review->profiles.at[i], dir, linear,
				  err);
	}
	for (size_t i = 0; i < review->applications.count && !ret; i++) {
		if (!review->applications.at[i].results.count)
			continue;
		stems[(*count)++] = review->applications.at[i].stem;
		ret = write_bars(review, &review->applications.at[i], dir, err);
	}
	return ret;
}

static int make_charts(const struct rp_review *review, const char *out,
		       bool linear, struct rp_err *err)
{
	char *dir = rp_strf("%s/" RP_CHART_DIR, out);
	const char **stems =
		calloc(review->profiles.count + review->applications.count,
		       sizeof(*stems));
	size_t count = 0;
	int ret = dir && stems ? rp_dir_make(dir, err)
			       : rp_err_set(err, -ENOMEM, "out of memory");

	if (!ret)
		ret = write_charts(review, dir, linear, stems, &count, err);
	if (!ret)
		ret = rp_gnuplot_run(dir, stems, count, 0, err);
	free(stems);
	free(dir);
	return ret;
}

static int write_table(const struct rp_review *review,
		       void (*build)(struct rp_doc *, const struct rp_review *),
		       const char *out, const char *name, struct rp_err *err)
{
	struct rp_doc doc = {0};
	int ret;

	build(&doc, review);
	ret = rp_output_file(&doc, "csv", out, name, err);
	rp_doc_release(&doc);
	return ret;
}

static int write_pages(const struct rp_review *review, const char *out,
		       bool charts, struct rp_err *err)
{
	struct rp_doc doc = {0};
	int ret;

	rp_doc_review(&doc, review, charts);
	ret = rp_output_file(&doc, "html", out, "index.html", err);
	if (!ret)
		ret = rp_output_file(&doc, "md", out, "review.md", err);
	if (!ret)
		ret = rp_output_file(&doc, "json", out, "review.json", err);
	if (!ret)
		ret = write_table(review, rp_doc_curves_wide, out, "curves.csv",
				  err);
	if (!ret)
		ret = write_table(review, rp_doc_all_points, out, "points.csv",
				  err);
	if (!ret && review->applications.count)
		ret = write_table(review, rp_doc_application_table, out,
				  "applications.csv", err);
	if (!ret && review->singles.count)
		ret = write_table(review, rp_doc_singles_wide, out,
				  "singles.csv", err);
	rp_doc_release(&doc);
	return ret;
}

/* Without its charts a review still has its numbers; the error comes after. */
static int write_review(const struct rp_review *review,
			const struct rp_values *values, struct rp_err *err)
{
	struct rp_str path = RP_STR_INIT;
	struct rp_err chart_err = {0};
	int ret = rp_dir_make(values->out, err);

	if (!ret && !values->no_charts &&
	    review->profiles.count + review->applications.count)
		make_charts(review, values->out, values->linear, &chart_err);
	if (!ret)
		ret = write_pages(review, values->out, !values->no_charts, err);
	if (!ret) {
		rp_str_addf(&path, "%s/index.html\n", values->out);
		ret = rp_output_text(&path) ? RP_EXIT_SYSTEM : 0;
	}
	rp_str_release(&path);
	if (!ret && chart_err.code) {
		*err = chart_err;
		ret = chart_err.code;
	}
	return ret;
}

static int run(const struct rp_values *values, struct rp_err *err)
{
	struct rp_review review = {0};
	rp_runs runs = {0};
	bool failures = false;
	int ret;

	if (!values->out)
		return rp_err_set(err, -EINVAL,
				  "name the folder for the review: --out DIR");
	ret = rp_runs_load(values, &runs, err);
	if (!ret)
		ret = rp_review_make(&runs, &review, err);
	if (!ret)
		ret = write_review(&review, values, err);
	failures = rp_review_has_failures(&review);
	rp_review_release(&review);
	rp_runs_release(&runs);
	if (ret)
		return ret;
	return failures ? RP_EXIT_NO : RP_EXIT_OK;
}

static const char *const options[] = {"out", "linear", "no-charts", NULL};

const struct rp_command rp_command_review = {
	.name = "review",
	.arguments = "RUN... --out DIR",
	.summary = "a whole review: web page, Markdown, CSV and charts",
	.description =
		"Writes DIR/index.html (one file that works offline), review.md, review.json,\n"
		"curves.csv, points.csv, where there are any applications.csv, and charts/ with\n"
		"an SVG and a PNG per profile and application beside the data and the gnuplot\n"
		"script that drew them. Several RUNs are compared, each drive in its own colour.\n",
	.examples = "  fio-report review RUN --out review\n"
		    "  fio-report review drive-a drive-b --out comparison\n",
	.options = options,
	.run = run,
};
