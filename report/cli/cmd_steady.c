/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <stdlib.h>

#include "analyse/sample.h"
#include "cli/command.h"
#include "cli/output.h"
#include "doc/steady.h"
#include "load/fio_json.h"

/* A job that failed would make the round another kind of load. */
static int check_jobs(const struct rp_result *result, struct rp_err *err)
{
	for (size_t i = 0; i < result->jobs.count; i++) {
		const struct rp_job *job = &result->jobs.at[i];

		if (!job->failure)
			continue;
		rp_err_set(err, -EBADMSG, "job %s is no measurement: %s",
			   job->name, job->failure);
		return rp_err_at(err, result->path, 0, 0);
	}
	return 0;
}

/* The IOPS of the one result in a file. */
static int load_round(const char *file, double *iops, struct rp_err *err)
{
	struct rp_sample sample = {0};
	rp_results results = {0};
	int ret = rp_load_fio_json(file, &results, err);

	if (!ret && results.count != 1) {
		rp_err_set(err, -EBADMSG,
			   "expected one result of fio, found %zu",
			   results.count);
		ret = rp_err_at(err, file, 0, 0);
	}
	if (!ret)
		ret = check_jobs(&results.at[0], err);
	if (!ret && rp_sample_of_result(&results.at[0], &sample))
		ret = rp_err_set(err, -ENOMEM, "out of memory");
	*iops = sample.iops;
	rp_results_release(&results);
	return ret;
}

static int judge(const struct rp_values *values, struct rp_round *rounds,
		 double *iops, struct rp_err *err)
{
	struct rp_steady steady;
	struct rp_doc doc = {0};
	int ret = 0;

	for (size_t i = 0; i < values->file_count && !ret; i++) {
		ret = load_round(values->files[i], &iops[i], err);
		rounds[i] = (struct rp_round){values->files[i], iops[i]};
	}
	if (ret)
		return ret;
	steady = rp_steady_judge(iops, values->file_count);
	rp_doc_steady(&doc, rounds, values->file_count, &steady);
	ret = rp_output_doc(&doc, values, err);
	rp_doc_release(&doc);
	if (ret)
		return ret;
	return steady.steady ? RP_EXIT_OK : RP_EXIT_NO;
}

static int run(const struct rp_values *values, struct rp_err *err)
{
	struct rp_round *rounds = calloc(values->file_count, sizeof(*rounds));
	double *iops = calloc(values->file_count, sizeof(*iops));
	int ret;

	if (rounds && iops)
		ret = judge(values, rounds, iops, err);
	else
		ret = rp_err_set(err, -ENOMEM, "out of memory");
	free(rounds);
	free(iops);
	return ret;
}

static const char *const options[] = {"format", "colour", NULL};

const struct rp_command rp_command_steady = {
	.name = "steady",
	.arguments = "FILE...",
	.summary = "has a drive come to its steady state by these rounds?",
	.description =
		"Each FILE is fio's JSON of one round, the oldest first; IOPS of all its jobs\n"
		"together are looked at. Steady, by SNIA's rule, are the last five rounds if\n"
		"largest and smallest differ by no more than 20 % of the mean, and the line of\n"
		"least squares through them changes by no more than 10 % of it. The exit status\n"
		"is 1 where they are not, also where there are fewer.\n",
	.examples = "  fio-report steady RUN/precondition/*.json\n"
		    "  fio-report steady --format json round-*.json\n",
	.options = options,
	.run = run,
};
