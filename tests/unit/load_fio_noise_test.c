/* SPDX-License-Identifier: GPL-2.0-only */
/* Text around and inside the JSON, damaged documents, and what is no JSON. */
#include "load_help.h"

#define DOC(jobs)                                                              \
	"{\n  \"fio version\" : \"fio-3.33\",\n  \"jobs\" : [" jobs "]\n}\n"
#define JOB(name, ios)                                                         \
	"\n    {\n      \"jobname\" : \"" name "\",\n      \"error\" : 0,\n"   \
	"      \"read\" : { \"io_bytes\" : " ios "000, \"io_kbytes\" : 1,\n"   \
	"        \"total_ios\" : " ios ", \"runtime\" : " ios ",\n"            \
	"        \"clat_ns\" : { \"min\" : 1, \"max\" : 9, \"mean\" : 2.5,"    \
	" \"N\" : " ios " } }\n    }"

static void load(const char *text, rp_results *results)
{
	load_text(text, strlen(text), results);
}

static const struct rp_result *load_one(const char *text, rp_results *results)
{
	load(text, results);
	assert_int_equal(results->count, 1);
	return &results->at[0];
}

static void refuse(const char *text, const char *word, struct rp_err *err)
{
	refuse_text(text, strlen(text), word, err);
}

/* ---- text ---- */

static void human_text_before_the_json_is_counted(void **state)
{
	rp_results results = {0};

	(void)state;
	load_file(FIO("3.33-normal-json.txt"), &results);
	assert_int_equal(results.count, 1);
	assert_int_equal(results.at[0].jobs.at[0].flow[RP_READ].ios, 16384);
	assert_int_equal(results.at[0].warnings.count, 1);
	assert_true(has_warning(&results.at[0].warnings,
				"23 lines of other text skipped"));
	rp_results_release(&results);
}

static void messages_are_kept_word_for_word_with_their_line(void **state)
{
	rp_results results = {0};
	const struct rp_result *result;

	(void)state;
	result = load_one("\nfio: before \x1b[31mred\xff\n" DOC(
				  JOB("a", "5")) "fio: after\n",
			  &results);
	/* what a terminal would obey is made harmless */
	assert_true(has_warning(&result->warnings,
				"line 2: fio: before  [31mred\xef\xbf\xbd"));
	assert_true(has_warning(&result->warnings, "line 14: fio: after"));
	rp_results_release(&results);
}

static void text_in_the_middle_of_a_document_is_passed(void **state)
{
	rp_results results = {0};
	const struct rp_result *result;

	(void)state;
	result =
		load_one(DOC("\nfio: terminating on signal 2\n" JOB(
				 "a", "5") "\nJobs: 1 (f=1): [r(1)][50.0%][eta "
					   "00m:01s]\r," JOB("b", "6")),
			 &results);
	assert_int_equal(result->jobs.count, 2);
	assert_string_equal(result->jobs.at[1].name, "b");
	assert_int_equal(result->jobs.at[1].flow[RP_READ].ios, 6);
	assert_true(has_warning(&result->warnings, "line 4: interrupted"));
	assert_true(has_warning(&result->warnings, "1 line of other text"));
	rp_results_release(&results);
}

static void an_eta_line_may_end_in_a_carriage_return_only(void **state)
{
	rp_results results = {0};

	(void)state;
	load_one("Jobs: 1 (f=1): [r(1)][eta 00m:01s]\r" DOC(JOB("a", "5")),
		 &results);
	assert_int_equal(results.at[0].jobs.count, 1);
	rp_results_release(&results);
}

static void byte_order_mark_and_crlf_are_no_matter(void **state)
{
	rp_results results = {0};
	const char *text = DOC(JOB("a", "5"));
	struct rp_str crlf = RP_STR_INIT;

	(void)state;
	rp_str_add(&crlf, "\xef\xbb\xbf");
	for (const char *c = text; *c; c++) {
		if (*c == '\n')
			rp_str_add_char(&crlf, '\r');
		rp_str_add_char(&crlf, *c);
	}
	load_text(crlf.buf, crlf.len, &results);
	assert_int_equal(results.at[0].jobs.at[0].flow[RP_READ].ios, 5);
	assert_int_equal(results.at[0].warnings.count, 0);
	rp_str_release(&crlf);
	rp_results_release(&results);
}

static void a_document_on_one_line_is_read(void **state)
{
	rp_results results = {0};

	(void)state;
	load_one("{\"fio version\":\"fio-3.33\",\"jobs\":[{\"jobname\":\"a\","
		 "\"read\":{\"total_ios\":7}}]}",
		 &results);
	assert_int_equal(results.at[0].jobs.at[0].flow[RP_READ].ios, 7);
	rp_results_release(&results);
}

/* ---- values that are no JSON ---- */

static void numbers_that_are_none_become_absent(void **state)
{
	static const char *const words[] = {"nan",  "-nan", "inf",
					    "-inf", "NaN",  "Infinity"};

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		rp_results results = {0};
		struct rp_str text = RP_STR_INIT;

		rp_str_addf(&text,
			    "{\"jobs\":[{\"jobname\":\"a\",\"read\":{"
			    "\"total_ios\":7,\"iops\":%s,\"runtime\":1000}}]}",
			    words[i]);
		load_text(text.buf, text.len, &results);
		assert_number(results.at[0].jobs.at[0].flow[RP_READ].iops, 0);
		assert_number(results.at[0].jobs.at[0].flow[RP_READ].runtime_s,
			      1);
		assert_int_equal(results.at[0].warnings.count, 0);
		rp_str_release(&text);
		rp_results_release(&results);
	}
}

static void a_value_that_is_garbage_is_told(void **state)
{
	rp_results results = {0};
	const struct rp_result *result;

	(void)state;
	result = load_one("{\"jobs\":[{\"jobname\":\"a\",\"read\":\n{"
			  "\"iops\" : 12abc,\"total_ios\":7}}]}",
			  &results);
	assert_int_equal(result->jobs.at[0].flow[RP_READ].ios, 7);
	assert_true(has_warning(&result->warnings,
				"line 2: 1 value that is no JSON"));
	rp_results_release(&results);
}

static void decimal_commas_are_points(void **state)
{
	rp_results results = {0};

	(void)state;
	load_one("{\"jobs\":[{\"jobname\":\"a\",\"read\":{"
		 "\"iops\" : 12,5,\"total_ios\":7}}]}",
		 &results);
	assert_number(results.at[0].jobs.at[0].flow[RP_READ].iops, 12.5);
	assert_int_equal(results.at[0].jobs.at[0].flow[RP_READ].ios, 7);
	rp_results_release(&results);
}

static void counters_beyond_63_bits_are_read(void **state)
{
	rp_results results = {0};
	const struct rp_flow *flow;

	(void)state;
	load_one("{\"jobs\":[{\"jobname\":\"a\",\"read\":{\"io_kbytes\":1,"
		 "\"io_bytes\":-9223372036854775808,"
		 "\"total_ios\":9223372036854775808}}]}",
		 &results);
	flow = &results.at[0].jobs.at[0].flow[RP_READ];
	/* fio prints unsigned counters as signed */
	assert_true(flow->bytes == 9223372036854775808ull);
	assert_true(flow->ios == 9223372036854775808ull);
	rp_results_release(&results);
}

static void hostile_names_arrive_unchanged_where_they_are_text(void **state)
{
	static const struct {
		const char *json, *name;
	} cases[] = {
		{"\\\"><script>alert(1)</script>",
		 "\"><script>alert(1)</script>"},
		{"`\\\"; system(\\\"touch PWNED\\\")",
		 "`\"; system(\"touch PWNED\")"},
		{"two\nlines\tand a tab", "two\nlines\tand a tab"},
		{"\x1b[2Jescape", "\x1b[2Jescape"},
		{"bad \xff\xc0\xaf utf", "bad \xef\xbf\xbd\xef\xbf\xbd"
					 "\xef\xbf\xbd utf"},
		{"\xc3\xbc ok \xf0\x9f\x92\xbe",
		 "\xc3\xbc ok \xf0\x9f\x92\xbe"},
		{"C:\\dir\\q", "C:\\dir\\q"},
		{"nul \\u0000 lone \\ud800.", "nul \xef\xbf\xbd lone "
					      "\xef\xbf\xbd."},
		{"pair \\ud83d\\udcbe", "pair \xf0\x9f\x92\xbe"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		rp_results results = {0};
		struct rp_str text = RP_STR_INIT;

		rp_str_addf(&text, "{\"jobs\":[{\"jobname\":\"%s\"}]}",
			    cases[i].json);
		load_text(text.buf, text.len, &results);
		assert_string_equal(results.at[0].jobs.at[0].name,
				    cases[i].name);
		rp_str_release(&text);
		rp_results_release(&results);
	}
}

/* ---- several documents ---- */

static void of_a_status_interval_the_last_state_is_kept(void **state)
{
	rp_results results = {0};

	(void)state;
	load_file(FIO("3.33-status-interval.json"), &results);
	assert_int_equal(results.count, 1);
	assert_int_equal(results.at[0].jobs.at[0].flow[RP_READ].ios, 300);
	assert_true(has_warning(&results.at[0].warnings, "3 earlier states"));
	rp_results_release(&results);
}

static void two_runs_in_a_file_are_both_kept(void **state)
{
	rp_results results = {0};

	(void)state;
	load(DOC(JOB("a", "9")) DOC(JOB("a", "5")) DOC(JOB("b", "7")),
	     &results);
	assert_int_equal(results.count, 3);
	assert_int_equal(results.at[0].jobs.at[0].flow[RP_READ].ios, 9);
	assert_int_equal(results.at[1].jobs.at[0].flow[RP_READ].ios, 5);
	assert_string_equal(results.at[2].jobs.at[0].name, "b");
	assert_true(has_warning(&results.at[1].warnings, "holds 3 runs"));
	rp_results_release(&results);
}

static void a_run_with_another_number_of_jobs_is_another_one(void **state)
{
	rp_results results = {0};

	(void)state;
	load(DOC(JOB("a", "5") "," JOB("b", "5")) DOC(JOB("a", "6")), &results);
	assert_int_equal(results.count, 2);
	assert_int_equal(results.at[0].jobs.count, 2);
	rp_results_release(&results);
}

static void a_run_that_started_later_is_another_one(void **state)
{
	static const char text[] =
		"{\"timestamp\":1000,\"jobs\":[{\"jobname\":\"a\","
		"\"elapsed\":10,\"read\":{\"total_ios\":1}}]}\n"
		"{\"timestamp\":1100,\"jobs\":[{\"jobname\":\"a\","
		"\"elapsed\":10,\"read\":{\"total_ios\":2}}]}\n"
		"{\"timestamp\":1101,\"jobs\":[{\"jobname\":\"a\","
		"\"elapsed\":11,\"read\":{\"total_ios\":3}}]}\n";
	rp_results results = {0};

	(void)state;
	load(text, &results);
	assert_int_equal(results.count, 2);
	assert_int_equal(results.at[0].jobs.at[0].flow[RP_READ].ios, 1);
	assert_int_equal(results.at[1].jobs.at[0].flow[RP_READ].ios, 3);
	rp_results_release(&results);
}

static void other_json_beside_a_result_is_told(void **state)
{
	rp_results results = {0};
	const struct rp_result *result;

	(void)state;
	result =
		load_one("{\"json_format_version\":[1,0]}\n" DOC(JOB("a", "5")),
			 &results);
	assert_true(has_warning(&result->warnings, "line 1: 1 object skipped"));
	rp_results_release(&results);
}

/* ---- cut off ---- */

static void a_missing_last_brace_loses_nothing(void **state)
{
	struct rp_str text = RP_STR_INIT;
	rp_results results = {0};

	(void)state;
	read_fixture(FIO("3.33-four-jobs.json"), &text);
	text.len = (size_t)(strrchr(text.buf, '}') - text.buf);
	load_text(text.buf, text.len, &results);
	assert_int_equal(results.at[0].jobs.count, 4);
	assert_true(has_warning(&results.at[0].warnings,
				"document is cut off; 4 whole jobs kept"));
	rp_results_release(&results);
	rp_str_release(&text);
}

static void a_cut_off_job_is_dropped_as_a_whole(void **state)
{
	struct rp_str text = RP_STR_INIT;
	rp_results results = {0};
	const char *third;

	(void)state;
	read_fixture(FIO("3.33-four-jobs.json"), &text);
	third = strstr(text.buf, "\"jobname\"");
	third = strstr(third + 1, "\"jobname\"");
	third = strstr(third + 1, "\"jobname\"");
	third = strstr(third, "\"write\"");
	load_text(text.buf, (size_t)(third - text.buf), &results);
	assert_int_equal(results.at[0].jobs.count, 2);
	assert_int_equal(results.at[0].jobs.at[1].flow[RP_READ].ios, 16384);
	assert_true(has_warning(&results.at[0].warnings, "2 whole jobs kept"));
	rp_results_release(&results);
	rp_str_release(&text);
}

static void every_cut_gives_whole_jobs_or_a_sentence(void **state)
{
	struct rp_str text = RP_STR_INIT;
	size_t whole = 0;

	(void)state;
	read_fixture(FIO("3.33-four-jobs.json"), &text);
	for (size_t len = 0; len < text.len; len += 97) {
		rp_results results = {0};
		struct rp_err err = {0};
		int ret =
			rp_load_fio_text("text", text.buf, len, &results, &err);

		assert_int_equal(ret, results.count ? 0 : -EBADMSG);
		assert_true(ret == 0 || err.message[0]);
		for (size_t i = 0; ret == 0 && i < results.at[0].jobs.count;
		     i++)
			assert_int_equal(
				results.at[0].jobs.at[i].flow[RP_READ].ios,
				16384);
		if (!ret) {
			assert_true(results.at[0].jobs.count >= whole);
			whole = results.at[0].jobs.count;
		}
		rp_results_release(&results);
	}
	/* the fourth ends with the text */
	assert_int_equal(whole, 3);
	rp_str_release(&text);
}

static void nothing_whole_is_an_error_with_its_line(void **state)
{
	struct rp_err err;

	(void)state;
	refuse("{\n\"fio version\" : \"fio-3.33\",\n\"jobs\" : [\n{ "
	       "\"jobname\"",
	       "cut off before its first job", &err);
	assert_int_equal(err.line, 4);
}

static void a_document_after_a_cut_off_one_is_found(void **state)
{
	rp_results results = {0};

	(void)state;
	/* cut inside a string, the worst place */
	load("{\n  \"fio version\" : \"fio-3.33\",\n  \"time\" : \"Mon "
	     "Nov\n" DOC(JOB("a", "5")),
	     &results);
	assert_int_equal(results.count, 1);
	assert_string_equal(results.at[0].jobs.at[0].name, "a");
	assert_true(has_warning(&results.at[0].warnings, "cut off"));
	rp_results_release(&results);
}

static void a_cut_off_last_state_leaves_the_one_before(void **state)
{
	rp_results results = {0};

	(void)state;
	load(DOC(JOB("a", "5") "," JOB(
		     "b", "5")) "{\n  \"fio version\" : \"fio-3.33\",\n  "
				"\"jobs\" : [" JOB("a", "6") ",\n {",
	     &results);
	assert_int_equal(results.count, 1);
	assert_int_equal(results.at[0].jobs.count, 2);
	assert_int_equal(results.at[0].jobs.at[0].flow[RP_READ].ios, 5);
	assert_true(has_warning(&results.at[0].warnings,
				"last state of the run is cut off"));
	rp_results_release(&results);
}

/* ---- no fio JSON ---- */

static void what_is_no_fio_json_is_named(void **state)
{
	static const struct {
		const char *text, *word;
	} cases[] = {
		{"", "is empty"},
		{" \r\n\t\n", "nothing but blanks"},
		{"[]", "begins with an array"},
		{"\x1f\x8b\x08more", "gunzip"},
		{"\xff\xfe{", "UTF-16"},
		{"hello\nworld\n", "holds no JSON object"},
		{"3;fio-3.33;a;0;0;1;2;3\n", "--output-format=json"},
		{"a: (groupid=0, jobs=1): err= 0: pid=1\n",
		 "--output-format=json"},
		{"fio: failed to load engine\n", "failed to load engine"},
		{"{ \"a\" : 1 }", "no \"jobs\""},
		{"{ \"jobs\" : [] }", "without any job"},
	};
	struct rp_err err;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		refuse(cases[i].text, cases[i].word, &err);
	refuse_text("\x7f"
		    "ELF\0\0\0",
		    7, "binary", &err);
}

static void normal_output_alone_names_the_option(void **state)
{
	rp_results results = {0};
	struct rp_err err = {0};

	(void)state;
	assert_int_equal(rp_load_fio_json(FIO("normal.txt"), &results, &err),
			 -EBADMSG);
	assert_non_null(strstr(err.message, "--output-format=json"));
	assert_non_null(strstr(err.where, "normal.txt"));
	rp_results_release(&results);
}

static void absurd_nesting_is_refused_with_its_place(void **state)
{
	struct rp_str text = RP_STR_INIT;
	struct rp_err err;

	(void)state;
	rp_str_add(&text, "{\n\"a\":");
	for (int i = 0; i < 100000; i++)
		rp_str_add_char(&text, '[');
	refuse_text(text.buf, text.len, "nested more than", &err);
	assert_int_equal(err.line, 2);
	assert_int_equal(err.column, 260);
	rp_str_clear(&text);
	for (int i = 0; i < 100000; i++)
		rp_str_add(&text, "{\"a\":");
	refuse_text(text.buf, text.len, "nested more than", &err);
	rp_str_release(&text);
}

static void many_objects_on_one_line_cost_their_length_only(void **state)
{
	struct rp_str text = RP_STR_INIT;
	struct rp_err err;

	(void)state;
	/* looking to the line's end for each would take minutes */
	for (int i = 0; i < 200000; i++)
		rp_str_add(&text, "{}");
	refuse_text(text.buf, text.len, "no \"jobs\"", &err);
	rp_str_release(&text);
}

static void a_directory_and_a_missing_file_are_system_errors(void **state)
{
	rp_results results = {0};
	struct rp_err err = {0};

	(void)state;
	assert_int_equal(rp_load_fio_json(FIXTURES, &results, &err), -EISDIR);
	err = (struct rp_err){0};
	assert_int_equal(rp_load_fio_json(FIO("none"), &results, &err),
			 -ENOENT);
	assert_int_equal(results.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(human_text_before_the_json_is_counted),
		cmocka_unit_test(
			messages_are_kept_word_for_word_with_their_line),
		cmocka_unit_test(text_in_the_middle_of_a_document_is_passed),
		cmocka_unit_test(an_eta_line_may_end_in_a_carriage_return_only),
		cmocka_unit_test(byte_order_mark_and_crlf_are_no_matter),
		cmocka_unit_test(a_document_on_one_line_is_read),
		cmocka_unit_test(numbers_that_are_none_become_absent),
		cmocka_unit_test(a_value_that_is_garbage_is_told),
		cmocka_unit_test(decimal_commas_are_points),
		cmocka_unit_test(counters_beyond_63_bits_are_read),
		cmocka_unit_test(
			hostile_names_arrive_unchanged_where_they_are_text),
		cmocka_unit_test(of_a_status_interval_the_last_state_is_kept),
		cmocka_unit_test(two_runs_in_a_file_are_both_kept),
		cmocka_unit_test(
			a_run_with_another_number_of_jobs_is_another_one),
		cmocka_unit_test(a_run_that_started_later_is_another_one),
		cmocka_unit_test(other_json_beside_a_result_is_told),
		cmocka_unit_test(a_missing_last_brace_loses_nothing),
		cmocka_unit_test(a_cut_off_job_is_dropped_as_a_whole),
		cmocka_unit_test(every_cut_gives_whole_jobs_or_a_sentence),
		cmocka_unit_test(nothing_whole_is_an_error_with_its_line),
		cmocka_unit_test(a_document_after_a_cut_off_one_is_found),
		cmocka_unit_test(a_cut_off_last_state_leaves_the_one_before),
		cmocka_unit_test(what_is_no_fio_json_is_named),
		cmocka_unit_test(normal_output_alone_names_the_option),
		cmocka_unit_test(absurd_nesting_is_refused_with_its_place),
		cmocka_unit_test(
			many_objects_on_one_line_cost_their_length_only),
		cmocka_unit_test(
			a_directory_and_a_missing_file_are_system_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
