/* SPDX-License-Identifier: GPL-2.0-only */
#include "load/run_json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "load/application.h"
#include "load/json_value.h"
#include "load/point.h"

/* A copy of the string under `key`, or of `missing`. */
static char *copy_text(const json_t *object, const char *key,
		       const char *missing)
{
	const char *text = rp_json_text(object, key);

	return strdup(text ? text : missing);
}

static int judge_state(const json_t *object, struct rp_point *point)
{
	const char *state = rp_json_text(object, "state");
	const char *reason = rp_json_text(object, "reason");

	if (state && !strcmp(state, "done"))
		return *point->file
			       ? 0
			       : rp_point_fail(point, "run.json names no file");
	point->pending = !state || !strcmp(state, "pending");
	if (point->pending)
		return rp_point_fail(point, "not measured yet");
	if (reason && *reason)
		return rp_point_fail(point, reason);
	return rp_point_fail(point, strcmp(state, "failed")
					    ? "its state is not known"
					    : "failed, no reason was recorded");
}

static int read_point(const json_t *object, struct rp_point *point)
{
	point->load_percent = rp_json_int(object, "load_percent");
	if (point->load_percent < 0)
		point->load_percent = RP_LOAD_PEAK;
	point->asked_iops = fmax(0, rp_json_number(object, "asked_iops", 0));
	point->runtime_s = fmax(0, rp_json_number(object, "runtime_s", 0));
	point->file = copy_text(object, "file", "");
	return point->file ? judge_state(object, point) : -ENOMEM;
}

static int read_points(const json_t *array, struct rp_profile_run *profile)
{
	int ret = 0;

	for (size_t i = 0; i < json_array_size(array) && !ret; i++) {
		const json_t *object = json_array_get(array, i);
		struct rp_point *point;

		if (!json_is_object(object))
			continue;
		point = rp_vec_push(&profile->points);
		ret = point ? read_point(object, point) : -ENOMEM;
	}
	rp_points_sort(profile);
	return ret;
}

static int read_profile(const json_t *object, struct rp_profile_run *profile)
{
	const char *kind;

	profile->id = copy_text(object, "id", "");
	profile->title =
		copy_text(object, "title", profile->id ? profile->id : "");
	profile->method = copy_text(object, "method", "");
	if (!profile->id || !profile->title || !profile->method)
		return -ENOMEM;
	kind = rp_json_text(object, "kind");
	profile->single = kind && !strcmp(kind, "single");
	profile->outstanding = rp_json_number(object, "outstanding", 0);
	profile->read_percent = rp_json_number(object, "read_percent", NAN);
	profile->block_bytes = rp_json_number(object, "block_bytes", 0);
	return read_points(json_object_get(object, "points"), profile);
}

static int read_profiles(const json_t *array, struct rp_run *run)
{
	int ret = 0;

	for (size_t i = 0; i < json_array_size(array) && !ret; i++) {
		const json_t *object = json_array_get(array, i);
		struct rp_profile_run *profile;

		if (!json_is_object(object))
			continue;
		profile = rp_vec_push(&run->profiles);
		ret = profile ? read_profile(object, profile) : -ENOMEM;
	}
	return ret;
}

static int read_applications(const json_t *array, struct rp_run *run)
{
	int ret = 0;

	for (size_t i = 0; i < json_array_size(array) && !ret; i++) {
		const json_t *object = json_array_get(array, i);
		struct rp_application *application;

		if (!json_is_object(object))
			continue;
		application = rp_vec_push(&run->applications);
		ret = application ? rp_application_read(object, application)
				  : -ENOMEM;
	}
	return ret;
}

static int read_facts(const json_t *array, struct rp_run *run)
{
	for (size_t i = 0; i < json_array_size(array); i++) {
		const json_t *object = json_array_get(array, i);
		const char *name = rp_json_text(object, "name");
		struct rp_fact *fact;

		if (!name || !rp_json_text(object, "value"))
			continue;
		fact = rp_vec_push(&run->facts);
		if (!fact)
			return -ENOMEM;
		fact->name = strdup(name);
		fact->title = copy_text(object, "title", name);
		fact->value = copy_text(object, "value", "");
		if (!fact->name || !fact->title || !fact->value)
			return -ENOMEM;
	}
	return 0;
}

static int read_run(const json_t *root, struct rp_run *run)
{
	const char *label = rp_json_text(root, "label");
	const char *state = rp_json_text(root, "state");
	int ret;

	if (label && *label) {
		run->label = strdup(label);
		if (!run->label)
			return -ENOMEM;
	}
	run->complete = state && !strcmp(state, "complete");
	ret = read_facts(json_object_get(root, "facts"), run);
	if (!ret)
		ret = read_profiles(json_object_get(root, "profiles"), run);
	if (!ret)
		ret = read_applications(json_object_get(root, "applications"),
					run);
	return ret;
}

static int check_format(const json_t *root, struct rp_err *err)
{
	const json_t *format = json_object_get(root, "format");

	if (!json_is_object(root) || !json_is_integer(format) ||
	    json_integer_value(format) < 1)
		return rp_err_set(
			err, -EBADMSG,
			"is no run.json of fio-review: it has no \"format\"");
	if (json_integer_value(format) > RP_RUN_FORMAT)
		return rp_err_set(
			err, -EBADMSG,
			"is of format %" JSON_INTEGER_FORMAT
			", this fio-report knows up to %d; use a newer one",
			json_integer_value(format), RP_RUN_FORMAT);
	if (!json_is_array(json_object_get(root, "profiles")))
		return rp_err_set(err, -EBADMSG, "has no list \"profiles\"");
	return 0;
}

int rp_run_json_read(const char *path, const char *text, size_t len,
		     struct rp_run *run, struct rp_err *err)
{
	json_error_t bad;
	json_t *root = json_loadb(text, len, 0, &bad);
	int ret;

	if (!root) {
		ret = rp_err_set(err, -EBADMSG, "is broken JSON: %s", bad.text);
		if (err)
			rp_err_at(err, path, (unsigned)bad.line,
				  (unsigned)bad.column);
		return ret;
	}
	ret = check_format(root, err);
	if (!ret)
		ret = read_run(root, run);
	if (ret == -EBADMSG && err)
		rp_err_at(err, path, 0, 0);
	json_decref(root);
	return ret;
}
