/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether a drive can do what a job asks, before anything is sent to it.  Knows
 * nothing of fio.
 */
#ifndef SN_SUPPORT_H
#define SN_SUPPORT_H

#include "command.h"
#include "identify.h"
#include "node.h"

enum sn_trim_mode {
	SN_TRIM_AUTO, /* queued where the drive has it and the kernel says
		       * that it would do it: some lose data by it */
	SN_TRIM_QUEUED,
	SN_TRIM_DSM,
};

enum sn_over_depth {
	SN_DEPTH_CAP,	 /* wait in the engine */
	SN_DEPTH_QUEUE,	 /* wait in the kernel */
	SN_DEPTH_REFUSE, /* do not begin */
};

/* What a job asks. */
struct sn_plan {
	bool reads, writes, trims, flushes;
	bool queued;  /* NCQ, else DMA EXT */
	bool scsi;    /* READ(16) and so on, not ATA's */
	bool goes_on; /* where NCQ is lost, with DMA EXT */
	bool read_fua, write_fua;
	bool read_prio, write_prio; /* some of them with PRIO high */
	enum sn_trim_mode trim_mode;
	bool split; /* larger transfers are split, not refused */
	unsigned int depth;
	enum sn_over_depth over_depth;
	uint64_t min_bytes[3],
		max_bytes[3]; /* block sizes by sn_op, 0 unused */
	uint64_t offset;      /* where the job begins, in bytes */
};

/* What comes of it. */
struct sn_abilities {
	bool queued_trim;
	uint32_t rw_bytes;   /* most of a read or write command */
	uint64_t trim_bytes; /* most of a trim command */
	uint16_t trim_units; /* of 512 bytes for its ranges, as many as the job
			      * needs; 0 for UNMAP */
	unsigned int depth;  /* commands in flight at most */
	char note[320];	     /* what is to be said, "" if nothing */
};

/*
 * 0, or -errno with a sentence that names the option to change and the word of
 * IDENTIFY DEVICE: -EOPNOTSUPP what the drive can't, -EINVAL what is asked
 * wrongly.
 */
int sn_support_check(const struct sn_identity *identity,
		     const struct sn_node *node, const struct sn_plan *plan,
		     struct sn_abilities *abilities, struct fe_error *err);

#endif
