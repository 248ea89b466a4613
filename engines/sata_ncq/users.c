/* SPDX-License-Identifier: GPL-2.0-only */
#include "users.h"

#include <pthread.h>
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

static struct disk *add(const char *name)
{
	struct disk *disk = find(name);

	if (disk)
		return disk;
	disk = calloc(1, sizeof(*disk));
	if (!disk)
		return NULL;
	snprintf(disk->name, sizeof(disk->name), "%s", name);
	disk->next = disks;
	disks = disk;
	return disk;
}

const unsigned int *sn_users_add(const char *block, const char *generic)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	char name[sizeof(disks->name)];
	struct disk *disk;

	snprintf(name, sizeof(name), "%s/%s", block, generic);
	pthread_mutex_lock(&lock);
	disk = add(name);
	if (disk)
		disk->users++;
	pthread_mutex_unlock(&lock);
	return disk ? &disk->users : NULL;
}
