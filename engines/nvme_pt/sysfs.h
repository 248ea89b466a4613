/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What Linux says of a device in sysfs: found by device number, as nodes may
 * have any name.  Knows nothing of fio or libnvme.  `sys` is "/sys".
 */
#ifndef PT_SYSFS_H
#define PT_SYSFS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum pt_node_kind {
	PT_NODE_OTHER,
	PT_NODE_GENERIC,    /* character device of a namespace, ngXnY */
	PT_NODE_BLOCK,	    /* its block device, nvmeXnY */
	PT_NODE_PARTITION,  /* a part of that */
	PT_NODE_CONTROLLER, /* nvmeX */
};

struct pt_node {
	enum pt_node_kind kind;
	char name[64];	       /* the kernel's */
	char block[64];	       /* of the namespace's block device, or "" */
	char folder[PATH_MAX]; /* in which both have theirs in sysfs */
};

/* Always fills in *node. */
void pt_node_find(const char *sys, mode_t mode, dev_t device,
		  struct pt_node *node);

/* A number in FOLDER/NAME/ATTRIBUTE; false if there is none. */
bool pt_sysfs_number(const char *folder, const char *name,
		     const char *attribute, uint64_t *number);

/* Text of FOLDER/NAME/ATTRIBUTE, without the newline; false if it is longer
 * than size or can't be read. */
bool pt_sysfs_text(const char *folder, const char *name, const char *attribute,
		   char *text, size_t size);

/* Calls back for each entry of a folder but hidden ones; until it returns
 * false.  Nothing if there is no such folder. */
void pt_sysfs_each(const char *folder, bool (*one)(const char *name, void *),
		   void *context);

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
