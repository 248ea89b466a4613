/* SPDX-License-Identifier: GPL-2.0-only */
/* Loose fio files as the points of one curve. */
#include "load_help.h"

#include <stdlib.h>

#include "load/job_params.h"
#include "load/run_dir.h"

#define CURVE FIXTURES "/run/four-corners/4k-random-read/"
#define MIX FIXTURES "/run/sql/sql-80-20/"

static void loads_are_percents_of_the_run_without_a_rate(void **state)
{
	static const char *const paths[] = {CURVE "100.json", CURVE "peak.json",
					    CURVE "010.json"};
	struct rp_run run = {0};
	struct rp_err err = {0};
	const struct rp_profile_run *profile;

	(void)state;
	assert_int_equal(rp_load_run_files(paths, 3, &run, &err), 0);
	assert_int_equal(run.profiles.count, 1);
	profile = &run.profiles.at[0];
	assert_string_equal(profile->id, "4k-random-read");
	assert_int_equal(profile->points.count, 3);
	assert_int_equal(profile->points.at[0].load_percent, RP_LOAD_PEAK);
	assert_number(profile->points.at[0].asked_iops, 0);
	assert_int_equal(profile->points.at[1].load_percent, 10);
	assert_number(profile->points.at[1].asked_iops, 6768);
	assert_int_equal(profile->points.at[2].load_percent, 100);
	assert_number(profile->points.at[2].asked_iops, 67760);
	assert_number(profile->points.at[2].runtime_s, 1);
	assert_non_null(strstr(profile->points.at[2].file, "100.json"));
	assert_number(profile->outstanding, 16);
	assert_number(profile->block_bytes, 4096);
	assert_number(profile->read_percent, 100);
	assert_string_equal(run.label, "100.json and 2 more");
	rp_run_release(&run);
}

static void rates_of_both_directions_add_up(void **state)
{
	static const char *const paths[] = {MIX "peak.json", MIX "050.json"};
	struct rp_run run = {0};
	struct rp_err err = {0};

	(void)state;
	assert_int_equal(rp_load_run_files(paths, 2, &run, &err), 0);
	assert_number(run.profiles.at[0].points.at[1].asked_iops, 19456);
	assert_int_equal(run.profiles.at[0].points.at[1].load_percent, 50);
	assert_number(run.profiles.at[0].read_percent, 80);
	rp_run_release(&run);
}

static void without_a_peak_run_the_largest_rate_is_the_whole(void **state)
{
	static const char *const paths[] = {MIX "100.json", MIX "050.json"};
	struct rp_run run = {0};
	struct rp_err err = {0};

	(void)state;
	assert_int_equal(rp_load_run_files(paths, 2, &run, &err), 0);
	assert_int_equal(run.profiles.at[0].points.at[0].load_percent, 50);
	assert_int_equal(run.profiles.at[0].points.at[1].load_percent, 100);
	assert_true(
		has_warning(&run.warnings, "no file is a run without a rate"));
	rp_run_release(&run);
}

static void different_jobs_are_no_curve(void **state)
{
	static const char *const paths[] = {CURVE "peak.json", MIX "peak.json"};
	struct rp_run run = {0};
	struct rp_err err = {0};

	(void)state;
	assert_int_equal(rp_load_run_files(paths, 2, &run, &err), -EBADMSG);
	assert_non_null(strstr(err.message, "4k-random-read"));
	assert_non_null(strstr(err.message, "sql-80-20"));
	assert_string_equal(err.where, MIX "peak.json");
}

static void a_failed_job_is_a_point_with_a_reason(void **state)
{
	static const char *const paths[] = {FIO("3.33-disk-full.json")};
	struct rp_run run = {0};
	struct rp_err err = {0};
	const struct rp_point *point;

	(void)state;
	assert_int_equal(rp_load_run_files(paths, 1, &run, &err), 0);
	point = &run.profiles.at[0].points.at[0];
	assert_non_null(strstr(point->failure, "job \"full\": error 28"));
	assert_int_equal(point->result.jobs.count, 0);
	rp_run_release(&run);
}

static void a_file_that_is_no_result_stops_with_its_name(void **state)
{
	static const char *const paths[] = {FIO("normal.txt")};
	struct rp_run run = {0};
	struct rp_err err = {0};

	(void)state;
	assert_int_equal(rp_load_run_files(paths, 1, &run, &err), -EBADMSG);
	assert_string_equal(err.where, FIO("normal.txt"));
	err = (struct rp_err){0};
	assert_int_equal(rp_load_run_files(paths, 0, &run, &err), -EINVAL);
}

static void entries_of_one_job_are_counted_once(void **state)
{
	static const char *const paths[] = {FIO("3.33-four-jobs.json")};
	struct rp_run run = {0};
	struct rp_err err = {0};

	(void)state;
	/* numjobs=4 without group_reporting: four entries, four threads */
	assert_int_equal(rp_load_run_files(paths, 1, &run, &err), 0);
	assert_number(run.profiles.at[0].outstanding, 4);
	rp_run_release(&run);
}

static void a_sweep_of_queue_depths_keeps_each_depth(void **state)
{
	static const char *const paths[] = {FIO("3.33-sweep-qd16.json"),
					    FIO("3.33-sweep-qd1.json")};
	struct rp_run run = {0};
	struct rp_err err = {0};
	struct rp_profile_run *profile;

	(void)state;
	assert_int_equal(rp_load_run_files(paths, 2, &run, &err), 0);
	profile = &run.profiles.at[0];
	assert_number(profile->points.at[0].outstanding, 1);
	assert_number(profile->points.at[1].outstanding, 16);
	assert_string_equal(profile->method,
			    "4 KiB, 100 % read, random, 1 to 16 outstanding");
	rp_run_release(&run);
}

/* ---- options ---- */

struct option_case {
	const char *options;
	double asked, outstanding, read_percent, block, runtime;
};

static void check_options(const struct option_case *c)
{
	struct rp_result result = {0};
	struct rp_job job = {0};
	struct rp_job_params params;
	char *text = strdup(c->options), *rest = text, *word;

	while ((word = strsep(&rest, " "))) {
		char *value = strchr(word, '=');

		*value = '\0';
		assert_int_equal(rp_options_add(&job.options, word, value + 1),
				 0);
	}
	rp_job_params_read(&result, &job, &params);
	if (!near(params.asked_iops, c->asked) ||
	    !near(params.jobs * params.iodepth, c->outstanding) ||
	    !near(params.read_percent, c->read_percent) ||
	    !near(params.block_bytes, c->block) ||
	    !near(params.runtime_s, c->runtime))
		fail_msg("%s: %g %g %g %g %g", c->options, params.asked_iops,
			 params.jobs * params.iodepth, params.read_percent,
			 params.block_bytes, params.runtime_s);
	free(text);
	rp_job_release(&job);
}

static void options_are_read_as_fio_reads_them(void **state)
{
	static const struct option_case cases[] = {
		{"rw=randread", 0, 1, 100, 4096, 0},
		{"rw=randread rate_iops=1000 numjobs=4", 4000, 4, 100, 4096, 0},
		/* one rate is for each direction */
		{"rw=randrw rate_iops=1000 rwmixread=70", 2000, 1, 70, 4096, 0},
		{"rw=randrw rate_iops=700,300 bs=8k", 1000, 1, 50, 8192, 0},
		/* writes without a rate are not limited */
		{"rw=randrw rate_iops=1000,", 0, 1, 50, 4096, 0},
		{"rw=write rate_iops=,500 bs=1m", 500, 1, 0, 1048576, 0},
		{"readwrite=readwrite rwmixwrite=30", 0, 1, 70, 4096, 0},
		{"rw=read rate_iops=1k runtime=2m", 1024, 1, 100, 4096, 120},
		{"rw=read runtime=1500ms", 0, 1, 100, 4096, 1.5},
		/* psync does one at a time */
		{"rw=read ioengine=psync iodepth=32", 0, 1, 100, 4096, 0},
		{"rw=read ioengine=libaio iodepth=32 numjobs=2 runtime=60", 0,
		 64, 100, 4096, 60},
		{"rw=read bssplit=4k/50:8k/50", 0, 1, 100, 0, 0},
		{"rw=read bs=512", 0, 1, 100, 512, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check_options(&cases[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loads_are_percents_of_the_run_without_a_rate),
		cmocka_unit_test(rates_of_both_directions_add_up),
		cmocka_unit_test(
			without_a_peak_run_the_largest_rate_is_the_whole),
		cmocka_unit_test(different_jobs_are_no_curve),
		cmocka_unit_test(a_failed_job_is_a_point_with_a_reason),
		cmocka_unit_test(a_file_that_is_no_result_stops_with_its_name),
		cmocka_unit_test(entries_of_one_job_are_counted_once),
		cmocka_unit_test(a_sweep_of_queue_depths_keeps_each_depth),
		cmocka_unit_test(options_are_read_as_fio_reads_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
