/* SPDX-License-Identifier: GPL-2.0-only */
#include "part.h"

#include <errno.h>
#include <string.h>

#include "pi.h"
#include "support.h"

static bool metadata_passes(const struct pt_stream *stream)
{
	return stream->ns->metadata_bytes && pt_op_carries_blocks(stream->op) &&
	       !pt_op_strips_metadata(stream->ns, stream->op,
				      stream->modifiers.pi_act);
}

static bool has_ranges(enum pt_op op)
{
	return op == PT_DEALLOCATE || op == PT_COPY;
}

static bool has_reference(const struct pt_stream *stream)
{
	return stream->ns->pi.type && stream->op != PT_DEALLOCATE &&
	       stream->op != PT_WRITE_UNCORRECTABLE;
}

static enum pt_buffer buffer_of(const struct pt_stream *stream)
{
	if (has_ranges(stream->op) ||
	    (stream->metadata && stream->ns->extended))
		return PT_BUFFER_OWN;
	return pt_op_carries_blocks(stream->op) ? PT_BUFFER_IO : PT_BUFFER_NONE;
}

void pt_stream_init(struct pt_stream *stream)
{
	const struct pt_namespace *ns = stream->ns;

	/* Else buffers would be without what Compare compares. */
	if (!pt_op_has_pi_action(stream->op))
		stream->modifiers.pi_act = false;
	pt_command_prepare(&stream->prepared, stream->op, ns,
			   &stream->modifiers);
	stream->block_shift = (uint8_t)__builtin_ctz(ns->block_bytes);
	stream->unaligned = ns->block_bytes - 1;
	stream->max_bytes = (uint64_t)pt_support_max_blocks(
				    ns, stream->op, stream->modifiers.pi_act)
			    << stream->block_shift;
	stream->metadata = metadata_passes(stream);
	stream->buffer = buffer_of(stream);
	stream->plain = stream->buffer == PT_BUFFER_IO && !stream->metadata &&
			!has_reference(stream) && stream->op != PT_APPEND;
}

size_t pt_part_metadata_bytes(const struct pt_stream *stream, uint32_t blocks)
{
	if (!stream->metadata || stream->ns->extended)
		return 0;
	return (size_t)blocks * stream->ns->metadata_bytes;
}

size_t pt_part_own_bytes(const struct pt_stream *stream, uint32_t blocks)
{
	if (stream->buffer != PT_BUFFER_OWN)
		return 0;
	if (stream->op == PT_DEALLOCATE)
		return PT_DSM_RANGES * sizeof(struct pt_dsm_range);
	if (stream->op == PT_COPY)
		return pt_copy_payload_bytes(stream->ns);
	return (size_t)blocks * pt_namespace_buffer_block(stream->ns);
}

/* Zone Append names the zone, with the tags of its start; the controller finds
 * the place. */
static uint64_t place_of(const struct pt_part *part)
{
	if (part->stream->op != PT_APPEND)
		return part->slba;
	return part->slba - part->slba % part->stream->ns->zone_blocks;
}

/* The part's blocks as they pass to or from the controller. */
static struct pt_blocks blocks_of(const struct pt_part *part)
{
	const struct pt_namespace *ns = part->stream->ns;
	struct pt_blocks blocks = {.count = part->blocks,
				   .slba = place_of(part)};

	if (ns->extended) {
		blocks.data = part->own;
		blocks.metadata = part->own + ns->block_bytes;
		blocks.data_stride = pt_namespace_buffer_block(ns);
		blocks.metadata_stride = blocks.data_stride;
	} else {
		blocks.data = part->data;
		blocks.metadata = part->metadata;
		blocks.data_stride = ns->block_bytes;
		blocks.metadata_stride = ns->metadata_bytes;
	}
	return blocks;
}

static void make_metadata(const struct pt_part *part)
{
	const struct pt_stream *stream = part->stream;
	const struct pt_blocks blocks = blocks_of(part);

	if (stream->ns->extended)
		pt_blocks_spread(stream->ns, &blocks, part->data);
	for (uint32_t i = 0; i < blocks.count; i++)
		memset(blocks.metadata + i * blocks.metadata_stride,
		       stream->md_pattern, stream->ns->metadata_bytes);
	if (stream->ns->pi.type && !stream->modifiers.pi_act)
		pt_pi_generate(stream->ns, &blocks, stream->modifiers.apptag);
}

static void fill_buffers(struct nvme_uring_cmd *command,
			 const struct pt_part *part)
{
	const struct pt_stream *stream = part->stream;
	const struct pt_namespace *ns = stream->ns;

	if (stream->buffer == PT_BUFFER_IO) {
		command->addr = (uint64_t)(uintptr_t)part->data;
		command->data_len = part->blocks << stream->block_shift;
	} else {
		command->addr = (uint64_t)(uintptr_t)part->own;
		command->data_len =
			part->blocks * pt_namespace_buffer_block(ns);
	}
	if (stream->metadata && !ns->extended) {
		command->metadata = (uint64_t)(uintptr_t)part->metadata;
		command->metadata_len = part->blocks * ns->metadata_bytes;
	}
	if (stream->metadata && !pt_op_from_device(stream->op))
		make_metadata(part);
}

static int fill_copy(struct nvme_uring_cmd *command, const struct pt_part *part)
{
	const struct pt_namespace *ns = part->stream->ns;
	const uint64_t last = ns->blocks - part->blocks;
	uint64_t source = part->slba + part->stream->copy_distance;
	int ranges;

	/* Round the end of the namespace to its beginning. */
	if (source > last)
		source %= last + 1;
	ranges = pt_command_copy(command, part->own, ns, source, part->blocks);
	if (ranges < 0)
		return ranges;
	command->addr = (uint64_t)(uintptr_t)part->own;
	command->data_len = (uint32_t)ranges * pt_copy_range_bytes(ns);
	return 0;
}

/* One range; to which the engine may add those of other I/Os. */
static void fill_deallocate(struct nvme_uring_cmd *command,
			    const struct pt_part *part)
{
	struct pt_dsm_range *range = (struct pt_dsm_range *)part->own;

	pt_dsm_range_set(range, part->slba, part->blocks);
	pt_command_ranges(command, 1);
	command->addr = (uint64_t)(uintptr_t)range;
	command->data_len = sizeof(*range);
}

int pt_part_fill_special(struct nvme_uring_cmd *command,
			 const struct pt_part *part)
{
	const struct pt_stream *stream = part->stream;

	if (pt_op_carries_blocks(stream->op))
		fill_buffers(command, part);
	if (has_reference(stream))
		pt_command_reference(command, stream->ns, place_of(part));
	switch (stream->op) {
	case PT_COPY:
		return fill_copy(command, part);
	case PT_DEALLOCATE:
		fill_deallocate(command, part);
		return 0;
	case PT_APPEND:
		pt_command_place(command, place_of(part), part->blocks);
		return 0;
	default:
		return 0;
	}
}

static int check_tags(const struct pt_part *part,
		      const struct pt_blocks *blocks, struct fe_error *err)
{
	const struct pt_stream *stream = part->stream;
	const struct pt_modifiers *m = &stream->modifiers;
	enum pt_pi_fault fault;
	uint32_t bad = 0;

	if (!stream->ns->pi.type || m->pi_act)
		return 0;
	fault = pt_pi_check(stream->ns, blocks, m->pi_check, m->apptag,
			    m->apptag_mask, &bad);
	if (fault == PT_PI_GOOD)
		return 0;
	return fe_error_set(err, -EILSEQ, "wrong %s in LBA %llu",
			    pt_pi_fault_name(fault),
			    (unsigned long long)(part->slba + bad));
}

/* The metadata beside the protection information. */
static int check_pattern(const struct pt_part *part,
			 const struct pt_blocks *blocks, struct fe_error *err)
{
	const struct pt_namespace *ns = part->stream->ns;
	const unsigned int first =
		ns->pi.type && ns->pi.first ? ns->pi.bytes : 0;
	const unsigned int n =
		ns->metadata_bytes - (ns->pi.type ? ns->pi.bytes : 0u);

	for (uint32_t i = 0; i < blocks->count; i++) {
		const uint8_t *metadata =
			blocks->metadata + i * blocks->metadata_stride + first;

		for (unsigned int at = 0; at < n; at++) {
			if (metadata[at] == part->stream->md_pattern)
				continue;
			return fe_error_set(
				err, -EILSEQ,
				"metadata byte %u of LBA %llu is %02xh, not %02xh",
				first + at,
				(unsigned long long)(part->slba + i),
				metadata[at], part->stream->md_pattern);
		}
	}
	return 0;
}

int pt_part_finish(const struct pt_part *part, struct fe_error *err)
{
	const struct pt_stream *stream = part->stream;
	struct pt_blocks blocks;
	int ret;

	if (!stream->metadata || !pt_op_from_device(stream->op))
		return 0;
	blocks = blocks_of(part);
	if (stream->ns->extended)
		pt_blocks_gather(stream->ns, &blocks, part->data);
	ret = check_tags(part, &blocks, err);
	if (!ret && stream->md_check)
		ret = check_pattern(part, &blocks, err);
	return ret;
}
