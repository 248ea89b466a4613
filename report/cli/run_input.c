/* SPDX-License-Identifier: GPL-2.0-only */
#include "cli/run_input.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "load/run_dir.h"

static bool is_directory(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static int add_run(rp_runs *runs, struct rp_err *err, struct rp_run **run)
{
	*run = rp_vec_push(runs);
	return *run ? 0 : rp_err_set(err, -ENOMEM, "out of memory");
}

static int load_loose(const char *const *loose, size_t count, rp_runs *runs,
		      struct rp_err *err)
{
	struct rp_run *run;
	int ret = add_run(runs, err, &run);

	return ret ? ret : rp_load_run_files(loose, count, run, err);
}

int rp_runs_load(const struct rp_values *values, rp_runs *runs,
		 struct rp_err *err)
{
	const char **loose = calloc(values->file_count, sizeof(*loose));
	size_t loose_count = 0;
	int ret = loose ? 0 : rp_err_set(err, -ENOMEM, "out of memory");

	for (size_t i = 0; i < values->file_count && !ret; i++) {
		struct rp_run *run;

		if (!is_directory(values->files[i])) {
			loose[loose_count++] = values->files[i];
			continue;
		}
		ret = add_run(runs, err, &run);
		if (!ret)
			ret = rp_load_run_dir(values->files[i], run, err);
	}
	if (!ret && loose_count)
		ret = load_loose(loose, loose_count, runs, err);
	free(loose);
	return ret;
}
