/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>

#include "analyse/review.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/run_input.h"
#include "doc/curve_table.h"
#include "doc/single_table.h"

static void build(struct rp_doc *doc, const struct rp_review *review,
		  bool for_machines)
{
	rp_doc_title(doc, "Latency versus IOPS");
	if (for_machines) {
		rp_doc_curves_wide(doc, review);
		rp_doc_singles_wide(doc, review);
	} else {
		if (review->profiles.count)
			rp_doc_curves(doc, review);
		rp_doc_singles(doc, review);
	}
	rp_doc_run_notes(doc, review);
	for (size_t i = 0; i < review->profiles.count; i++)
		rp_doc_curve_notes(doc, &review->profiles.at[i]);
}

static int run(const struct rp_values *values, struct rp_err *err)
{
	struct rp_review review = {0};
	struct rp_doc doc = {0};
	rp_runs runs = {0};
	bool failures = false;
	int ret = rp_runs_load(values, &runs, err);

	if (!ret)
		ret = rp_review_make(&runs, &review, err);
	if (!ret && !review.profiles.count && !review.singles.count)
		ret = rp_err_set(
			err, -EBADMSG,
			"no curves, only applications: see fio-report review");
	if (!ret) {
		build(&doc, &review, rp_output_format(values)->for_machines);
		failures = rp_review_has_failures(&review);
		ret = rp_output_doc(&doc, values, err);
	}
	rp_doc_release(&doc);
	rp_review_release(&review);
	rp_runs_release(&runs);
	if (ret)
		return ret;
	return failures ? RP_EXIT_NO : RP_EXIT_OK;
}

static const char *const options[] = {"format", "colour", NULL};

const struct rp_command rp_command_curve = {
	.name = "curve",
	.arguments = "RUN|FILE...",
	.summary =
		"a row per profile: peak, latencies, where 1 ms is left, knee",
	.description =
		"A RUN is a directory that fio-review wrote. Loose fio JSON files are taken\n"
		"together as the points of one curve; they must hold the same job.\n"
		"\"mean leaves 1 ms at\" is interpolated between two points; \"never\" means that\n"
		"no point up to the peak was above. \"missed\" counts the points up to 100 %\n"
		"that fell short of their rate by more than 3 %.\n"
		"Profiles that are one call of fio and no curve have a table each, with a row\n"
		"a job and direction.\n",
	.examples = "  fio-report curve RUN\n"
		    "  fio-report curve --format md old-run new-run\n",
	.options = options,
	.run = run,
};
