/* SPDX-License-Identifier: GPL-2.0-only */
#include "identify_fixture.h"

#include <errno.h>

static void a_recorded_disk_has_its_geometry(void **state)
{
	const struct sn_identity id = parsed();

	(void)state;
	assert_int_equal(id.blocks, 256 << 11);
	assert_int_equal(id.block_bytes, 512);
	assert_int_equal(id.physical_bytes, 512);
	assert_int_equal(id.alignment, 0);
	assert_int_equal(id.rotation, 1);
	assert_true(id.solid_state);
}

static void rotation_is_told_or_not(void **state)
{
	static const struct {
		uint16_t word, rotation;
	} cases[] = {
		{0x0000, 0},	{0x0002, 0},	{0x0400, 0},
		{0x0401, 1025}, {0x1c20, 7200}, {0xfffe, 65534},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set_word(217, cases[i].word);
		assert_int_equal(parsed().rotation, cases[i].rotation);
		assert_false(parsed().solid_state);
	}
}

/* 512e: 2^3 logical blocks a physical one */
static void physical_blocks_may_be_larger(void **state)
{
	struct sn_identity id;

	(void)state;
	set_word(106, 0x6003);
	set_word(209, 0x4000);
	id = parsed();
	assert_int_equal(id.block_bytes, 512);
	assert_int_equal(id.physical_bytes, 4096);
	assert_int_equal(id.alignment, 0);
}

/* As with drives that put block 63 on a boundary. */
static void the_first_block_may_be_within_a_physical_one(void **state)
{
	(void)state;
	set_word(106, 0x6003);
	set_word(209, 0x4001);
	assert_int_equal(parsed().alignment, 7);
	set_word(209, 0x4007);
	assert_int_equal(parsed().alignment, 1);
	set_word(209, 0x8007); /* not reported */
	assert_int_equal(parsed().alignment, 0);
}

static void an_alignment_beyond_the_physical_block_is_refused(void **state)
{
	(void)state;
	set_word(106, 0x6003);
	set_word(209, 0x4008);
	assert_refused(
		-EINVAL,
		"IDENTIFY DEVICE: the first block is 8 blocks into a physical one (word 209), which has 8 (word 106)");
}

/* 4Kn: 2048 words */
static void logical_blocks_may_be_of_4096_bytes(void **state)
{
	struct sn_identity id;

	(void)state;
	set_word(106, 0x5000);
	set_words(117, 2, 2048);
	id = parsed();
	assert_int_equal(id.block_bytes, 4096);
	assert_int_equal(id.physical_bytes, 4096);
}

static void block_sizes_are_512_where_the_word_is_not_reported(void **state)
{
	static const uint16_t invalid[] = {0x0000, 0x3003, 0xb003, 0xffff};

	(void)state;
	set_words(117, 2, 2048);
	for (size_t i = 0; i < sizeof(invalid) / sizeof(invalid[0]); i++) {
		set_word(106, invalid[i]);
		assert_int_equal(parsed().block_bytes, 512);
		assert_int_equal(parsed().physical_bytes, 512);
	}
}

static void the_largest_blocks_do_not_overflow(void **state)
{
	(void)state;
	set_word(106, 0x700f);
	set_words(117, 2, 32768);
	assert_int_equal(parsed().block_bytes, 65536);
	assert_int_equal(parsed().physical_bytes, UINT32_C(65536) << 15);
}

static void blocks_of_no_possible_size_are_refused(void **state)
{
	static const struct {
		uint32_t words;
		const char *sentence;
	} cases[] = {
#define CASE(words, bytes)                                                     \
	{words, "IDENTIFY DEVICE: logical blocks of " bytes                    \
		" bytes (words 117-118) can't be"}
		CASE(0, "0"),
		CASE(128, "256"),
		CASE(260, "520"),
		CASE(65536, "131072"),
		CASE(0xffffffff, "8589934590"),
		CASE(0x80000000, "4294967296"),
	};

	(void)state;
	set_word(106, 0x5000);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set_words(117, 2, cases[i].words);
		assert_refused(-EINVAL, cases[i].sentence);
	}
}

static void blocks_are_counted_by_48_bits(void **state)
{
	(void)state;
	set_words(60, 2, 0x0fffffff);
	set_words(100, 4, UINT64_C(0x123456789a));
	assert_int_equal(parsed().blocks, UINT64_C(0x123456789a));
	assert_true(parsed().lba48);
}

static void blocks_are_counted_by_28_bits_without_48_bit_commands(void **state)
{
	(void)state;
	set_word(83, 0x4000);
	set_words(60, 2, 0x0fffffff);
	set_words(100, 4, UINT64_C(0x123456789a));
	set_bits(69, 8);
	assert_int_equal(parsed().blocks, 0x0fffffff);
	assert_false(parsed().lba48);
}

static void blocks_may_be_counted_beyond_a_legacy_limit(void **state)
{
	(void)state;
	set_words(100, 4, 0xffffffff);
	set_words(230, 4, UINT64_C(0x1d1c0beb0));
	set_bits(69, 8);
	assert_int_equal(parsed().blocks, UINT64_C(0x1d1c0beb0));
}

static void no_blocks_are_refused(void **state)
{
	(void)state;
	set_words(100, 4, 0);
	assert_refused(
		-EINVAL,
		"IDENTIFY DEVICE: 0 blocks (words 100-103) of 512 bytes can't be");
	set_word(83, 0x4000);
	set_words(60, 2, 0);
	assert_refused(
		-EINVAL,
		"IDENTIFY DEVICE: 0 blocks (words 60-61) of 512 bytes can't be");
	load_disk(state);
	set_bits(69, 8);
	assert_refused(
		-EINVAL,
		"IDENTIFY DEVICE: 0 blocks (words 230-233) of 512 bytes can't be");
}

static void more_blocks_than_addresses_are_refused(void **state)
{
	(void)state;
	set_words(100, 4, UINT64_C(1) << 48);
	assert_int_equal(parsed().blocks, UINT64_C(1) << 48);
	set_words(100, 4, (UINT64_C(1) << 48) + 1);
	assert_refused(
		-EINVAL,
		"IDENTIFY DEVICE: 281474976710657 blocks (words 100-103) of 512 bytes can't be");
}

/* 2^48 blocks of 64 KiB are 2^64 bytes, which would be none. */
static void more_bytes_than_offsets_are_refused(void **state)
{
	(void)state;
	set_word(106, 0x5000);
	set_words(117, 2, 32768);
	set_words(100, 4, (UINT64_C(1) << 47) - 1);
	assert_int_equal(parsed().blocks, (UINT64_C(1) << 47) - 1);
	set_words(100, 4, UINT64_C(1) << 48);
	assert_refused(
		-EINVAL,
		"IDENTIFY DEVICE: 281474976710656 blocks (words 100-103) of 65536 bytes can't be");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_recorded_disk_has_its_geometry),
		TEST(rotation_is_told_or_not),
		TEST(physical_blocks_may_be_larger),
		TEST(the_first_block_may_be_within_a_physical_one),
		TEST(an_alignment_beyond_the_physical_block_is_refused),
		TEST(logical_blocks_may_be_of_4096_bytes),
		TEST(block_sizes_are_512_where_the_word_is_not_reported),
		TEST(the_largest_blocks_do_not_overflow),
		TEST(blocks_of_no_possible_size_are_refused),
		TEST(blocks_are_counted_by_48_bits),
		TEST(blocks_are_counted_by_28_bits_without_48_bit_commands),
		TEST(blocks_may_be_counted_beyond_a_legacy_limit),
		TEST(no_blocks_are_refused),
		TEST(more_blocks_than_addresses_are_refused),
		TEST(more_bytes_than_offsets_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
