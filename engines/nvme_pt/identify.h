/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Asks a device for what namespace.h holds, by Identify and of sysfs.  Knows
 * nothing of fio.
 */
#ifndef PT_IDENTIFY_H
#define PT_IDENTIFY_H

#include <stddef.h>

#include "namespace.h"

/* An open NVMe character or block device.  0 or -errno with a sentence that
 * begins with the path: -ENOTTY for what is no NVMe device, -EINVAL for a
 * controller or a partition. */
int pt_identify(int fd, const char *path, struct pt_namespace *ns,
		struct fe_error *err);

/* The namespace's block device, "/dev/nvme0n1", for both kinds of node, found
 * by device number in sysfs and not by the node's name.  0, -ENODEV if the
 * kernel has made none, or another -errno. */
int pt_block_device(int fd, char *path, size_t size);

#endif
