/* SPDX-License-Identifier: GPL-2.0-only */
#include "part_fixture.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(compare_brings_its_protection_information),
		cmocka_unit_test(append_has_the_tags_of_the_zones_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
