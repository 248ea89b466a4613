/* SPDX-License-Identifier: GPL-2.0-only */
/* Any bytes as the run.json of a run directory with one good point file. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "load/run_dir.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char directory[] = "/tmp/fio-review-fuzz-XXXXXX";

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void write_file(const char *name, const void *bytes, size_t n)
{
	char *path = rp_strf("%s/%s", directory, name);
	FILE *f = fopen(path, "wb");

	require(f && fwrite(bytes, 1, n, f) == n);
	require(fclose(f) == 0);
	free(path);
}

static void remove_directory(void)
{
	static const char *const names[] = {"run.json", "good.json"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char *path = rp_strf("%s/%s", directory, names[i]);

		unlink(path);
		free(path);
	}
	rmdir(directory);
}

static void make_directory(void)
{
	static const char good[] =
		"{\"fio version\":\"fio-3.33\",\"jobs\":[{\"jobname\":\"j\","
		"\"read\":{\"total_ios\":7}}]}";

	if (directory[sizeof(directory) - 2] != 'X')
		return;
	require(mkdtemp(directory));
	write_file("good.json", good, strlen(good));
	atexit(remove_directory);
}

static void check_points(const struct rp_profile_run *profile)
{
	require(profile->id && profile->title && profile->method);
	for (size_t i = 0; i < profile->points.count; i++) {
		const struct rp_point *point = &profile->points.at[i];

		require(point->file);
		require(!point->failure == (point->result.jobs.count > 0));
		require(!i || profile->points.at[i - 1].load_percent <=
				      point->load_percent);
		/* nothing else can be read from in here */
		require(point->failure || strstr(point->file, "good.json"));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rp_run run = {0};
	struct rp_err err = {0};
	int ret;

	make_directory();
	write_file("run.json", data, size);
	ret = rp_load_run_dir(directory, &run, &err);
	require(ret == 0 ? run.label && run.path
			 : err.code == ret && err.message[0] && err.where[0]);
	for (size_t i = 0; i < run.profiles.count; i++)
		check_points(&run.profiles.at[i]);
	rp_run_release(&run);
	return 0;
}
