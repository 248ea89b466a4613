/* SPDX-License-Identifier: GPL-2.0-only */
#include "part_fixture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct pt_namespace plain_namespace(void)
{
	return (struct pt_namespace){
		.nsid = 7,
		.blocks = 1000,
		.block_bytes = BLOCK,
		.mdts_bytes = 65536,
	};
}

/* Eight bytes beside eight of type 1 protection information. */
static struct pt_namespace protected_namespace(bool extended)
{
	struct pt_namespace ns = plain_namespace();

	ns.metadata_bytes = 16;
	ns.extended = extended;
	ns.pi = (struct pt_protection){.type = 1, .guard_bits = 16, .bytes = 8};
	return ns;
}

static void expect_addr(const struct bench *bench, const void *at,
			uint32_t length)
{
	assert_ptr_equal((void *)(uintptr_t)bench->command.addr, at);
	assert_int_equal(bench->command.data_len, length);
}

static void a_read_points_into_the_buffer_of_the_io(void **state)
{
	const struct pt_namespace ns = plain_namespace();
	struct bench bench;

	(void)state;
	set_up_bench(&bench, &ns, PT_READ, (struct pt_modifiers){0});
	fill(&bench);
	assert_true(bench.stream.plain);
	expect_addr(&bench, bench.data, sizeof(bench.data));
	assert_int_equal(bench.command.cdw10, 0x123);
	assert_int_equal(bench.command.cdw12, BLOCKS - 1);
	assert_int_equal(bench.command.metadata_len, 0);
}

/* As if it had been filled in anew. */
static void a_plain_command_moves_to_another_place_and_buffer(void **state)
{
	const struct pt_namespace ns = plain_namespace();
	const struct pt_modifiers modifiers = {.fua = true, .dsm = 3};
	struct bench moved, made;

	(void)state;
	set_up_bench(&moved, &ns, PT_WRITE, modifiers);
	set_up_bench(&made, &ns, PT_WRITE, modifiers);
	fill(&moved);
	made.part.slba = 0x123456789;
	fill(&made);
	pt_plain_move(&moved.command, &moved.stream, 0x123456789 * BLOCK,
		      made.data);
	assert_memory_equal(&moved.command, &made.command,
			    sizeof(made.command));
}

static void an_extended_write_carries_data_and_metadata(void **state)
{
	const struct pt_namespace ns = protected_namespace(true);
	struct bench bench;

	(void)state;
	set_up_bench(&bench, &ns, PT_WRITE, (struct pt_modifiers){0});
	fill(&bench);
	expect_addr(&bench, bench.own, sizeof(bench.own));
	for (unsigned int i = 0; i < BLOCKS; i++) {
		const uint8_t *block = bench.own + i * (BLOCK + 16);

		assert_memory_equal(block, bench.data + i * BLOCK, BLOCK);
		for (unsigned int at = 0; at < 8; at++)
			assert_int_equal(block[BLOCK + at], 0x5a);
		/* The reference tag ends the block, big endian. */
		assert_int_equal(block[BLOCK + 14], 0x01);
		assert_int_equal(block[BLOCK + 15], 0x23 + i);
	}
}

static void separate_metadata_has_a_pointer_of_its_own(void **state)
{
	const struct pt_namespace ns = protected_namespace(false);
	struct bench bench;

	(void)state;
	set_up_bench(&bench, &ns, PT_WRITE, (struct pt_modifiers){0});
	fill(&bench);
	expect_addr(&bench, bench.data, sizeof(bench.data));
	assert_ptr_equal((void *)(uintptr_t)bench.command.metadata,
			 bench.metadata);
	assert_int_equal(bench.command.metadata_len, BLOCKS * 16);
	assert_int_equal(bench.metadata[0], 0x5a);
}

static void the_controller_makes_all_metadata_if_it_is_told_to(void **state)
{
	struct pt_namespace ns = protected_namespace(true);
	struct bench bench;

	(void)state;
	ns.metadata_bytes = 8;
	set_up_bench(&bench, &ns, PT_WRITE,
		     (struct pt_modifiers){.pi_act = true});
	fill(&bench);
	assert_false(bench.stream.metadata);
	expect_addr(&bench, bench.data, sizeof(bench.data));
	assert_int_equal(bench.command.cdw14, 0x123);
}

/* What a device would give back for what was written. */
static void write_then_read(struct bench *read, const struct pt_namespace *ns,
			    struct pt_modifiers modifiers)
{
	struct bench write;

	set_up_bench(&write, ns, PT_WRITE, modifiers);
	fill(&write);
	set_up_bench(read, ns, PT_READ, modifiers);
	fill(read);
	memcpy(read->own, write.own, sizeof(read->own));
	memcpy(read->metadata, write.metadata, sizeof(read->metadata));
	memcpy(read->data, write.data, sizeof(read->data));
	if (ns->extended)
		memset(read->data, 0, sizeof(read->data));
}

static const struct pt_modifiers check_all = {
	.pi_check = PT_CHECK_GUARD | PT_CHECK_APPLICATION | PT_CHECK_REFERENCE,
	.apptag = 0x1234,
	.apptag_mask = 0xffff,
};

static void what_was_written_is_read_with_good_tags(void **state)
{
	(void)state;
	for (int extended = 0; extended < 2; extended++) {
		const struct pt_namespace ns = protected_namespace(extended);
		struct fe_error err = {""};
		struct bench bench, expected;

		write_then_read(&bench, &ns, check_all);
		assert_int_equal(pt_part_finish(&bench.part, &err), 0);
		set_up_bench(&expected, &ns, PT_READ, check_all);
		assert_memory_equal(bench.data, expected.data,
				    sizeof(bench.data));
	}
}

static void a_changed_byte_of_data_is_a_wrong_guard(void **state)
{
	const struct pt_namespace ns = protected_namespace(true);
	struct fe_error err = {""};
	struct bench bench;

	(void)state;
	write_then_read(&bench, &ns, check_all);
	bench.own[2 * (BLOCK + 16) + 5] ^= 1;
	assert_int_equal(pt_part_finish(&bench.part, &err), -EILSEQ);
	assert_string_equal(err.text, "wrong guard in LBA 293");
}

static void another_application_tag_is_told(void **state)
{
	const struct pt_namespace ns = protected_namespace(false);
	struct fe_error err = {""};
	struct bench bench;

	(void)state;
	write_then_read(&bench, &ns, check_all);
	bench.stream.modifiers.apptag = 0x4321;
	assert_int_equal(pt_part_finish(&bench.part, &err), -EILSEQ);
	assert_string_equal(err.text, "wrong application tag in LBA 291");
}

static void metadata_is_compared_with_the_pattern_if_asked(void **state)
{
	const struct pt_namespace ns = protected_namespace(false);
	struct fe_error err = {""};
	struct bench bench;

	(void)state;
	write_then_read(&bench, &ns, (struct pt_modifiers){0});
	bench.metadata[16 + 3] = 0x11;
	assert_int_equal(pt_part_finish(&bench.part, &err), 0);
	bench.stream.md_check = true;
	assert_int_equal(pt_part_finish(&bench.part, &err), -EILSEQ);
	assert_string_equal(err.text,
			    "metadata byte 3 of LBA 292 is 11h, not 5ah");
}

static void a_trim_is_one_range(void **state)
{
	const struct pt_namespace ns = plain_namespace();
	const uint8_t range[16] = {0, 0, 0, 0, BLOCKS, 0, 0, 0, 0x23, 0x01};
	struct bench bench;

	(void)state;
	set_up_bench(&bench, &ns, PT_DEALLOCATE, (struct pt_modifiers){0});
	fill(&bench);
	expect_addr(&bench, bench.own, 16);
	assert_memory_equal(bench.own, range, sizeof(range));
	assert_int_equal(bench.command.cdw10, 0);
	assert_int_equal(bench.command.cdw11, 4);
	assert_int_equal(bench.command.cdw12, 0);
}

static void an_append_names_the_start_of_the_zone(void **state)
{
	struct pt_namespace ns = plain_namespace();
	struct bench bench;

	(void)state;
	ns.csi = PT_CSI_ZNS;
	ns.zone_blocks = 0x100;
	set_up_bench(&bench, &ns, PT_APPEND, (struct pt_modifiers){0});
	fill(&bench);
	expect_addr(&bench, bench.data, sizeof(bench.data));
	assert_int_equal(bench.command.cdw10, 0x100);
	assert_int_equal(bench.command.cdw12 & 0xffff, BLOCKS - 1);
}

/* Little endian, at byte 8 of the first source range. */
static uint64_t source_of(const struct bench *bench)
{
	uint64_t slba = 0;

	for (int i = 7; i >= 0; i--)
		slba = slba << 8 | bench->own[8 + i];
	return slba;
}

static void a_copy_reads_from_its_distance_round_the_end(void **state)
{
	struct pt_namespace ns = plain_namespace();
	struct bench bench;

	(void)state;
	ns.copy_ranges = 4;
	ns.copy_range_blocks = 64;
	ns.copy_blocks = 128;
	set_up_bench(&bench, &ns, PT_COPY, (struct pt_modifiers){0});
	bench.stream.copy_distance = 100;
	assert_int_equal(pt_part_own_bytes(&bench.stream, BLOCKS), 4 * 32);
	fill(&bench);
	assert_int_equal(bench.command.cdw10, 0x123);
	assert_int_equal(bench.command.cdw12 & 0xff, 0);
	assert_int_equal(source_of(&bench), 0x123 + 100);
	bench.part.slba = 996;
	fill(&bench);
	assert_int_equal(source_of(&bench), (996 + 100) % (1000 - BLOCKS + 1));
}

static void commands_without_data_have_no_buffer(void **state)
{
	static const enum pt_op ops[] = {PT_VERIFY, PT_WRITE_ZEROES,
					 PT_WRITE_UNCORRECTABLE};
	const struct pt_namespace ns = protected_namespace(true);

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct bench bench;

		set_up_bench(&bench, &ns, ops[i], (struct pt_modifiers){0});
		fill(&bench);
		assert_int_equal(bench.stream.buffer, PT_BUFFER_NONE);
		expect_addr(&bench, NULL, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_read_points_into_the_buffer_of_the_io),
		cmocka_unit_test(
			a_plain_command_moves_to_another_place_and_buffer),
		cmocka_unit_test(an_extended_write_carries_data_and_metadata),
		cmocka_unit_test(separate_metadata_has_a_pointer_of_its_own),
		cmocka_unit_test(
			the_controller_makes_all_metadata_if_it_is_told_to),
		cmocka_unit_test(what_was_written_is_read_with_good_tags),
		cmocka_unit_test(a_changed_byte_of_data_is_a_wrong_guard),
		cmocka_unit_test(another_application_tag_is_told),
		cmocka_unit_test(
			metadata_is_compared_with_the_pattern_if_asked),
		cmocka_unit_test(a_trim_is_one_range),
		cmocka_unit_test(an_append_names_the_start_of_the_zone),
		cmocka_unit_test(a_copy_reads_from_its_distance_round_the_end),
		cmocka_unit_test(commands_without_data_have_no_buffer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
