/* SPDX-License-Identifier: GPL-2.0-only */
#include "part_fixture.h"

#include <errno.h>
#include <string.h>

#define PAIR 2u

static const struct pt_namespace ns = {
	.blocks = 1000,
	.block_bytes = BLOCK,
	.metadata_bytes = 8,
	.pi = {.type = 1, .guard_bits = 16, .bytes = 8},
	.zone_blocks = 0x100,
};

/* Two blocks of zeros with separate metadata, all of it protection. */
static void fill_zeros(struct bench *bench, enum pt_op op, bool pi_act)
{
	set_up_bench(bench, &ns, op, (struct pt_modifiers){.pi_act = pi_act});
	memset(bench->data, 0, sizeof(bench->data));
	bench->part.blocks = PAIR;
	fill(bench);
}

/* NVM Command Set figure 23: Compare's PRACT is 0, so metadata pass. */
static void compare_brings_its_protection_information(void **state)
{
	static const uint8_t expected[16] = {
		0, 0, 0, 0, 0, 0, 0x01, 0x23, 0, 0, 0, 0, 0, 0, 0x01, 0x24,
	};
	struct bench bench;

	(void)state;
	fill_zeros(&bench, PT_COMPARE, true);
	assert_int_equal(bench.command.cdw12, PAIR - 1);
	assert_int_equal(bench.command.metadata_len, sizeof(expected));
	assert_memory_equal(bench.metadata, expected, sizeof(expected));
}

/* ZNS 3.4.1.1: the controller adds the distance from the zone's start. */
static void append_has_the_tags_of_the_zones_start(void **state)
{
	static const uint8_t expected[16] = {
		0, 0, 0, 0, 0, 0, 0x01, 0x00, 0, 0, 0, 0, 0, 0, 0x01, 0x01,
	};
	struct bench bench;

	(void)state;
	fill_zeros(&bench, PT_APPEND, false);
	assert_int_equal(bench.command.cdw10, 0x100);
	assert_int_equal(bench.command.cdw12, 0x02000000 | (PAIR - 1));
	assert_int_equal(bench.command.cdw14, 0x100);
	assert_memory_equal(bench.metadata, expected, sizeof(expected));
	fill_zeros(&bench, PT_APPEND, true);
	assert_int_equal(bench.command.cdw14, 0x100);
	assert_int_equal(bench.command.metadata_len, 0);
}

/* 16 bytes of metadata, 8 of them protection information in front. */
static const struct pt_namespace mixed = {
	.blocks = 1000,
	.block_bytes = BLOCK,
	.metadata_bytes = 16,
	.pi = {.type = 1, .guard_bits = 16, .bytes = 8, .first = true},
};

/* As a device would give back what was written. */
static void read_back(struct bench *bench, struct pt_modifiers modifiers)
{
	uint8_t metadata[sizeof(bench->metadata)];

	set_up_bench(bench, &mixed, PT_WRITE, modifiers);
	fill(bench);
	memcpy(metadata, bench->metadata, sizeof(metadata));
	set_up_bench(bench, &mixed, PT_READ, modifiers);
	bench->stream.md_check = true;
	fill(bench);
	memcpy(bench->metadata, metadata, sizeof(metadata));
}

static void metadata_behind_the_tags_is_compared_and_named(void **state)
{
	struct fe_error err = {""};
	struct bench bench;

	(void)state;
	read_back(&bench, (struct pt_modifiers){0});
	assert_int_equal(pt_part_finish(&bench.part, &err), 0);
	bench.metadata[16 + 9] = 0x11;
	assert_int_equal(pt_part_finish(&bench.part, &err), -EILSEQ);
	assert_string_equal(err.text,
			    "metadata byte 9 of LBA 292 is 11h, not 5ah");
}

static void a_wrong_tag_counts_beside_good_metadata(void **state)
{
	struct fe_error err = {""};
	struct bench bench;

	(void)state;
	read_back(&bench,
		  (struct pt_modifiers){.pi_check = PT_CHECK_APPLICATION,
					.apptag_mask = 0xffff});
	bench.stream.modifiers.apptag = 1;
	assert_int_equal(pt_part_finish(&bench.part, &err), -EILSEQ);
	assert_string_equal(err.text, "wrong application tag in LBA 291");
}

/* With PRACT they need not be what the host would have made. */
static void tags_are_left_to_the_controller_that_makes_them(void **state)
{
	struct fe_error err = {""};
	struct bench bench;

	(void)state;
	read_back(&bench, (struct pt_modifiers){.pi_act = true,
						.pi_check = PT_CHECK_GUARD});
	memset(bench.metadata, 0x77, 8);
	assert_int_equal(pt_part_finish(&bench.part, &err), 0);
}

static void a_read_leaves_the_memory_of_metadata_alone(void **state)
{
	static const uint8_t zeros[BLOCKS * 16];
	struct bench bench;

	(void)state;
	set_up_bench(&bench, &mixed, PT_READ, (struct pt_modifiers){0});
	fill(&bench);
	assert_memory_equal(bench.metadata, zeros, sizeof(zeros));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(compare_brings_its_protection_information),
		cmocka_unit_test(append_has_the_tags_of_the_zones_start),
		cmocka_unit_test(
			metadata_behind_the_tags_is_compared_and_named),
		cmocka_unit_test(a_wrong_tag_counts_beside_good_metadata),
		cmocka_unit_test(
			tags_are_left_to_the_controller_that_makes_them),
		cmocka_unit_test(a_read_leaves_the_memory_of_metadata_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
