/* SPDX-License-Identifier: GPL-2.0-only */
/* Any bytes as a fio output: no crash, no leak, and a result that holds. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "load/fio_json.h"
#include "load/job_params.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check_latency(const struct rp_latency *lat)
{
	for (size_t i = 1; i < lat->percentiles.count; i++)
		require(lat->percentiles.at[i - 1].percent <=
			lat->percentiles.at[i].percent);
	for (size_t i = 1; i < lat->bins.count; i++)
		require(lat->bins.at[i - 1].ns <= lat->bins.at[i].ns);
	require(lat->present || !lat->percentiles.count);
}

static void check_job(const struct rp_result *result, const struct rp_job *job)
{
	struct rp_job_params params;
	bool did_io = false;

	require(job->name);
	for (int ddir = 0; ddir < RP_DDIR_COUNT; ddir++) {
		did_io |= job->flow[ddir].present;
		for (int kind = 0; kind < RP_LAT_KIND_COUNT; kind++)
			check_latency(&job->flow[ddir].lat[kind]);
	}
	require(job->failure || (did_io && !job->error));
	rp_job_params_read(result, job, &params);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	rp_results results = {0};
	struct rp_err err = {0};
	int ret = rp_load_fio_text("input", (const char *)data, size, &results,
				   &err);

	require(ret == 0 ? results.count > 0 : err.code == ret);
	require(ret == 0 || (err.message[0] && err.where[0]));
	for (size_t i = 0; ret == 0 && i < results.count; i++) {
		const struct rp_result *result = &results.at[i];

		require(result->jobs.count > 0 && result->fio_version);
		for (size_t k = 0; k < result->jobs.count; k++)
			check_job(result, &result->jobs.at[k]);
	}
	rp_results_release(&results);
	return 0;
}
