/* SPDX-License-Identifier: GPL-2.0-only */
/* What the drive does with commands, by ATA PASS-THROUGH(16). */
#include "target_fixture.h"

static void a_queued_read_has_the_data(void **state)
{
	struct bench *bench = bench_new("");
	uint8_t cdb[CDB_BYTES];
	struct request *request;

	(void)state;
	fpdma_read(cdb, 16, 0);
	request = bench_do(bench, cdb);
	assert_int_equal(request->status, SCSI_GOOD);
	assert_int_equal(request->read, 4096);
	assert_memory_equal(bench->data, bench->media + 16 * 512, 4096);
	request_free(request);
	bench_free(bench);
}

static void a_queued_write_reaches_the_media(void **state)
{
	struct bench *bench = bench_new("");
	uint8_t cdb[CDB_BYTES];

	(void)state;
	memset(bench->data, 0x5a, 4096);
	pt16(cdb, ATA_FPDMA, OUT_FEATURE,
	     &(struct ata_command){.feature = 8,
				   .lba = 24,
				   .device = 0xc0,
				   .opcode = ATA_WRITE_FPDMA});
	assert_int_equal(bench_status(bench, cdb), SCSI_GOOD);
	assert_memory_equal(bench->data, bench->media + 24 * 512, 4096);
	assert_int_equal(bench->media[32 * 512], (uint8_t)(32 * 512 * 7 + 32));
	assert_non_null(strstr(bench_trace(bench), " fua=1 "));
	bench_free(bench);
}

static void a_bad_block_is_named_with_the_registers(void **state)
{
	static const uint8_t expected[22] = {
		0x72, 0x03, 0x11, 0x04, 0,    0, 0, 14, 0x09, 12,   1,
		0x40, 0,    0,	  0,	0xd0, 0, 7, 0,	0,    0x40, 0x41};
	struct bench *bench = bench_new("--bad-lba=2000");
	uint8_t cdb[CDB_BYTES];
	struct request *request;

	(void)state;
	fpdma_read(cdb, 1996, 0);
	request = bench_do(bench, cdb);
	assert_int_equal(request->status, SCSI_CHECK_CONDITION);
	assert_memory_equal(request->sense, expected, sizeof(expected));
	assert_int_equal(request->read, 0);
	request_free(request);
	bench_free(bench);
}

static void the_error_log_names_it_until_it_is_read(void **state)
{
	struct bench *bench = bench_new("--bad-lba=2000 --autosense");
	uint8_t cdb[CDB_BYTES];

	(void)state;
	fpdma_read(cdb, 1996, 0);
	assert_int_equal(bench_status(bench, cdb), SCSI_CHECK_CONDITION);
	read_log(cdb, 0x10);
	assert_int_equal(bench_status(bench, cdb), SCSI_GOOD);
	assert_int_equal(sum_of(bench->data), 0);
	assert_int_equal(bench->data[0], 0);
	assert_int_equal(bench->data[2], 0x43);
	assert_int_equal(bench->data[3], 0x40);
	assert_int_equal(get_le(bench->data + 4, 3), 2000);
	assert_int_equal(get_be(bench->data + 14, 3), 0x031104);
	assert_int_equal(bench_status(bench, cdb), SCSI_GOOD);
	assert_int_equal(sum_of(bench->data), 0);
	assert_int_equal(bench->data[0], 0x80);
	bench_free(bench);
}

static void a_stale_log_names_another_block(void **state)
{
	struct bench *bench = bench_new("--bad-lba=1000 --stale-log");
	uint8_t cdb[CDB_BYTES];

	(void)state;
	fpdma_read(cdb, 1000, 0);
	assert_int_equal(bench_status(bench, cdb), SCSI_CHECK_CONDITION);
	read_log(cdb, 0x10);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(bench_status(bench, cdb), SCSI_GOOD);
		assert_int_equal(sum_of(bench->data), 0);
		assert_int_equal(get_le(bench->data + 4, 3), 2047);
	}
	bench_free(bench);
}

static void a_drive_without_logs_aborts(void **state)
{
	struct bench *bench = bench_new("--no-log");
	uint8_t cdb[CDB_BYTES];
	struct request *request;

	(void)state;
	read_log(cdb, 0x10);
	request = bench_do(bench, cdb);
	assert_int_equal(request->status, SCSI_CHECK_CONDITION);
	assert_int_equal(request->sense[1], 0xb);
	assert_int_equal(request->sense[11], ATA_ABRT);
	assert_int_equal(request->sense[21], ATA_FAILED);
	request_free(request);
	bench_free(bench);
}

static void the_checksum_of_the_error_log_can_be_wrong(void **state)
{
	struct bench *bench = bench_new("--wrong-log-checksum");
	uint8_t cdb[CDB_BYTES];

	(void)state;
	read_log(cdb, 0x10);
	assert_int_equal(bench_status(bench, cdb), SCSI_GOOD);
	assert_int_not_equal(sum_of(bench->data), 0);
	bench_free(bench);
}

static void counters_of_the_link_advance(void **state)
{
	struct bench *bench = bench_new("--crc-errors=2");
	uint8_t cdb[CDB_BYTES];

	(void)state;
	fpdma_read(cdb, 0, 0);
	for (int i = 0; i < 3; i++)
		assert_int_equal(bench_status(bench, cdb), SCSI_GOOD);
	read_log(cdb, 0x11);
	assert_int_equal(bench_status(bench, cdb), SCSI_GOOD);
	assert_int_equal(sum_of(bench->data), 0);
	/* 001h in a word, 00Ah and 00Bh in two of them */
	assert_int_equal(get_le(bench->data + 4, 2), 0x1001);
	assert_int_equal(get_le(bench->data + 14, 2), 0x200b);
	assert_int_equal(get_le(bench->data + 16, 4), 2);
	bench_free(bench);
}

static void the_directory_has_the_logs(void **state)
{
	struct bench *bench = bench_new("--send-receive");
	uint8_t cdb[CDB_BYTES];

	(void)state;
	read_log(cdb, 0);
	assert_int_equal(bench_status(bench, cdb), SCSI_GOOD);
	assert_int_equal(get_le(bench->data, 2), 1);
	assert_int_equal(get_le(bench->data + 2 * 0x10, 2), 1);
	assert_int_equal(get_le(bench->data + 2 * 0x11, 2), 1);
	assert_int_equal(get_le(bench->data + 2 * 0x12, 2), 0);
	assert_int_equal(get_le(bench->data + 2 * 0x13, 2), 1);
	bench_free(bench);
}

static void identify(struct bench *bench)
{
	uint8_t cdb[CDB_BYTES];

	pt16(cdb, ATA_PIO_IN, IN_PAGES,
	     &(struct ata_command){.count = 1, .opcode = ATA_IDENTIFY_DEVICE});
	assert_int_equal(bench_status(bench, cdb), SCSI_GOOD);
	assert_int_equal(sum_of(bench->data), 0);
	assert_int_equal(bench->data[510], 0xa5);
}

static uint16_t word(const struct bench *bench, unsigned int n)
{
	return (uint16_t)get_le(bench->data + 2 * (size_t)n, 2);
}

static void identify_tells_what_it_has(void **state)
{
	struct bench *bench =
		bench_new("--serial=AB --prio --send-receive --autosense");

	(void)state;
	identify(bench);
	assert_memory_equal(bench->data + 20, "BA  ", 4);
	assert_int_equal(word(bench, 75), 31);
	assert_int_equal(word(bench, 76) & 0x1500, 0x1500);
	assert_int_equal(word(bench, 77), 0x46);
	assert_int_equal(word(bench, 78), 0x80);
	assert_int_equal(word(bench, 84) & 0x20, 0x20);
	assert_int_equal(word(bench, 100), 2048);
	assert_int_equal(word(bench, 106), 0x4000);
	bench_free(bench);
}

static void identify_tells_what_it_lacks(void **state)
{
	struct bench *bench =
		bench_new("--no-ncq --no-log --prio --autosense --4kn");

	(void)state;
	identify(bench);
	assert_int_equal(word(bench, 76) & 0x1100, 0);
	assert_int_equal(word(bench, 78), 0);
	assert_int_equal(word(bench, 84) & 0x20, 0);
	assert_int_equal(word(bench, 100), 256);
	assert_int_equal(word(bench, 106), 0x5000);
	assert_int_equal(word(bench, 117), 2048);
	bench_free(bench);
}

static void put_range(uint8_t *at, uint64_t lba, uint64_t blocks)
{
	put_le(at, 8, lba | blocks << 48);
}

static void trim(uint8_t cdb[CDB_BYTES])
{
	pt16(cdb, ATA_DMA, OUT_PAGES,
	     &(struct ata_command){.feature = 1,
				   .count = 1,
				   .opcode = ATA_DATA_SET_MANAGEMENT});
}

static void trim_zeroes_its_ranges_and_no_more(void **state)
{
	struct bench *bench = bench_new("");
	static const uint8_t zeros[1024];
	uint8_t cdb[CDB_BYTES], before = bench->media[12 * 512];

	(void)state;
	put_range(bench->data, 10, 2);
	put_range(bench->data + 8, 2047, 1);
	trim(cdb);
	assert_int_equal(bench_status(bench, cdb), SCSI_GOOD);
	assert_memory_equal(bench->media + 10 * 512, zeros, 1024);
	assert_memory_equal(bench->media + 2047 * 512, zeros, 512);
	assert_int_equal(bench->media[12 * 512], before);
	assert_non_null(strstr(bench_trace(bench), " ranges=10+2,2047+1, "));
	bench_free(bench);
}

static void trim_beyond_the_end_does_nothing(void **state)
{
	struct bench *bench = bench_new("");
	uint8_t cdb[CDB_BYTES], before = bench->media[10 * 512 + 1];

	(void)state;
	put_range(bench->data, 10, 2);
	put_range(bench->data + 8, 2047, 2);
	trim(cdb);
	assert_int_equal(bench_status(bench, cdb), SCSI_CHECK_CONDITION);
	assert_int_equal(bench->media[10 * 512 + 1], before);
	bench_free(bench);
}

static void send_trim(uint8_t cdb[CDB_BYTES], uint8_t auxiliary)
{
	memset(cdb, 0, CDB_BYTES);
	cdb[0] = 0x7f;
	cdb[7] = 0x18;
	cdb[8] = 0x1f;
	cdb[9] = 0xf0;
	cdb[10] = ATA_FPDMA << 1 | 1;
	cdb[11] = 0x05;
	cdb[21] = 1;
	cdb[24] = ATA_DEVICE_LBA;
	cdb[25] = ATA_SEND_FPDMA;
	cdb[31] = auxiliary;
}

static void queued_trim_needs_its_bit_of_auxiliary(void **state)
{
	struct bench *bench = bench_new("--send-receive");
	uint8_t cdb[CDB_BYTES];

	(void)state;
	put_range(bench->data, 10, 2);
	send_trim(cdb, 0);
	assert_int_equal(bench_status(bench, cdb), SCSI_CHECK_CONDITION);
	send_trim(cdb, 1);
	assert_int_equal(bench_status(bench, cdb), SCSI_GOOD);
	assert_int_equal(bench->media[10 * 512 + 1], 0);
	bench_free(bench);
}

static void queued_trim_needs_a_drive_that_has_it(void **state)
{
	struct bench *bench = bench_new("");
	uint8_t cdb[CDB_BYTES];

	(void)state;
	send_trim(cdb, 1);
	assert_int_equal(bench_status(bench, cdb), SCSI_CHECK_CONDITION);
	bench_free(bench);
}

static void blocks_beyond_the_end_are_not_found(void **state)
{
	static const uint64_t lbas[] = {2041, 2048, 0xffffffffffff};
	struct bench *bench = bench_new("");
	uint8_t cdb[CDB_BYTES];

	(void)state;
	fpdma_read(cdb, 2040, 0);
	assert_int_equal(bench_status(bench, cdb), SCSI_GOOD);
	for (size_t i = 0; i < sizeof(lbas) / sizeof(lbas[0]); i++) {
		struct request *request;

		fpdma_read(cdb, lbas[i], 0);
		request = bench_do(bench, cdb);
		assert_int_equal(request->status, SCSI_CHECK_CONDITION);
		assert_int_equal(get_be(request->sense + 1, 2), 0x0521);
		assert_int_equal(request->sense[11], ATA_IDNF);
		request_free(request);
	}
	bench_free(bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_queued_read_has_the_data),
		cmocka_unit_test(a_queued_write_reaches_the_media),
		cmocka_unit_test(a_bad_block_is_named_with_the_registers),
		cmocka_unit_test(the_error_log_names_it_until_it_is_read),
		cmocka_unit_test(a_stale_log_names_another_block),
		cmocka_unit_test(a_drive_without_logs_aborts),
		cmocka_unit_test(the_checksum_of_the_error_log_can_be_wrong),
		cmocka_unit_test(counters_of_the_link_advance),
		cmocka_unit_test(the_directory_has_the_logs),
		cmocka_unit_test(identify_tells_what_it_has),
		cmocka_unit_test(identify_tells_what_it_lacks),
		cmocka_unit_test(trim_zeroes_its_ranges_and_no_more),
		cmocka_unit_test(trim_beyond_the_end_does_nothing),
		cmocka_unit_test(queued_trim_needs_its_bit_of_auxiliary),
		cmocka_unit_test(queued_trim_needs_a_drive_that_has_it),
		cmocka_unit_test(blocks_beyond_the_end_are_not_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
