/* SPDX-License-Identifier: GPL-2.0-only */
#include "unit.h"

#include <errno.h>
#include <stdio.h>

#include "options.h"

static int parse(struct options *options, const char *word)
{
	char name[] = "fake_sata", copy[200], why[100];
	char *argv[] = {name, copy};

	snprintf(copy, sizeof(copy), "%s", word);
	return options_parse(options, 2, argv, why, sizeof(why));
}

static void size_and_block_size_make_the_blocks(void **state)
{
	struct options options;

	(void)state;
	assert_int_equal(parse(&options, "--size=3"), 0);
	assert_int_equal(options.blocks, 6144);
	assert_int_equal(parse(&options, "--4kn"), 0);
	assert_int_equal(options.blocks, 32768);
	assert_int_equal(options.block_bytes, 4096);
}

static void a_list_of_lbas_is_read(void **state)
{
	struct options options;

	(void)state;
	assert_int_equal(parse(&options, "--bad-lba=5,0x10,7"), 0);
	assert_int_equal(options.bad.n, 3);
	assert_int_equal(options.bad.lbas[1], 16);
}

static void a_list_hits_by_first_and_last_block_only(void **state)
{
	const struct lba_list list = {.lbas = {100}, .n = 1};
	uint64_t lba = 0;

	(void)state;
	assert_false(lba_list_hits(&list, 92, 8, NULL));
	assert_true(lba_list_hits(&list, 93, 8, NULL));
	assert_true(lba_list_hits(&list, 100, 1, &lba));
	assert_int_equal(lba, 100);
	assert_false(lba_list_hits(&list, 101, 8, NULL));
}

static void nonsense_is_refused(void **state)
{
	static const char *const words[] = {
		"--size=0",
		"--size=-1",
		"--size=99999999999",
		"--bad-lba=",
		"--bad-lba=1,",
		"--bad-lba=1x",
		"--bad-lba=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17",
		"--latency=4294967296",
		"--latency=1s",
		"--serial=",
		"--serial=123456789012345678901",
		"--no-such-option",
		"word",
	};
	struct options options;

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		assert_int_equal(parse(&options, words[i]), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(size_and_block_size_make_the_blocks),
		cmocka_unit_test(a_list_of_lbas_is_read),
		cmocka_unit_test(a_list_hits_by_first_and_last_block_only),
		cmocka_unit_test(nonsense_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
