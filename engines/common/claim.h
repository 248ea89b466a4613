/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keeps jobs from writing to a device that something else uses.  Knows nothing
 * of fio.
 */
#ifndef FE_CLAIM_H
#define FE_CLAIM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "error.h"

/*
 * Claims a block device, named as by the kernel, for writing: from now until
 * this process and those that it forks have ended, nobody mounts it.  Once
 * claimed, it is given again to whoever asks in this process.
 *
 * 0; -EBUSY with a sentence that names the use if it is mounted, swap space,
 * part of another device, partitioned or claimed by another program; or another
 * -errno, such as that of a node with another device's number.  The
 * environment's FIO_REVIEW_HOLDS ("259:0,259:3") names devices that the program
 * that runs fio has claimed for it.
 */
int fe_claim(const char *block, struct fe_error *err);

/* The rest is how fe_claim() decides. */

/* A device, or one of its partitions. */
struct fe_claim_part {
	char name[64]; /* the kernel's */
	dev_t device;
	char holders[128]; /* names of devices on top of it, "" if none */
};

struct fe_claim_facts {
	const char *mountinfo;		   /* text of /proc/self/mountinfo */
	const char *swaps;		   /* and of /proc/swaps */
	const struct fe_claim_part *parts; /* the device, then its partitions */
	size_t n_parts;
	/* The number of the block device at a path, else 0. */
	dev_t (*device_at)(const char *path);
};

/* 0, or -EBUSY with a sentence if there is a use that can be named. */
int fe_claim_judge(const char *block, const struct fe_claim_facts *facts,
		   struct fe_error *err);

/* Is the device in a list such as "259:0,259:3"? */
bool fe_claim_listed(const char *list, dev_t device);

#endif
