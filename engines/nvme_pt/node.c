/* SPDX-License-Identifier: GPL-2.0-only */
#include "node.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static enum pt_node_kind kind_of_block(const struct pt_node *node)
{
	if (fe_sysfs_name_is(node->place.name, "nvme", "n"))
		return PT_NODE_BLOCK;
	if (fe_sysfs_name_is(node->place.name, "nvme", "np") &&
	    fe_sysfs_exists(node->place.folder, node->place.name, "partition"))
		return PT_NODE_PARTITION;
	return PT_NODE_OTHER;
}

static enum pt_node_kind kind_of_char(const struct pt_node *node)
{
	if (fe_sysfs_name_is(node->place.name, "ng", "n") &&
	    fe_sysfs_link_is(node->place.folder, node->place.name, "subsystem",
			     "nvme-generic"))
		return PT_NODE_GENERIC;
	if (fe_sysfs_name_is(node->place.name, "nvme", "") &&
	    fe_sysfs_link_is(node->place.folder, node->place.name, "subsystem",
			     "nvme"))
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
		if (!fe_sysfs_exists(node->place.folder, node->block, "dev"))
			node->block[0] = '\0';
	}
}

struct queues {
	const char *folder; /* of a block device's hardware queues */
	uint64_t tags;
};

static bool take_tags(const char *name, void *context)
{
	struct queues *queues = context;
	uint64_t tags;

	if (fe_sysfs_number(queues->folder, name, "nr_tags", &tags) && tags &&
	    (!queues->tags || tags < queues->tags))
		queues->tags = tags;
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
	fe_sysfs_transfer_limit(folder, name, &limits->max_bytes);
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

	if (fe_sysfs_name_is(name, "nvme", "cn") &&
	    !strncmp(name, head, until_n) && name[until_n] == 'c' &&
	    !strcmp(rest, head + until_n))
		take_limits(paths->folder, name, paths->limits);
	return true;
}

static bool take_controller(const char *name, void *context)
{
	struct paths *paths = context;

	if (fe_sysfs_name_is(name, "nvme", "") &&
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
