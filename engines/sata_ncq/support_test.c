/* SPDX-License-Identifier: GPL-2.0-only */
#include "support_fixture.h"

#include <stdio.h>
#include <string.h>

static void what_the_drive_can_is_allowed(void **state)
{
	struct fixture *f = *state;

	use_trim(f);
	f->plan.flushes = true;
	f->plan.read_fua = f->plan.write_fua = true;
	f->plan.read_prio = f->plan.write_prio = true;
	assert_string_equal(allowed(f), "");
	assert_int_equal(f->abilities.depth, 32);
	assert_int_equal(f->abilities.rw_bytes, 128 << 10);
	assert_true(f->abilities.queued_trim);
}

static void ncq_needs_ncq(void **state)
{
	struct fixture *f = *state;

	f->id.ncq = false;
	f->id.depth = 1;
	assert_refused(
		f, -EOPNOTSUPP,
		"the drive has no NCQ (word 76 bit 8); ncq=0 does without");
	f->plan.queued = false;
	f->plan.depth = 1;
	assert_string_equal(allowed(f), "");
}

static void priority_needs_a_drive_that_has_it(void **state)
{
	struct fixture *f = *state;

	f->id.ncq_priority = false;
	assert_string_equal(allowed(f), "");
	f->plan.read_prio = true;
	assert_refused(
		f, -EOPNOTSUPP,
		"cmdprio_percentage: the drive has no NCQ priority (word 76 bit 12)");
	f->plan.read_prio = false;
	f->plan.write_prio = true;
	assert_refused(
		f, -EOPNOTSUPP,
		"cmdprio_percentage: the drive has no NCQ priority (word 76 bit 12)");
}

static void priority_needs_a_queue(void **state)
{
	struct fixture *f = *state;

	f->plan.queued = false;
	f->plan.write_prio = true;
	assert_refused(
		f, -EINVAL,
		"cmdprio_percentage: only queued commands have a priority, and ncq=0 sends none");
}

static void fua_of_reads_needs_a_queue(void **state)
{
	struct fixture *f = *state;

	f->plan.queued = false;
	f->plan.read_fua = true;
	assert_refused(
		f, -EINVAL,
		"readfua=1: only READ FPDMA QUEUED has FUA, and ncq=0 sends READ DMA EXT");
	f->plan.reads = false;
	allowed(f);
}

static void fua_of_writes_needs_a_queue_or_its_command(void **state)
{
	struct fixture *f = *state;

	f->id.fua_ext = false;
	f->plan.write_fua = true;
	allowed(f);
	f->plan.queued = false;
	assert_refused(
		f, -EOPNOTSUPP,
		"writefua=1: the drive has no WRITE DMA FUA EXT (word 84 bit 6), which ncq=0 needs");
	f->plan.writes = false;
	allowed(f);
	f->plan.writes = true;
	f->id.fua_ext = true;
	allowed(f);
}

/* Or FUA would end with NCQ, unseen. */
static void fua_must_outlive_the_queue_where_the_job_does(void **state)
{
	struct fixture *f = *state;

	f->plan.goes_on = true;
	f->plan.write_fua = true;
	allowed(f);
	f->id.fua_ext = false;
	assert_refused(
		f, -EOPNOTSUPP,
		"writefua=1: the drive has no WRITE DMA FUA EXT (word 84 bit 6), which ncq_lost=continue needs");
	f->plan.write_fua = false;
	f->plan.read_fua = true;
	assert_refused(
		f, -EINVAL,
		"readfua=1: only READ FPDMA QUEUED has FUA, and ncq_lost=continue sends READ DMA EXT");
}

static void commands_need_addresses_of_48_bits(void **state)
{
	struct fixture *f = *state;

	f->id.lba48 = f->id.ncq = false;
	f->plan.queued = false;
	assert_refused(
		f, -EOPNOTSUPP,
		"the drive has no addresses of 48 bits (word 83 bit 10); commands=scsi does without");
}

static void trims_need_trim(void **state)
{
	struct fixture *f = *state;

	f->id.trim = false;
	allowed(f);
	use_trim(f);
	assert_refused(f, -EOPNOTSUPP,
		       "trims: the drive has no TRIM (word 169 bit 0)");
}

static void queued_trims_need_their_command(void **state)
{
	struct fixture *f = *state;

	f->id.ncq_send_receive = false;
	f->plan.trim_mode = SN_TRIM_QUEUED;
	allowed(f); /* it has no trims */
	use_trim(f);
	assert_refused(
		f, -EOPNOTSUPP,
		"trim_mode=queued: the drive has no SEND FPDMA QUEUED (word 77 bit 6); trim_mode=dsm is not queued");
	f->id.ncq_send_receive = true;
	allowed(f);
	assert_true(f->abilities.queued_trim);
}

static void queued_trims_need_a_queue(void **state)
{
	struct fixture *f = *state;

	use_trim(f);
	f->plan.queued = false;
	f->plan.trim_mode = SN_TRIM_QUEUED;
	assert_refused(
		f, -EINVAL,
		"trim_mode=queued: not with ncq=0; trim_mode=dsm is not queued");
}

static void trims_are_queued_where_they_can_be(void **state)
{
	struct fixture *f = *state;

	use_trim(f);
	allowed(f);
	assert_true(f->abilities.queued_trim);
	f->plan.trim_mode = SN_TRIM_DSM;
	allowed(f);
	assert_false(f->abilities.queued_trim);
	f->plan.trim_mode = SN_TRIM_AUTO;
	f->id.ncq_send_receive = false;
	allowed(f);
	assert_false(f->abilities.queued_trim);
	f->id.ncq_send_receive = true;
	f->plan.queued = false;
	allowed(f);
	assert_false(f->abilities.queued_trim);
}

/* Linux drivers/ata/libata-transport.c: show_ata_dev_trim() */
static void trims_are_queued_only_where_the_kernel_would(void **state)
{
	static const struct {
		const char *trim;
		bool queued;
	} cases[] = {
		{"", false},
		{"queued", true},
		{"unqueued", false},
		{"forced_unqueued", false},
	};
	struct fixture *f = *state;

	use_trim(f);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(f->node.trim, sizeof(f->node.trim), "%s",
			 cases[i].trim);
		assert_string_equal(allowed(f), "");
		assert_int_equal(f->abilities.queued_trim, cases[i].queued);
	}
}

static void trims_that_the_kernel_would_not_queue_may_be_asked_for(void **state)
{
	struct fixture *f = *state;

	use_trim(f);
	f->plan.trim_mode = SN_TRIM_QUEUED;
	snprintf(f->node.trim, sizeof(f->node.trim), "forced_unqueued");
	assert_string_equal(
		allowed(f),
		"trim_mode=queued: the kernel itself would not do it with this drive (its trim is forced_unqueued)");
	assert_true(f->abilities.queued_trim);
	f->plan.trim_mode = SN_TRIM_DSM;
	assert_string_equal(allowed(f), "");
}

static void all_that_is_to_be_said_is_said(void **state)
{
	struct fixture *f = *state;

	use_trim(f);
	f->plan.trim_mode = SN_TRIM_QUEUED;
	f->plan.depth = UINT32_MAX;
	f->node.queue_depth = 1;
	memset(f->node.trim, 'x', sizeof(f->node.trim) - 1);
	assert_string_equal(
		allowed(f),
		"iodepth=4294967295: NCQ is off in the kernel (queue_depth 1), though the drive takes 32 commands at once (word 75); the others wait in the engine; "
		"trim_mode=queued: the kernel itself would not do it with this drive (its trim is xxxxxxxxxxxxxxxxxxxxxxx)");
}

static void syncs_need_flush(void **state)
{
	struct fixture *f = *state;

	f->id.flush_ext = false;
	allowed(f);
	f->plan.flushes = true;
	assert_refused(
		f, -EOPNOTSUPP,
		"fsync, fdatasync: the drive has no FLUSH CACHE EXT (word 83 bit 13)");
}

static void scsi_needs_no_word_of_the_drive(void **state)
{
	struct fixture *f = *state;

	f->id = (struct sn_identity){.blocks = 1 << 20, .block_bytes = 512};
	f->node.libata = false;
	f->plan.scsi = true;
	f->plan.flushes = f->plan.read_fua = f->plan.write_fua = true;
	use_trim(f);
	allowed(f);
}

static void an_unmap_is_not_queued_by_ncq(void **state)
{
	struct fixture *f = *state;

	f->node.libata = false;
	f->plan.scsi = true;
	use_trim(f);
	allowed(f);
	assert_false(f->abilities.queued_trim);
}

static void what_only_ata_has_is_refused_of_scsi(void **state)
{
	struct fixture *f = *state;

	f->node.libata = false;
	f->plan.scsi = true;
	f->plan.trim_mode = SN_TRIM_QUEUED;
	allowed(f);
	use_trim(f);
	assert_refused(
		f, -EINVAL,
		"trim_mode=queued: SEND FPDMA QUEUED is an ATA command, the SCSI one is UNMAP");
	f->plan.read_prio = true;
	assert_refused(
		f, -EINVAL,
		"cmdprio_percentage: READ(16) and WRITE(16) have no priority, only ATA commands have");
	f->plan.queued = false;
	assert_refused(
		f, -EINVAL,
		"ncq=0: with SCSI commands the translation layer decides whether they are queued");
}

/* Linux drivers/ata/libata-scsi.c: ata_get_xlat_func() */
static void libata_has_no_unmap(void **state)
{
	struct fixture *f = *state;

	f->plan.scsi = true;
	allowed(f);
	use_trim(f);
	assert_refused(
		f, -EOPNOTSUPP,
		"trims: Linux's libata translates no UNMAP, only ATA commands trim here");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_the_drive_can_is_allowed),
		TEST(ncq_needs_ncq),
		TEST(priority_needs_a_drive_that_has_it),
		TEST(priority_needs_a_queue),
		TEST(fua_of_reads_needs_a_queue),
		TEST(fua_of_writes_needs_a_queue_or_its_command),
		TEST(fua_must_outlive_the_queue_where_the_job_does),
		TEST(commands_need_addresses_of_48_bits),
		TEST(trims_need_trim),
		TEST(queued_trims_need_their_command),
		TEST(queued_trims_need_a_queue),
		TEST(trims_are_queued_where_they_can_be),
		TEST(trims_are_queued_only_where_the_kernel_would),
		TEST(trims_that_the_kernel_would_not_queue_may_be_asked_for),
		TEST(all_that_is_to_be_said_is_said),
		TEST(syncs_need_flush),
		TEST(scsi_needs_no_word_of_the_drive),
		TEST(an_unmap_is_not_queued_by_ncq),
		TEST(what_only_ata_has_is_refused_of_scsi),
		TEST(libata_has_no_unmap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
