/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the commands of one direction of a job on one disk have in common. Knows
 * nothing of fio.
 */
#ifndef SN_STREAM_H
#define SN_STREAM_H

#include "cdb.h"
#include "support.h"

struct sn_stream {
	bool used;
	bool queued; /* NCQ */
	enum sn_op op;
	struct sn_cdb cdb; /* for place 0, with PRIO normal */
	enum sn_direction direction;
	uint8_t block_shift;
	uint32_t unaligned; /* bits that no offset or length may have */
	uint64_t max_bytes; /* of one command: at most 2^32 - 1 blocks */
	uint32_t own_bytes; /* of the ranges that a trim command names, else 0:
			     * fio's buffer is transferred */
	bool unmap;	    /* the ranges are SCSI's */
};

/* `op` is one of SN_READ, SN_WRITE and SN_TRIM; after sn_support_check(). */
void sn_stream_init(struct sn_stream *stream, enum sn_op op,
		    const struct sn_identity *identity,
		    const struct sn_plan *plan,
		    const struct sn_abilities *abilities);

/* The ranges of a trim, into own_bytes of memory; none if they are more than a
 * command names or pass 2^48, rather than those that were there before. */
void sn_stream_ranges(const struct sn_stream *stream, uint8_t *memory,
		      uint64_t lba, uint32_t blocks);

/* PRIO of READ and WRITE FPDMA QUEUED, COUNT 15:14 (ACS 7.22). */
static inline void sn_stream_priority(const struct sn_stream *stream,
				      uint8_t *cdb, enum sn_priority priority)
{
	if (stream->queued && stream->cdb.form == SN_CDB_ATA16_FPDMA)
		cdb[5] = (uint8_t)(priority << 6);
}

#endif
