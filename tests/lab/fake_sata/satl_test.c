/* SPDX-License-Identifier: GPL-2.0-only */
/* The translation layer: what it lets through, translates and says itself. */
#include "target_fixture.h"

static void check_refused(struct bench *bench, const uint8_t cdb[CDB_BYTES],
			  uint32_t code)
{
	struct request *request = bench_do(bench, cdb);

	assert_int_equal(request->status, SCSI_CHECK_CONDITION);
	assert_int_equal(request->sense[0], 0x70);
	assert_int_equal(request->sense[2], code >> 16);
	assert_int_equal(get_be(request->sense + 12, 2), code & 0xffff);
	request_free(request);
}

static void registers_come_if_they_are_wanted(void **state)
{
	struct bench *bench = bench_new("");
	uint8_t cdb[CDB_BYTES];
	struct request *request;

	(void)state;
	fpdma_read(cdb, 8, 0);
	cdb[2] |= CHECK;
	request = bench_do(bench, cdb);
	assert_int_equal(request->status, SCSI_CHECK_CONDITION);
	assert_int_equal(get_be(request->sense, 4), 0x7201001d);
	assert_int_equal(request->sense[21], ATA_READY);
	assert_int_equal(request->read, 4096);
	request_free(request);
	bench_free(bench);
}

static void a_cdb_that_contradicts_itself_is_refused(void **state)
{
	static const struct {
		unsigned int at;
		uint8_t value;
	} wrong[] = {
		{1, ATA_DMA << 1 | 1}, /* PROTOCOL */
		{2, 0x15},	       /* T_DIR */
		{2, 0x19},	       /* BYT_BLOK: bytes */
		{2, 0x1e},	       /* T_LENGTH: COUNT */
		{2, 0x1c},	       /* T_LENGTH: none */
		{3, 0x01},	       /* more than there is room for */
	};
	struct bench *bench = bench_new("");
	uint8_t cdb[CDB_BYTES];

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		fpdma_read(cdb, 8, 0);
		cdb[wrong[i].at] = wrong[i].value;
		check_refused(bench, cdb, 0x052400);
	}
	assert_non_null(strstr(bench_trace(bench), "result=refused"));
	assert_int_equal(bench->target.disk.commands, 0);
	bench_free(bench);
}

static void units_of_512_bytes_are_no_blocks_of_4096(void **state)
{
	struct bench *bench = bench_new("--4kn");
	uint8_t cdb[CDB_BYTES];

	(void)state;
	fpdma_read(cdb, 1, 0);
	assert_int_equal(bench_status(bench, cdb), SCSI_GOOD);
	assert_memory_equal(bench->data, bench->media + 4096, 8 * 4096);
	cdb[2] &= (uint8_t)~0x10; /* T_TYPE */
	check_refused(bench, cdb, 0x052400);
	bench_free(bench);
}

static void fpdma_can_be_refused_by_a_drive_that_has_ncq(void **state)
{
	struct bench *bench = bench_new("--refuse-fpdma");
	uint8_t cdb[CDB_BYTES];

	(void)state;
	fpdma_read(cdb, 8, 0);
	check_refused(bench, cdb, 0x052400);
	pt16(cdb, ATA_PIO_IN, IN_PAGES,
	     &(struct ata_command){.count = 1, .opcode = ATA_IDENTIFY_DEVICE});
	assert_int_equal(bench_status(bench, cdb), SCSI_GOOD);
	assert_int_equal(get_le(bench->data + 152, 2) >> 8 & 1, 1);
	pt16(cdb, ATA_DMA, IN_COUNT,
	     &(struct ata_command){.count = 8, .opcode = ATA_READ_DMA_EXT});
	assert_int_equal(bench_status(bench, cdb), SCSI_GOOD);
	bench_free(bench);
}

static void long_cdbs_can_be_refused(void **state)
{
	struct bench *bench = bench_new("--refuse-32 --send-receive");
	const uint8_t trim[CDB_BYTES] = {0x7f,	     [7] = 24,	  [8] = 0x1f,
					 [9] = 0xf0, [10] = 0x19, [25] = 0x64};
	uint8_t cdb[CDB_BYTES];

	(void)state;
	check_refused(bench, trim, 0x052000);
	fpdma_read(cdb, 8, 0);
	assert_int_equal(bench_status(bench, cdb), SCSI_GOOD);
	bench_free(bench);
}

static void ncq_goes_after_so_many_errors(void **state)
{
	struct bench *bench = bench_new("--drop-ncq-after=2 --bad-lba=100");
	uint8_t good[CDB_BYTES], bad[CDB_BYTES];
	uint8_t read_10[CDB_BYTES] = {0x28, [8] = 1};

	(void)state;
	fpdma_read(good, 8, 0);
	fpdma_read(bad, 100, 0);
	assert_int_equal(bench_status(bench, bad), SCSI_CHECK_CONDITION);
	assert_int_equal(bench_status(bench, good), SCSI_GOOD);
	assert_int_equal(bench_status(bench, bad), SCSI_CHECK_CONDITION);
	check_refused(bench, good, 0x052400);
	assert_int_equal(bench_status(bench, read_10), SCSI_GOOD);
	assert_non_null(strstr(bench_trace(bench), "via=scsi op=25"));
	bench_free(bench);
}

static void reads_and_writes_become_queued_commands(void **state)
{
	struct bench *bench = bench_new("");
	const uint8_t read_16[CDB_BYTES] = {0x88, [9] = 16, [13] = 2};
	const uint8_t write_16[CDB_BYTES] = {0x8a, 0x08, [9] = 17, [13] = 1};

	(void)state;
	assert_int_equal(bench_status(bench, read_16), SCSI_GOOD);
	assert_memory_equal(bench->data, bench->media + 16 * 512, 1024);
	assert_int_equal(bench_status(bench, write_16), SCSI_GOOD);
	assert_memory_equal(bench->media + 17 * 512, bench->data, 512);
	assert_non_null(strstr(bench_trace(bench), "op=61 protocol=12 field=0"
						   " tag=0 prio=0 fua=1"));
	bench_free(bench);
}

static void without_ncq_they_become_dma(void **state)
{
	struct bench *bench = bench_new("--no-ncq");
	const uint8_t read_16[CDB_BYTES] = {0x88, [9] = 16, [13] = 2};
	const uint8_t write_16[CDB_BYTES] = {0x8a, 0x08, [9] = 17, [13] = 1};

	(void)state;
	assert_int_equal(bench_status(bench, read_16), SCSI_GOOD);
	assert_int_equal(bench_status(bench, write_16), SCSI_GOOD);
	assert_non_null(strstr(bench_trace(bench), "op=25 protocol=6"));
	assert_non_null(strstr(bench_trace(bench), "op=3d protocol=6"));
	bench_free(bench);
}

static void a_bad_block_of_scsi_is_in_information(void **state)
{
	struct bench *bench = bench_new("--bad-lba=17");
	const uint8_t read_16[CDB_BYTES] = {0x88, [9] = 16, [13] = 2};
	struct request *request = bench_do(bench, read_16);

	(void)state;
	assert_int_equal(request->status, SCSI_CHECK_CONDITION);
	assert_int_equal(get_be(request->sense, 3), 0xf00003);
	assert_int_equal(get_be(request->sense + 3, 4), 17);
	assert_int_equal(get_be(request->sense + 12, 2), 0x1104);
	request_free(request);
	bench_free(bench);
}

static void scsi_beyond_the_end_is_refused(void **state)
{
	struct bench *bench = bench_new("");
	uint8_t read_16[CDB_BYTES] = {0x88, [8] = 8, [13] = 1};

	(void)state;
	check_refused(bench, read_16, 0x052100);
	memset(read_16 + 2, 0xff, 12);
	check_refused(bench, read_16, 0x052100);
	bench_free(bench);
}

static void unmap_becomes_trim(void **state)
{
	struct bench *bench = bench_new("");
	const uint8_t unmap[CDB_BYTES] = {0x42, [8] = 24};

	(void)state;
	put_be(bench->data, 2, 22);
	put_be(bench->data + 2, 2, 16);
	put_be(bench->data + 8, 8, 100);
	put_be(bench->data + 16, 4, 10);
	assert_int_equal(bench_status(bench, unmap), SCSI_GOOD);
	assert_int_equal(bench->media[100 * 512 + 1], 0);
	assert_int_equal(bench->media[109 * 512 + 511], 0);
	assert_int_equal(bench->media[110 * 512],
			 (uint8_t)(110 * 512 * 7 + 110));
	assert_non_null(strstr(bench_trace(bench), "via=scsi op=06"));
	assert_non_null(strstr(bench_trace(bench), " ranges=100+10, "));
	bench_free(bench);
}

static void a_wrong_list_of_unmap_is_refused(void **state)
{
	struct bench *bench = bench_new("");
	uint8_t unmap[CDB_BYTES] = {0x42, [8] = 24};

	(void)state;
	put_be(bench->data + 2, 2, 17);
	check_refused(bench, unmap, 0x052600);
	put_be(bench->data + 2, 2, 32);
	check_refused(bench, unmap, 0x052600);
	unmap[8] = 7;
	check_refused(bench, unmap, 0x052600);
	bench_free(bench);
}

static void flush_becomes_flush(void **state)
{
	struct bench *bench = bench_new("");
	const uint8_t sync[CDB_BYTES] = {0x91};

	(void)state;
	assert_int_equal(bench_status(bench, sync), SCSI_GOOD);
	assert_non_null(strstr(bench_trace(bench), "via=scsi op=ea"));
	bench_free(bench);
}

static void capacity_is_told(void **state)
{
	struct bench *bench = bench_new("--4kn");
	const uint8_t capacity[CDB_BYTES] = {0x9e, 0x10, [13] = 32};

	(void)state;
	assert_int_equal(bench_status(bench, capacity), SCSI_GOOD);
	assert_int_equal(get_be(bench->data, 8), 255);
	assert_int_equal(get_be(bench->data + 8, 4), 4096);
	bench_free(bench);
}

static void inquiry_gives_no_more_than_wanted(void **state)
{
	struct bench *bench = bench_new("--serial=ABC");
	const uint8_t inquiry[CDB_BYTES] = {0x12, 1, 0x80, [4] = 6};
	struct request *request;

	(void)state;
	memset(bench->data, 0xee, 16);
	request = bench_do(bench, inquiry);
	assert_int_equal(request->status, SCSI_GOOD);
	assert_int_equal(request->read, 6);
	assert_memory_equal(bench->data,
			    "\0\x80\0\x14"
			    "AB\xee",
			    7);
	request_free(request);
	bench_free(bench);
}

static void unknown_commands_are_refused(void **state)
{
	struct bench *bench = bench_new("");
	const uint8_t unknown[CDB_BYTES] = {0xff};

	(void)state;
	check_refused(bench, unknown, 0x052000);
	bench_free(bench);
}

/* Whatever comes, each is answered once, and memory stays whole. */
static void any_cdb_is_answered(void **state)
{
	static const uint8_t likely[] = {0x85, 0x7f, 0x12, 0x1a, 0x5a,
					 0x28, 0x8a, 0x42, 0x9e};
	struct bench *bench = bench_new("--send-receive --autosense");
	uint64_t random = 1;

	(void)state;
	bench->piece.bytes = 1024;
	for (unsigned int i = 0; i < 20000; i++) {
		uint8_t cdb[CDB_BYTES];

		for (unsigned int at = 0; at < CDB_BYTES; at++) {
			random = random * 6364136223846793005u + 1;
			cdb[at] = (uint8_t)(random >> 56);
			if (random >> 40 & 1)
				cdb[at] &= 0x0f;
			bench->data[(random >> 32) % 1024] =
				(uint8_t)(random >> 48);
		}
		if (i & 1)
			cdb[0] = likely[i / 2 % sizeof(likely)];
		if (cdb[0] == 0x7f)
			memcpy(cdb + 7, "\x18\x1f\xf0", 3);
		bench_status(bench, cdb);
		assert_null(target_done(&bench->target));
	}
	assert_true(bench->target.disk.commands > 100);
	bench_free(bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_come_if_they_are_wanted),
		cmocka_unit_test(a_cdb_that_contradicts_itself_is_refused),
		cmocka_unit_test(units_of_512_bytes_are_no_blocks_of_4096),
		cmocka_unit_test(fpdma_can_be_refused_by_a_drive_that_has_ncq),
		cmocka_unit_test(long_cdbs_can_be_refused),
		cmocka_unit_test(ncq_goes_after_so_many_errors),
		cmocka_unit_test(reads_and_writes_become_queued_commands),
		cmocka_unit_test(without_ncq_they_become_dma),
		cmocka_unit_test(a_bad_block_of_scsi_is_in_information),
		cmocka_unit_test(scsi_beyond_the_end_is_refused),
		cmocka_unit_test(unmap_becomes_trim),
		cmocka_unit_test(a_wrong_list_of_unmap_is_refused),
		cmocka_unit_test(flush_becomes_flush),
		cmocka_unit_test(capacity_is_told),
		cmocka_unit_test(inquiry_gives_no_more_than_wanted),
		cmocka_unit_test(unknown_commands_are_refused),
		cmocka_unit_test(any_cdb_is_answered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
