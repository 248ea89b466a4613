/* SPDX-License-Identifier: GPL-2.0-only */
#include "support.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define COMMAND_BLOCKS 65536u /* ACS 7.22, 7.23: COUNT or FEATURE 0 */
#define UNIT_BYTES 512u	      /* of what DATA SET MANAGEMENT sends, ACS 7.6 */
#define UNIT_BLOCKS ((uint64_t)SN_TRIM_RANGES * SN_TRIM_RANGE_BLOCKS)
#define UNMAP_BLOCKS UINT32_MAX /* SBC-4 5.39: 32 bits a descriptor */

struct limit {
	uint64_t most;
	const char *name;
};

struct request {
	const struct sn_identity *id;
	const struct sn_node *node;
	const struct sn_plan *plan;
};

/* One after another. */
static void add_note(struct sn_abilities *abilities, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add_note(struct sn_abilities *abilities, const char *format, ...)
{
	const size_t used = strlen(abilities->note);
	const char *mark = used ? "; " : "";
	char note[sizeof(abilities->note)];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(note, sizeof(note), format, arguments);
	va_end(arguments);
	snprintf(abilities->note + used, sizeof(abilities->note) - used, "%s%s",
		 mark, note);
}

static int check_scsi(const struct request *r, struct fe_error *err)
{
	const struct sn_plan *plan = r->plan;

	if (!plan->queued)
		return fe_error_set(
			err, -EINVAL,
			"ncq=0: with SCSI commands the translation layer decides whether they are queued");
	if (plan->read_prio || plan->write_prio)
		return fe_error_set(
			err, -EINVAL,
			"cmdprio_percentage: READ(16) and WRITE(16) have no priority, only ATA commands have");
	if (!plan->trims)
		return 0;
	if (plan->trim_mode == SN_TRIM_QUEUED)
		return fe_error_set(
			err, -EINVAL,
			"trim_mode=queued: SEND FPDMA QUEUED is an ATA command, the SCSI one is UNMAP");
	if (r->node->libata)
		return fe_error_set(
			err, -EOPNOTSUPP,
			"trims: Linux's libata translates no UNMAP, only ATA commands trim here");
	return 0;
}

static int check_addresses(const struct request *r, struct fe_error *err)
{
	if (r->id->lba48)
		return 0;
	return fe_error_set(
		err, -EOPNOTSUPP,
		"the drive has no addresses of 48 bits (word 83 bit 10); commands=scsi does without");
}

static int check_ncq(const struct request *r, struct fe_error *err)
{
	const bool prio = r->plan->read_prio || r->plan->write_prio;

	if (r->plan->queued && !r->id->ncq)
		return fe_error_set(
			err, -EOPNOTSUPP,
			"the drive has no NCQ (word 76 bit 8); ncq=0 does without");
	if (prio && !r->plan->queued)
		return fe_error_set(
			err, -EINVAL,
			"cmdprio_percentage: only queued commands have a priority, and ncq=0 sends none");
	if (prio && !r->id->ncq_priority)
		return fe_error_set(
			err, -EOPNOTSUPP,
			"cmdprio_percentage: the drive has no NCQ priority (word 76 bit 12)");
	return 0;
}

static int check_fua(const struct request *r, struct fe_error *err)
{
	const struct sn_plan *plan = r->plan;
	const char *without = plan->queued ? "ncq_lost=continue" : "ncq=0";

	if (plan->queued && !plan->goes_on)
		return 0;
	if (plan->reads && plan->read_fua)
		return fe_error_set(
			err, -EINVAL,
			"readfua=1: only READ FPDMA QUEUED has FUA, and %s sends READ DMA EXT",
			without);
	if (plan->writes && plan->write_fua && !r->id->fua_ext)
		return fe_error_set(
			err, -EOPNOTSUPP,
			"writefua=1: the drive has no WRITE DMA FUA EXT (word 84 bit 6), which %s needs",
			without);
	return 0;
}

static int check_trim(const struct request *r, struct fe_error *err)
{
	if (!r->plan->trims)
		return 0;
	if (!r->id->trim)
		return fe_error_set(
			err, -EOPNOTSUPP,
			"trims: the drive has no TRIM (word 169 bit 0)");
	if (r->plan->trim_mode != SN_TRIM_QUEUED)
		return 0;
	if (!r->plan->queued)
		return fe_error_set(
			err, -EINVAL,
			"trim_mode=queued: not with ncq=0; trim_mode=dsm is not queued");
	if (!r->id->ncq_send_receive)
		return fe_error_set(
			err, -EOPNOTSUPP,
			"trim_mode=queued: the drive has no SEND FPDMA QUEUED (word 77 bit 6); trim_mode=dsm is not queued");
	return 0;
}

static int check_flush(const struct request *r, struct fe_error *err)
{
	if (!r->plan->flushes || r->id->flush_ext)
		return 0;
	return fe_error_set(
		err, -EOPNOTSUPP,
		"fsync, fdatasync: the drive has no FLUSH CACHE EXT (word 83 bit 13)");
}

static int check_commands(const struct request *r, struct fe_error *err)
{
	int ret;

	if (r->plan->scsi)
		return check_scsi(r, err);
	ret = check_addresses(r, err);
	if (!ret)
		ret = check_ncq(r, err);
	if (!ret)
		ret = check_fua(r, err);
	if (!ret)
		ret = check_trim(r, err);
	if (!ret)
		ret = check_flush(r, err);
	return ret;
}

/* 0 is no limit. */
static void lower(struct limit *limit, uint64_t most, const char *name)
{
	if (most && most < limit->most)
		*limit = (struct limit){most, name};
}

/* Of a read or write. */
static struct limit transfer_limit(const struct request *r)
{
	const uint32_t block = r->id->block_bytes;
	struct limit limit = {(uint64_t)COMMAND_BLOCKS * block,
			      "65536 blocks a command"};

	lower(&limit, UINT32_MAX, "32 bits a transfer");
	lower(&limit, r->node->max_bytes, "the driver");
	limit.most -= limit.most % block;
	if (!limit.most)
		limit.most = block;
	return limit;
}

/* Units of ranges in a command; a drive that tells no limit takes one (ACS
 * 7.13.7, word 105). */
static struct limit unit_limit(const struct request *r)
{
	struct limit limit = {r->id->trim_units ? r->id->trim_units : 1,
			      "word 105"};

	lower(&limit, r->node->max_bytes / UNIT_BYTES, "the driver");
	return limit;
}

/* As many as the job needs. */
static uint16_t trim_units(const struct request *r)
{
	const uint64_t most = unit_limit(r).most;
	const uint64_t blocks =
		r->plan->max_bytes[SN_TRIM] / r->id->block_bytes;
	const uint64_t needed =
		blocks / UNIT_BLOCKS + (blocks % UNIT_BLOCKS != 0);

	return (uint16_t)(needed < most ? needed : most);
}

static struct limit trim_limit(const struct request *r)
{
	const uint32_t block = r->id->block_bytes;

	if (r->plan->scsi)
		return (struct limit){(uint64_t)UNMAP_BLOCKS * block,
				      "32 bits of UNMAP"};
	return (struct limit){trim_units(r) * UNIT_BLOCKS * block,
			      unit_limit(r).name};
}

static int check_sizes(const struct request *r, enum sn_op op, const char *name,
		       struct limit limit, struct fe_error *err)
{
	const uint32_t block = r->id->block_bytes;
	const uint64_t least = r->plan->min_bytes[op];
	const uint64_t most = r->plan->max_bytes[op];
	const uint64_t odd = least % block ? least : most;

	if (!least || !most || odd % block)
		return fe_error_set(
			err, -EINVAL,
			"bs=%llu of %s is no multiple of the logical block of %u bytes",
			(unsigned long long)(least ? odd : 0), name, block);
	if (r->plan->split || most <= limit.most)
		return 0;
	return fe_error_set(
		err, -EINVAL,
		"bs=%llu of %s is more than one command may have (%llu bytes, by %s); max_transfer=split makes several of it",
		(unsigned long long)most, name, (unsigned long long)limit.most,
		limit.name);
}

static int check_geometry(const struct request *r, struct fe_error *err)
{
	const struct limit transfer = transfer_limit(r);
	const uint32_t block = r->id->block_bytes;
	int ret = 0;

	if (r->plan->offset % block)
		ret = fe_error_set(
			err, -EINVAL,
			"offset=%llu is no multiple of the logical block of %u bytes",
			(unsigned long long)r->plan->offset, block);
	if (!ret && r->plan->reads)
		ret = check_sizes(r, SN_READ, "reads", transfer, err);
	if (!ret && r->plan->writes)
		ret = check_sizes(r, SN_WRITE, "writes", transfer, err);
	if (!ret && r->plan->trims)
		ret = check_sizes(r, SN_TRIM, "trims", trim_limit(r), err);
	return ret;
}

/* What the drive and the kernel have at once. */
static unsigned int places(const struct request *r)
{
	const unsigned int kernel = r->node->queue_depth;
	unsigned int most = r->id->depth ? r->id->depth : 1;

	if (r->plan->scsi)
		return kernel ? kernel : most;
	if (!r->plan->queued)
		return 1;
	return kernel && kernel < most ? kernel : most;
}

static bool ncq_is_off(const struct request *r)
{
	return r->plan->queued && r->id->depth > 1 && r->node->queue_depth == 1;
}

static void say_places(const struct request *r, unsigned int n, char *text,
		       size_t size)
{
	if (!r->plan->queued)
		snprintf(text, size,
			 "without NCQ the drive takes 1 command at a time");
	else if (ncq_is_off(r))
		snprintf(
			text, size,
			"NCQ is off in the kernel (queue_depth 1), though the drive takes %u commands at once (word 75)",
			r->id->depth);
	else if (n == r->id->depth)
		snprintf(text, size,
			 "the drive takes %u command%s at once (word 75)", n,
			 n == 1 ? "" : "s");
	else
		snprintf(text, size,
			 "the kernel sends %u command%s at once (queue_depth)",
			 n, n == 1 ? "" : "s");
}

static int check_depth(const struct request *r, struct sn_abilities *abilities,
		       struct fe_error *err)
{
	const unsigned int n = places(r);
	const unsigned int asked = r->plan->depth ? r->plan->depth : 1;
	const bool waits_in_kernel = r->plan->over_depth == SN_DEPTH_QUEUE;
	char why[128];

	say_places(r, n, why, sizeof(why));
	abilities->depth = asked;
	if (asked <= n) {
		if (ncq_is_off(r))
			add_note(abilities, "%s", why);
		return 0;
	}
	if (r->plan->over_depth == SN_DEPTH_REFUSE)
		return fe_error_set(
			err, -EINVAL,
			"iodepth=%u: %s; over_depth=cap lets the others wait in the engine, over_depth=queue in the kernel",
			asked, why);
	if (!waits_in_kernel)
		abilities->depth = n;
	add_note(abilities, "iodepth=%u: %s; the others wait in the %s", asked,
		 why, waits_in_kernel ? "kernel" : "engine");
	return 0;
}

static void choose_trim(const struct request *r, struct sn_abilities *abilities)
{
	const struct sn_plan *plan = r->plan;
	const bool trusted = !strcmp(r->node->trim, "queued");

	if (!plan->trims)
		return;
	abilities->trim_bytes = trim_limit(r).most;
	if (plan->scsi)
		return;
	abilities->trim_units = trim_units(r);
	if (plan->trim_mode == SN_TRIM_AUTO)
		abilities->queued_trim =
			plan->queued && r->id->ncq_send_receive && trusted;
	else
		abilities->queued_trim = plan->trim_mode == SN_TRIM_QUEUED;
	if (abilities->queued_trim && !trusted)
		add_note(
			abilities,
			"trim_mode=queued: the kernel itself %s with this drive (its trim is %s)",
			r->node->trim[0] ? "would not do it"
					 : "does not say that it would do it",
			r->node->trim[0] ? r->node->trim : "not told");
}

int sn_support_check(const struct sn_identity *identity,
		     const struct sn_node *node, const struct sn_plan *plan,
		     struct sn_abilities *abilities, struct fe_error *err)
{
	const struct request r = {identity, node, plan};
	int ret;

	*abilities = (struct sn_abilities){0};
	if (!identity->block_bytes)
		return fe_error_set(err, -EINVAL,
				    "the drive's block size is not known");
	ret = check_commands(&r, err);
	if (!ret)
		ret = check_geometry(&r, err);
	if (!ret)
		ret = check_depth(&r, abilities, err);
	if (ret)
		return ret;
	abilities->rw_bytes = (uint32_t)transfer_limit(&r).most;
	choose_trim(&r, abilities);
	return 0;
}
