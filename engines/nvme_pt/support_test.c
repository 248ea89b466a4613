/* SPDX-License-Identifier: GPL-2.0-only */
#include "support.h"

#include "unit.h"

#include <errno.h>
#include <string.h>

#define ALL_COMMANDS 0x1ff

/* A namespace that can do everything, and a job that reads and writes. */
struct fixture {
	struct pt_namespace ns;
	struct pt_plan plan;
};

static int set_up(void **state)
{
	static struct fixture f;

	f = (struct fixture){
		.ns = {.nsid = 1,
		       .blocks = 1 << 20,
		       .block_bytes = 4096,
		       .oncs = ALL_COMMANDS,
		       .fdp = true,
		       .directives = true,
		       .zeroes_deallocate = true,
		       .mdts_bytes = 128 << 10,
		       .copy_ranges = 2,
		       .copy_range_blocks = 8,
		       .copy_blocks = 64,
		       .poll_queues = true},
		.plan = {.read = {.used = true,
				  .op = PT_READ,
				  .min_bytes = 4096,
				  .max_bytes = 16384},
			 .write = {.used = true,
				   .op = PT_WRITE,
				   .min_bytes = 4096,
				   .max_bytes = 16384},
			 .trim_ranges = 1},
	};
	*state = &f;
	return 0;
}

static void use_trim(struct fixture *f)
{
	f->plan.trim = (struct pt_use){.used = true,
				       .op = PT_DEALLOCATE,
				       .min_bytes = 4096,
				       .max_bytes = 1 << 20};
}

static void use_protection(struct fixture *f, uint8_t type)
{
	f->ns.metadata_bytes = 8;
	f->ns.pi.type = type;
	f->ns.pi.guard_bits = 16;
	f->ns.pi.bytes = 8;
}

static void assert_allowed(const struct fixture *f)
{
	struct fe_error err = {""};
	const int ret = pt_support_check(&f->ns, &f->plan, &err);

	assert_string_equal(err.text, "");
	assert_int_equal(ret, 0);
}

static void assert_refused(const struct fixture *f, int code,
			   const char *sentence)
{
	struct fe_error err = {""};

	assert_int_equal(pt_support_check(&f->ns, &f->plan, &err), code);
	assert_string_equal(err.text, sentence);
}

static void what_the_namespace_can_do_is_allowed(void **state)
{
	struct fixture *f = *state;

	use_trim(f);
	f->plan.poll = true;
	f->plan.write.modifiers.fua = true;
	f->plan.read.modifiers.limited_retry = true;
	assert_allowed(f);
}

static void each_optional_command_needs_its_bit(void **state)
{
	static const struct {
		enum pt_op op;
		uint8_t bit;
		const char *sentence;
	} rows[] = {
		{PT_COMPARE, 0,
		 "write_mode=compare: the controller has no Compare (ONCS bit 0)"},
		{PT_WRITE_UNCORRECTABLE, 1,
		 "write_mode=uncor: the controller has no Write Uncorrectable (ONCS bit 1)"},
		{PT_WRITE_ZEROES, 3,
		 "write_mode=zeroes: the controller has no Write Zeroes (ONCS bit 3)"},
		{PT_VERIFY, 7,
		 "write_mode=verify: the controller has no Verify (ONCS bit 7)"},
		{PT_COPY, 8,
		 "write_mode=copy: the controller has no Copy (ONCS bit 8)"},
	};
	struct fixture *f = *state;

	f->plan.copy_distance = 1 << 20;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		f->plan.write.op = rows[i].op;
		f->ns.oncs = (uint16_t)(1u << rows[i].bit);
		assert_allowed(f);
		f->ns.oncs = (uint16_t)~f->ns.oncs;
		assert_refused(f, -EOPNOTSUPP, rows[i].sentence);
	}
}

static void trims_need_dataset_management(void **state)
{
	struct fixture *f = *state;

	use_trim(f);
	f->ns.oncs = 1u << 2;
	assert_allowed(f);
	f->ns.oncs = (uint16_t)~f->ns.oncs;
	assert_refused(
		f, -EOPNOTSUPP,
		"trims: the controller has no Dataset Management (ONCS bit 2)");
}

static void the_option_of_reads_is_named_for_reads(void **state)
{
	struct fixture *f = *state;

	f->plan.read.op = PT_VERIFY;
	f->ns.oncs = 0;
	assert_refused(
		f, -EOPNOTSUPP,
		"read_mode=verify: the controller has no Verify (ONCS bit 7)");
}

static void a_direction_that_is_not_used_is_not_judged(void **state)
{
	struct fixture *f = *state;

	f->plan.write = (struct pt_use){.op = PT_COPY, .max_bytes = 1};
	f->ns.oncs = 0;
	assert_allowed(f);
}

static void sizes_are_multiples_of_the_block(void **state)
{
	struct fixture *f = *state;

	f->plan.read.min_bytes = 512;
	assert_refused(
		f, -EINVAL,
		"bs=512 of reads is no multiple of the logical block of 4096 bytes");
	f->plan.read.min_bytes = 4096;
	f->plan.write.max_bytes = 9000;
	assert_refused(
		f, -EINVAL,
		"bs=9000 of writes is no multiple of the logical block of 4096 bytes");
}

static void a_size_of_nothing_is_refused(void **state)
{
	struct fixture *f = *state;

	f->plan.read.min_bytes = 0;
	f->plan.read.max_bytes = 0;
	assert_refused(
		f, -EINVAL,
		"bs=0 of reads is no multiple of the logical block of 4096 bytes");
}

static void a_large_transfer_is_split_or_refused(void **state)
{
	struct fixture *f = *state;

	f->plan.read.max_bytes = 132 << 10;
	assert_refused(
		f, -EINVAL,
		"read_mode=read: bs=135168 is more than one command may have (131072 bytes, by MDTS); max_transfer=split makes several of it");
	f->plan.split = true;
	assert_allowed(f);
	f->plan.split = false;
	f->plan.read.max_bytes = 128 << 10;
	assert_allowed(f);
}

static void the_smaller_of_device_and_kernel_counts(void **state)
{
	struct fixture *f = *state;

	f->ns.kernel_bytes = 64 << 10;
	f->plan.write.max_bytes = 128 << 10;
	assert_refused(
		f, -EINVAL,
		"write_mode=write: bs=131072 is more than one command may have (65536 bytes, by the kernel's max_hw_sectors_kb or max_segments); max_transfer=split makes several of it");
	f->ns.kernel_bytes = 1 << 20;
	assert_allowed(f);
}

static void a_command_has_65536_blocks_at_most(void **state)
{
	struct fixture *f = *state;

	f->ns.mdts_bytes = 0;
	f->plan.read.max_bytes = 257ull << 20;
	assert_refused(
		f, -EINVAL,
		"read_mode=read: bs=269484032 is more than one command may have (268435456 bytes, by 65536 blocks a command); max_transfer=split makes several of it");
	f->plan.read.max_bytes = 256ull << 20;
	assert_allowed(f);
}

static void commands_without_data_have_limits_of_their_own(void **state)
{
	static const struct {
		enum pt_op op;
		size_t field;
		const char *name;
	} rows[] = {
		{PT_VERIFY, offsetof(struct pt_namespace, verify_bytes), "VSL"},
		{PT_WRITE_ZEROES, offsetof(struct pt_namespace, zeroes_bytes),
		 "WZSL"},
		{PT_WRITE_UNCORRECTABLE,
		 offsetof(struct pt_namespace, uncorrectable_bytes), "WUSL"},
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t *field = (uint64_t *)((char *)&f->ns + rows[i].field);
		struct fe_error err = {""};

		f->plan.write.op = rows[i].op;
		f->plan.write.max_bytes = 1 << 20;
		assert_allowed(f);
		*field = 1 << 19;
		assert_int_equal(pt_support_check(&f->ns, &f->plan, &err),
				 -EINVAL);
		assert_non_null(strstr(err.text, "(524288 bytes, by "));
		assert_non_null(strstr(err.text, rows[i].name));
		*field = 1 << 20;
		assert_allowed(f);
	}
}

static void a_block_larger_than_a_transfer_is_refused(void **state)
{
	struct fixture *f = *state;

	f->ns.block_bytes = 16384;
	f->ns.mdts_bytes = 8192;
	f->plan.read.min_bytes = 16384;
	f->plan.split = true;
	assert_refused(
		f, -EOPNOTSUPP,
		"read_mode=read: not one block of 16384 bytes is allowed by MDTS");
	assert_int_equal(pt_support_max_blocks(&f->ns, PT_READ, false), 1);
}

static void metadata_in_the_blocks_counts_as_transfer(void **state)
{
	struct fixture *f = *state;

	f->ns.metadata_bytes = 64;
	f->ns.extended = true;
	assert_int_equal(pt_support_max_blocks(&f->ns, PT_WRITE, true), 31);
	f->ns.extended = false;
	assert_int_equal(pt_support_max_blocks(&f->ns, PT_WRITE, true), 32);
}

static void protection_that_the_controller_strips_does_not_count(void **state)
{
	struct fixture *f = *state;

	use_protection(f, 1);
	f->ns.extended = true;
	assert_int_equal(pt_support_max_blocks(&f->ns, PT_READ, true), 32);
	assert_int_equal(pt_support_max_blocks(&f->ns, PT_READ, false), 31);
	/* With more metadata than that, all of it passes. */
	f->ns.metadata_bytes = 16;
	assert_int_equal(pt_support_max_blocks(&f->ns, PT_READ, true), 31);
}

static void trims_are_limited_by_range_and_by_command(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(pt_support_max_blocks(&f->ns, PT_DEALLOCATE, false),
			 UINT32_MAX);
	f->ns.dsm_blocks = 1000;
	assert_int_equal(pt_support_max_blocks(&f->ns, PT_DEALLOCATE, false),
			 1000);
	f->ns.dsm_range_blocks = 128;
	assert_int_equal(pt_support_max_blocks(&f->ns, PT_DEALLOCATE, false),
			 128);
	use_trim(f);
	assert_refused(
		f, -EINVAL,
		"trims: bs=1048576 is more than one command may have (524288 bytes, by DMRSL); max_transfer=split makes several of it");
	f->plan.split = true;
	assert_allowed(f);
}

static void more_ranges_than_the_controller_takes_are_refused(void **state)
{
	struct fixture *f = *state;

	use_trim(f);
	f->plan.trim_ranges = 256;
	assert_allowed(f);
	f->ns.dsm_ranges = 7;
	assert_refused(
		f, -EOPNOTSUPP,
		"trim_ranges=256: a Dataset Management command may have 7 ranges here (DMRL)");
	f->plan.trim_ranges = 7;
	assert_allowed(f);
	f->ns.dsm_ranges = 0;
	f->plan.trim_ranges = 257;
	assert_refused(
		f, -EOPNOTSUPP,
		"trim_ranges=257: a Dataset Management command may have 256 ranges");
}

static void a_copy_is_limited_by_its_ranges_and_their_sum(void **state)
{
	struct fixture *f = *state;

	f->plan.write.op = PT_COPY;
	f->plan.write.max_bytes = 17 * 4096;
	f->plan.copy_distance = 1 << 20;
	assert_refused(
		f, -EINVAL,
		"write_mode=copy: bs=69632 is more than one command may have (65536 bytes, by MSRC and MSSRL); max_transfer=split makes several of it");
	f->ns.copy_blocks = 8;
	assert_refused(
		f, -EINVAL,
		"write_mode=copy: bs=69632 is more than one command may have (32768 bytes, by MCL); max_transfer=split makes several of it");
	f->plan.split = true;
	assert_allowed(f);
}

static void a_copy_without_limits_that_allow_one_is_refused(void **state)
{
	struct fixture *f = *state;

	f->plan.write.op = PT_COPY;
	f->plan.copy_distance = 1 << 20;
	f->plan.split = true;
	f->ns.copy_range_blocks = 0;
	assert_refused(
		f, -EOPNOTSUPP,
		"write_mode=copy: not one block of 4096 bytes is allowed by MSRC and MSSRL");
}

static void a_copy_has_a_source_beside_its_destination(void **state)
{
	struct fixture *f = *state;

	f->plan.write.op = PT_COPY;
	assert_refused(
		f, -EINVAL,
		"copy_distance=0 is less than bs=16384: source and destination would overlap");
	f->plan.copy_distance = 16384;
	assert_allowed(f);
	f->plan.copy_distance = 12288;
	assert_refused(
		f, -EINVAL,
		"copy_distance=12288 is less than bs=16384: source and destination would overlap");
	f->plan.copy_distance = 20000;
	assert_refused(
		f, -EINVAL,
		"copy_distance=20000 is no multiple of the logical block of 4096 bytes");
	f->plan.copy_distance = 1ull << 32;
	assert_refused(
		f, -EINVAL,
		"copy_distance=4294967296 is not within the namespace of 4294967296 bytes");
}

static void tags_are_checked_only_where_there_are_some(void **state)
{
	struct fixture *f = *state;

	f->plan.read.modifiers.pi_check = PT_CHECK_GUARD;
	assert_refused(
		f, -EOPNOTSUPP,
		"pi_chk: the namespace is formatted without protection information (DPS is 0)");
	use_protection(f, 1);
	f->plan.read.modifiers.pi_check |= PT_CHECK_REFERENCE;
	assert_allowed(f);
}

static void type_3_has_no_reference_tag_to_check(void **state)
{
	struct fixture *f = *state;

	use_protection(f, 3);
	f->plan.write.modifiers.pi_check = PT_CHECK_GUARD | PT_CHECK_REFERENCE;
	assert_refused(
		f, -EINVAL,
		"pi_chk=REFTAG: protection of type 3 (DPS) has no reference tag to check");
	f->plan.write.modifiers.pi_check = PT_CHECK_GUARD;
	assert_allowed(f);
}

static void deallocation_needs_write_zeroes_that_can(void **state)
{
	struct fixture *f = *state;

	f->plan.write.modifiers.deallocate = true;
	assert_refused(f, -EINVAL, "deac=1 needs write_mode=zeroes");
	f->plan.write.op = PT_WRITE_ZEROES;
	assert_allowed(f);
	f->ns.zeroes_deallocate = false;
	assert_refused(
		f, -EOPNOTSUPP,
		"deac=1: Write Zeroes does not deallocate in this namespace (DLFEAT bit 3)");
}

static void directives_need_a_controller_that_has_them(void **state)
{
	struct fixture *f = *state;

	f->plan.write.modifiers.directive = 1;
	assert_allowed(f);
	f->ns.directives = false;
	assert_refused(
		f, -EOPNOTSUPP,
		"dir_type=1: the controller has no directives, so no streams (OACS bit 5)");
	f->plan.write.modifiers.directive = 2;
	assert_allowed(f);
	f->ns.fdp = false;
	assert_refused(
		f, -EOPNOTSUPP,
		"dir_type=2: the controller has no flexible data placement (CTRATT bit 19)");
}

static void directives_that_do_not_exist_are_refused(void **state)
{
	struct fixture *f = *state;

	f->plan.write.modifiers.directive = 3;
	assert_refused(f, -EINVAL,
		       "dir_type=3: it is 1 (streams) or 2 (data placement)");
	f->plan.write.modifiers.directive = 0;
	f->plan.write.modifiers.directive_id = 4;
	assert_refused(
		f, -EINVAL,
		"dir_spec=4: of which dir_type, 1 (streams) or 2 (data placement)?");
}

static void appends_need_zones(void **state)
{
	struct fixture *f = *state;

	f->plan.write.op = PT_APPEND;
	assert_refused(f, -EOPNOTSUPP,
		       "write_mode=append: the namespace is not zoned");
	f->ns.csi = PT_CSI_ZNS;
	assert_allowed(f);
}

static void appends_are_never_split(void **state)
{
	struct fixture *f = *state;

	f->plan.write.op = PT_APPEND;
	f->plan.split = true;
	f->ns.csi = PT_CSI_ZNS;
	f->ns.append_bytes = 8192;
	assert_refused(
		f, -EINVAL,
		"write_mode=append: bs=16384 is more than one command may have (8192 bytes, by ZASL), and appends can't be split");
	f->ns.append_bytes = 0;
	f->plan.write.max_bytes = 132 << 10;
	assert_refused(
		f, -EINVAL,
		"write_mode=append: bs=135168 is more than one command may have (131072 bytes, by MDTS), and appends can't be split");
}

static void polling_needs_queues_for_it(void **state)
{
	struct fixture *f = *state;

	f->plan.poll = true;
	f->ns.poll_queues = false;
	assert_refused(
		f, -EOPNOTSUPP,
		"hipri: the driver has no poll queues; it has them after modprobe nvme poll_queues=2, or with nvme.poll_queues=2 on the kernel's command line");
}

#define TEST(name) cmocka_unit_test_setup(name, set_up)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_the_namespace_can_do_is_allowed),
		TEST(each_optional_command_needs_its_bit),
		TEST(trims_need_dataset_management),
		TEST(the_option_of_reads_is_named_for_reads),
		TEST(a_direction_that_is_not_used_is_not_judged),
		TEST(sizes_are_multiples_of_the_block),
		TEST(a_size_of_nothing_is_refused),
		TEST(a_large_transfer_is_split_or_refused),
		TEST(the_smaller_of_device_and_kernel_counts),
		TEST(a_command_has_65536_blocks_at_most),
		TEST(commands_without_data_have_limits_of_their_own),
		TEST(a_block_larger_than_a_transfer_is_refused),
		TEST(metadata_in_the_blocks_counts_as_transfer),
		TEST(protection_that_the_controller_strips_does_not_count),
		TEST(trims_are_limited_by_range_and_by_command),
		TEST(more_ranges_than_the_controller_takes_are_refused),
		TEST(a_copy_is_limited_by_its_ranges_and_their_sum),
		TEST(a_copy_without_limits_that_allow_one_is_refused),
		TEST(a_copy_has_a_source_beside_its_destination),
		TEST(tags_are_checked_only_where_there_are_some),
		TEST(type_3_has_no_reference_tag_to_check),
		TEST(deallocation_needs_write_zeroes_that_can),
		TEST(directives_need_a_controller_that_has_them),
		TEST(directives_that_do_not_exist_are_refused),
		TEST(appends_need_zones),
		TEST(appends_are_never_split),
		TEST(polling_needs_queues_for_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
