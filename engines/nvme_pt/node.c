/* SPDX-License-Identifier: GPL-2.0-only */
#include "node.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* "nvme12n3": after the prefix, numbers with the letters between them. */
static bool has_form(const char *name, const char *prefix, const char *letters)
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

/* Last part of what FOLDER/NAME/LINK leads to. */
static bool link_is(const struct pt_node *node, const char *link,
		    const char *wanted)
{
	char path[PATH_MAX + 128], to[PATH_MAX];
	const char *last;
	ssize_t n;

	snprintf(path, sizeof(path), "%s/%s/%s", node->place.folder,
		 node->place.name, link);
	n = readlink(path, to, sizeof(to) - 1);
	if (n < 0)
		return false;
	to[n] = '\0';
	last = strrchr(to, '/');
	return !strcmp(last ? last + 1 : to, wanted);
}

static bool exists(const char *folder, const char *name, const char *attribute)
{
	char path[PATH_MAX + 256];

	snprintf(path, sizeof(path), "%s/%s/%s", folder, name, attribute);
	return access(path, F_OK) == 0;
}

static enum pt_node_kind kind_of_block(const struct pt_node *node)
{
	if (has_form(node->place.name, "nvme", "n"))
		return PT_NODE_BLOCK;
	if (has_form(node->place.name, "nvme", "np") &&
	    exists(node->place.folder, node->place.name, "partition"))
		return PT_NODE_PARTITION;
	return PT_NODE_OTHER;
}

static enum pt_node_kind kind_of_char(const struct pt_node *node)
{
	if (has_form(node->place.name, "ng", "n") &&
	    link_is(node, "subsystem", "nvme-generic"))
		return PT_NODE_GENERIC;
	if (has_form(node->place.name, "nvme", "") &&
	    link_is(node, "subsystem", "nvme"))
		return PT_NODE_CONTROLLER;
	return PT_NODE_OTHER;
}

void pt_node_find(const char *sys, mode_t mode, dev_t device,
		  struct pt_node *node)
{
	memset(node, 0, sizeof(*node));
	if (!fe_sysfs_locate(sys, mode, device, &node->place))
		return;
	node->kind = S_ISBLK(mode) ? kind_of_block(node) : kind_of_char(node);
	if (node->kind == PT_NODE_BLOCK)
		snprintf(node->block, sizeof(node->block), "%s",
			 node->place.name);
	if (node->kind == PT_NODE_GENERIC) {
		/* ngXnY has its number from the same place as nvmeXnY. */
		snprintf(node->block, sizeof(node->block), "nvme%.50s",
			 node->place.name + 2);
		if (!exists(node->place.folder, node->block, "dev"))
			node->block[0] = '\0';
	}
}

static void lower(uint64_t *limit, uint64_t value)
{
	if (value && (!*limit || value < *limit))
		*limit = value;
}

struct queues {
	const char *folder; /* of a block device's hardware queues */
	uint64_t tags;
};

static bool take_tags(const char *name, void *context)
{
	struct queues *queues = context;
	uint64_t tags;

	if (fe_sysfs_number(queues->folder, name, "nr_tags", &tags))
		lower(&queues->tags, tags);
	return true;
}

/* Those of one block device, which may be one path of several. */
static void take_limits(const char *folder, const char *name,
			struct pt_queue_limits *limits)
{
	char mq[PATH_MAX + 128];
	struct queues queues = {.folder = mq, .tags = limits->tags};
	uint64_t number;

	snprintf(mq, sizeof(mq), "%s/%s/mq", folder, name);
	fe_sysfs_each(mq, take_tags, &queues);
	limits->tags = (uint32_t)queues.tags;
	if (fe_sysfs_number(folder, name, "queue/max_hw_sectors_kb", &number) &&
	    number <= UINT32_MAX)
		lower(&limits->max_bytes, number * 1024);
	/* In the worst case no page of a buffer lies beside the next. */
	if (fe_sysfs_number(folder, name, "queue/max_segments", &number) &&
	    number <= UINT32_MAX)
		lower(&limits->max_bytes,
		      number * (uint64_t)sysconf(_SC_PAGESIZE));
	if (fe_sysfs_number(folder, name, "queue/io_poll", &number))
		limits->poll |= number == 1;
}

/* Block devices nvmeXcCnY, which are the paths to nvmeXnY through the
 * controllers C, in the folders of those. */
struct paths {
	const struct pt_node *node;
	char folder[PATH_MAX + 128]; /* of a controller */
	struct pt_queue_limits *limits;
};

static bool take_path(const char *name, void *context)
{
	const struct paths *paths = context;
	const char *head = paths->node->block;
	const size_t until_n = strcspn(head + 4, "n") + 4;
	const char *rest = strrchr(name, 'n');

	if (has_form(name, "nvme", "cn") && !strncmp(name, head, until_n) &&
	    name[until_n] == 'c' && !strcmp(rest, head + until_n))
		take_limits(paths->folder, name, paths->limits);
	return true;
}

static bool take_controller(const char *name, void *context)
{
	struct paths *paths = context;

	if (has_form(name, "nvme", "") &&
	    snprintf(paths->folder, sizeof(paths->folder), "%s/%s",
		     paths->node->place.folder,
		     name) < (int)sizeof(paths->folder))
		fe_sysfs_each(paths->folder, take_path, paths);
	return true;
}

void pt_node_limits(const struct pt_node *node, struct pt_queue_limits *limits)
{
	struct paths paths = {.node = node, .limits = limits};

	memset(limits, 0, sizeof(*limits));
	if (!node->block[0])
		return;
	take_limits(node->place.folder, node->block, limits);
	if (!limits->tags)
		fe_sysfs_each(node->place.folder, take_controller, &paths);
}
