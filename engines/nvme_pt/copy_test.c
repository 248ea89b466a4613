/* SPDX-License-Identifier: GPL-2.0-only */
#include "command_fixture.h"

#include "unit.h"

#include <errno.h>
#include <string.h>

#define SOURCE UINT64_C(0x0123456789abcdef)

static const struct pt_modifiers modifiers = EVERY_MODIFIER(1);

/* Limits of 4 ranges, of 0x100 blocks each, and of 0x380 in all. */
static struct pt_namespace device(uint8_t type, uint8_t guard_bits,
				  uint8_t storage_bits)
{
	return (struct pt_namespace){
		.nsid = 7,
		.block_bytes = 4096,
		.pi = {.type = type,
		       .guard_bits = guard_bits,
		       .bytes = guard_bits == 16 ? 8 : 16,
		       .storage_bits = storage_bits},
		.copy_ranges = 4,
		.copy_range_blocks = 0x100,
		.copy_blocks = 0x380,
	};
}

struct copied {
	struct nvme_uring_cmd command;
	uint8_t payload[256 * 40];
	int ranges;
};

static void copy(struct copied *copied, const struct pt_namespace *ns,
		 const struct pt_modifiers *with, uint64_t source,
		 uint32_t blocks)
{
	memset(copied, 0xee, sizeof(*copied));
	pt_command_prepare(&copied->command, PT_COPY, ns, with);
	pt_command_place(&copied->command, 0x500000600, blocks);
	copied->ranges = pt_command_copy(&copied->command, copied->payload, ns,
					 source, blocks);
}

static void assert_dwords(const struct nvme_uring_cmd *command,
			  const uint32_t want[18])
{
	uint32_t got[18];

	_Static_assert(sizeof(*command) == sizeof(got), "72 bytes");
	memcpy(got, command, sizeof(got));
	for (unsigned int i = 0; i < 18; i++) {
		if (got[i] != want[i])
			fail_msg("dword %u of the structure is %08x, not %08x",
				 i, got[i], want[i]);
	}
}

static void without_protection_it_is_format_0(void **state)
{
	const struct pt_namespace ns = device(0, 16, 0);
	static const uint8_t range[33] = {
		0,    0,    0,	  0,	0,    0,    0, 0, 0xef, 0xcd,
		0xab, 0x89, 0x67, 0x45, 0x23, 0x01,		/* SLBA */
		0x3f, 0x00, 0,	  0,	0,    0,    0, 0,	/* NLB */
		0,    0,    0,	  0,	0,    0,    0, 0, 0xee, /* not written
								 */
	};
	struct copied copied;

	(void)state;
	copy(&copied, &ns, &(struct pt_modifiers){0}, SOURCE, 0x40);
	assert_int_equal(copied.ranges, 1);
	assert_dwords(&copied.command,
		      (const uint32_t[18]){
			      [0] = 0x19,
			      [1] = 7,
			      [10] = 0x00000600, /* figure 29: SDLBA */
			      [11] = 0x00000005,
			      [12] = 0, /* figure 30: NR, format */
		      });
	assert_memory_equal(copied.payload, range, sizeof(range));
}

/* Figures 30 to 33: PRINFOR as PRINFOW. */
static void read_and_write_are_protected_alike(void **state)
{
	const struct pt_namespace ns = device(1, 16, 0);
	struct copied copied;

	(void)state;
	copy(&copied, &ns, &modifiers, SOURCE, 0x40);
	pt_command_reference(&copied.command, &ns, 0x500000600);
	assert_dwords(&copied.command, (const uint32_t[18]){
					       [0] = 0x19,
					       [1] = 7,
					       [10] = 0x00000600,
					       [11] = 0x00000005,
					       [12] = 0xf410d000,
					       [13] = 0xabcd0000,
					       [14] = 0x00000600,
					       [15] = 0xf0f01234,
					       [16] = 5000,
				       });
}

/* Figure 34. */
static void format_0_has_tags_in_little_endian(void **state)
{
	const struct pt_namespace ns = device(1, 16, 0);
	static const uint8_t range[32] = {
		0,    0,    0,	  0,	0,    0,    0,	  0,	0xef, 0xcd,
		0xab, 0x89, 0x67, 0x45, 0x23, 0x01, 0x3f, 0x00, 0,    0,
		0,    0,    0,	  0,	0xef, 0xcd, 0xab, 0x89, /* EILBRT */
		0x34, 0x12, 0xf0, 0xf0, /* ELBAT, ELBATM */
	};
	struct copied copied;

	(void)state;
	copy(&copied, &ns, &modifiers, SOURCE, 0x40);
	assert_int_equal(pt_copy_range_bytes(&ns), 32);
	assert_memory_equal(copied.payload, range, sizeof(range));
}

/* Figure 35. */
static void format_1_has_tags_as_they_are_in_metadata(void **state)
{
	const struct pt_namespace ns = device(1, 32, 16);
	static const uint8_t range[40] = {
		0,    0,    0,	  0,	0,    0,    0,	  0,	0xef, 0xcd,
		0xab, 0x89, 0x67, 0x45, 0x23, 0x01, 0x3f, 0x00, 0,    0,
		0,    0,    0,	  0,	0,    0,    0x00, 0x00, 0x01, 0x23,
		0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, /* ELBST, EILBRT: bytes 26
						       to 35 */
		0x34, 0x12, 0xf0, 0xf0,		    /* ELBAT, ELBATM */
	};
	struct copied copied;

	(void)state;
	copy(&copied, &ns, &modifiers, SOURCE, 0x40);
	assert_int_equal(pt_copy_range_bytes(&ns), 40);
	assert_int_equal(copied.command.cdw12, 0xf410d100);
	assert_memory_equal(copied.payload, range, sizeof(range));
}

static void format_1_leaves_room_for_the_storage_tag(void **state)
{
	const struct pt_namespace ns = device(2, 64, 18);
	static const uint8_t tags[10] = {0, 0, 0, 0, 0, 0, 9, 0xab, 0xcd, 0xef};
	struct copied copied;

	(void)state;
	copy(&copied, &ns, &modifiers, SOURCE, 0x40);
	assert_memory_equal(copied.payload + 26, tags, sizeof(tags));
}

/* 3.2.2: the format follows the guard's size, whether it is used or not. */
static void a_wide_guard_means_format_1_without_protection_too(void **state)
{
	const struct pt_namespace ns = device(0, 64, 0);
	struct copied copied;

	(void)state;
	copy(&copied, &ns, &modifiers, SOURCE, 0x40);
	assert_int_equal(copied.ranges, 1);
	assert_int_equal(copied.command.cdw12, 0xc0100100);
}

static void type_3_has_no_reference_tags(void **state)
{
	const struct pt_namespace ns = device(3, 16, 0);
	static const uint8_t end[8] = {0, 0, 0, 0, 0x34, 0x12, 0xf0, 0xf0};
	struct copied copied;

	(void)state;
	copy(&copied, &ns, &modifiers, SOURCE, 0x40);
	assert_memory_equal(copied.payload + 24, end, sizeof(end));
}

static void long_sources_become_several_ranges(void **state)
{
	const struct pt_namespace ns = device(1, 16, 0);
	static const uint8_t ranges[97] = {
		0,    0,    0, 0, 0,	0,    0,    0,	  /* 0x80, 0x100 */
		0x80, 0,    0, 0, 0,	0,    0,    0,	  /**/
		0xff, 0,    0, 0, 0,	0,    0,    0,	  /**/
		0x80, 0,    0, 0, 0x34, 0x12, 0xf0, 0xf0, /**/
		0,    0,    0, 0, 0,	0,    0,    0,	  /* 0x180, 0x100 */
		0x80, 0x01, 0, 0, 0,	0,    0,    0,	  /**/
		0xff, 0,    0, 0, 0,	0,    0,    0,	  /**/
		0x80, 0x01, 0, 0, 0x34, 0x12, 0xf0, 0xf0, /**/
		0,    0,    0, 0, 0,	0,    0,    0,	  /* 0x280, 0x01 */
		0x80, 0x02, 0, 0, 0,	0,    0,    0,	  /**/
		0x00, 0,    0, 0, 0,	0,    0,    0,	  /**/
		0x80, 0x02, 0, 0, 0x34, 0x12, 0xf0, 0xf0, 0xee,
	};
	struct copied copied;

	(void)state;
	copy(&copied, &ns, &modifiers, 0x80, 0x201);
	assert_int_equal(copied.ranges, 3);
	assert_int_equal(copied.command.cdw12, 0xf410d002);
	assert_memory_equal(copied.payload, ranges, sizeof(ranges));
}

static void the_same_command_can_be_used_again(void **state)
{
	const struct pt_namespace ns = device(1, 16, 0);
	struct copied copied;

	(void)state;
	copy(&copied, &ns, &modifiers, 0x80, 0x201);
	assert_int_equal(pt_command_copy(&copied.command, copied.payload, &ns,
					 0x80, 0x101),
			 2);
	assert_int_equal(copied.command.cdw12, 0xf410d001);
}

static void what_the_limits_do_not_allow_is_refused(void **state)
{
	struct pt_namespace ns = device(1, 16, 0);
	struct copied copied;

	(void)state;
	copy(&copied, &ns, &modifiers, 0, 0x380);
	assert_int_equal(copied.ranges, 4);
	copy(&copied, &ns, &modifiers, 0, 0x381); /* MCL */
	assert_int_equal(copied.ranges, -EINVAL);
	assert_int_equal(copied.payload[0], 0xee);
	ns.copy_blocks = 0;
	copy(&copied, &ns, &modifiers, 0, 0x400);
	assert_int_equal(copied.ranges, 4);
	copy(&copied, &ns, &modifiers, 0, 0x401); /* MSRC */
	assert_int_equal(copied.ranges, -EINVAL);
	copy(&copied, &ns, &modifiers, 0, UINT32_MAX);
	assert_int_equal(copied.ranges, -EINVAL);
	copy(&copied, &ns, &modifiers, 0, 0);
	assert_int_equal(copied.ranges, -EINVAL);
}

static void without_limits_the_fields_are_the_limit(void **state)
{
	const struct pt_namespace ns = {.nsid = 7, .block_bytes = 512};
	const uint8_t most[2] = {0xff, 0xff};
	struct copied copied;

	(void)state;
	copy(&copied, &ns, &modifiers, 0, 256 * 65536);
	assert_int_equal(copied.ranges, 256);
	assert_int_equal(copied.command.cdw12 & 0xffff, 0x00ff);
	assert_memory_equal(copied.payload + 16, most, sizeof(most));
	copy(&copied, &ns, &modifiers, 0, 256 * 65536 + 1);
	assert_int_equal(copied.ranges, -EINVAL);
}

static void a_device_can_not_name_more_than_the_fields_hold(void **state)
{
	const struct pt_namespace ns = {
		.nsid = 7,
		.block_bytes = 512,
		.copy_ranges = UINT32_MAX,
		.copy_range_blocks = UINT32_MAX,
		.copy_blocks = UINT32_MAX,
	};
	struct copied copied;

	(void)state;
	assert_int_equal(pt_copy_payload_bytes(&ns), 256 * 32);
	copy(&copied, &ns, &modifiers, 0, 65537);
	assert_int_equal(copied.ranges, 2);
	copy(&copied, &ns, &modifiers, 0, UINT32_MAX);
	assert_int_equal(copied.ranges, -EINVAL);
}

static void the_payload_has_room_for_all_ranges(void **state)
{
	struct pt_namespace ns = device(1, 16, 0);

	(void)state;
	assert_int_equal(pt_copy_payload_bytes(&ns), 4 * 32);
	ns.pi.guard_bits = 64;
	assert_int_equal(pt_copy_payload_bytes(&ns), 4 * 40);
	ns.copy_ranges = 0;
	assert_int_equal(pt_copy_payload_bytes(&ns), 256 * 40);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_protection_it_is_format_0),
		cmocka_unit_test(read_and_write_are_protected_alike),
		cmocka_unit_test(format_0_has_tags_in_little_endian),
		cmocka_unit_test(format_1_has_tags_as_they_are_in_metadata),
		cmocka_unit_test(format_1_leaves_room_for_the_storage_tag),
		cmocka_unit_test(
			a_wide_guard_means_format_1_without_protection_too),
		cmocka_unit_test(type_3_has_no_reference_tags),
		cmocka_unit_test(long_sources_become_several_ranges),
		cmocka_unit_test(the_same_command_can_be_used_again),
		cmocka_unit_test(what_the_limits_do_not_allow_is_refused),
		cmocka_unit_test(without_limits_the_fields_are_the_limit),
		cmocka_unit_test(
			a_device_can_not_name_more_than_the_fields_hold),
		cmocka_unit_test(the_payload_has_room_for_all_ranges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
