/* SPDX-License-Identifier: GPL-2.0-only */
#include "users.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct disk {
	struct disk *next;
	unsigned int users;
	char name[160];
};

static struct disk *disks;

static struct disk *find(const char *name)
{
	struct disk *disk = disks;

	while (disk && strcmp(disk->name, name))
		disk = disk->next;
	return disk;
}

const unsigned int *sn_users_add(const char *block, const char *generic)
{
	char name[sizeof(disks->name)];
	struct disk *disk;

	snprintf(name, sizeof(name), "%s/%s", block, generic);
	disk = find(name);
	if (!disk) {
		disk = calloc(1, sizeof(*disk));
		if (!disk)
			return NULL;
		memcpy(disk->name, name, sizeof(name));
		disk->next = disks;
		disks = disk;
	}
	disk->users++;
	return &disk->users;
}
