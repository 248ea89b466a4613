/* SPDX-License-Identifier: GPL-2.0-only */
#include "unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

static char dir[] = "/tmp/fio-review-test-XXXXXX";

static int enter(void **state)
{
	(void)state;
	return mkdtemp(dir) && !chdir(dir) ? 0 : -1;
}

static int leave(void **state)
{
	(void)state;
	unlink("a/b/file");
	rmdir("a/b");
	rmdir("a");
	return rmdir(dir);
}

static void what_was_written_is_read_back(void **state)
{
	struct rp_str text = RP_STR_INIT;
	struct rp_err err = {0};
	struct stat st;

	(void)state;
	assert_int_equal(rp_dir_make("a/b", &err), 0);
	assert_int_equal(rp_dir_make("a/b", &err), 0);
	assert_int_equal(rp_file_write("a/b/file", "x\0y", 3, &err), 0);
	assert_int_equal(rp_file_read("a/b/file", 100, &text, &err), 0);
	assert_int_equal(text.len, 3);
	assert_memory_equal(text.buf, "x\0y", 3);
	assert_int_equal(stat("a/b/file", &st), 0);
	assert_int_equal(st.st_mode & 0600, 0600);
	rp_str_release(&text);
}

static void a_file_over_the_limit_is_refused(void **state)
{
	struct rp_str text = RP_STR_INIT;
	struct rp_err err = {0};

	(void)state;
	assert_int_equal(rp_file_read("a/b/file", 2, &text, &err), -EFBIG);
	assert_string_equal(err.where, "a/b/file");
	rp_str_release(&text);
}

static void missing_files_and_directories_are_named(void **state)
{
	struct rp_str text = RP_STR_INIT;
	struct rp_err missing = {0}, directory = {0};

	(void)state;
	assert_int_equal(rp_file_read("none", 9, &text, &missing), -ENOENT);
	assert_string_equal(missing.where, "none");
	assert_int_equal(rp_file_read("a", 9, &text, &directory), -EISDIR);
	rp_str_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_written_is_read_back),
		cmocka_unit_test(a_file_over_the_limit_is_refused),
		cmocka_unit_test(missing_files_and_directories_are_named),
	};

	return cmocka_run_group_tests(tests, enter, leave);
}
