/* SPDX-License-Identifier: GPL-2.0-only */
#include "part.h"

#include "unit.h"

#include <string.h>

#define BLOCK 512u
#define BLOCKS 2u

struct bench {
	struct pt_namespace ns;
	struct pt_stream stream;
	struct pt_part part;
	struct nvme_uring_cmd command;
	uint8_t data[BLOCKS * BLOCK], metadata[BLOCKS * 8];
};

/* One part of a namespace with separate metadata, all of it protection. */
static void fill(struct bench *bench, enum pt_op op, bool pi_act)
{
	memset(bench, 0, sizeof(*bench));
	bench->ns = (struct pt_namespace){
		.blocks = 1000,
		.block_bytes = BLOCK,
		.metadata_bytes = 8,
		.pi = {.type = 1, .guard_bits = 16, .bytes = 8},
		.zone_blocks = 0x100,
	};
	bench->stream.ns = &bench->ns;
	bench->stream.op = op;
	bench->stream.modifiers.pi_act = pi_act;
	pt_stream_init(&bench->stream);
	bench->command = bench->stream.prepared;
	bench->part = (struct pt_part){
		.stream = &bench->stream,
		.slba = 0x123,
		.blocks = BLOCKS,
		.data = bench->data,
		.metadata = bench->metadata,
	};
	assert_int_equal(pt_part_fill(&bench->command, &bench->part), 0);
}

/* NVM Command Set figure 23: Compare's PRACT is 0, so metadata pass. */
static void compare_brings_its_protection_information(void **state)
{
	static const uint8_t expected[16] = {
		0, 0, 0, 0, 0, 0, 0x01, 0x23, 0, 0, 0, 0, 0, 0, 0x01, 0x24,
	};
	struct bench bench;

	(void)state;
	fill(&bench, PT_COMPARE, true);
	assert_int_equal(bench.command.cdw12, BLOCKS - 1);
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
	fill(&bench, PT_APPEND, false);
	assert_int_equal(bench.command.cdw10, 0x100);
	assert_int_equal(bench.command.cdw12, 0x02000000 | (BLOCKS - 1));
	assert_int_equal(bench.command.cdw14, 0x100);
	assert_memory_equal(bench.metadata, expected, sizeof(expected));
	fill(&bench, PT_APPEND, true);
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
