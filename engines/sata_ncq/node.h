/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What Linux says of a SCSI disk in sysfs: the node for commands beside the
 * block device, and what the driver allows.  Knows nothing of fio.  `sys` is
 * "/sys".
 */
#ifndef SN_NODE_H
#define SN_NODE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "common/sysfs.h"

struct sn_node {
	char generic[64];	  /* "sg0", or "": the module sg is not loaded,
				   * so that only ioctl is left, on the block
				   * device */
	char block[64];		  /* "sda", or "" */
	char driver[32];	  /* of the host adapter: "ahci", "mpt3sas" */
	bool libata;		  /* the translation is the kernel's own */
	unsigned int queue_depth; /* that the kernel uses; 0 not told */
	uint64_t max_bytes;	  /* of a transfer from or to whole pages; 0 not
				   * told */
	int priority_on;	  /* ncq_prio_enable: 0 or 1, -1 not told */
	/* How libata would trim: "queued", "unqueued", "forced_unqueued" (it
	 * knows that the drive loses data by it), "unsupported",
	 * "forced_unsupported".  "": not told, or not of which disk (behind
	 * port multipliers).  For trim_mode=auto support.c takes anything but
	 * "queued" as a no to SEND FPDMA QUEUED, for trim_mode=queued it has a
	 * note. */
	char trim[24];
};

/*
 * From the number of /dev/sgN or /dev/sdX.  0; -ENOTTY with a sentence for what
 * is neither: a partition is told from a disk, an NVMe namespace is sent to
 * nvme_pt.
 */
int sn_node_find(const char *sys, mode_t mode, dev_t device,
		 struct sn_node *node, struct fe_error *err);

/* Reads queue_depth again: the kernel sets it to 1 when it gives up NCQ.  0 if
 * it is not told. */
unsigned int sn_node_queue_depth(const char *sys, const struct sn_node *node);

#endif
