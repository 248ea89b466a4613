/* SPDX-License-Identifier: GPL-2.0-only */
#include "support_fixture.h"

static void block_sizes_are_of_whole_blocks(void **state)
{
	struct fixture *f = *state;

	f->id.block_bytes = 4096;
	allowed(f);
	f->plan.min_bytes[SN_READ] = 512;
	assert_refused(
		f, -EINVAL,
		"bs=512 of reads is no multiple of the logical block of 4096 bytes");
	f->plan.min_bytes[SN_READ] = 4096;
	f->plan.max_bytes[SN_WRITE] = 6144;
	assert_refused(
		f, -EINVAL,
		"bs=6144 of writes is no multiple of the logical block of 4096 bytes");
	f->plan.writes = false;
	allowed(f);
	use_trim(f);
	f->plan.min_bytes[SN_TRIM] = 4097;
	assert_refused(
		f, -EINVAL,
		"bs=4097 of trims is no multiple of the logical block of 4096 bytes");
}

static void no_block_size_is_refused(void **state)
{
	struct fixture *f = *state;

	f->plan.min_bytes[SN_READ] = 0;
	assert_refused(
		f, -EINVAL,
		"bs=0 of reads is no multiple of the logical block of 512 bytes");
	f->plan.min_bytes[SN_READ] = 512;
	f->plan.max_bytes[SN_READ] = 0;
	assert_refused(
		f, -EINVAL,
		"bs=0 of reads is no multiple of the logical block of 512 bytes");
}

static void the_offset_is_of_whole_blocks(void **state)
{
	struct fixture *f = *state;

	f->plan.offset = 1 << 20;
	allowed(f);
	f->plan.offset = 1000;
	assert_refused(
		f, -EINVAL,
		"offset=1000 is no multiple of the logical block of 512 bytes");
}

static void a_drive_without_block_size_is_refused(void **state)
{
	struct fixture *f = *state;

	f->id.block_bytes = 0;
	assert_refused(f, -EINVAL, "the drive's block size is not known");
}

static void a_transfer_is_what_the_driver_takes(void **state)
{
	struct fixture *f = *state;

	f->plan.max_bytes[SN_READ] = (128 << 10) + 512;
	assert_refused(
		f, -EINVAL,
		"bs=131584 of reads is more than one command may have (131072 bytes, by the driver); max_transfer=split makes several of it");
	f->plan.split = true;
	allowed(f);
	assert_int_equal(f->abilities.rw_bytes, 128 << 10);
}

static void a_command_has_65536_blocks(void **state)
{
	struct fixture *f = *state;

	f->node.max_bytes = 0;
	f->plan.max_bytes[SN_WRITE] = 32 << 20;
	allowed(f);
	assert_int_equal(f->abilities.rw_bytes, 32 << 20);
	f->plan.max_bytes[SN_WRITE] = 33 << 20;
	assert_refused(
		f, -EINVAL,
		"bs=34603008 of writes is more than one command may have (33554432 bytes, by 65536 blocks a command); max_transfer=split makes several of it");
	f->node.max_bytes = 64 << 20;
	f->plan.split = true;
	allowed(f);
	assert_int_equal(f->abilities.rw_bytes, 32 << 20);
}

static void a_transfer_is_of_whole_blocks(void **state)
{
	struct fixture *f = *state;

	f->node.max_bytes = 4096 * 31 + 4095;
	f->id.block_bytes = 4096;
	allowed(f);
	assert_int_equal(f->abilities.rw_bytes, 4096 * 31);
	f->node.max_bytes = 512; /* less than a block */
	f->plan.split = true;
	allowed(f);
	assert_int_equal(f->abilities.rw_bytes, 4096);
}

static void the_largest_transfer_does_not_overflow(void **state)
{
	struct fixture *f = *state;

	f->node.max_bytes = UINT64_MAX;
	f->id.block_bytes = 65536;
	f->plan.min_bytes[SN_READ] = f->plan.min_bytes[SN_WRITE] = 65536;
	allowed(f);
	assert_int_equal(f->abilities.rw_bytes, UINT32_C(0xffff0000));
}

/* ACS 7.6.3: 64 ranges of 65535 blocks in 512 bytes */
static void a_trim_is_what_its_ranges_hold(void **state)
{
	struct fixture *f = *state;
	const uint64_t unit = UINT64_C(64) * 65535 * 512;

	use_trim(f);
	allowed(f);
	assert_int_equal(f->abilities.trim_units, 1);
	assert_int_equal(f->abilities.trim_bytes, unit);
	f->plan.max_bytes[SN_TRIM] = unit;
	allowed(f);
	assert_int_equal(f->abilities.trim_units, 1);
	f->plan.max_bytes[SN_TRIM] = unit + 512;
	allowed(f);
	assert_int_equal(f->abilities.trim_units, 2);
	assert_int_equal(f->abilities.trim_bytes, 2 * unit);
	f->plan.max_bytes[SN_TRIM] = 8 * unit;
	allowed(f);
	assert_int_equal(f->abilities.trim_units, 8);
}

static void a_trim_has_the_ranges_that_the_drive_takes(void **state)
{
	struct fixture *f = *state;
	const uint64_t unit = UINT64_C(64) * 65535 * 512;

	use_trim(f);
	f->plan.max_bytes[SN_TRIM] = 8 * unit + 512;
	assert_refused(
		f, -EINVAL,
		"bs=17179607552 of trims is more than one command may have (17179607040 bytes, by word 105); max_transfer=split makes several of it");
	f->plan.split = true;
	allowed(f);
	assert_int_equal(f->abilities.trim_units, 8);
	assert_int_equal(f->abilities.trim_bytes, 8 * unit);
	f->id.trim_units = 0; /* not told */
	allowed(f);
	assert_int_equal(f->abilities.trim_units, 1);
}

static void ranges_are_a_transfer_too(void **state)
{
	struct fixture *f = *state;
	const uint64_t unit = UINT64_C(64) * 65535 * 512;

	use_trim(f);
	f->plan.reads = f->plan.writes = false;
	f->plan.max_bytes[SN_TRIM] = 4 * unit;
	f->node.max_bytes = 3 * 512 + 511;
	assert_refused(
		f, -EINVAL,
		"bs=8589803520 of trims is more than one command may have (6442352640 bytes, by the driver); max_transfer=split makes several of it");
	f->plan.split = true;
	allowed(f);
	assert_int_equal(f->abilities.trim_units, 3);
}

static void an_unmap_has_32_bits(void **state)
{
	struct fixture *f = *state;

	f->node.libata = false;
	f->plan.scsi = true;
	use_trim(f);
	f->plan.max_bytes[SN_TRIM] = UINT64_C(0xffffffff) * 512;
	allowed(f);
	assert_int_equal(f->abilities.trim_bytes, UINT64_C(0xffffffff) * 512);
	assert_int_equal(f->abilities.trim_units, 0);
	f->plan.max_bytes[SN_TRIM] += 512;
	assert_refused(
		f, -EINVAL,
		"bs=2199023255552 of trims is more than one command may have (2199023255040 bytes, by 32 bits of UNMAP); max_transfer=split makes several of it");
}

static void what_is_not_used_has_no_limit(void **state)
{
	struct fixture *f = *state;

	f->plan.reads = false;
	f->plan.min_bytes[SN_READ] = 1;
	f->plan.max_bytes[SN_READ] = UINT64_MAX;
	allowed(f);
	assert_int_equal(f->abilities.trim_bytes, 0);
	assert_int_equal(f->abilities.trim_units, 0);
	assert_false(f->abilities.queued_trim);
}

static void more_than_the_drive_takes_waits_in_the_engine(void **state)
{
	struct fixture *f = *state;

	f->plan.depth = 64;
	assert_string_equal(
		allowed(f),
		"iodepth=64: the drive takes 32 commands at once (word 75); the others wait in the engine");
	assert_int_equal(f->abilities.depth, 32);
}

static void more_than_the_drive_takes_may_wait_in_the_kernel(void **state)
{
	struct fixture *f = *state;

	f->plan.depth = 64;
	f->plan.over_depth = SN_DEPTH_QUEUE;
	assert_string_equal(
		allowed(f),
		"iodepth=64: the drive takes 32 commands at once (word 75); the others wait in the kernel");
	assert_int_equal(f->abilities.depth, 64);
}

static void more_than_the_drive_takes_may_be_refused(void **state)
{
	struct fixture *f = *state;

	f->plan.over_depth = SN_DEPTH_REFUSE;
	assert_string_equal(allowed(f), "");
	f->plan.depth = 33;
	assert_refused(
		f, -EINVAL,
		"iodepth=33: the drive takes 32 commands at once (word 75); over_depth=cap lets the others wait in the engine, over_depth=queue in the kernel");
}

static void the_kernel_may_send_less(void **state)
{
	struct fixture *f = *state;

	f->node.queue_depth = 31;
	assert_string_equal(
		allowed(f),
		"iodepth=32: the kernel sends 31 commands at once (queue_depth); the others wait in the engine");
	assert_int_equal(f->abilities.depth, 31);
	f->node.queue_depth = 0; /* not told */
	assert_string_equal(allowed(f), "");
	f->node.queue_depth = 1024;
	f->plan.depth = 100;
	allowed(f);
	assert_int_equal(f->abilities.depth, 32);
}

static void without_ncq_there_is_one_place(void **state)
{
	struct fixture *f = *state;

	f->plan.queued = false;
	assert_string_equal(
		allowed(f),
		"iodepth=32: without NCQ the drive takes 1 command at a time; the others wait in the engine");
	assert_int_equal(f->abilities.depth, 1);
	f->node.queue_depth = 1; /* that is as it should be */
	f->plan.depth = 1;
	assert_string_equal(allowed(f), "");
}

static void ncq_that_is_off_in_the_kernel_is_told(void **state)
{
	struct fixture *f = *state;

	f->node.queue_depth = 1;
	f->plan.depth = 1;
	assert_string_equal(
		allowed(f),
		"NCQ is off in the kernel (queue_depth 1), though the drive takes 32 commands at once (word 75)");
	assert_int_equal(f->abilities.depth, 1);
	f->plan.depth = UINT32_MAX;
	assert_string_equal(
		allowed(f),
		"iodepth=4294967295: NCQ is off in the kernel (queue_depth 1), though the drive takes 32 commands at once (word 75); the others wait in the engine");
	assert_int_equal(f->abilities.depth, 1);
}

static void a_drive_with_one_place_is_not_blamed_on_the_kernel(void **state)
{
	struct fixture *f = *state;

	f->node.queue_depth = 1;
	f->id.depth = 1;
	f->plan.depth = 1;
	assert_string_equal(allowed(f), "");
	f->plan.depth = 2;
	assert_string_equal(
		allowed(f),
		"iodepth=2: the drive takes 1 command at once (word 75); the others wait in the engine");
}

static void scsi_is_queued_by_the_kernel(void **state)
{
	struct fixture *f = *state;

	f->plan.scsi = true;
	f->node.queue_depth = 254;
	f->plan.depth = 254;
	assert_string_equal(allowed(f), "");
	assert_int_equal(f->abilities.depth, 254);
	f->plan.depth = 300;
	assert_string_equal(
		allowed(f),
		"iodepth=300: the kernel sends 254 commands at once (queue_depth); the others wait in the engine");
	f->node.queue_depth = 0; /* not told */
	allowed(f);
	assert_int_equal(f->abilities.depth, 32);
}

static void there_is_always_a_place(void **state)
{
	struct fixture *f = *state;

	f->plan.depth = 0;
	allowed(f);
	assert_int_equal(f->abilities.depth, 1);
	f->plan.depth = 8;
	f->id.depth = 0;
	allowed(f);
	assert_int_equal(f->abilities.depth, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(block_sizes_are_of_whole_blocks),
		TEST(no_block_size_is_refused),
		TEST(the_offset_is_of_whole_blocks),
		TEST(a_drive_without_block_size_is_refused),
		TEST(a_transfer_is_what_the_driver_takes),
		TEST(a_command_has_65536_blocks),
		TEST(a_transfer_is_of_whole_blocks),
		TEST(the_largest_transfer_does_not_overflow),
		TEST(a_trim_is_what_its_ranges_hold),
		TEST(a_trim_has_the_ranges_that_the_drive_takes),
		TEST(ranges_are_a_transfer_too),
		TEST(an_unmap_has_32_bits),
		TEST(what_is_not_used_has_no_limit),
		TEST(more_than_the_drive_takes_waits_in_the_engine),
		TEST(more_than_the_drive_takes_may_wait_in_the_kernel),
		TEST(more_than_the_drive_takes_may_be_refused),
		TEST(the_kernel_may_send_less),
		TEST(without_ncq_there_is_one_place),
		TEST(ncq_that_is_off_in_the_kernel_is_told),
		TEST(a_drive_with_one_place_is_not_blamed_on_the_kernel),
		TEST(scsi_is_queued_by_the_kernel),
		TEST(there_is_always_a_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
