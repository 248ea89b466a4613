/* SPDX-License-Identifier: GPL-2.0-only */
#include "command.h"

#include <endian.h>
#include <errno.h>
#include <string.h>

#include "pi.h"

/* Dword 12, bits 31:16; NVM Command Set figures 48, 63 and 73, and ZNS
 * figure 26 for PIREMAP. */
#define LIMITED_RETRY (1u << 31)
#define FORCE_UNIT_ACCESS (1u << 30)
#define PI_ACTION (1u << 29)
#define PI_CHECK_SHIFT 26
#define PI_CHECK_MASK 7u
#define DEALLOCATE (1u << 25) /* of Write Zeroes */
#define PI_REMAP (1u << 25)   /* of Zone Append */
#define DIRECTIVE_SHIFT 20
#define DIRECTIVE_MASK 15u
/* and its lower half in Copy, figure 30 */
#define PI_READ_SHIFT 12
#define PI_INFO_SHIFT 26
#define PI_INFO_MASK 15u
#define COPY_FORMAT_SHIFT 8

#define DSM_DEALLOCATE (1u << 2) /* dword 11, figure 40 */
#define ZONE_SEND_RESET 4u	 /* dword 13, ZNS 3.4.3 */
#define ZONE_SEND_ALL (1u << 8)

#define COPY_MAX_RANGES 256u
#define COPY_MAX_RANGE_BLOCKS 65536u

/* What an op has of the modifiers. */
enum {
	HAS_RETRY_FUA = 1 << 0,
	HAS_PI_ACTION = 1 << 1,
	HAS_PI_CHECK = 1 << 2,
	HAS_APPTAG = 1 << 3,
	HAS_DSM = 1 << 4,
	HAS_DIRECTIVE = 1 << 5,
	HAS_DEALLOCATE = 1 << 6,
	HAS_PI = HAS_PI_ACTION | HAS_PI_CHECK | HAS_APPTAG,
	FROM_DEVICE = 1 << 7,
	TO_DEVICE = 1 << 8,
};

/*
 * PRACT has to be 0 in Compare and Verify, and PRCHK in Write Zeroes.  Write
 * Zeroes and Write Uncorrectable have directives since revision 1.1; before,
 * the bits were reserved, so nobody can have asked for one.
 */
static const struct {
	const char *name;
	uint8_t opcode;
	uint16_t has;
} ops[PT_OPS] = {
	[PT_READ] = {"Read", 0x02,
		     HAS_RETRY_FUA | HAS_PI | HAS_DSM | FROM_DEVICE},
	[PT_WRITE] = {"Write", 0x01,
		      HAS_RETRY_FUA | HAS_PI | HAS_DSM | HAS_DIRECTIVE |
			      TO_DEVICE},
	[PT_COMPARE] = {"Compare", 0x05,
			HAS_RETRY_FUA | HAS_PI_CHECK | HAS_APPTAG | TO_DEVICE},
	[PT_VERIFY] = {"Verify", 0x0c,
		       HAS_RETRY_FUA | HAS_PI_CHECK | HAS_APPTAG},
	[PT_WRITE_ZEROES] = {"Write Zeroes", 0x08,
			     HAS_RETRY_FUA | HAS_PI_ACTION | HAS_APPTAG |
				     HAS_DIRECTIVE | HAS_DEALLOCATE},
	[PT_WRITE_UNCORRECTABLE] = {"Write Uncorrectable", 0x04, HAS_DIRECTIVE},
	[PT_DEALLOCATE] = {"Dataset Management", 0x09, TO_DEVICE},
	[PT_COPY] = {"Copy", 0x19,
		     HAS_RETRY_FUA | HAS_PI | HAS_DIRECTIVE | TO_DEVICE},
	[PT_FLUSH] = {"Flush", 0x00, 0},
	[PT_APPEND] = {"Zone Append", 0x7d,
		       HAS_RETRY_FUA | HAS_PI | HAS_DIRECTIVE | TO_DEVICE},
	[PT_ZONE_RESET] = {"Zone Management Send", 0x79, 0},
};

const char *pt_op_name(enum pt_op op)
{
	return ops[op].name;
}

bool pt_op_from_device(enum pt_op op)
{
	return ops[op].has & FROM_DEVICE;
}

bool pt_op_to_device(enum pt_op op)
{
	return ops[op].has & TO_DEVICE;
}

bool pt_op_has_pi_action(enum pt_op op)
{
	return ops[op].has & HAS_PI_ACTION;
}

bool pt_op_carries_blocks(enum pt_op op)
{
	return op == PT_READ || op == PT_WRITE || op == PT_COMPARE ||
	       op == PT_APPEND;
}

bool pt_op_strips_metadata(const struct pt_namespace *ns, enum pt_op op,
			   bool pi_act)
{
	return pt_op_carries_blocks(op) && pt_op_has_pi_action(op) && pi_act &&
	       ns->pi.type && ns->metadata_bytes == ns->pi.bytes;
}

static void set_protection(struct nvme_uring_cmd *command, enum pt_op op,
			   const struct pt_protection *pi,
			   const struct pt_modifiers *modifiers)
{
	const uint16_t has = ops[op].has;

	if (!pi->type)
		return;
	if (has & HAS_PI_ACTION && modifiers->pi_act)
		command->cdw12 |= PI_ACTION;
	if (has & HAS_PI_CHECK)
		command->cdw12 |= (modifiers->pi_check & PI_CHECK_MASK)
				  << PI_CHECK_SHIFT;
	if (has & HAS_APPTAG)
		command->cdw15 = (uint32_t)modifiers->apptag_mask << 16 |
				 modifiers->apptag;
	/*
	 * ZNS 3.4.1.1: written is ILBRT + (ALBA - ZSLBA), which is the tag of
	 * the LBA if ILBRT is the zone's.  Type 1 demands it and type 3 forbids
	 * it; without, appends of type 2 could not be read back with tags.
	 */
	if (op == PT_APPEND && pi->type != 3)
		command->cdw12 |= PI_REMAP;
}

static void set_attributes(struct nvme_uring_cmd *command, uint16_t has,
			   const struct pt_modifiers *modifiers)
{
	if (has & HAS_RETRY_FUA && modifiers->limited_retry)
		command->cdw12 |= LIMITED_RETRY;
	if (has & HAS_RETRY_FUA && modifiers->fua)
		command->cdw12 |= FORCE_UNIT_ACCESS;
	if (has & HAS_DEALLOCATE && modifiers->deallocate)
		command->cdw12 |= DEALLOCATE;
	if (has & HAS_DSM)
		command->cdw13 |= modifiers->dsm;
	if (has & HAS_DIRECTIVE && modifiers->directive) {
		command->cdw12 |= (modifiers->directive & DIRECTIVE_MASK)
				  << DIRECTIVE_SHIFT;
		command->cdw13 |= (uint32_t)modifiers->directive_id << 16;
	}
}

void pt_command_prepare(struct nvme_uring_cmd *command, enum pt_op op,
			const struct pt_namespace *ns,
			const struct pt_modifiers *modifiers)
{
	*command = (struct nvme_uring_cmd){
		.opcode = ops[op].opcode,
		.nsid = ns->nsid,
		.timeout_ms = modifiers->timeout_ms,
	};
	set_attributes(command, ops[op].has, modifiers);
	set_protection(command, op, &ns->pi, modifiers);
	if (op == PT_ZONE_RESET)
		command->cdw13 = ZONE_SEND_RESET;
}

void pt_command_all_zones(struct nvme_uring_cmd *command)
{
	command->cdw13 |= ZONE_SEND_ALL;
}

void pt_command_reference(struct nvme_uring_cmd *command,
			  const struct pt_namespace *ns, uint64_t slba)
{
	const uint64_t tag = pt_pi_reference(&ns->pi, slba);

	/* Figure 125.  No reference tag reaches into dword 2, which has bits
	 * 79:64: with guards of 32 bits, 16 at least are storage tag. */
	command->cdw14 = (uint32_t)tag;
	command->cdw3 = (uint32_t)(tag >> 32);
	command->cdw2 = 0;
}

void pt_dsm_range_set(struct pt_dsm_range *range, uint64_t slba,
		      uint32_t blocks)
{
	range->context = 0;
	range->blocks = htole32(blocks);
	range->slba = htole64(slba);
}

void pt_command_ranges(struct nvme_uring_cmd *command, unsigned int ranges)
{
	command->cdw10 = ranges - 1;
	command->cdw11 = DSM_DEALLOCATE;
	command->cdw12 = 0;
}

/* Figure 34. */
struct copy_range_0 {
	uint64_t reserved_0;
	uint64_t slba;
	uint16_t blocks; /* counted from 0 */
	uint16_t reserved_18;
	uint32_t reserved_20;
	uint32_t reference;
	uint16_t apptag;
	uint16_t apptag_mask;
};

/* Figure 35. */
struct copy_range_1 {
	uint64_t reserved_0;
	uint64_t slba;
	uint16_t blocks; /* counted from 0 */
	uint8_t reserved_18[8];
	uint8_t reference[10]; /* as in metadata: the first byte counts most */
	uint16_t apptag;
	uint16_t apptag_mask;
};

_Static_assert(sizeof(struct copy_range_0) == 32, "figure 34");
_Static_assert(sizeof(struct copy_range_1) == 40, "figure 35");

/* 3.2.2: demanded by the format of the namespace, and refused otherwise. */
static bool copy_format_1(const struct pt_namespace *ns)
{
	return ns->pi.guard_bits > 16;
}

/* `apptag` and its mask as dword 15 has them. */
static void set_copy_range(uint8_t *range, const struct pt_namespace *ns,
			   uint64_t slba, uint32_t blocks, uint32_t apptag)
{
	const uint64_t reference = pt_pi_reference(&ns->pi, slba);
	const uint16_t tag = htole16((uint16_t)apptag);
	const uint16_t mask = htole16((uint16_t)(apptag >> 16));

	if (copy_format_1(ns)) {
		struct copy_range_1 one = {
			.slba = htole64(slba),
			.blocks = htole16((uint16_t)(blocks - 1)),
			.apptag = tag,
			.apptag_mask = mask,
		};
		const uint64_t big = htobe64(reference);

		memcpy(one.reference + 2, &big, sizeof(big));
		memcpy(range, &one, sizeof(one));
	} else {
		const struct copy_range_0 one = {
			.slba = htole64(slba),
			.blocks = htole16((uint16_t)(blocks - 1)),
			.reference = htole32((uint32_t)reference),
			.apptag = tag,
			.apptag_mask = mask,
		};

		memcpy(range, &one, sizeof(one));
	}
}

static uint32_t smaller(uint32_t limit, uint32_t most)
{
	return limit && limit < most ? limit : most;
}

unsigned int pt_copy_range_bytes(const struct pt_namespace *ns)
{
	return copy_format_1(ns) ? sizeof(struct copy_range_1)
				 : sizeof(struct copy_range_0);
}

unsigned int pt_copy_payload_bytes(const struct pt_namespace *ns)
{
	return smaller(ns->copy_ranges, COPY_MAX_RANGES) *
	       pt_copy_range_bytes(ns);
}

int pt_command_copy(struct nvme_uring_cmd *command, void *payload,
		    const struct pt_namespace *ns, uint64_t source,
		    uint32_t blocks)
{
	const uint32_t each =
		smaller(ns->copy_range_blocks, COPY_MAX_RANGE_BLOCKS);
	const unsigned int bytes = pt_copy_range_bytes(ns);
	const uint32_t info = command->cdw12 >> PI_INFO_SHIFT & PI_INFO_MASK;
	const uint32_t format = copy_format_1(ns);
	uint8_t *range = payload;
	uint32_t ranges;

	if (!blocks || (ns->copy_blocks && blocks > ns->copy_blocks))
		return -EINVAL;
	ranges = (blocks - 1) / each + 1;
	if (ranges > smaller(ns->copy_ranges, COPY_MAX_RANGES))
		return -EINVAL;
	for (uint32_t left = blocks; left; range += bytes) {
		const uint32_t now = smaller(left, each);

		set_copy_range(range, ns, source, now, command->cdw15);
		source += now;
		left -= now;
	}
	/* Source and destination are checked alike; PRACT has to be the same.
	 */
	command->cdw12 = (command->cdw12 & 0xffff0000u) |
			 info << PI_READ_SHIFT | format << COPY_FORMAT_SHIFT |
			 (ranges - 1);
	return (int)ranges;
}
