/* SPDX-License-Identifier: GPL-2.0-only */
#include "cli/command.h"
#include "cli/output.h"
#include "doc/summary.h"
#include "load/fio_json.h"

/* One bad file does not hide the others: it is told, and counts at the end. */
static int load_all(const struct rp_values *values, rp_results *results)
{
	int status = RP_EXIT_OK;

	for (size_t i = 0; i < values->file_count; i++) {
		struct rp_err err = {0};

		if (!rp_load_fio_json(values->files[i], results, &err))
			continue;
		rp_output_error(&err);
		if (!status)
			status = rp_exit_status(&err);
	}
	return status;
}

static int print_summary(const struct rp_values *values,
			 const rp_metric_names *columns,
			 const rp_results *results, struct rp_err *err)
{
	struct rp_doc doc = {0};
	size_t failures;
	int ret;

	rp_doc_title(&doc, "fio results");
	failures = rp_doc_summary(&doc, results, columns);
	ret = rp_output_doc(&doc, values, err);
	rp_doc_release(&doc);
	if (ret)
		return ret;
	return failures ? RP_EXIT_NO : RP_EXIT_OK;
}

static int run(const struct rp_values *values, struct rp_err *err)
{
	const char *wanted =
		values->columns ? values->columns : RP_SUMMARY_COLUMNS;
	rp_metric_names columns = {0};
	rp_results results = {0};
	int bad = RP_EXIT_OK;
	int ret = rp_metric_names_parse(wanted, &columns, err);

	if (!ret)
		bad = load_all(values, &results);
	if (!ret && results.count)
		ret = print_summary(values, &columns, &results, err);
	rp_results_release(&results);
	rp_vec_release(&columns);
	return bad ? bad : ret;
}

static const char *const options[] = {"format", "colour", "columns", NULL};

const struct rp_command rp_command_summary = {
	.name = "summary",
	.arguments = "FILE...",
	.summary = "a row per job and direction of any fio JSON",
	.description =
		"Reads what fio 2.1 to 3.42 write with --output-format=json or json+, also\n"
		"with text around it, from client/server runs or cut off. A job that failed\n"
		"or did no I/O is named with its reason and makes the exit status 1.\n"
		"The column \"latency\" says what the latencies are: fio's total or its\n"
		"completion latency.\n",
	.examples = "  fio-report summary result.json\n"
		    "  fio-report summary --format csv *.json > results.csv\n",
	.options = options,
	.run = run,
};
