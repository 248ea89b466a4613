/* SPDX-License-Identifier: GPL-2.0-only */
/* A tree like that of /sys, in a folder of its own. */
#ifndef TESTS_UNIT_SYSFS_TREE_H
#define TESTS_UNIT_SYSFS_TREE_H

#include "unit.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char sys[] = "/tmp/sysfs-test-XXXXXX";

/* All folders that lead to what `path` names. */
static void make_folders(char *path)
{
	for (char *at = path + sizeof(sys); (at = strchr(at, '/')); at++) {
		*at = '\0';
		mkdir(path, 0700);
		*at = '/';
	}
}

static void make_file(const char *name, const char *text)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", sys, name);
	make_folders(path);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static void make_link(const char *name, const char *target)
{
	char path[512], to[512];

	snprintf(path, sizeof(path), "%s/%s", sys, name);
	snprintf(to, sizeof(to), "%s/%s", sys, target);
	make_folders(path);
	assert_int_equal(symlink(to, path), 0);
}

static void begin_tree(void)
{
	assert_non_null(mkdtemp(sys));
}

static int forget(const char *path, const struct stat *st, int type,
		  struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

static int remove_tree(void **state)
{
	(void)state;
	return nftw(sys, forget, 16, FTW_DEPTH | FTW_PHYS);
}

#endif
