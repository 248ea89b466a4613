/* SPDX-License-Identifier: GPL-2.0-only */
#include "load/point.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/utf8.h"

int rp_point_fail(struct rp_point *point, const char *reason)
{
	if (!point->failure)
		point->failure = strdup(reason);
	return point->failure ? 0 : -ENOMEM;
}

int rp_point_fail_err(struct rp_point *point, const struct rp_err *err)
{
	if (point->failure)
		return 0;
	point->failure = err->line ? rp_strf("its file, line %u: %s", err->line,
					     err->message)
				   : rp_strf("its file: %s", err->message);
	return point->failure ? 0 : -ENOMEM;
}

/* The first failed job that stands for itself, or NULL. */
static const struct rp_job *failed_job(const struct rp_result *result)
{
	for (size_t i = 0; i < result->jobs.count; i++)
		if (result->jobs.at[i].failure && !result->jobs.at[i].aggregate)
			return &result->jobs.at[i];
	return NULL;
}

static int collect_warnings(const struct rp_point *point,
			    const struct rp_result *result,
			    rp_strings *warnings)
{
	int ret = 0;

	for (size_t i = 0; i < result->warnings.count && !ret; i++)
		ret = rp_strings_addf(warnings, "%s: %s", point->file,
				      result->warnings.at[i]);
	return ret;
}

static int fail_with_job(struct rp_point *point, const struct rp_job *job)
{
	char *name = rp_utf8_printable(job->name, strlen(job->name));

	if (name)
		point->failure = rp_strf("job \"%s\": %s", name, job->failure);
	free(name);
	return point->failure ? 0 : -ENOMEM;
}

int rp_point_take(struct rp_point *point, struct rp_result *result,
		  rp_strings *warnings)
{
	const struct rp_job *failed = failed_job(result);
	int ret = collect_warnings(point, result, warnings);

	if (failed && !point->failure && !ret)
		ret = fail_with_job(point, failed);
	if (point->failure || ret)
		rp_result_release(result);
	point->result = *result;
	*result = (struct rp_result){0};
	return ret;
}

static int by_load(const void *a, const void *b)
{
	const struct rp_point *x = a, *y = b;

	if (x->load_percent != y->load_percent)
		return x->load_percent < y->load_percent ? -1 : 1;
	if (x->asked_iops != y->asked_iops)
		return x->asked_iops < y->asked_iops ? -1 : 1;
	if (x->outstanding != y->outstanding)
		return x->outstanding < y->outstanding ? -1 : 1;
	return strcmp(x->file ? x->file : "", y->file ? y->file : "");
}

void rp_points_sort(struct rp_profile_run *profile)
{
	if (profile->points.count)
		qsort(profile->points.at, profile->points.count,
		      sizeof(*profile->points.at), by_load);
}
