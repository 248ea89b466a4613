/* SPDX-License-Identifier: GPL-2.0-only */
/* Which jobs are no measurement, and why. */
#include "load_help.h"

#define IDLE(name) "{\"jobname\":\"" name "\",\"error\":0}"
#define BUSY(name)                                                             \
	"{\"jobname\":\"" name "\",\"error\":0,\"read\":{\"total_ios\":7}}"
#define DOC(jobs) "{\"fio version\":\"fio-3.33\",\"jobs\":[" jobs "]}\n"

static const struct rp_result *load(const char *text, rp_results *results)
{
	load_text(text, strlen(text), results);
	assert_int_equal(results->count, 1);
	return &results->at[0];
}

static void assert_failure(const struct rp_job *job, const char *word)
{
	assert_non_null(job->failure);
	if (!strstr(job->failure, word))
		fail_msg("\"%s\" does not say \"%s\"", job->failure, word);
}

static void no_io_is_a_failure(void **state)
{
	rp_results results = {0};
	const struct rp_result *result =
		load(DOC(IDLE("a") "," BUSY("b")), &results);

	(void)state;
	assert_string_equal(result->jobs.at[0].failure, "did no I/O");
	assert_null(result->jobs.at[1].failure);
	rp_results_release(&results);
}

static void what_fio_said_of_an_idle_job_is_its_reason(void **state)
{
	rp_results results = {0};

	(void)state;
	load_file(FIO("3.1-no-io.json"), &results);
	assert_failure(&results.at[0].jobs.at[0],
		       "did no I/O: full: failed to get file size");
	rp_results_release(&results);
}

static void an_error_keeps_the_numbers(void **state)
{
	rp_results results = {0};
	const struct rp_result *result =
		load(DOC("{\"jobname\":\"w\",\"error\":28,\"write\":{\"total_"
			 "ios\":9}}"),
		     &results);

	(void)state;
	assert_int_equal(result->jobs.at[0].error, 28);
	assert_failure(&result->jobs.at[0], "error 28 (No space left");
	assert_int_equal(result->jobs.at[0].flow[RP_WRITE].ios, 9);
	rp_results_release(&results);
}

static void an_error_quotes_fio_s_own_line_of_it(void **state)
{
	rp_results results = {0};

	(void)state;
	load_file(FIO("2.1.10-zerosize.json"), &results);
	assert_failure(&results.at[0].jobs.at[0],
		       "error 22 (Invalid argument): fio: pid=0, err=22/file:");
	rp_results_release(&results);
	load_file(FIO("3.33-disk-full.json"), &results);
	assert_failure(&results.at[0].jobs.at[0],
		       "error 28 (No space left on device)");
	rp_results_release(&results);
}

static void a_killed_job_is_the_one_without_io(void **state)
{
	rp_results results = {0};
	const struct rp_result *result =
		load("fio: pid=9, got signal=11\n" DOC(BUSY("a") "," IDLE("b")),
		     &results);

	(void)state;
	assert_null(result->jobs.at[0].failure);
	assert_failure(&result->jobs.at[1], "died: fio: pid=9, got signal=11");
	rp_results_release(&results);
	load_file(FIO("3.42-killed-job.json"), &results);
	assert_failure(&results.at[0].jobs.at[0], "got signal=11");
	rp_results_release(&results);
}

static void if_all_did_io_the_killed_job_may_be_any(void **state)
{
	rp_results results = {0};
	/* after the document: fio may tell as late as that */
	const struct rp_result *result =
		load(DOC(BUSY("a") "," BUSY("b")) "fio: pid=9, got signal=9\n",
		     &results);

	(void)state;
	assert_failure(&result->jobs.at[0], "this or another job");
	assert_failure(&result->jobs.at[1], "got signal=9");
	rp_results_release(&results);
}

static void a_signal_between_two_states_is_not_lost(void **state)
{
	rp_results results = {0};
	const struct rp_result *result =
		load(DOC(BUSY("a")) "fio: pid=9, got signal=9\n" DOC(BUSY("a")),
		     &results);

	(void)state;
	assert_failure(&result->jobs.at[0], "got signal=9");
	rp_results_release(&results);
}

static void an_interruption_is_a_warning(void **state)
{
	rp_results results = {0};

	(void)state;
	load_file(FIO("3.33-interrupted.json"), &results);
	assert_null(results.at[0].jobs.at[0].failure);
	assert_int_equal(results.at[0].jobs.at[0].flow[RP_READ].ios, 57);
	assert_true(
		has_warning(&results.at[0].warnings, "line 2: interrupted"));
	rp_results_release(&results);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_io_is_a_failure),
		cmocka_unit_test(what_fio_said_of_an_idle_job_is_its_reason),
		cmocka_unit_test(an_error_keeps_the_numbers),
		cmocka_unit_test(an_error_quotes_fio_s_own_line_of_it),
		cmocka_unit_test(a_killed_job_is_the_one_without_io),
		cmocka_unit_test(if_all_did_io_the_killed_job_may_be_any),
		cmocka_unit_test(a_signal_between_two_states_is_not_lost),
		cmocka_unit_test(an_interruption_is_a_warning),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
