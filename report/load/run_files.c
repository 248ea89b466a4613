/* SPDX-License-Identifier: GPL-2.0-only */
#include "load/run_dir.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/units.h"
#include "load/fio_json.h"
#include "load/job_params.h"
#include "load/point.h"
#include "base/utf8.h"

/* The job that gives a result its name, or NULL. */
static const struct rp_job *first_job(const struct rp_result *result)
{
	for (size_t i = 0; i < result->jobs.count; i++)
		if (!result->jobs.at[i].aggregate)
			return &result->jobs.at[i];
	return NULL;
}

/* Of numjobs=4 without group_reporting four entries tell the same options. */
static bool seen_before(const struct rp_result *result, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (!strcmp(result->jobs.at[i].name,
			    result->jobs.at[index].name))
			return true;
	return false;
}

/* Of all jobs of a result together. */
static void sum_params(const struct rp_result *result, struct rp_point *point,
		       struct rp_profile_run *profile)
{
	bool limited = true;

	for (size_t i = 0; i < result->jobs.count; i++) {
		const struct rp_job *job = &result->jobs.at[i];
		struct rp_job_params params;

		if (job->aggregate || seen_before(result, i))
			continue;
		rp_job_params_read(result, job, &params);
		point->asked_iops += params.asked_iops;
		point->runtime_s = fmax(point->runtime_s, params.runtime_s);
		point->outstanding += params.jobs * params.iodepth;
		limited &= params.asked_iops > 0;
		point->held_back |= params.held_back;
	}
	if (!limited)
		point->asked_iops = 0;
	profile->outstanding = fmax(profile->outstanding, point->outstanding);
}

static double achieved_iops(const struct rp_result *result)
{
	double iops = 0;

	for (size_t i = 0; i < result->jobs.count; i++) {
		const struct rp_flow *flow = result->jobs.at[i].flow;

		if (result->jobs.at[i].aggregate)
			continue;
		/* mixed repeats the others, or stands alone */
		if (flow[RP_READ].present || flow[RP_WRITE].present ||
		    flow[RP_TRIM].present)
			iops += flow[RP_READ].iops + flow[RP_WRITE].iops +
				flow[RP_TRIM].iops;
		else
			iops += flow[RP_MIXED].iops;
	}
	return iops;
}

static int describe(const struct rp_result *result, const struct rp_job *job,
		    struct rp_profile_run *profile)
{
	struct rp_str method = RP_STR_INIT;
	struct rp_job_params params;
	char number[RP_NUMBER_MAX];

	rp_job_params_read(result, job, &params);
	profile->read_percent = params.read_percent;
	profile->block_bytes = params.block_bytes;
	profile->id = strdup(job->name);
	profile->title = strdup(job->name);
	if (params.block_bytes > 0)
		rp_str_addf(&method, "%s, ",
			    rp_fmt_bytes(number, sizeof(number),
					 params.block_bytes));
	if (!isnan(params.read_percent))
		rp_str_addf(&method, "%s read, ",
			    rp_fmt_percent(number, sizeof(number),
					   params.read_percent));
	if (params.known)
		rp_str_add(&method, params.random ? "random" : "sequential");
	profile->method = rp_str_detach(&method);
	return profile->id && profile->title && profile->method ? 0 : -ENOMEM;
}

static int refuse_mix(const char *one, const char *other, struct rp_err *err)
{
	char *shown_one = rp_utf8_printable(one, strlen(one));
	char *shown_other = rp_utf8_printable(other, strlen(other));
	int ret = -ENOMEM;

	if (shown_one && shown_other)
		ret = rp_err_set(
			err, -EBADMSG,
			"holds the job \"%.100s\", the files before it "
			"\"%.100s\": these are no points of one curve",
			shown_other, shown_one);
	free(shown_one);
	free(shown_other);
	return ret;
}

/* The same name is not enough: 4k reads and 1m writes are no one curve. */
static int check_pattern(const struct rp_result *result,
			 const struct rp_job *job,
			 const struct rp_profile_run *profile,
			 struct rp_err *err)
{
	struct rp_job_params params;

	rp_job_params_read(result, job, &params);
	if (!params.known || (params.block_bytes == profile->block_bytes &&
			      (params.read_percent == profile->read_percent ||
			       isnan(params.read_percent))))
		return 0;
	return rp_err_set(
		err, -EBADMSG,
		"its job has another block size or mix than that of the files before it: these are no points of one curve");
}

/* Jobs of several groups may have run one after the other (stonewall). */
static int warn_groups(const struct rp_result *result, struct rp_run *run)
{
	for (size_t i = 1; i < result->jobs.count; i++)
		if (!result->jobs.at[i].aggregate &&
		    result->jobs.at[i].group != result->jobs.at[0].group)
			return rp_strings_addf(
				&run->warnings,
				"%s: jobs of several groups are added up, which is right only if they ran at the same time (no stonewall)",
				result->path);
	return 0;
}

/* All files show one and the same job, or there is no curve. */
static int check_job(const struct rp_result *result,
		     struct rp_profile_run *profile, struct rp_err *err)
{
	const struct rp_job *job = first_job(result);

	if (!job)
		return rp_err_set(err, -EBADMSG, "holds no job");
	if (!profile->id)
		return describe(result, job, profile);
	if (strcmp(profile->id, job->name))
		return refuse_mix(profile->id, job->name, err);
	return check_pattern(result, job, profile, err);
}

static int add_point(struct rp_run *run, struct rp_result *result,
		     struct rp_err *err)
{
	struct rp_profile_run *profile = &run->profiles.at[0];
	int ret = check_job(result, profile, err);
	struct rp_point *point;

	if (ret)
		return ret;
	point = rp_vec_push(&profile->points);
	if (!point)
		return -ENOMEM;
	point->file = strdup(result->path);
	if (!point->file)
		return -ENOMEM;
	sum_params(result, point, profile);
	ret = warn_groups(result, run);
	if (ret)
		return ret;
	return rp_point_take(point, result, &run->warnings);
}

static int add_file(const char *path, struct rp_run *run, struct rp_err *err)
{
	rp_results results = {0};
	int ret = rp_load_fio_json(path, &results, err);

	for (size_t i = 0; i < results.count && !ret; i++)
		ret = add_point(run, &results.at[i], err);
	if (ret && err)
		rp_err_at(err, path, 0, 0);
	rp_results_release(&results);
	return ret;
}

static int percent_of(double asked, double whole)
{
	double percent = round(100 * asked / whole);

	/* 0 would say that there was no rate */
	return (int)fmin(fmax(percent, 1), INT_MAX);
}

/*
 * Loads are percents of the best run without a rate; without such a run, of
 * the largest rate asked.
 */
static int set_loads(struct rp_run *run)
{
	struct rp_profile_run *profile = &run->profiles.at[0];
	double peak = 0, most = 0;

	for (size_t i = 0; i < profile->points.count; i++) {
		const struct rp_point *point = &profile->points.at[i];

		most = fmax(most, point->asked_iops);
		if (point->asked_iops <= 0)
			peak = fmax(peak, achieved_iops(&point->result));
	}
	for (size_t i = 0; i < profile->points.count; i++) {
		struct rp_point *point = &profile->points.at[i];

		if (point->asked_iops > 0)
			point->load_percent = percent_of(
				point->asked_iops, peak > 0 ? peak : most);
	}
	rp_points_sort(profile);
	if (peak > 0 || !profile->points.count)
		return 0;
	return rp_strings_add(&run->warnings,
			      "no file is a run without a rate: loads are "
			      "percents of the largest rate asked");
}

/* A depth that all points share is the profile's; others stay their own. */
static int settle_outstanding(struct rp_profile_run *profile)
{
	double least = profile->outstanding;
	char *method;

	for (size_t i = 0; i < profile->points.count; i++)
		least = fmin(least, profile->points.at[i].outstanding);
	for (size_t i = 0; i < profile->points.count; i++)
		if (least == profile->outstanding)
			profile->points.at[i].outstanding = 0;
	if (least == profile->outstanding)
		method = rp_strf("%s%s%.0f outstanding", profile->method,
				 *profile->method ? ", " : "", least);
	else
		method = rp_strf("%s%s%.0f to %.0f outstanding",
				 profile->method, *profile->method ? ", " : "",
				 least, profile->outstanding);
	if (!method)
		return -ENOMEM;
	free(profile->method);
	profile->method = method;
	return 0;
}

static int name_run(const char *const *paths, size_t count, struct rp_run *run)
{
	const char *first = basename(paths[0]);

	run->path = strdup(paths[0]);
	run->label = count == 1 ? strdup(first)
				: rp_strf("%s and %zu more", first, count - 1);
	run->complete = true;
	return run->path && run->label && rp_vec_push(&run->profiles) ? 0
								      : -ENOMEM;
}

int rp_load_run_files(const char *const *paths, size_t count,
		      struct rp_run *run, struct rp_err *err)
{
	int ret;

	if (!count)
		return rp_err_set(err, -EINVAL, "no file was named");
	ret = name_run(paths, count, run);
	for (size_t i = 0; i < count && !ret; i++)
		ret = add_file(paths[i], run, err);
	if (!ret)
		ret = set_loads(run);
	if (!ret)
		ret = settle_outstanding(&run->profiles.at[0]);
	if (ret == -ENOMEM)
		rp_err_set(err, ret, "out of memory");
	if (ret)
		rp_run_release(run);
	return ret;
}
