/* SPDX-License-Identifier: GPL-2.0-only */
#include "stream.h"

#include <string.h>

static enum sn_direction direction_of(enum sn_op op)
{
	return op == SN_READ ? SN_FROM_DEVICE : SN_TO_DEVICE;
}

static void init_trim(struct sn_stream *stream, const struct sn_plan *plan,
		      const struct sn_abilities *abilities)
{
	struct sn_command command;

	stream->max_bytes = (uint64_t)UINT32_MAX << stream->block_shift;
	if (stream->max_bytes > abilities->trim_bytes)
		stream->max_bytes = abilities->trim_bytes;
	stream->unmap = plan->scsi;
	stream->queued = abilities->queued_trim;
	if (plan->scsi) {
		sn_cdb_scsi(&stream->cdb, SN_TRIM, false, 0, 1);
		stream->own_bytes = SN_UNMAP_BYTES;
		return;
	}
	sn_command_trim(&command, stream->queued, abilities->trim_units);
	sn_cdb_ata(&stream->cdb, &command);
	stream->own_bytes = abilities->trim_units * (uint32_t)SN_TRIM_UNIT;
}

static void init_transfer(struct sn_stream *stream, const struct sn_plan *plan,
			  const struct sn_abilities *abilities)
{
	const struct sn_modifiers modifiers = {
		.queued = plan->queued,
		.fua = stream->op == SN_READ ? plan->read_fua : plan->write_fua,
	};
	struct sn_command command;

	stream->max_bytes = abilities->rw_bytes;
	if (plan->scsi) {
		sn_cdb_scsi(&stream->cdb, stream->op, modifiers.fua, 0, 1);
		return;
	}
	stream->queued = plan->queued;
	sn_command_rw(&command, stream->op, &modifiers, 0, 1);
	sn_cdb_ata(&stream->cdb, &command);
}

void sn_stream_init(struct sn_stream *stream, enum sn_op op,
		    const struct sn_identity *identity,
		    const struct sn_plan *plan,
		    const struct sn_abilities *abilities)
{
	memset(stream, 0, sizeof(*stream));
	stream->used = true;
	stream->op = op;
	stream->direction = direction_of(op);
	stream->unaligned = identity->block_bytes - 1;
	stream->block_shift = (uint8_t)__builtin_ctz(identity->block_bytes);
	if (op == SN_TRIM)
		init_trim(stream, plan, abilities);
	else
		init_transfer(stream, plan, abilities);
}

void sn_stream_ranges(const struct sn_stream *stream, uint8_t *memory,
		      uint64_t lba, uint32_t blocks)
{
	if (stream->unmap)
		sn_cdb_unmap(memory, lba, blocks);
	else if (sn_trim_ranges(memory, stream->own_bytes / SN_TRIM_UNIT, lba,
				blocks))
		memset(memory, 0, stream->own_bytes);
}
