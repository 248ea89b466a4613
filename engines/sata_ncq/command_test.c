/* SPDX-License-Identifier: GPL-2.0-only */
/* Expected are the tables "command inputs" of ACS-4, in the sections that have
 * the names of the commands; PROTOCOL by SAT-4, ATA PASS-THROUGH. */
#include "command.h"

#include "unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LBA UINT64_C(0x123456789abc)
#define LBA_LIMIT (UINT64_C(1) << 48)

static void assert_command(const struct sn_command *got,
			   const struct sn_command *want)
{
	const struct sn_taskfile *a = &got->taskfile, *b = &want->taskfile;

	assert_int_equal(a->command, b->command);
	assert_int_equal(a->feature, b->feature);
	assert_int_equal(a->count, b->count);
	assert_int_equal(a->lba, b->lba);
	assert_int_equal(a->device, b->device);
	assert_int_equal(a->icc, b->icc);
	assert_int_equal(a->auxiliary, b->auxiliary);
	assert_int_equal(got->protocol, want->protocol);
	assert_int_equal(got->direction, want->direction);
	assert_int_equal(got->extended, want->extended);
	assert_int_equal(got->in_blocks, want->in_blocks);
}

/* Nothing may be left of what was in the structure. */
static struct sn_command dirty(void)
{
	struct sn_command command = {
		.taskfile = {.feature = 0xffff,
			     .count = 0xffff,
			     .lba = UINT64_MAX,
			     .device = 0xff,
			     .command = 0xff,
			     .icc = 0xff,
			     .auxiliary = 0xffffffff},
		.protocol = SN_PIO_IN,
		.direction = SN_TO_DEVICE,
		.extended = true,
		.in_blocks = true,
	};

	return command;
}

static struct sn_command rw(enum sn_op op, const struct sn_modifiers *modifiers,
			    uint64_t lba, uint32_t blocks)
{
	struct sn_command command = dirty();

	sn_command_rw(&command, op, modifiers, lba, blocks);
	return command;
}

static struct sn_command queued(enum sn_op op, struct sn_modifiers modifiers)
{
	modifiers.queued = true;
	return rw(op, &modifiers, LBA, 8);
}

static void a_queued_read_counts_blocks_in_feature(void **state)
{
	const struct sn_command got = queued(SN_READ, (struct sn_modifiers){0});
	const struct sn_command want = {
		.taskfile = {.command = 0x60,
			     .feature = 8,
			     .lba = LBA,
			     .device = 0x40},
		.protocol = SN_FPDMA,
		.direction = SN_FROM_DEVICE,
		.extended = true,
		.in_blocks = true,
	};

	(void)state;
	assert_command(&got, &want);
}

static void a_queued_write_goes_to_the_device(void **state)
{
	const struct sn_command got =
		queued(SN_WRITE, (struct sn_modifiers){0});
	const struct sn_command want = {
		.taskfile = {.command = 0x61,
			     .feature = 8,
			     .lba = LBA,
			     .device = 0x40},
		.protocol = SN_FPDMA,
		.direction = SN_TO_DEVICE,
		.extended = true,
		.in_blocks = true,
	};

	(void)state;
	assert_command(&got, &want);
}

static void a_read_that_is_not_queued_counts_blocks_in_count(void **state)
{
	const struct sn_modifiers none = {0};
	const struct sn_command got = rw(SN_READ, &none, LBA, 0x1234);
	const struct sn_command want = {
		.taskfile = {.command = 0x25,
			     .count = 0x1234,
			     .lba = LBA,
			     .device = 0x40},
		.protocol = SN_DMA,
		.direction = SN_FROM_DEVICE,
		.extended = true,
		.in_blocks = true,
	};

	(void)state;
	assert_command(&got, &want);
}

static void a_write_that_is_not_queued_goes_to_the_device(void **state)
{
	const struct sn_modifiers none = {0};
	const struct sn_command got = rw(SN_WRITE, &none, LBA, 8);
	const struct sn_command want = {
		.taskfile = {.command = 0x35,
			     .count = 8,
			     .lba = LBA,
			     .device = 0x40},
		.protocol = SN_DMA,
		.direction = SN_TO_DEVICE,
		.extended = true,
		.in_blocks = true,
	};

	(void)state;
	assert_command(&got, &want);
}

static void fua_of_the_queued_is_a_bit_of_device(void **state)
{
	const struct sn_modifiers fua = {.fua = true};

	(void)state;
	assert_int_equal(queued(SN_READ, fua).taskfile.device, 0xc0);
	assert_int_equal(queued(SN_READ, fua).taskfile.command, 0x60);
	assert_int_equal(queued(SN_WRITE, fua).taskfile.device, 0xc0);
	assert_int_equal(queued(SN_WRITE, fua).taskfile.command, 0x61);
}

static void fua_of_a_write_that_is_not_queued_is_another_command(void **state)
{
	const struct sn_modifiers fua = {.fua = true};

	(void)state;
	assert_int_equal(rw(SN_WRITE, &fua, LBA, 8).taskfile.command, 0x3d);
	assert_int_equal(rw(SN_WRITE, &fua, LBA, 8).taskfile.device, 0x40);
}

static void a_read_that_is_not_queued_has_no_fua(void **state)
{
	const struct sn_modifiers fua = {.fua = true};

	(void)state;
	assert_int_equal(rw(SN_READ, &fua, LBA, 8).taskfile.command, 0x25);
	assert_int_equal(rw(SN_READ, &fua, LBA, 8).taskfile.device, 0x40);
}

static void priority_is_bits_15_and_14_of_count(void **state)
{
	const struct sn_modifiers high = {.priority = SN_PRIO_HIGH};
	const struct sn_modifiers deadline = {.priority = SN_PRIO_ISOCHRONOUS};

	(void)state;
	assert_int_equal(queued(SN_READ, high).taskfile.count, 0x8000);
	assert_int_equal(queued(SN_WRITE, high).taskfile.count, 0x8000);
	assert_int_equal(queued(SN_READ, deadline).taskfile.count, 0x4000);
}

static void only_the_isochronous_have_a_deadline(void **state)
{
	const struct sn_modifiers deadline = {.priority = SN_PRIO_ISOCHRONOUS,
					      .icc = 0x85};
	const struct sn_modifiers high = {.priority = SN_PRIO_HIGH,
					  .icc = 0x85};
	const struct sn_modifiers normal = {.icc = 0x85};

	(void)state;
	assert_int_equal(queued(SN_READ, deadline).taskfile.icc, 0x85);
	assert_int_equal(queued(SN_READ, high).taskfile.icc, 0);
	assert_int_equal(queued(SN_READ, normal).taskfile.icc, 0);
}

static void what_is_not_queued_has_neither_priority_nor_deadline(void **state)
{
	const struct sn_modifiers deadline = {.priority = SN_PRIO_ISOCHRONOUS,
					      .icc = 0x85};
	const struct sn_command got = rw(SN_WRITE, &deadline, LBA, 8);

	(void)state;
	assert_int_equal(got.taskfile.count, 8);
	assert_int_equal(got.taskfile.icc, 0);
}

static void the_most_blocks_are_zero(void **state)
{
	const struct sn_modifiers ncq = {.queued = true}, dma = {0};

	(void)state;
	assert_int_equal(rw(SN_READ, &ncq, 0, 65536).taskfile.feature, 0);
	assert_int_equal(rw(SN_READ, &ncq, 0, 65535).taskfile.feature, 0xffff);
	assert_int_equal(rw(SN_READ, &dma, 0, 65536).taskfile.count, 0);
	assert_int_equal(rw(SN_READ, &dma, 0, 65535).taskfile.count, 0xffff);
}

static void trim_counts_units_in_count(void **state)
{
	const struct sn_command want = {
		.taskfile = {.command = 0x06, .feature = 1, .count = 0x0102},
		.protocol = SN_DMA,
		.direction = SN_TO_DEVICE,
		.extended = true,
	};
	struct sn_command got = dirty();

	(void)state;
	sn_command_trim(&got, false, 0x0102);
	assert_command(&got, &want);
}

static void queued_trim_counts_units_in_feature(void **state)
{
	const struct sn_command want = {
		.taskfile = {.command = 0x64,
			     .feature = 0x0102,
			     .count = 0, /* DATA SET MANAGEMENT is 00h */
			     .device = 0x40,
			     .auxiliary = 1},
		.protocol = SN_FPDMA,
		.direction = SN_TO_DEVICE,
		.extended = true,
	};
	struct sn_command got = dirty();

	(void)state;
	sn_command_trim(&got, true, 0x0102);
	assert_command(&got, &want);
}

static void flush_has_no_data(void **state)
{
	const struct sn_command want = {
		.taskfile = {.command = 0xea},
		.protocol = SN_NON_DATA,
		.direction = SN_NO_DATA,
		.extended = true,
	};
	struct sn_command got = dirty();

	(void)state;
	sn_command_flush(&got);
	assert_command(&got, &want);
}

static void identify_is_one_unit_of_a_28_bit_command(void **state)
{
	const struct sn_command want = {
		.taskfile = {.command = 0xec, .count = 1},
		.protocol = SN_PIO_IN,
		.direction = SN_FROM_DEVICE,
	};
	struct sn_command got = dirty();

	(void)state;
	sn_command_identify(&got);
	assert_command(&got, &want);
}

static void a_log_has_address_and_page_in_the_lba(void **state)
{
	const struct sn_command want = {
		.taskfile = {.command = 0x2f,
			     .count = 0x0203,
			     .lba = UINT64_C(0x001200003410)},
		.protocol = SN_PIO_IN,
		.direction = SN_FROM_DEVICE,
		.extended = true,
	};
	struct sn_command got = dirty();

	(void)state;
	sn_command_read_log(&got, 0x10, 0x1234, 0x0203);
	assert_command(&got, &want);
}

/* ACS-4, DATA SET MANAGEMENT, LBA Range Entry: little endian, the length in
 * bits 63:48. */
static void a_range_is_its_first_block_and_how_many(void **state)
{
	static const uint8_t want[8] = {0xbc, 0x9a, 0x78, 0x56,
					0x34, 0x12, 0x02, 0x01};
	static const uint8_t zeros[512 - 8];
	uint8_t bytes[512];

	(void)state;
	memset(bytes, 0xff, sizeof(bytes));
	assert_int_equal(sn_trim_ranges(bytes, 1, LBA, 0x0102), 0);
	assert_memory_equal(bytes, want, 8);
	assert_memory_equal(bytes + 8, zeros, sizeof(zeros));
}

static void a_long_range_goes_on_in_the_next(void **state)
{
	static const uint8_t want[24] = {
		0x10, 0x00, 0, 0, 0, 0, 0xff, 0xff, /* 10h, 65535 */
		0x0f, 0x00, 1, 0, 0, 0, 0xff, 0xff, /* 1000Fh, 65535 */
		0x0e, 0x00, 2, 0, 0, 0, 0x01, 0x00, /* 2000Eh, 1 */
	};
	static const uint8_t zeros[512 - 24];
	uint8_t bytes[512];

	(void)state;
	memset(bytes, 0xff, sizeof(bytes));
	assert_int_equal(sn_trim_ranges(bytes, 1, 0x10, 2 * 65535 + 1), 0);
	assert_memory_equal(bytes, want, sizeof(want));
	assert_memory_equal(bytes + 24, zeros, sizeof(zeros));
}

static void ranges_fill_all_units(void **state)
{
	static const uint8_t last[8] = {0x81, 0xff, 0x7e, 0, 0, 0, 0xff, 0xff};
	uint8_t bytes[2 * 512];

	(void)state;
	memset(bytes, 0, sizeof(bytes));
	assert_int_equal(sn_trim_ranges(bytes, 2, 0, 128 * 65535), 0);
	assert_memory_equal(bytes + 127 * 8, last, 8);
}

static void ranges_that_do_not_fit_are_not_written(void **state)
{
	uint8_t bytes[512], untouched[512];

	(void)state;
	memset(bytes, 0xa5, sizeof(bytes));
	memset(untouched, 0xa5, sizeof(untouched));
	assert_int_equal(sn_trim_ranges(bytes, 1, 0, 64 * 65535 + 1),
			 -EMSGSIZE);
	assert_int_equal(sn_trim_ranges(bytes, 0, 0, 1), -EMSGSIZE);
	assert_memory_equal(bytes, untouched, sizeof(bytes));
}

/* They would come out as others, at the beginning of the drive. */
static void ranges_past_48_bits_are_not_written(void **state)
{
	uint8_t bytes[512], untouched[512];

	(void)state;
	memset(bytes, 0xa5, sizeof(bytes));
	memset(untouched, 0xa5, sizeof(untouched));
	assert_int_equal(sn_trim_ranges(bytes, 1, LBA_LIMIT, 1), -EINVAL);
	assert_int_equal(sn_trim_ranges(bytes, 1, LBA_LIMIT - 1, 2), -EINVAL);
	assert_int_equal(sn_trim_ranges(bytes, 1, UINT64_MAX, 1), -EINVAL);
	assert_int_equal(sn_trim_ranges(bytes, 1, 1, UINT64_MAX), -EINVAL);
	assert_memory_equal(bytes, untouched, sizeof(bytes));
	assert_int_equal(sn_trim_ranges(bytes, 1, LBA_LIMIT - 1, 1), 0);
}

static void no_blocks_are_no_range(void **state)
{
	static const uint8_t zeros[512];
	uint8_t bytes[512];

	(void)state;
	memset(bytes, 0xff, sizeof(bytes));
	assert_int_equal(sn_trim_ranges(bytes, 1, 5, 0), 0);
	assert_memory_equal(bytes, zeros, sizeof(bytes));
}

/* Whatever is asked: exactly these blocks, once each, in units * 512 bytes. */
static void ranges_name_exactly_what_is_asked(void **state)
{
	(void)state;
	srand(1);
	for (unsigned int n = 0; n < 2000; n++) {
		const unsigned int units = 1 + (unsigned int)rand() % 3;
		const uint64_t lba = (uint64_t)rand() << 17 ^ (uint64_t)rand();
		const uint64_t blocks = (uint64_t)rand() % (64 * 65535 + 9);
		uint8_t *bytes = malloc((size_t)units * 512);
		uint64_t next = lba;

		assert_non_null(bytes);
		if (sn_trim_ranges(bytes, units, lba, blocks)) {
			assert_true(blocks > (uint64_t)units * 64 * 65535);
			free(bytes);
			continue;
		}
		for (size_t at = 0; at < (size_t)units * 512; at += 8) {
			const uint8_t *range = bytes + at;
			uint64_t first = 0;

			for (size_t i = 6; i--;)
				first = first << 8 | range[i];
			if (first || range[6] || range[7])
				assert_int_equal(first, next);
			next += (uint64_t)(range[6] | range[7] << 8);
		}
		assert_int_equal(next, lba + blocks);
		free(bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_queued_read_counts_blocks_in_feature),
		cmocka_unit_test(a_queued_write_goes_to_the_device),
		cmocka_unit_test(
			a_read_that_is_not_queued_counts_blocks_in_count),
		cmocka_unit_test(a_write_that_is_not_queued_goes_to_the_device),
		cmocka_unit_test(fua_of_the_queued_is_a_bit_of_device),
		cmocka_unit_test(
			fua_of_a_write_that_is_not_queued_is_another_command),
		cmocka_unit_test(a_read_that_is_not_queued_has_no_fua),
		cmocka_unit_test(priority_is_bits_15_and_14_of_count),
		cmocka_unit_test(only_the_isochronous_have_a_deadline),
		cmocka_unit_test(
			what_is_not_queued_has_neither_priority_nor_deadline),
		cmocka_unit_test(the_most_blocks_are_zero),
		cmocka_unit_test(trim_counts_units_in_count),
		cmocka_unit_test(queued_trim_counts_units_in_feature),
		cmocka_unit_test(flush_has_no_data),
		cmocka_unit_test(identify_is_one_unit_of_a_28_bit_command),
		cmocka_unit_test(a_log_has_address_and_page_in_the_lba),
		cmocka_unit_test(a_range_is_its_first_block_and_how_many),
		cmocka_unit_test(a_long_range_goes_on_in_the_next),
		cmocka_unit_test(ranges_fill_all_units),
		cmocka_unit_test(ranges_that_do_not_fit_are_not_written),
		cmocka_unit_test(ranges_past_48_bits_are_not_written),
		cmocka_unit_test(no_blocks_are_no_range),
		cmocka_unit_test(ranges_name_exactly_what_is_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
