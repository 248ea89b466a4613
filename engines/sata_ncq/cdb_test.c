/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Layouts: SAT-4, ATA PASS-THROUGH(16) and (32); SBC-4, READ(16), WRITE(16),
 * SYNCHRONIZE CACHE(16) and UNMAP.
 */
#include "cdb.h"

#include "unit.h"

#include <stdio.h>
#include <string.h>

#define LBA UINT64_C(0x123456789abc)

static void assert_bytes(const uint8_t *got, const uint8_t *want, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (got[i] != want[i])
			fail_msg("byte %zu is %02xh, not %02xh", i, got[i],
				 want[i]);
	}
}

/* Also that what is after it is 0. */
static void assert_cdb(const struct sn_cdb *cdb, const uint8_t *want,
		       unsigned int length)
{
	uint8_t all[SN_CDB_MAX] = {0};

	memcpy(all, want, length);
	assert_int_equal(cdb->length, length);
	assert_bytes(cdb->bytes, all, sizeof(all));
}

static struct sn_cdb of_command(const struct sn_command *command)
{
	struct sn_cdb cdb;

	memset(&cdb, 0xff, sizeof(cdb));
	sn_cdb_ata(&cdb, command);
	return cdb;
}

static struct sn_cdb rw(enum sn_op op, struct sn_modifiers modifiers,
			uint64_t lba, uint32_t blocks)
{
	struct sn_command command;

	sn_command_rw(&command, op, &modifiers, lba, blocks);
	return of_command(&command);
}

static struct sn_cdb scsi(enum sn_op op, bool fua, uint64_t lba,
			  uint32_t blocks)
{
	struct sn_cdb cdb;

	memset(&cdb, 0xff, sizeof(cdb));
	sn_cdb_scsi(&cdb, op, fua, lba, blocks);
	return cdb;
}

/* Byte 1: FPDMA (12) and EXTEND.  Byte 2: T_TYPE, T_DIR, BYT_BLOK, length in
 * FEATURES. */
static void a_queued_read_has_its_length_in_features(void **state)
{
	static const uint8_t want[16] = {0x85, 0x19, 0x1d, 0x12, 0x34, 0x00,
					 0x00, 0x56, 0xbc, 0x34, 0x9a, 0x12,
					 0x78, 0x40, 0x60, 0x00};
	const struct sn_cdb got =
		rw(SN_READ, (struct sn_modifiers){.queued = true}, LBA, 0x1234);

	(void)state;
	assert_cdb(&got, want, 16);
	assert_int_equal(got.form, SN_CDB_ATA16_FPDMA);
}

static void a_queued_write_has_fua_and_priority(void **state)
{
	static const uint8_t want[16] = {0x85, 0x19, 0x15, 0x00, 0x08, 0x80,
					 0x00, 0x56, 0xbc, 0x34, 0x9a, 0x12,
					 0x78, 0xc0, 0x61, 0x00};
	const struct sn_cdb got = rw(SN_WRITE,
				     (struct sn_modifiers){
					     .queued = true,
					     .fua = true,
					     .priority = SN_PRIO_HIGH,
				     },
				     LBA, 8);

	(void)state;
	assert_cdb(&got, want, 16);
	assert_int_equal(got.form, SN_CDB_ATA16_FPDMA);
}

/* Byte 1: DMA (6).  Byte 2: the length is in COUNT. */
static void a_read_by_dma_has_its_length_in_count(void **state)
{
	static const uint8_t want[16] = {0x85, 0x0d, 0x1e, 0x00, 0x00, 0x12,
					 0x34, 0x56, 0xbc, 0x34, 0x9a, 0x12,
					 0x78, 0x40, 0x25, 0x00};
	const struct sn_cdb got =
		rw(SN_READ, (struct sn_modifiers){0}, LBA, 0x1234);

	(void)state;
	assert_cdb(&got, want, 16);
	assert_int_equal(got.form, SN_CDB_ATA16_DMA);
}

static void a_write_by_dma_goes_to_the_device(void **state)
{
	static const uint8_t want[16] = {0x85, 0x0d, 0x16, 0x00, 0x00, 0x00,
					 0x08, 0x56, 0xbc, 0x34, 0x9a, 0x12,
					 0x78, 0x40, 0x3d, 0x00};
	const struct sn_cdb got =
		rw(SN_WRITE, (struct sn_modifiers){.fua = true}, LBA, 8);

	(void)state;
	assert_cdb(&got, want, 16);
	assert_int_equal(got.form, SN_CDB_ATA16_DMA);
}

static void a_deadline_takes_32_bytes(void **state)
{
	static const uint8_t want[32] = {
		0x7f, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x18,
		0x1f, 0xf0, 0x19, 0x1d, 0x00, 0x00, 0x12, 0x34,
		0x56, 0x78, 0x9a, 0xbc, 0x01, 0x02, 0x40, 0x00,
		0x40, 0x60, 0x00, 0x85, 0x00, 0x00, 0x00, 0x00};
	const struct sn_cdb got = rw(SN_READ,
				     (struct sn_modifiers){
					     .queued = true,
					     .priority = SN_PRIO_ISOCHRONOUS,
					     .icc = 0x85,
				     },
				     LBA, 0x0102);

	(void)state;
	assert_cdb(&got, want, 32);
	assert_int_equal(got.form, SN_CDB_ATA32_FPDMA);
}

/* T_TYPE is 0: units of 512 bytes, whatever the drive's blocks are. */
static void queued_trim_takes_32_bytes(void **state)
{
	static const uint8_t want[32] = {
		0x7f, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x18,
		0x1f, 0xf0, 0x19, 0x05, 0x00, 0x00, 0x00, 0x00,
		0x00, 0x00, 0x00, 0x00, 0x01, 0x02, 0x00, 0x00,
		0x40, 0x64, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01};
	struct sn_command command;
	struct sn_cdb got;

	(void)state;
	sn_command_trim(&command, true, 0x0102);
	got = of_command(&command);
	assert_cdb(&got, want, 32);
}

static void auxiliary_is_big_endian(void **state)
{
	static const uint8_t want[4] = {0x12, 0x34, 0x56, 0x78};
	const struct sn_command command = {.taskfile.auxiliary = 0x12345678};
	const struct sn_cdb got = of_command(&command);

	(void)state;
	assert_bytes(got.bytes + 28, want, 4);
}

static void trim_by_dma_counts_units(void **state)
{
	static const uint8_t want[16] = {0x85, 0x0d, 0x06, 0x00, 0x01, 0x01,
					 0x02, 0x00, 0x00, 0x00, 0x00, 0x00,
					 0x00, 0x00, 0x06, 0x00};
	struct sn_command command;
	struct sn_cdb got;

	(void)state;
	sn_command_trim(&command, false, 0x0102);
	got = of_command(&command);
	assert_cdb(&got, want, 16);
}

static void flush_has_no_transfer(void **state)
{
	static const uint8_t want[16] = {0x85, 0x07, 0x00, 0x00, 0x00, 0x00,
					 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
					 0x00, 0x00, 0xea, 0x00};
	struct sn_command command;
	struct sn_cdb got;

	(void)state;
	sn_command_flush(&command);
	got = of_command(&command);
	assert_cdb(&got, want, 16);
}

static void identify_is_not_extended(void **state)
{
	static const uint8_t want[16] = {0x85, 0x08, 0x0e, 0x00, 0x00, 0x00,
					 0x01, 0x00, 0x00, 0x00, 0x00, 0x00,
					 0x00, 0x00, 0xec, 0x00};
	struct sn_command command;
	struct sn_cdb got;

	(void)state;
	sn_command_identify(&command);
	got = of_command(&command);
	assert_cdb(&got, want, 16);
}

static void a_log_is_read_by_pio(void **state)
{
	static const uint8_t want[16] = {0x85, 0x09, 0x0e, 0x00, 0x00, 0x02,
					 0x03, 0x00, 0x10, 0x12, 0x34, 0x00,
					 0x00, 0x00, 0x2f, 0x00};
	struct sn_command command;
	struct sn_cdb got;

	(void)state;
	sn_command_read_log(&command, 0x10, 0x1234, 0x0203);
	got = of_command(&command);
	assert_cdb(&got, want, 16);
}

static void scsi_reads_and_writes_have_64_bits_of_lba(void **state)
{
	uint8_t want[16] = {0x88, 0x00, 0x01, 0x23, 0x45, 0x67, 0x89, 0xab,
			    0xcd, 0xef, 0x00, 0x01, 0x02, 0x03, 0x00, 0x00};
	struct sn_cdb got =
		scsi(SN_READ, false, UINT64_C(0x0123456789abcdef), 0x10203);

	(void)state;
	assert_cdb(&got, want, 16);
	assert_int_equal(got.form, SN_CDB_SCSI16);
	got = scsi(SN_WRITE, false, UINT64_C(0x0123456789abcdef), 0x10203);
	want[0] = 0x8a;
	assert_cdb(&got, want, 16);
	assert_int_equal(got.form, SN_CDB_SCSI16);
}

static void scsi_fua_is_bit_3_of_reads_and_writes(void **state)
{
	(void)state;
	assert_int_equal(scsi(SN_READ, true, 0, 8).bytes[1], 0x08);
	assert_int_equal(scsi(SN_WRITE, true, 0, 8).bytes[1], 0x08);
	assert_int_equal(scsi(SN_FLUSH, true, 0, 0).bytes[1], 0);
}

static void scsi_flush_is_of_all_blocks_if_there_are_none(void **state)
{
	static const uint8_t want[16] = {0x91};
	const struct sn_cdb got = scsi(SN_FLUSH, false, 0, 0);

	(void)state;
	assert_cdb(&got, want, 16);
}

static void unmap_has_its_place_in_its_data(void **state)
{
	static const uint8_t want[10] = {0x42, 0, 0, 0, 0, 0, 0, 0, 24, 0};
	static const uint8_t data[SN_UNMAP_BYTES] = {
		0x00, 0x16, 0x00, 0x10, 0x00, 0x00, 0x00, 0x00,
		0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
		0x12, 0x34, 0x56, 0x78, 0x00, 0x00, 0x00, 0x00};
	const struct sn_cdb got = scsi(SN_TRIM, true, 0x55, 0x55);
	uint8_t bytes[SN_UNMAP_BYTES];

	(void)state;
	assert_cdb(&got, want, 10);
	memset(bytes, 0xff, sizeof(bytes));
	sn_cdb_unmap(bytes, UINT64_C(0x0123456789abcdef), 0x12345678);
	assert_bytes(bytes, data, sizeof(bytes));
}

static void scsi_has_nothing_for_other_ops(void **state)
{
	static const uint8_t nothing[1];
	const enum sn_op ops[] = {SN_IDENTIFY, SN_READ_LOG, (enum sn_op)99};

	(void)state;
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		const struct sn_cdb got = scsi(ops[i], true, 1, 1);

		assert_cdb(&got, nothing, 0);
	}
}

static struct sn_cdb of_form(enum sn_cdb_form form, uint64_t lba,
			     uint32_t blocks)
{
	const struct sn_modifiers modifiers = {
		.queued = form != SN_CDB_ATA16_DMA,
		.fua = true,
		.priority = form == SN_CDB_ATA32_FPDMA ? SN_PRIO_ISOCHRONOUS
						       : SN_PRIO_HIGH,
		.icc = form == SN_CDB_ATA32_FPDMA ? 3 : 0,
	};

	if (form == SN_CDB_SCSI16)
		return scsi(SN_WRITE, true, lba, blocks);
	return rw(SN_WRITE, modifiers, lba, blocks);
}

/* Over every bit of LBA and length, from a CDB with all of them set. */
static void another_place_makes_the_cdb_that_is_made_there(void **state)
{
	(void)state;
	for (int i = SN_CDB_ATA16_FPDMA; i <= SN_CDB_SCSI16; i++) {
		const enum sn_cdb_form form = (enum sn_cdb_form)i;
		struct sn_cdb moved =
			of_form(form, UINT64_C(0xffffffffffff), 0xffff);

		assert_int_equal(moved.form, form);
		for (unsigned int n = 0; n < 48 * 17; n++) {
			const uint64_t lba = UINT64_C(1) << n % 48;
			const uint32_t blocks = UINT32_C(1) << n / 48;
			const struct sn_cdb made = of_form(form, lba, blocks);

			sn_cdb_place(moved.bytes, form, lba, blocks);
			assert_bytes(moved.bytes, made.bytes, SN_CDB_MAX);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_queued_read_has_its_length_in_features),
		cmocka_unit_test(a_queued_write_has_fua_and_priority),
		cmocka_unit_test(a_read_by_dma_has_its_length_in_count),
		cmocka_unit_test(a_write_by_dma_goes_to_the_device),
		cmocka_unit_test(a_deadline_takes_32_bytes),
		cmocka_unit_test(queued_trim_takes_32_bytes),
		cmocka_unit_test(auxiliary_is_big_endian),
		cmocka_unit_test(trim_by_dma_counts_units),
		cmocka_unit_test(flush_has_no_transfer),
		cmocka_unit_test(identify_is_not_extended),
		cmocka_unit_test(a_log_is_read_by_pio),
		cmocka_unit_test(scsi_reads_and_writes_have_64_bits_of_lba),
		cmocka_unit_test(scsi_fua_is_bit_3_of_reads_and_writes),
		cmocka_unit_test(scsi_flush_is_of_all_blocks_if_there_are_none),
		cmocka_unit_test(unmap_has_its_place_in_its_data),
		cmocka_unit_test(scsi_has_nothing_for_other_ops),
		cmocka_unit_test(
			another_place_makes_the_cdb_that_is_made_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
