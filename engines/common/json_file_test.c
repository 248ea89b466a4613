/* SPDX-License-Identifier: GPL-2.0-only */
#include "json_file.h"

#include "unit.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

struct fixture {
	char folder[32];
	char path[64];
	struct fe_error err;
};

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	snprintf(f->folder, sizeof(f->folder), "/tmp/json-test-XXXXXX");
	assert_non_null(mkdtemp(f->folder));
	snprintf(f->path, sizeof(f->path), "%s/job.json", f->folder);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	unlink(f->path);
	assert_int_equal(rmdir(f->folder), 0);
	free(f);
	return 0;
}

static int write_name(struct fixture *f, const char *path, const char *name)
{
	json_t *object = json_pack("{s:s}", "name", name);
	const int ret = fe_json_write(object, path, &f->err);

	assert_non_null(object);
	json_decref(object);
	return ret;
}

static void assert_name(const struct fixture *f, const char *name)
{
	json_t *object = json_load_file(f->path, 0, NULL);

	assert_non_null(object);
	assert_string_equal(json_string_value(json_object_get(object, "name")),
			    name);
	json_decref(object);
}

static unsigned int files_in(const char *folder)
{
	DIR *directory = opendir(folder);
	unsigned int n = 0;

	assert_non_null(directory);
	while (readdir(directory))
		n++;
	closedir(directory);
	return n - 2; /* . and .. */
}

static void a_cleaned_text_has_nothing_that_a_terminal_obeys(void **state)
{
	static const struct {
		const char *text, *clean;
	} cases[] = {
		{"plain %s", "plain %s"},
		{"a\033[2J\n\tb\x7f", "a?[2J??b?"},
		{"K\xc3\xb6ln", "K\xc3\xb6ln"},
		{"csi\xc2\x9b", "csi??"},
		{"bad\xff\xc3\xb6", "bad???"},
		{"cut\xc2", "cut?"},
		{"", ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *clean = fe_clean_text(cases[i].text);

		assert_string_equal(clean, cases[i].clean);
		free(clean);
	}
}

static void the_file_has_the_mode_that_umask_leaves(void **state)
{
	struct fixture *f = *state;
	const mode_t before = umask(S_IRWXO);
	struct stat st;

	assert_int_equal(write_name(f, f->path, "job"), 0);
	umask(before);
	assert_int_equal(stat(f->path, &st), 0);
	assert_int_equal(st.st_mode & 0777, S_IRUSR | S_IWUSR | S_IRGRP);
}

static void an_older_file_is_replaced(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(write_name(f, f->path, "old"), 0);
	assert_int_equal(write_name(f, f->path, "new"), 0);
	assert_name(f, "new");
	assert_int_equal(files_in(f->folder), 1);
}

static void a_link_is_replaced_and_not_written_through(void **state)
{
	struct fixture *f = *state;
	struct stat st;

	assert_int_equal(symlink("victim", f->path), 0);
	assert_int_equal(write_name(f, f->path, "job"), 0);
	assert_int_equal(lstat(f->path, &st), 0);
	assert_true(S_ISREG(st.st_mode));
	assert_int_equal(files_in(f->folder), 1);
}

static void a_link_in_the_way_is_not_followed(void **state)
{
	struct fixture *f = *state;
	char link[100];

	snprintf(link, sizeof(link), "%s.%ld.tmp", f->path, (long)gettid());
	assert_int_equal(symlink("victim", link), 0);
	assert_int_equal(write_name(f, f->path, "job"), -EEXIST);
	assert_int_equal(files_in(f->folder), 1);
	unlink(link);
}

static void a_missing_folder_is_named(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(write_name(f, "/missing/\033[m/job.json", "job"),
			 -ENOENT);
	assert_string_equal(f->err.text, "/missing/?[m/job.json: can't be "
					 "written: No such file or directory");
}

static void a_document_that_memory_did_not_suffice_for_is_an_error(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(fe_json_write(NULL, f->path, &f->err), -ENOMEM);
	assert_int_equal(files_in(f->folder), 0);
}

static void a_failed_write_leaves_what_was_there(void **state)
{
	struct fixture *f = *state;
	const struct rlimit little = {10, RLIM_INFINITY};
	struct rlimit before;

	assert_int_equal(write_name(f, f->path, "old"), 0);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
	assert_int_equal(write_name(f, f->path, "new"), -EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	signal(SIGXFSZ, SIG_DFL);
	assert_int_equal(files_in(f->folder), 1);
	assert_name(f, "old");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_cleaned_text_has_nothing_that_a_terminal_obeys),
		TEST(the_file_has_the_mode_that_umask_leaves),
		TEST(an_older_file_is_replaced),
		TEST(a_link_is_replaced_and_not_written_through),
		TEST(a_link_in_the_way_is_not_followed),
		TEST(a_missing_folder_is_named),
		TEST(a_document_that_memory_did_not_suffice_for_is_an_error),
		TEST(a_failed_write_leaves_what_was_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
