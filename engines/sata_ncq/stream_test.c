/* SPDX-License-Identifier: GPL-2.0-only */
#include "stream.h"

#include "unit.h"

#include <string.h>

/* Places of fields in ATA PASS-THROUGH(16) and (32), SAT 12.2.2 */
#define A16_COMMAND 14
#define A16_DEVICE 13
#define A32_COMMAND 25

/* ACS, by the commands' names */
#define READ_DMA_EXT 0x25
#define WRITE_DMA_EXT 0x35
#define WRITE_DMA_FUA_EXT 0x3d
#define READ_FPDMA_QUEUED 0x60
#define WRITE_FPDMA_QUEUED 0x61
#define SEND_FPDMA_QUEUED 0x64
#define DATA_SET_MANAGEMENT 0x06
#define FUA 0x80 /* of DEVICE, NCQ */

struct fixture {
	struct sn_identity id;
	struct sn_plan plan;
	struct sn_abilities abilities;
};

static int set_up(void **state)
{
	static struct fixture f;

	f = (struct fixture){
		.id = {.block_bytes = 512},
		.plan = {.queued = true},
		.abilities = {.rw_bytes = 131072,
			      .trim_bytes = 1 << 30,
			      .trim_units = 4},
	};
	*state = &f;
	return 0;
}

static struct sn_stream stream_of(const struct fixture *f, enum sn_op op)
{
	struct sn_stream stream;

	memset(&stream, 0xff, sizeof(stream));
	sn_stream_init(&stream, op, &f->id, &f->plan, &f->abilities);
	assert_true(stream.used);
	assert_int_equal(stream.op, op);
	return stream;
}

static void reads_and_writes_are_queued(void **state)
{
	const struct sn_stream read = stream_of(*state, SN_READ);
	const struct sn_stream write = stream_of(*state, SN_WRITE);

	assert_int_equal(read.cdb.bytes[A16_COMMAND], READ_FPDMA_QUEUED);
	assert_int_equal(write.cdb.bytes[A16_COMMAND], WRITE_FPDMA_QUEUED);
	assert_int_equal(read.cdb.form, SN_CDB_ATA16_FPDMA);
	assert_true(read.queued && write.queued);
}

static void without_ncq_they_are_dma(void **state)
{
	struct fixture *f = *state;

	f->plan.queued = false;
	f->plan.write_fua = true;
	assert_int_equal(stream_of(f, SN_READ).cdb.bytes[A16_COMMAND],
			 READ_DMA_EXT);
	assert_int_equal(stream_of(f, SN_WRITE).cdb.bytes[A16_COMMAND],
			 WRITE_DMA_FUA_EXT);
	f->plan.write_fua = false;
	assert_int_equal(stream_of(f, SN_WRITE).cdb.bytes[A16_COMMAND],
			 WRITE_DMA_EXT);
	assert_false(stream_of(f, SN_READ).queued);
	assert_int_equal(stream_of(f, SN_READ).cdb.form, SN_CDB_ATA16_DMA);
}

static void fua_is_of_the_direction_that_asks_for_it(void **state)
{
	struct fixture *f = *state;

	f->plan.read_fua = true;
	assert_true(stream_of(f, SN_READ).cdb.bytes[A16_DEVICE] & FUA);
	assert_false(stream_of(f, SN_WRITE).cdb.bytes[A16_DEVICE] & FUA);
	f->plan.read_fua = false;
	f->plan.write_fua = true;
	assert_false(stream_of(f, SN_READ).cdb.bytes[A16_DEVICE] & FUA);
	assert_true(stream_of(f, SN_WRITE).cdb.bytes[A16_DEVICE] & FUA);
}

static void scsi_commands_are_not_ncq(void **state)
{
	struct fixture *f = *state;
	struct sn_stream write;

	f->plan.scsi = true;
	f->plan.write_fua = true;
	write = stream_of(f, SN_WRITE);
	assert_int_equal(write.cdb.bytes[0], 0x8a); /* WRITE(16), SBC-4 */
	assert_int_equal(write.cdb.bytes[1], 0x08); /* FUA */
	assert_false(write.queued);
	assert_int_equal(stream_of(f, SN_READ).cdb.bytes[0], 0x88);
	assert_int_equal(stream_of(f, SN_READ).cdb.bytes[1], 0);
}

static void data_go_the_way_of_the_operation(void **state)
{
	assert_int_equal(stream_of(*state, SN_READ).direction, SN_FROM_DEVICE);
	assert_int_equal(stream_of(*state, SN_WRITE).direction, SN_TO_DEVICE);
	assert_int_equal(stream_of(*state, SN_TRIM).direction, SN_TO_DEVICE);
}

static void a_command_transfers_as_much_as_the_driver_takes(void **state)
{
	const struct sn_stream read = stream_of(*state, SN_READ);

	assert_int_equal(read.max_bytes, 131072);
	assert_int_equal(read.own_bytes, 0);
}

static void only_whole_blocks_are_aligned(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(stream_of(f, SN_READ).unaligned, 511);
	assert_int_equal(stream_of(f, SN_READ).block_shift, 9);
	f->id.block_bytes = 4096;
	assert_int_equal(stream_of(f, SN_TRIM).unaligned, 4095);
	assert_int_equal(stream_of(f, SN_TRIM).block_shift, 12);
}

static void a_trim_transfers_its_ranges(void **state)
{
	struct fixture *f = *state;
	struct sn_stream trim = stream_of(f, SN_TRIM);

	assert_int_equal(trim.cdb.bytes[A16_COMMAND], DATA_SET_MANAGEMENT);
	assert_false(trim.queued);
	assert_false(trim.unmap);
	assert_int_equal(trim.own_bytes, 4 * 512);
	assert_int_equal(trim.max_bytes, 1 << 30);
	f->abilities.queued_trim = true;
	trim = stream_of(f, SN_TRIM);
	assert_int_equal(trim.cdb.bytes[A32_COMMAND], SEND_FPDMA_QUEUED);
	assert_true(trim.queued);
	assert_int_equal(trim.own_bytes, 4 * 512);
}

static void a_trim_has_no_more_blocks_than_32_bits_count(void **state)
{
	struct fixture *f = *state;

	f->abilities.trim_bytes = UINT64_MAX;
	assert_int_equal(stream_of(f, SN_TRIM).max_bytes,
			 (uint64_t)UINT32_MAX * 512);
	f->id.block_bytes = 4096;
	assert_int_equal(stream_of(f, SN_TRIM).max_bytes,
			 (uint64_t)UINT32_MAX * 4096);
}

static void ranges_name_the_blocks(void **state)
{
	const struct sn_stream trim = stream_of(*state, SN_TRIM);
	/* 47:0 the first block, 63:48 how many: ACS, LBA Range Entries */
	static const uint8_t two[] = {0xbc, 0x9a, 0x78, 0x56, 0x34, 0x12,
				      0xff, 0xff, 0xbb, 0x9a, 0x79, 0x56,
				      0x34, 0x12, 0x01, 0x00};
	static const uint8_t zeroes[4 * 512 - sizeof(two)];
	uint8_t memory[4 * 512 + 1];

	memset(memory, 0xee, sizeof(memory));
	sn_stream_ranges(&trim, memory, 0x123456789abc, 65536);
	assert_memory_equal(memory, two, sizeof(two));
	assert_memory_equal(memory + sizeof(two), zeroes, sizeof(zeroes));
	assert_int_equal(memory[4 * 512], 0xee);
}

static void ranges_that_can_not_be_named_are_none(void **state)
{
	const struct sn_stream trim = stream_of(*state, SN_TRIM);
	static const uint8_t zeroes[4 * 512];
	uint8_t memory[4 * 512 + 1];

	memset(memory, 0xee, sizeof(memory));
	sn_stream_ranges(&trim, memory, 0, 4 * 64 * 65535 + 1);
	assert_memory_equal(memory, zeroes, sizeof(zeroes));
	memset(memory, 0xee, sizeof(memory));
	sn_stream_ranges(&trim, memory, (uint64_t)1 << 48, 8);
	assert_memory_equal(memory, zeroes, sizeof(zeroes));
	assert_int_equal(memory[4 * 512], 0xee);
}

static void ranges_of_scsi_are_descriptors(void **state)
{
	/* SBC-4, UNMAP parameter list */
	static const uint8_t one[SN_UNMAP_BYTES] = {0, 22, 0, 16, 0, 0, 0, 0,
						    0, 0,  0, 0,  1, 2, 3, 4,
						    0, 1,  0, 2,  0, 0, 0, 0};
	struct fixture *f = *state;
	uint8_t memory[SN_UNMAP_BYTES + 1];
	struct sn_stream trim;

	f->plan.scsi = true;
	trim = stream_of(f, SN_TRIM);
	assert_int_equal(trim.cdb.bytes[0], 0x42);
	assert_int_equal(trim.own_bytes, SN_UNMAP_BYTES);
	assert_true(trim.unmap);
	assert_false(trim.queued);
	memset(memory, 0xee, sizeof(memory));
	sn_stream_ranges(&trim, memory, 0x01020304, 0x10002);
	assert_memory_equal(memory, one, sizeof(one));
	assert_int_equal(memory[SN_UNMAP_BYTES], 0xee);
}

/* PRIO is COUNT 15:14, SAT has that byte at 5. */
static uint8_t prio_byte(const struct sn_stream *stream,
			 enum sn_priority priority)
{
	uint8_t cdb[SN_CDB_MAX];

	memcpy(cdb, stream->cdb.bytes, sizeof(cdb));
	sn_stream_priority(stream, cdb, priority);
	for (size_t i = 0; i < sizeof(cdb); i++)
		assert_true(i == 5 || cdb[i] == stream->cdb.bytes[i]);
	return cdb[5];
}

static void a_queued_command_has_a_priority(void **state)
{
	const struct sn_stream read = stream_of(*state, SN_READ);

	assert_int_equal(prio_byte(&read, SN_PRIO_HIGH), 0x80);
	assert_int_equal(prio_byte(&read, SN_PRIO_ISOCHRONOUS), 0x40);
	assert_int_equal(prio_byte(&read, SN_PRIO_NORMAL), 0);
}

static void others_are_left_as_they_are(void **state)
{
	struct fixture *f = *state;
	struct sn_stream stream;

	f->abilities.queued_trim = true;
	stream = stream_of(f, SN_TRIM);
	assert_int_equal(prio_byte(&stream, SN_PRIO_HIGH), stream.cdb.bytes[5]);
	f->plan.queued = false;
	stream = stream_of(f, SN_WRITE);
	assert_int_equal(prio_byte(&stream, SN_PRIO_HIGH), stream.cdb.bytes[5]);
	f->plan.scsi = true;
	stream = stream_of(f, SN_WRITE);
	assert_int_equal(prio_byte(&stream, SN_PRIO_HIGH), stream.cdb.bytes[5]);
}

#define TEST(name) cmocka_unit_test_setup(name, set_up)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(reads_and_writes_are_queued),
		TEST(without_ncq_they_are_dma),
		TEST(fua_is_of_the_direction_that_asks_for_it),
		TEST(scsi_commands_are_not_ncq),
		TEST(data_go_the_way_of_the_operation),
		TEST(a_command_transfers_as_much_as_the_driver_takes),
		TEST(only_whole_blocks_are_aligned),
		TEST(a_trim_transfers_its_ranges),
		TEST(a_trim_has_no_more_blocks_than_32_bits_count),
		TEST(ranges_name_the_blocks),
		TEST(ranges_that_can_not_be_named_are_none),
		TEST(ranges_of_scsi_are_descriptors),
		TEST(a_queued_command_has_a_priority),
		TEST(others_are_left_as_they_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
