/* SPDX-License-Identifier: GPL-2.0-only */
#include "sysfs.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

bool fe_sysfs_text(const char *folder, const char *name, const char *attribute,
		   char *text, size_t size)
{
	char path[PATH_MAX + 256];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "%s/%s/%s", folder, name, attribute);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, size);
	close(fd);
	if (n < 0 || (size_t)n == size)
		return false;
	text[n] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return true;
}

bool fe_sysfs_number(const char *folder, const char *name,
		     const char *attribute, uint64_t *number)
{
	char text[32], *end;

	if (!fe_sysfs_text(folder, name, attribute, text, sizeof(text)) ||
	    text[0] < '0' || text[0] > '9')
		return false;
	*number = strtoull(text, &end, 10);
	return !*end;
}

bool fe_sysfs_exists(const char *folder, const char *name,
		     const char *attribute)
{
	char path[PATH_MAX + 256];

	snprintf(path, sizeof(path), "%s/%s/%s", folder, name, attribute);
	return access(path, F_OK) == 0;
}

bool fe_sysfs_link_is(const char *folder, const char *name, const char *link,
		      const char *wanted)
{
	char path[PATH_MAX + 256], to[PATH_MAX];
	const char *last;
	ssize_t n;

	snprintf(path, sizeof(path), "%s/%s/%s", folder, name, link);
	n = readlink(path, to, sizeof(to) - 1);
	if (n < 0)
		return false;
	to[n] = '\0';
	last = strrchr(to, '/');
	return !strcmp(last ? last + 1 : to, wanted);
}

bool fe_sysfs_name_is(const char *name, const char *prefix, const char *letters)
{
	const size_t length = strlen(prefix);

	if (strncmp(name, prefix, length))
		return false;
	for (name += length;; letters++) {
		const size_t digits = strspn(name, "0123456789");

		if (!digits)
			return false;
		name += digits;
		if (*name != *letters)
			return false;
		if (!*name++)
			return true;
	}
}

static void lower_to(uint64_t *limit, const char *folder, const char *name,
		     const char *attribute, uint64_t unit)
{
	uint64_t number;

	if (fe_sysfs_number(folder, name, attribute, &number) && number &&
	    number <= UINT32_MAX && (!*limit || number * unit < *limit))
		*limit = number * unit;
}

void fe_sysfs_transfer_limit(const char *folder, const char *name,
			     uint64_t *bytes)
{
	lower_to(bytes, folder, name, "queue/max_hw_sectors_kb", 1024);
	/* In the worst case no page of a buffer lies beside the next. */
	lower_to(bytes, folder, name, "queue/max_segments",
		 (uint64_t)sysconf(_SC_PAGESIZE));
}

void fe_sysfs_each(const char *folder, bool (*one)(const char *name, void *),
		   void *context)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;

	if (!dir)
		return;
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] != '.' && !one(entry->d_name, context))
			break;
	}
	closedir(dir);
}

bool fe_sysfs_locate(const char *sys, mode_t mode, dev_t device,
		     struct fe_place *place)
{
	char path[PATH_MAX];
	char *slash;

	memset(place, 0, sizeof(*place));
	if (!S_ISBLK(mode) && !S_ISCHR(mode))
		return false;
	snprintf(path, sizeof(path), "%s/dev/%s/%u:%u", sys,
		 S_ISBLK(mode) ? "block" : "char", major(device),
		 minor(device));
	if (!realpath(path, place->folder))
		return false;
	slash = strrchr(place->folder, '/');
	if (!slash || strlen(slash + 1) >= sizeof(place->name))
		return false;
	*slash = '\0';
	snprintf(place->name, sizeof(place->name), "%s", slash + 1);
	return true;
}
