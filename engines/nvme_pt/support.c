/* SPDX-License-Identifier: GPL-2.0-only */
#include "support.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#define COMMAND_BLOCKS 65536u /* NLB has 16 bits and counts from 0 */
#define DIRECTIVE_STREAMS 1   /* Base 8.7 */
#define DIRECTIVE_PLACEMENT 2

/* A direction of the job, and by what words its user knows it. */
struct side {
	const struct pt_namespace *ns;
	const struct pt_use *use;
	const char *name; /* "reads" */
	const char *mode; /* "read_mode=", "" for trims */
};

static const char *const mode_values[PT_OPS] = {
	[PT_READ] = "read",	      [PT_WRITE] = "write",
	[PT_COMPARE] = "compare",     [PT_VERIFY] = "verify",
	[PT_WRITE_ZEROES] = "zeroes", [PT_WRITE_UNCORRECTABLE] = "uncor",
	[PT_DEALLOCATE] = "trims",    [PT_COPY] = "copy",
	[PT_APPEND] = "append",
};

/* Optional commands: ONCS, Base figure "Identify Controller". */
static const struct {
	enum pt_op op;
	uint8_t bit;
} optional[] = {
	{PT_COMPARE, 0},    {PT_WRITE_UNCORRECTABLE, 1},
	{PT_DEALLOCATE, 2}, {PT_WRITE_ZEROES, 3},
	{PT_VERIFY, 7},	    {PT_COPY, 8},
};

/* "write_mode=copy: " and the reason. */
static int refuse_op(const struct side *side, struct fe_error *err, int code,
		     const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static int refuse_op(const struct side *side, struct fe_error *err, int code,
		     const char *format, ...)
{
	struct fe_error reason;
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(reason.text, sizeof(reason.text), format, arguments);
	va_end(arguments);
	return fe_error_set(err, code, "%s%s: %s", side->mode,
			    mode_values[side->use->op], reason.text);
}

/* Bytes of a block that count for the limits of a transfer. */
static uint32_t counted_bytes(const struct pt_namespace *ns, enum pt_op op,
			      bool pi_act)
{
	return pt_op_strips_metadata(ns, op, pi_act)
		       ? ns->block_bytes
		       : pt_namespace_buffer_block(ns);
}

/* What limits commands of one op, in blocks, and how it is called. */
struct limit {
	uint64_t blocks;
	const char *name;
};

static void lower(struct limit *limit, uint64_t blocks, const char *name)
{
	if (blocks < limit->blocks) {
		limit->blocks = blocks;
		limit->name = name;
	}
}

/* 0 bytes or blocks: the device names no limit. */
static void lower_bytes(struct limit *limit, uint64_t bytes,
			uint32_t block_bytes, const char *name)
{
	if (bytes)
		lower(limit, bytes / block_bytes, name);
}

static void lower_blocks(struct limit *limit, uint64_t blocks, const char *name)
{
	if (blocks)
		lower(limit, blocks, name);
}

static void lower_transfer(struct limit *limit, const struct pt_namespace *ns,
			   uint32_t block)
{
	lower_bytes(limit, ns->mdts_bytes, block, "MDTS");
	lower_bytes(limit, ns->kernel_bytes, block,
		    "the kernel's max_hw_sectors_kb or max_segments");
}

static struct limit limit_of(const struct pt_namespace *ns, enum pt_op op,
			     bool pi_act)
{
	const uint32_t block = counted_bytes(ns, op, pi_act);
	struct limit limit = {COMMAND_BLOCKS, "65536 blocks a command"};

	switch (op) {
	case PT_DEALLOCATE:
		limit = (struct limit){UINT32_MAX, "32 bits a range"};
		lower_blocks(&limit, ns->dsm_range_blocks, "DMRSL");
		lower_blocks(&limit, ns->dsm_blocks, "DMSL");
		break;
	case PT_COPY:
		lower(&limit, ns->copy_blocks, "MCL");
		lower(&limit, (uint64_t)ns->copy_ranges * ns->copy_range_blocks,
		      "MSRC and MSSRL");
		break;
	case PT_VERIFY:
		lower_bytes(&limit, ns->verify_bytes, block, "VSL");
		break;
	case PT_WRITE_ZEROES:
		lower_bytes(&limit, ns->zeroes_bytes, block, "WZSL");
		break;
	case PT_WRITE_UNCORRECTABLE:
		lower_bytes(&limit, ns->uncorrectable_bytes, block, "WUSL");
		break;
	case PT_APPEND:
		lower_bytes(&limit, ns->append_bytes, block, "ZASL");
		lower_transfer(&limit, ns, block);
		break;
	default:
		lower_transfer(&limit, ns, block);
	}
	return limit;
}

uint32_t pt_support_max_blocks(const struct pt_namespace *ns, enum pt_op op,
			       bool pi_act)
{
	const struct limit limit = limit_of(ns, op, pi_act);

	return limit.blocks ? (uint32_t)limit.blocks : 1;
}

static int check_command(const struct side *side, struct fe_error *err)
{
	const enum pt_op op = side->use->op;

	for (size_t i = 0; i < sizeof(optional) / sizeof(optional[0]); i++) {
		if (optional[i].op != op ||
		    side->ns->oncs >> optional[i].bit & 1)
			continue;
		return refuse_op(side, err, -EOPNOTSUPP,
				 "the controller has no %s (ONCS bit %u)",
				 pt_op_name(op), optional[i].bit);
	}
	if (op == PT_APPEND && side->ns->csi != PT_CSI_ZNS)
		return refuse_op(side, err, -EOPNOTSUPP,
				 "the namespace is not zoned");
	return 0;
}

static int check_block_size(const struct side *side, struct fe_error *err)
{
	const struct pt_use *use = side->use;
	const uint32_t block = side->ns->block_bytes;
	const uint64_t odd =
		use->min_bytes % block ? use->min_bytes : use->max_bytes;

	if (use->min_bytes && odd % block == 0)
		return 0;
	return fe_error_set(
		err, -EINVAL,
		"bs=%llu of %s is no multiple of the logical block of %u bytes",
		(unsigned long long)odd, side->name, block);
}

static int check_length(const struct side *side, bool split,
			struct fe_error *err)
{
	const struct pt_use *use = side->use;
	const struct limit limit =
		limit_of(side->ns, use->op, use->modifiers.pi_act);
	const uint64_t bytes = limit.blocks * side->ns->block_bytes;

	if (!limit.blocks)
		return refuse_op(side, err, -EOPNOTSUPP,
				 "not one block of %u bytes is allowed by %s",
				 side->ns->block_bytes, limit.name);
	if (use->max_bytes <= bytes)
		return 0;
	/* Parts of one I/O could be stored in another order. */
	if (use->op == PT_APPEND)
		return refuse_op(
			side, err, -EINVAL,
			"bs=%llu is more than one command may have (%llu bytes, by %s), and appends can't be split",
			(unsigned long long)use->max_bytes,
			(unsigned long long)bytes, limit.name);
	if (split)
		return 0;
	return refuse_op(
		side, err, -EINVAL,
		"bs=%llu is more than one command may have (%llu bytes, by %s); max_transfer=split makes several of it",
		(unsigned long long)use->max_bytes, (unsigned long long)bytes,
		limit.name);
}

/* PRCHK, where the op has it. */
static int check_protection(const struct side *side, struct fe_error *err)
{
	const struct pt_protection *pi = &side->ns->pi;
	const uint8_t check = side->use->modifiers.pi_check;

	if (check && !pi->type)
		return fe_error_set(
			err, -EOPNOTSUPP,
			"pi_chk: the namespace is formatted without protection information (DPS is 0)");
	if (pi->type == 3 && check & PT_CHECK_REFERENCE)
		return fe_error_set(
			err, -EINVAL,
			"pi_chk=REFTAG: protection of type 3 (DPS) has no reference tag to check");
	return 0;
}

static int check_directive(const struct side *side, struct fe_error *err)
{
	const struct pt_modifiers *m = &side->use->modifiers;

	switch (m->directive) {
	case 0:
		if (!m->directive_id)
			return 0;
		return fe_error_set(
			err, -EINVAL,
			"dir_spec=%u: of which dir_type, 1 (streams) or 2 (data placement)?",
			m->directive_id);
	case DIRECTIVE_STREAMS:
		if (side->ns->directives)
			return 0;
		return fe_error_set(
			err, -EOPNOTSUPP,
			"dir_type=1: the controller has no directives, so no streams (OACS bit 5)");
	case DIRECTIVE_PLACEMENT:
		if (side->ns->fdp)
			return 0;
		return fe_error_set(
			err, -EOPNOTSUPP,
			"dir_type=2: the controller has no flexible data placement (CTRATT bit 19)");
	default:
		return fe_error_set(
			err, -EINVAL,
			"dir_type=%u: it is 1 (streams) or 2 (data placement)",
			m->directive);
	}
}

static int check_deallocate(const struct side *side, struct fe_error *err)
{
	if (!side->use->modifiers.deallocate)
		return 0;
	if (side->use->op != PT_WRITE_ZEROES)
		return fe_error_set(err, -EINVAL,
				    "deac=1 needs write_mode=zeroes");
	if (!side->ns->zeroes_deallocate)
		return fe_error_set(
			err, -EOPNOTSUPP,
			"deac=1: Write Zeroes does not deallocate in this namespace (DLFEAT bit 3)");
	return 0;
}

static int check_copy(const struct side *side, uint64_t distance,
		      struct fe_error *err)
{
	const struct pt_use *use = side->use;
	const uint32_t block = side->ns->block_bytes;

	if (use->op != PT_COPY)
		return 0;
	if (distance % block)
		return fe_error_set(
			err, -EINVAL,
			"copy_distance=%llu is no multiple of the logical block of %u bytes",
			(unsigned long long)distance, block);
	if (distance < use->max_bytes)
		return fe_error_set(
			err, -EINVAL,
			"copy_distance=%llu is less than bs=%llu: source and destination would overlap",
			(unsigned long long)distance,
			(unsigned long long)use->max_bytes);
	if (distance / block >= side->ns->blocks)
		return fe_error_set(
			err, -EINVAL,
			"copy_distance=%llu is not within the namespace of %llu bytes",
			(unsigned long long)distance,
			(unsigned long long)(side->ns->blocks * block));
	return 0;
}

static int check_ranges(const struct side *side, unsigned int ranges,
			struct fe_error *err)
{
	const uint32_t most =
		side->ns->dsm_ranges ? side->ns->dsm_ranges : PT_DSM_RANGES;

	if (side->use->op != PT_DEALLOCATE || ranges <= most)
		return 0;
	return fe_error_set(
		err, -EOPNOTSUPP,
		"trim_ranges=%u: a Dataset Management command may have %u ranges%s",
		ranges, most, side->ns->dsm_ranges ? " here (DMRL)" : "");
}

static int check_side(const struct side *side, const struct pt_plan *plan,
		      struct fe_error *err)
{
	int ret;

	if (!side->use->used)
		return 0;
	ret = check_command(side, err);
	if (!ret)
		ret = check_block_size(side, err);
	if (!ret)
		ret = check_length(side, plan->split, err);
	if (!ret)
		ret = check_protection(side, err);
	if (!ret)
		ret = check_directive(side, err);
	if (!ret)
		ret = check_deallocate(side, err);
	if (!ret)
		ret = check_copy(side, plan->copy_distance, err);
	if (!ret)
		ret = check_ranges(side, plan->trim_ranges, err);
	return ret;
}

int pt_support_check(const struct pt_namespace *ns, const struct pt_plan *plan,
		     struct fe_error *err)
{
	const struct side sides[] = {
		{ns, &plan->read, "reads", "read_mode="},
		{ns, &plan->write, "writes", "write_mode="},
		{ns, &plan->trim, "trims", ""},
	};

	for (size_t i = 0; i < sizeof(sides) / sizeof(sides[0]); i++) {
		const int ret = check_side(&sides[i], plan, err);

		if (ret)
			return ret;
	}
	if (plan->poll && !ns->poll_queues)
		return fe_error_set(
			err, -EOPNOTSUPP,
			"hipri: the driver has no poll queues; it has them after modprobe nvme poll_queues=2, or with nvme.poll_queues=2 on the kernel's command line");
	return 0;
}
