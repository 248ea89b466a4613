/* SPDX-License-Identifier: GPL-2.0-only */
#include "model/result.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *const rp_ddir_name[RP_DDIR_COUNT] = {"read", "write", "trim",
						 "mixed"};
const char *const rp_lat_kind_name[RP_LAT_KIND_COUNT] = {"slat", "clat", "lat"};

void rp_latency_release(struct rp_latency *lat)
{
	rp_vec_release(&lat->percentiles);
	rp_vec_release(&lat->bins);
}

static void options_release(rp_options *options)
{
	for (size_t i = 0; i < options->count; i++) {
		free(options->at[i].name);
		free(options->at[i].value);
	}
	rp_vec_release(options);
}

void rp_job_release(struct rp_job *job)
{
	free(job->name);
	free(job->host);
	free(job->failure);
	options_release(&job->options);
	for (int d = 0; d < RP_DDIR_COUNT; d++)
		for (int k = 0; k < RP_LAT_KIND_COUNT; k++)
			rp_latency_release(&job->flow[d].lat[k]);
	rp_latency_release(&job->sync);
	*job = (struct rp_job){0};
}

void rp_result_release(struct rp_result *result)
{
	free(result->path);
	free(result->fio_version);
	options_release(&result->globals);
	for (size_t i = 0; i < result->jobs.count; i++)
		rp_job_release(&result->jobs.at[i]);
	rp_vec_release(&result->jobs);
	rp_strings_release(&result->warnings);
	*result = (struct rp_result){0};
}

void rp_results_release(rp_results *results)
{
	for (size_t i = 0; i < results->count; i++)
		rp_result_release(&results->at[i]);
	rp_vec_release(results);
}

int rp_options_add(rp_options *options, const char *name, const char *value)
{
	struct rp_option *option = rp_vec_push(options);

	if (!option)
		return -ENOMEM;
	option->name = strdup(name);
	option->value = strdup(value);
	return option->name && option->value ? 0 : -ENOMEM;
}

const char *rp_options_get(const rp_options *options, const char *name)
{
	for (size_t i = options->count; i-- > 0;)
		if (!strcmp(options->at[i].name, name))
			return options->at[i].value;
	return NULL;
}

const char *rp_job_option(const struct rp_result *result,
			  const struct rp_job *job, const char *name)
{
	const char *value = rp_options_get(&job->options, name);

	return value ? value : rp_options_get(&result->globals, name);
}
