/* SPDX-License-Identifier: GPL-2.0-only */
#include "load/fio_doc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "load/fio_flow.h"
#include "load/fio_latency.h"
#include "load/fio_release.h"
#include "load/json_value.h"
#include "base/utf8.h"

/* fio itself stops at 4096; a client adds up several of them. */
#define JOBS_MAX 16384
#define TIMESTAMP_MAX 1e11 /* the year 5138: beyond is no time */

static const json_t *job_array(const json_t *root, bool *clients)
{
	const json_t *jobs = json_object_get(root, "jobs");

	*clients = !json_is_array(jobs);
	if (*clients)
		jobs = json_object_get(root, "client_stats");
	return json_is_array(jobs) ? jobs : NULL;
}

bool rp_fio_doc_is_result(const json_t *root)
{
	bool clients;

	return job_array(root, &clients) != NULL;
}

static int read_options(json_t *object, rp_options *options)
{
	const char *name;
	json_t *value;

	json_object_foreach(object, name, value)
	{
		const char *text = json_string_value(value);

		if (rp_options_add(options, name, text ? text : ""))
			return -ENOMEM;
	}
	return 0;
}

static bool lat_in_clat(const struct rp_result *result,
			const struct rp_job *job)
{
	const char *on = rp_job_option(result, job, "lat_percentiles");

	return on && strcmp(on, "0") &&
	       rp_fio_puts_lat_in_clat(result->fio_version);
}

static int read_flows(const json_t *object, bool moved, struct rp_job *job)
{
	int ret = 0;

	for (int ddir = 0; ddir < RP_DDIR_COUNT && !ret; ddir++) {
		const json_t *flow =
			json_object_get(object, rp_ddir_name[ddir]);

		if (json_is_object(flow))
			ret = rp_fio_flow(flow, moved, &job->flow[ddir]);
	}
	return ret;
}

static int read_host(const json_t *object, struct rp_job *job)
{
	const char *host = rp_json_text(object, "hostname");

	if (!host)
		return 0;
	job->host = rp_strf("%s:%d", host, rp_json_int(object, "port"));
	return job->host ? 0 : -ENOMEM;
}

static int read_job(const json_t *object, const struct rp_result *result,
		    struct rp_job *job)
{
	const char *name = rp_json_text(object, "jobname");
	int ret;

	job->name = strdup(name ? name : "");
	if (!job->name)
		return -ENOMEM;
	job->group = rp_json_int(object, "groupid");
	job->error = rp_json_int(object, "error");
	job->cpu_user_percent = rp_json_number(object, "usr_cpu", 0);
	job->cpu_sys_percent = rp_json_number(object, "sys_cpu", 0);
	ret = read_host(object, job);
	if (!ret)
		ret = read_options(json_object_get(object, "job options"),
				   &job->options);
	if (!ret)
		ret = read_flows(object, lat_in_clat(result, job), job);
	if (!ret)
		ret = rp_fio_latency(json_object_get(object, "sync"), "lat",
				     &job->sync);
	return ret;
}

/* A group shows its first job's name beside its last job's options. */
static int warn_of_group_options(struct rp_result *result,
				 const struct rp_job *job)
{
	const char *last = rp_options_get(&job->options, "name");
	char *shown_name, *shown_last;
	int ret = -ENOMEM;

	if (!last || !*job->name || !strcmp(last, job->name))
		return 0;
	shown_name = rp_utf8_printable(job->name, strlen(job->name));
	shown_last = rp_utf8_printable(last, strlen(last));
	if (shown_name && shown_last)
		ret = rp_strings_addf(&result->warnings,
				      "the options of group \"%s\" are those "
				      "of its last job \"%s\"",
				      shown_name, shown_last);
	free(shown_name);
	free(shown_last);
	return ret;
}

/* "All clients" comes last and repeats what the others say. */
static void mark_aggregate(const struct rp_result *result, struct rp_job *job)
{
	if (strcmp(job->name, "All clients"))
		return;
	job->aggregate = true;
	if (!rp_fio_clients_latency_wrong(result->fio_version))
		return;
	for (int ddir = 0; ddir < RP_DDIR_COUNT; ddir++)
		for (int kind = 0; kind < RP_LAT_KIND_COUNT; kind++)
			rp_fio_latency_drop(&job->flow[ddir].lat[kind]);
}

static int read_jobs(const json_t *array, bool clients,
		     struct rp_result *result)
{
	size_t count = json_array_size(array);
	int ret = 0;

	if (count > JOBS_MAX) {
		ret = rp_strings_addf(&result->warnings,
				      "only the first %d of %zu jobs are read",
				      JOBS_MAX, count);
		count = JOBS_MAX;
	}
	for (size_t i = 0; i < count && !ret; i++) {
		const json_t *object = json_array_get(array, i);
		struct rp_job *job;

		if (!json_is_object(object))
			continue;
		job = rp_vec_push(&result->jobs);
		if (!job)
			return -ENOMEM;
		ret = read_job(object, result, job);
		if (ret)
			break;
		if (clients && i && i == count - 1)
			mark_aggregate(result, job);
		ret = warn_of_group_options(result, job);
	}
	return ret;
}

static void read_clock(const json_t *root, const json_t *jobs,
		       struct rp_result *result, struct rp_fio_clock *clock)
{
	const json_t *first = json_array_get(jobs, 0);
	int64_t elapsed = rp_json_int(first, "elapsed");
	double stamp = rp_json_number(root, "timestamp", 0);

	if (stamp > 0 && stamp < TIMESTAMP_MAX)
		result->timestamp_s = (int64_t)stamp;
	if (elapsed >= 0 && result->timestamp_s > elapsed &&
	    rp_json_has(first, "elapsed"))
		clock->genesis_s = result->timestamp_s - elapsed;
	clock->job_start_ms = (int64_t)rp_json_count(first, "job_start");
}

int rp_fio_doc_read(const json_t *root, struct rp_result *result,
		    struct rp_fio_clock *clock)
{
	const char *version = rp_json_text(root, "fio version");
	bool clients;
	const json_t *jobs = job_array(root, &clients);
	int ret;

	result->fio_version = strdup(version ? version : "");
	if (!result->fio_version)
		return -ENOMEM;
	read_clock(root, jobs, result, clock);
	ret = read_options(json_object_get(root, "global options"),
			   &result->globals);
	if (!ret)
		ret = read_jobs(jobs, clients, result);
	return ret;
}
