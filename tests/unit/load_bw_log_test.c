/* SPDX-License-Identifier: GPL-2.0-only */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "load/bw_log.h"

#define KIB 1024.0

static void load(const char *text, struct rp_bw_logs *logs)
{
	struct rp_err err = {0};

	*logs = (struct rp_bw_logs){0};
	if (rp_load_bw_text("log", text, strlen(text), logs, &err))
		fail_msg("line %u: %s", err.line, err.message);
}

static void expect_window(const struct rp_bw_log *log, size_t i, double begin,
			  double end, double kib)
{
	assert_true(i < log->windows.count);
	assert_near(log->windows.at[i].begin_s, begin, 1e-9);
	assert_near(log->windows.at[i].end_s, end, 1e-9);
	assert_near(log->windows.at[i].bytes_per_s, kib * KIB, 1e-6);
}

static void every_release_is_read(void **state)
{
	/* 2.x; 3.18 with priority; with offset; priority in hex; largest
	 * values between; largest, offset, priority and issue time */
	static const char *const texts[] = {
		"1000, 500, 1, 0\n2001, 400, 1, 0\n",
		"1000, 500, 1, 0, 0\n2001, 400, 1, 0, 0\n",
		"1000, 500, 1, 0, 0, 0\n2001, 400, 1, 0, 0, 0\n",
		"1000, 500, 1, 0, 0x4007\n2001, 400, 1, 0, 0x0000\n",
		"1000, 500, 512, 1, 0, 0\n2001, 400, 480, 1, 0, 0\n",
		"1000, 500, 512, 1, 0, 0, 0, 0\n2001, 400, 480, 1, 0, 0, 0, 0\n",
		"\xef\xbb\xbf"
		"1000,500,1,0,0\r\n\r\n2001,400,1,0,0\r\n",
		" 1000 ,\t500, 1, 0, 0\n\n2001, 400, 1, 0, 0",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct rp_bw_logs logs;

		load(texts[i], &logs);
		assert_int_equal(logs.jobs.count, 1);
		assert_int_equal(logs.warnings.count, 0);
		assert_int_equal(logs.jobs.at[0].windows.count, 2);
		expect_window(&logs.jobs.at[0], 0, 0, 1, 500);
		expect_window(&logs.jobs.at[0], 1, 1, 2.001, 400);
		rp_bw_logs_release(&logs);
	}
}

static void windows_without_a_line_were_silent(void **state)
{
	struct rp_bw_logs logs;

	(void)state;
	load("1000, 9, 1, 0, 0\n2000, 9, 1, 0, 0\n3000, 9, 1, 0, 0\n"
	     "6030, 7, 1, 0, 0\n7030, 9, 1, 0, 0\n",
	     &logs);
	assert_int_equal(logs.jobs.at[0].windows.count, 7);
	expect_window(&logs.jobs.at[0], 3, 3, 4.01, 0);
	expect_window(&logs.jobs.at[0], 4, 4.01, 5.02, 0);
	expect_window(&logs.jobs.at[0], 5, 5.02, 6.03, 7);
	expect_window(&logs.jobs.at[0], 6, 6.03, 7.03, 9);
	rp_bw_logs_release(&logs);
}

static void a_late_window_is_one_window(void **state)
{
	struct rp_bw_logs logs;

	(void)state;
	load("1000, 9, 1, 0, 0\n2600, 8, 1, 0, 0\n3600, 9, 1, 0, 0\n"
	     "4600, 9, 1, 0, 0\n",
	     &logs);
	assert_int_equal(logs.jobs.at[0].windows.count, 4);
	expect_window(&logs.jobs.at[0], 1, 1, 2.6, 8);
	rp_bw_logs_release(&logs);
}

static void a_ramp_or_an_epoch_before_is_no_window(void **state)
{
	struct rp_bw_logs logs;

	(void)state;
	load("1700000001000, 9, 1, 0, 0\n1700000002000, 8, 1, 0, 0\n", &logs);
	assert_int_equal(logs.jobs.at[0].windows.count, 2);
	expect_window(&logs.jobs.at[0], 0, 1.7e9, 1.7e9 + 1, 9);
	rp_bw_logs_release(&logs);
}

static void jobs_in_one_file_are_told_apart(void **state)
{
	struct rp_bw_logs logs;

	(void)state;
	/* per_job_logs=0 */
	load("1000, 9, 1, 0, 0\n2000, 9, 1, 0, 0\n3000, 9, 1, 0, 0\n"
	     "1001, 5, 1, 0, 0\n2001, 5, 1, 0, 0\n",
	     &logs);
	assert_int_equal(logs.jobs.count, 2);
	assert_int_equal(logs.jobs.at[0].windows.count, 3);
	assert_int_equal(logs.jobs.at[1].windows.count, 2);
	expect_window(&logs.jobs.at[1], 0, 0, 1.001, 5);
	rp_bw_logs_release(&logs);
}

static void reads_are_told_and_left_out(void **state)
{
	struct rp_bw_logs logs;

	(void)state;
	load("1000, 9, 1, 0, 0\n1000, 3, 0, 0, 0\n2000, 8, 1, 0, 0\n", &logs);
	assert_int_equal(logs.jobs.at[0].windows.count, 2);
	assert_int_equal(logs.warnings.count, 1);
	assert_non_null(strstr(logs.warnings.at[0], "1 lines of reads"));
	rp_bw_logs_release(&logs);
}

static void bad_lines_are_named(void **state)
{
	static const struct {
		const char *text;
		unsigned line;
		const char *says;
	} cases[] = {
		{"", 0, "is empty"},
		{"\n \r\n", 0, "is empty"},
		{"\x1f\x8b\x08", 0, "gzip"},
		{"{ \"jobs\": [] }", 1, "expected a number"},
		{"1000, 9, 1, 0, 0\n2000, x, 1, 0, 0\n", 2,
		 "column 2 is \"x\""},
		{"1000, 9, 1, 0, 0\n2000, -5, 1, 0, 0\n", 2, "column 2"},
		{"1000, 9, 1, 0, 0\n2000, , 1, 0, 0\n", 2, "column 2 is \"\""},
		{"1000, 9, 1, 0, 0\n2000, 9, 1\n", 2, "has 3 columns"},
		{"1000, 9, 1, 0, 0\n2000, 9, 1, 0\n", 2, "expected 5"},
		{"1, 2\n", 1, "has 2 columns"},
		{"1,2,3,4,5,6,7,8,9\n", 1, "has 9 columns"},
		{"1000, 9, 7, 0, 0\n", 1, "expected a direction"},
		{"1000, 9, 1, 0, 0\n2000, 9, 3, 0, 0\n", 2, "direction"},
		{"0, 136533333, 1, 4096, 0\n", 1, "log_avg_msec=1000"},
		{"1000, 9, 1, 0, 0\n1000, 9, 1, 0, 0\n", 2, "is not after"},
		{"1000, 9, 1, 0\n2000, 9, 1, 0\n3000, 9, 1, 0\n2500, 9, 1, 0\n",
		 4, "is not after"},
		{"0, 9, 1, 0, 0\n", 1, "its time is 0"},
		{"1000, 99999999999999, 1, 0, 0\n", 1, "no bandwidth"},
		{"99999999999999999, 9, 1, 0, 0\n", 1, "milliseconds"},
		{"1000, 99999999999999999999999, 1, 0, 0\n", 1, "column 2"},
		{"1,9,1,0\n2,9,1,0\n3,9,1,0\n9999999999,9,1,0\n", 4,
		 "too long"},
		{"1000, 9, 0, 0, 0\n", 0, "holds no write"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct rp_bw_logs logs = {0};
		struct rp_err err = {0};

		assert_int_equal(rp_load_bw_text("log", cases[i].text,
						 strlen(cases[i].text), &logs,
						 &err),
				 -EBADMSG);
		if (!strstr(err.message, cases[i].says))
			fail_msg("case %zu: %s", i, err.message);
		assert_int_equal(err.line, cases[i].line);
		assert_string_equal(err.where, "log");
		rp_bw_logs_release(&logs);
	}
}

static void logs_of_something_else_are_known_by_name(void **state)
{
	struct rp_bw_logs logs = {0};
	struct rp_err err = {0};

	(void)state;
	assert_int_equal(rp_load_bw_log("/no/such/P_iops.1.log", &logs, &err),
			 -EBADMSG);
	assert_non_null(strstr(err.message, "log of iops"));
	err = (struct rp_err){0};
	assert_int_equal(rp_load_bw_log("/no/such/P_lat_bw.1.log", &logs, &err),
			 -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_release_is_read),
		cmocka_unit_test(windows_without_a_line_were_silent),
		cmocka_unit_test(a_late_window_is_one_window),
		cmocka_unit_test(a_ramp_or_an_epoch_before_is_no_window),
		cmocka_unit_test(jobs_in_one_file_are_told_apart),
		cmocka_unit_test(reads_are_told_and_left_out),
		cmocka_unit_test(bad_lines_are_named),
		cmocka_unit_test(logs_of_something_else_are_known_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
