/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From a piece of an I/O to one command, and back: metadata, protection
 * information, ranges.  Knows nothing of fio.
 */
#ifndef PT_PART_H
#define PT_PART_H

#include <stddef.h>

#include "command.h"
#include "common/error.h"

/* What the commands of one direction of a job on one namespace share. */
struct pt_stream {
	const struct pt_namespace *ns;
	enum pt_op op;
	struct pt_modifiers modifiers;
	struct nvme_uring_cmd prepared; /* by pt_stream_init() */
	uint8_t block_shift;
	uint64_t max_bytes; /* of one command; users may lower it */
	uint32_t unaligned; /* bits that no offset or length may have */
	enum pt_buffer {
		PT_BUFFER_NONE,
		PT_BUFFER_IO,  /* the command points into fio's buffer */
		PT_BUFFER_OWN, /* into memory of the part */
	} buffer;
	bool metadata; /* passes between host and controller */
	bool plain;    /* place and buffer are all that changes */
	uint8_t md_pattern;
	bool md_check;
	uint64_t copy_distance; /* blocks */
};

/* ns, op, modifiers, md_* and copy_distance are set; fills in the rest. */
void pt_stream_init(struct pt_stream *stream);

/* One command's worth of an I/O.  Memory is the user's. */
struct pt_part {
	const struct pt_stream *stream;
	uint64_t slba;
	uint32_t blocks;
	uint8_t *data;	   /* in fio's buffer */
	uint8_t *metadata; /* where it is separate */
	uint8_t *own;	   /* blocks with their metadata, or ranges */
};

/* Bytes that a part of so many blocks needs at `own` and `metadata`. */
size_t pt_part_own_bytes(const struct pt_stream *stream, uint32_t blocks);
size_t pt_part_metadata_bytes(const struct pt_stream *stream, uint32_t blocks);

/* The command for the part, where the slot's holds stream->prepared already. */
int pt_part_fill_special(struct nvme_uring_cmd *command,
			 const struct pt_part *part);

/* On the hot path.  0 or -errno (a copy with too many ranges). */
static inline int pt_part_fill(struct nvme_uring_cmd *command,
			       const struct pt_part *part)
{
	pt_command_place(command, part->slba, part->blocks);
	if (!part->stream->plain)
		return pt_part_fill_special(command, part);
	command->addr = (uint64_t)(uintptr_t)part->data;
	command->data_len = part->blocks << part->stream->block_shift;
	return 0;
}

/* Of a plain stream, the command that the slot's holds, elsewhere.  On the hot
 * path. */
static inline void pt_plain_move(struct nvme_uring_cmd *command,
				 const struct pt_stream *stream,
				 uint64_t offset, const void *data)
{
	pt_command_start(command, offset >> stream->block_shift);
	command->addr = (uint64_t)(uintptr_t)data;
}

/* After a read that succeeded: data to fio's buffer, metadata and tags checked.
 * 0 or -EILSEQ with a sentence that names the block. */
int pt_part_finish(const struct pt_part *part, struct fe_error *err);

#endif
