/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What Linux says of an NVMe device in sysfs.  Knows nothing of fio or libnvme.
 * `sys` is "/sys".
 */
#ifndef PT_NODE_H
#define PT_NODE_H

#include "common/sysfs.h"

enum pt_node_kind {
	PT_NODE_OTHER,
	PT_NODE_GENERIC,    /* character device of a namespace, ngXnY */
	PT_NODE_BLOCK,	    /* its block device, nvmeXnY */
	PT_NODE_PARTITION,  /* a part of that */
	PT_NODE_CONTROLLER, /* nvmeX */
};

struct pt_node {
	enum pt_node_kind kind;
	struct fe_place place;
	char block[64]; /* in the same folder: the namespace's block device,
			 * or "" */
};

/* Always fills in *node. */
void pt_node_find(const char *sys, mode_t mode, dev_t device,
		  struct pt_node *node);

struct pt_queue_limits {
	uint64_t max_bytes; /* of a transfer from or to whole pages; 0: not
			     * known */
	uint32_t tags;	    /* of the smallest queue, 0: not known */
	bool poll;	    /* completions can be polled for */
};

/* Of the node's block device; with several paths to it (multipath) what holds
 * for all of them. */
void pt_node_limits(const struct pt_node *node, struct pt_queue_limits *limits);

#endif
