/* SPDX-License-Identifier: GPL-2.0-only */
#include "load/run_dir.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"
#include "load/fio_json.h"
#include "load/point.h"
#include "load/run_json.h"

/* A peak run and 120 steps in each of many profiles stay far below. */
#define RUN_JSON_MAX_BYTES ((size_t)64 << 20)

/*
 * run.json may come from anywhere: a point's file lies below the directory,
 * also after symbolic links, and is a plain file (a FIFO would block).
 * Gives why it is not, or NULL.
 */
static const char *check_place(const char *root, const char *real)
{
	size_t n = strlen(root);
	struct stat st;

	if (!real)
		return errno == ENOENT ? "its file is missing"
				       : "its file can't be reached";
	if (strncmp(real, root, n) || (n > 1 && real[n] != '/'))
		return "its file lies outside the run directory";
	if (stat(real, &st) || !S_ISREG(st.st_mode))
		return "its file is no plain file";
	return NULL;
}

static bool is_inside(const char *file)
{
	const char *part = file;

	if (!*file || *file == '/')
		return false;
	while (part) {
		if (!strncmp(part, "..", 2) && (!part[2] || part[2] == '/'))
			return false;
		part = strchr(part, '/');
		if (part)
			part++;
	}
	return true;
}

static int take_results(struct rp_point *point, rp_results *results,
			rp_strings *warnings)
{
	size_t last = results->count - 1;
	int ret = 0;

	/* the runner writes one; a later one replaced it */
	if (last)
		ret = rp_strings_addf(warnings,
				      "%s: holds %zu runs, the last is shown",
				      point->file, results->count);
	return ret ? ret : rp_point_take(point, &results->at[last], warnings);
}

static int load_file(const char *path, struct rp_point *point,
		     rp_strings *warnings)
{
	rp_results results = {0};
	struct rp_err err = {0};
	int ret = rp_load_fio_json(path, &results, &err);

	if (ret == 0)
		ret = take_results(point, &results, warnings);
	else if (ret != -ENOMEM)
		ret = rp_point_fail_err(point, &err);
	rp_results_release(&results);
	return ret;
}

static int load_point(const char *root, struct rp_point *point,
		      rp_strings *warnings)
{
	const char *reason;
	char *named, *real;
	int ret;

	if (point->failure)
		return 0;
	if (!is_inside(point->file))
		return rp_point_fail(
			point,
			"its file is not named within the run directory");
	named = rp_strf("%s/%s", root, point->file);
	if (!named)
		return -ENOMEM;
	real = realpath(named, NULL);
	reason = check_place(root, real);
	ret = reason ? rp_point_fail(point, reason)
		     : load_file(real, point, warnings);
	free(real);
	free(named);
	return ret;
}

static int load_points(const char *root, struct rp_run *run)
{
	int ret = 0;

	for (size_t i = 0; i < run->profiles.count && !ret; i++) {
		struct rp_profile_run *profile = &run->profiles.at[i];

		for (size_t k = 0; k < profile->points.count && !ret; k++)
			ret = load_point(root, &profile->points.at[k],
					 &run->warnings);
	}
	return ret;
}

static int read_run_json(const char *root, struct rp_run *run,
			 struct rp_err *err)
{
	struct rp_str text = RP_STR_INIT;
	char *path = rp_strf("%s/run.json", root);
	int ret;

	if (!path)
		return -ENOMEM;
	if (access(path, F_OK))
		ret = rp_err_set(err, -EBADMSG,
				 "is no run directory: it has no run.json");
	else
		ret = rp_file_read(path, RUN_JSON_MAX_BYTES, &text, err);
	if (!ret)
		ret = rp_run_json_read(path, rp_str_text(&text), text.len, run,
				       err);
	rp_str_release(&text);
	free(path);
	return ret;
}

int rp_load_run_dir(const char *path, struct rp_run *run, struct rp_err *err)
{
	char *root = realpath(path, NULL);
	int ret;

	if (!root) {
		ret = rp_err_set(err, -errno, "can't open it: %s",
				 strerror(errno));
		goto out;
	}
	run->path = strdup(path);
	ret = run->path ? read_run_json(root, run, err) : -ENOMEM;
	if (!ret && !run->label) {
		run->label = strdup(basename(root));
		ret = run->label ? 0 : -ENOMEM;
	}
	if (!ret)
		ret = load_points(root, run);
out:
	free(root);
	if (ret == -ENOMEM)
		rp_err_set(err, ret, "out of memory");
	if (ret && err)
		rp_err_at(err, path, 0, 0);
	if (ret)
		rp_run_release(run);
	return ret;
}
