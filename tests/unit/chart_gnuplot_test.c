/* SPDX-License-Identifier: GPL-2.0-only */
#include "unit.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "chart/gnuplot.h"

static char dir[64];

static char *path_of(const char *name)
{
	char *path = rp_strf("%s/%s", dir, name);

	assert_non_null(path);
	return path;
}

/* Stands in for gnuplot: says what it was told to and ends as told to. */
static void use_fake(const char *body)
{
	struct rp_err err = {0};
	char *text = rp_strf("#!/bin/sh\n%s\n", body);
	char *path = path_of("fake");

	assert_int_equal(rp_file_write(path, text, strlen(text), &err), 0);
	assert_int_equal(chmod(path, 0755), 0);
	setenv("GNUPLOT", path, 1);
	free(path);
	free(text);
}

static int make_dir(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/gnuplot-test-XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
	static const char *const names[] = {"fake", "a.svg", "b.svg", "c.svg"};

	(void)state;
	unsetenv("GNUPLOT");
	signal(SIGCHLD, SIG_DFL);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char *path = path_of(names[i]);

		unlink(path);
		free(path);
	}
	return rmdir(dir);
}

static const char *const stems[] = {"a", "b", "c"};

static void runs_each_script_in_its_directory(void **state)
{
	struct rp_err err = {0};

	(void)state;
	use_fake("[ \"$1\" = -d ] && echo > \"${2%.gp}.svg\"");
	assert_int_equal(rp_gnuplot_run(dir, stems, 3, 2, &err), 0);
	for (size_t i = 0; i < 3; i++) {
		char name[16];
		char *path;

		snprintf(name, sizeof(name), "%s.svg", stems[i]);
		path = path_of(name);
		assert_int_equal(access(path, F_OK), 0);
		free(path);
	}
}

static void missing_gnuplot_says_what_to_install(void **state)
{
	struct rp_err err = {0};

	(void)state;
	setenv("GNUPLOT", "no/such/gnuplot", 1);
	assert_int_equal(rp_gnuplot_run(dir, stems, 3, 0, &err), -ENOENT);
	assert_string_equal(err.message, "gnuplot is not installed: apt "
					 "install gnuplot-nox");
}

static void missing_directory_is_not_called_missing_gnuplot(void **state)
{
	struct rp_err err = {0};

	(void)state;
	use_fake("exit 0");
	assert_int_equal(rp_gnuplot_run("no/such/folder", stems, 1, 0, &err),
			 -ENOENT);
	assert_null(strstr(err.message, "installed"));
}

static void first_complaint_is_told(void **state)
{
	struct rp_err err = {0};

	(void)state;
	use_fake("printf '\\nplot foo\\n     ^\\n\"%s\" line 7: undefined "
		 "variable: foo\\n\\n' \"$2\" >&2; exit 1");
	assert_int_equal(rp_gnuplot_run(dir, stems, 1, 1, &err), -EIO);
	assert_string_equal(err.message,
			    "gnuplot failed on a.gp: \"a.gp\" line 7: "
			    "undefined variable: foo");
}

static void warnings_of_a_good_run_are_no_error(void **state)
{
	struct rp_err err = {0};

	(void)state;
	use_fake("echo 'warning: something' >&2");
	assert_int_equal(rp_gnuplot_run(dir, stems, 2, 1, &err), 0);
}

static void flood_of_complaints_does_not_block(void **state)
{
	struct rp_err err = {0};

	(void)state;
	use_fake("head -c 300000 /dev/zero | tr '\\0' x >&2; exit 2");
	assert_int_equal(rp_gnuplot_run(dir, stems, 1, 1, &err), -EIO);
}

static void one_bad_chart_does_not_stop_the_others(void **state)
{
	struct rp_err err = {0};
	char *path = path_of("c.svg");

	(void)state;
	use_fake("[ \"$2\" = a.gp ] && exit 1; echo > \"${2%.gp}.svg\"");
	assert_int_equal(rp_gnuplot_run(dir, stems, 3, 1, &err), -EIO);
	assert_int_equal(access(path, F_OK), 0);
	free(path);
}

static void callers_that_ignore_sigchld_are_served(void **state)
{
	struct rp_err err = {0};

	(void)state;
	signal(SIGCHLD, SIG_IGN);
	use_fake("exit 0");
	assert_int_equal(rp_gnuplot_run(dir, stems, 3, 2, &err), 0);
	use_fake("echo broken >&2; exit 1");
	assert_int_equal(rp_gnuplot_run(dir, stems, 1, 1, &err), -EIO);
}

static void no_stems_are_no_work(void **state)
{
	(void)state;
	assert_int_equal(rp_gnuplot_run(dir, stems, 0, 0, NULL), 0);
}

#define with_dir(f) cmocka_unit_test_setup_teardown(f, make_dir, remove_dir)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_dir(runs_each_script_in_its_directory),
		with_dir(missing_gnuplot_says_what_to_install),
		with_dir(missing_directory_is_not_called_missing_gnuplot),
		with_dir(first_complaint_is_told),
		with_dir(warnings_of_a_good_run_are_no_error),
		with_dir(flood_of_complaints_does_not_block),
		with_dir(one_bad_chart_does_not_stop_the_others),
		with_dir(callers_that_ignore_sigchld_are_served),
		with_dir(no_stems_are_no_work),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
