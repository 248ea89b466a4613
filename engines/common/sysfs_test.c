/* SPDX-License-Identifier: GPL-2.0-only */
#include "sysfs.h"

#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define DISK "devices/host0/block/sda"

static char sys[] = "/tmp/sysfs-test-XXXXXX";

static void in_tree(const char *name, char *path, size_t size)
{
	snprintf(path, size, "%s/%s", sys, name);
}

static void write_text(const char *text)
{
	char path[256];
	FILE *file;

	in_tree(DISK "/size", path, sizeof(path));
	file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static const char *const folders[] = {
	"devices", "devices/host0", "devices/host0/block",
	DISK,	   "dev",	    "dev/block",
};
static const size_t n_folders = sizeof(folders) / sizeof(folders[0]);

static int make_tree(void **state)
{
	char path[256], to[256];

	(void)state;
	assert_non_null(mkdtemp(sys));
	for (size_t i = 0; i < n_folders; i++) {
		in_tree(folders[i], path, sizeof(path));
		assert_int_equal(mkdir(path, 0700), 0);
	}
	in_tree("dev/block/8:0", path, sizeof(path));
	in_tree(DISK, to, sizeof(to));
	assert_int_equal(symlink(to, path), 0);
	write_text("12\n");
	return 0;
}

static int remove_tree(void **state)
{
	char path[256];

	(void)state;
	in_tree(DISK "/size", path, sizeof(path));
	unlink(path);
	in_tree("dev/block/8:0", path, sizeof(path));
	unlink(path);
	for (size_t i = n_folders; i--;) {
		in_tree(folders[i], path, sizeof(path));
		assert_int_equal(rmdir(path), 0);
	}
	return rmdir(sys);
}

static void a_device_is_found_by_its_number(void **state)
{
	struct fe_place place;
	char folder[256];

	(void)state;
	assert_true(fe_sysfs_locate(sys, S_IFBLK, makedev(8, 0), &place));
	assert_string_equal(place.name, "sda");
	in_tree("devices/host0/block", folder, sizeof(folder));
	assert_string_equal(place.folder, folder);
}

static void what_is_no_known_device_has_no_place(void **state)
{
	struct fe_place place;

	(void)state;
	assert_false(fe_sysfs_locate(sys, S_IFBLK, makedev(8, 1), &place));
	assert_string_equal(place.name, "");
	assert_false(fe_sysfs_locate(sys, S_IFCHR, makedev(8, 0), &place));
	assert_false(fe_sysfs_locate(sys, S_IFREG, makedev(8, 0), &place));
}

static void numbers_are_nothing_but_digits(void **state)
{
	static const char *const bad[] = {
		"",
		"\n",
		"-1\n",
		"x\n",
		"1x\n",
		" 1\n",
		"00000000000000000000000000000000000001\n"};
	uint64_t number;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		write_text(bad[i]);
		assert_false(fe_sysfs_number(sys, DISK, "size", &number));
	}
	write_text("12\n");
	assert_true(fe_sysfs_number(sys, DISK, "size", &number));
	assert_int_equal(number, 12);
	assert_false(fe_sysfs_number(sys, DISK, "none", &number));
}

static bool count(const char *name, void *context)
{
	(void)name;
	++*(unsigned int *)context;
	return false;
}

static void whoever_lists_a_folder_may_stop(void **state)
{
	unsigned int n = 0;

	(void)state;
	fe_sysfs_each(sys, count, &n);
	assert_int_equal(n, 1);
}

static void names_have_numbers_between_their_letters(void **state)
{
	(void)state;
	assert_true(fe_sysfs_name_is("sg0", "sg", ""));
	assert_true(fe_sysfs_name_is("nvme12n3", "nvme", "n"));
	assert_true(fe_sysfs_name_is("nvme12n3p10", "nvme", "np"));
	assert_false(fe_sysfs_name_is("sg", "sg", ""));
	assert_false(fe_sysfs_name_is("sg0p1", "sg", ""));
	assert_false(fe_sysfs_name_is("xsg0", "sg", ""));
	assert_false(fe_sysfs_name_is("nvme12", "nvme", "n"));
	assert_false(fe_sysfs_name_is("nvme12n", "nvme", "n"));
	assert_false(fe_sysfs_name_is("", "nvme", ""));
}

static void a_link_is_known_by_where_it_ends(void **state)
{
	(void)state;
	assert_true(fe_sysfs_link_is(sys, "dev/block", "8:0", "sda"));
	assert_false(fe_sysfs_link_is(sys, "dev/block", "8:0", "da"));
	assert_false(fe_sysfs_link_is(sys, "dev/block", "8:1", "sda"));
	assert_false(fe_sysfs_link_is(sys, DISK, "size", "size"));
}

static void what_is_there_exists(void **state)
{
	(void)state;
	assert_true(fe_sysfs_exists(sys, DISK, "size"));
	assert_false(fe_sysfs_exists(sys, DISK, "partition"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_device_is_found_by_its_number),
		cmocka_unit_test(what_is_no_known_device_has_no_place),
		cmocka_unit_test(numbers_are_nothing_but_digits),
		cmocka_unit_test(whoever_lists_a_folder_may_stop),
		cmocka_unit_test(names_have_numbers_between_their_letters),
		cmocka_unit_test(a_link_is_known_by_where_it_ends),
		cmocka_unit_test(what_is_there_exists),
	};

	return cmocka_run_group_tests(tests, make_tree, remove_tree);
}
