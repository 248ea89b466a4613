/* SPDX-License-Identifier: GPL-2.0-only */
/* Run directories: what run.json says, and what it may not do. */
#include "load_help.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "load/run_dir.h"
#include "load/run_json.h"

#define RUN FIXTURES "/run"

/* ---- a directory of the test's own ---- */

static char directory[] = "/tmp/fio-review-test-XXXXXX";

static int make_directory(void **state)
{
	(void)state;
	return mkdtemp(directory) ? 0 : -1;
}

static void write_file(const char *name, const char *text)
{
	struct rp_err err = {0};
	char *path = rp_strf("%s/%s", directory, name);

	assert_int_equal(rp_file_write(path, text, strlen(text), &err), 0);
	free(path);
}

static void remove_file(const char *name)
{
	char *path = rp_strf("%s/%s", directory, name);

	unlink(path);
	free(path);
}

static int remove_directory(void **state)
{
	(void)state;
	remove_file("run.json");
	remove_file("good.json");
	remove_file("bad.json");
	remove_file("link.json");
	remove_file("fifo.json");
	return rmdir(directory);
}

static const char *const point_template =
	"{\"format\":1,\"state\":\"complete\",\"later_key\":[{}],"
	"\"profiles\":[{\"id\":\"p\",\"points\":[{\"load_percent\":0,"
	"\"state\":\"%s\",\"file\":\"%s\"}]}]}";

/* Load a run of one point with this file. */
static void load_point(const char *state, const char *file, struct rp_run *run)
{
	struct rp_err err = {0};
	char text[512];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(text, sizeof(text), point_template, state, file);
#pragma GCC diagnostic pop
	write_file("run.json", text);
	if (rp_load_run_dir(directory, run, &err))
		fail_msg("%s: %s", err.where, err.message);
	assert_int_equal(run->profiles.at[0].points.count, 1);
}

static void assert_point_fails(const char *state, const char *file,
			       const char *word)
{
	struct rp_run run = {0};
	const struct rp_point *point;

	load_point(state, file, &run);
	point = &run.profiles.at[0].points.at[0];
	assert_non_null(point->failure);
	if (!strstr(point->failure, word))
		fail_msg("\"%s\" does not say \"%s\"", point->failure, word);
	assert_int_equal(point->result.jobs.count, 0);
	rp_run_release(&run);
}

/* ---- tests ---- */

static void a_run_directory_is_read_as_a_whole(void **state)
{
	struct rp_run run = {0};
	struct rp_err err = {0};
	const struct rp_profile_run *profile;

	(void)state;
	assert_int_equal(rp_load_run_dir(RUN, &run, &err), 0);
	assert_string_equal(run.label, "Example SSD 960 GB");
	assert_string_equal(run.path, RUN);
	assert_false(run.complete);
	assert_string_equal(rp_run_fact(&run, "host.kernel"), "6.1.0-18-amd64");
	assert_int_equal(run.profiles.count, 2);
	profile = &run.profiles.at[0];
	assert_string_equal(profile->id, "four-corners/4k-random-read");
	assert_string_equal(profile->title, "4K random read");
	assert_number(profile->outstanding, 16);
	assert_number(profile->read_percent, 100);
	assert_number(profile->block_bytes, 4096);
	assert_int_equal(profile->points.count, 6);
	assert_int_equal(profile->points.at[0].load_percent, RP_LOAD_PEAK);
	assert_int_equal(profile->points.at[5].load_percent, 120);
	assert_number(profile->points.at[1].asked_iops, 6768);
	assert_number(profile->points.at[1].runtime_s, 1);
	assert_true(
		profile->points.at[1].result.jobs.at[0].flow[RP_READ].present);
	rp_run_release(&run);
}

static void a_failed_and_a_pending_point_stop_no_other(void **state)
{
	struct rp_run run = {0};
	struct rp_err err = {0};
	const struct rp_profile_run *profile;

	(void)state;
	assert_int_equal(rp_load_run_dir(RUN, &run, &err), 0);
	profile = &run.profiles.at[1];
	assert_int_equal(profile->points.count, 6);
	assert_null(profile->points.at[3].failure);
	assert_int_equal(profile->points.at[3].result.jobs.count, 1);
	assert_string_equal(profile->points.at[4].failure,
			    "fio took longer than 120 s and was stopped");
	assert_string_equal(profile->points.at[5].failure, "not measured yet");
	rp_run_release(&run);
}

static void points_come_in_load_order(void **state)
{
	static const char text[] =
		"{\"format\":1,\"profiles\":[{\"id\":\"p\",\"points\":["
		"{\"load_percent\":100},{\"load_percent\":10},"
		"{\"load_percent\":0},7,{\"load_percent\":50}]}]}";
	static const int order[] = {0, 10, 50, 100};
	struct rp_run run = {0};
	struct rp_err err = {0};

	(void)state;
	assert_int_equal(rp_run_json_read("x", text, strlen(text), &run, &err),
			 0);
	assert_int_equal(run.profiles.at[0].points.count, 4);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(run.profiles.at[0].points.at[i].load_percent,
				 order[i]);
	rp_run_release(&run);
}

static void without_a_label_the_directory_names_the_run(void **state)
{
	struct rp_run run = {0};

	(void)state;
	load_point("pending", "x", &run);
	assert_string_equal(run.label, strrchr(directory, '/') + 1);
	assert_true(run.complete);
	assert_string_equal(run.profiles.at[0].title, "p");
	assert_true(run.profiles.at[0].read_percent !=
		    run.profiles.at[0].read_percent);
	rp_run_release(&run);
}

static void a_file_outside_the_directory_is_refused(void **state)
{
	static const char *const files[] = {
		"/etc/hostname", "../x.json", "a/../../x.json",
		"a/..",		 "..",	      "./../x"};

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		assert_point_fails("done", files[i],
				   "not named within the run directory");
	assert_point_fails("done", "", "names no file");
}

static void a_link_that_leads_outside_is_refused(void **state)
{
	char *path = rp_strf("%s/link.json", directory);

	(void)state;
	assert_int_equal(symlink(FIO("3.33-fsync.json"), path), 0);
	assert_point_fails("done", "link.json", "outside the run directory");
	free(path);
}

static void a_link_to_a_folder_of_like_name_is_outside_too(void **state)
{
	char *sibling = rp_strf("%sX", directory);
	char *result = rp_strf("%sX/a.json", directory);
	char *path = rp_strf("%s/link.json", directory);
	struct rp_err err = {0};

	(void)state;
	remove_file("link.json");
	assert_int_equal(rp_dir_make(sibling, &err), 0);
	assert_int_equal(rp_file_write(result, "{}", 2, &err), 0);
	assert_int_equal(symlink(result, path), 0);
	assert_point_fails("done", "link.json", "outside the run directory");
	unlink(result);
	rmdir(sibling);
	free(sibling);
	free(result);
	free(path);
}

static void a_fifo_does_not_block(void **state)
{
	char *path = rp_strf("%s/fifo.json", directory);

	(void)state;
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_point_fails("done", "fifo.json", "no plain file");
	free(path);
}

static void a_broken_point_says_what_is_wrong_with_its_file(void **state)
{
	(void)state;
	write_file("bad.json", "{\n\"jobs\":[\n{\"jobname\":");
	assert_point_fails("done", "bad.json", "line 3: is cut off");
	assert_point_fails("done", "none.json", "missing");
	write_file("bad.json",
		   "{\"jobs\":[{\"jobname\":\"a\x1b[2J\",\"error\":5}]}");
	assert_point_fails("done", "bad.json", "job \"a [2J\": error 5");
	write_file("bad.json", "{\"jobs\":[{\"jobname\":\"a\"}]}");
	assert_point_fails("done", "bad.json", "did no I/O");
	assert_point_fails("odd", "bad.json", "state is not known");
	assert_point_fails("failed", "bad.json", "no reason");
}

static void warnings_of_points_carry_the_name_of_the_file(void **state)
{
	static const char good[] =
		"fio: careful\n{\"jobs\":[{\"jobname\":\"a\",\"read\":"
		"{\"total_ios\":7}}]}\n{\"jobs\":[{\"jobname\":\"b\",\"read\":"
		"{\"total_ios\":8}}]}\n";
	struct rp_run run = {0};
	const struct rp_point *point;

	(void)state;
	write_file("good.json", good);
	load_point("done", "good.json", &run);
	point = &run.profiles.at[0].points.at[0];
	assert_null(point->failure);
	assert_string_equal(point->result.jobs.at[0].name, "b");
	assert_true(has_warning(&run.warnings,
				"good.json: holds 2 runs, the last is shown"));
	rp_run_release(&run);
}

static void a_newer_format_is_refused(void **state)
{
	static const struct {
		const char *text, *word;
	} cases[] = {
		{"{\"format\":2,\"profiles\":[]}", "use a newer one"},
		{"{\"format\":0,\"profiles\":[]}", "no \"format\""},
		{"{\"profiles\":[]}", "no \"format\""},
		{"[]", "no \"format\""},
		{"{\"format\":1}", "no list \"profiles\""},
		{"{\n\"format\":1,}", "broken JSON"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct rp_run run = {0};
		struct rp_err err = {0};

		write_file("run.json", cases[i].text);
		assert_int_equal(rp_load_run_dir(directory, &run, &err),
				 -EBADMSG);
		if (!strstr(err.message, cases[i].word))
			fail_msg("%s: %s", cases[i].word, err.message);
		assert_non_null(strstr(err.where, "/run.json"));
		if (i == 5)
			assert_int_equal(err.line, 2);
	}
}

static void a_directory_without_run_json_is_no_run(void **state)
{
	struct rp_run run = {0};
	struct rp_err err = {0};

	(void)state;
	assert_int_equal(rp_load_run_dir(FIXTURES, &run, &err), -EBADMSG);
	assert_non_null(strstr(err.message, "no run.json"));
	err = (struct rp_err){0};
	assert_int_equal(rp_load_run_dir(FIXTURES "/none", &run, &err),
			 -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_directory_is_read_as_a_whole),
		cmocka_unit_test(a_failed_and_a_pending_point_stop_no_other),
		cmocka_unit_test(points_come_in_load_order),
		cmocka_unit_test(without_a_label_the_directory_names_the_run),
		cmocka_unit_test(a_file_outside_the_directory_is_refused),
		cmocka_unit_test(a_link_that_leads_outside_is_refused),
		cmocka_unit_test(
			a_link_to_a_folder_of_like_name_is_outside_too),
		cmocka_unit_test(a_fifo_does_not_block),
		cmocka_unit_test(
			a_broken_point_says_what_is_wrong_with_its_file),
		cmocka_unit_test(warnings_of_points_carry_the_name_of_the_file),
		cmocka_unit_test(a_newer_format_is_refused),
		cmocka_unit_test(a_directory_without_run_json_is_no_run),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
