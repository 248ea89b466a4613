/* SPDX-License-Identifier: GPL-2.0-only */
#include "namespace_parse.h"

#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "identify_recorded.h"

/* Offsets that the tests write to. */
enum {
	MDTS = 77,
	CTRATT = 96,
	OACS = 256,
	NLBAF = 25,
	FLBAS = 26,
	DPS = 29,
	DLFEAT = 33,
	LBAF = 128,
	ELBAF = 12,
	LBAFE = 2816,
};

static struct pt_identify_data data;

static uint8_t digit(char c)
{
	return (uint8_t)(c <= '9' ? c - '0' : c - 'a' + 10);
}

static void load(const struct recorded_run *runs)
{
	uint8_t *all = (uint8_t *)&data;

	memset(&data, 0, sizeof(data));
	data.has_nvm_ns = true;
	for (; runs->hex; runs++) {
		for (size_t i = 0; runs->hex[2 * i]; i++)
			all[runs->at + i] =
				(uint8_t)(digit(runs->hex[2 * i]) << 4 |
					  digit(runs->hex[2 * i + 1]));
	}
}

static int set_up(void **state)
{
	(void)state;
	load(blocks_4k);
	return 0;
}

static struct pt_namespace parsed(void)
{
	struct pt_namespace ns = {0};
	struct fe_error err = {""};
	const int ret = pt_namespace_parse(&data, &ns, &err);

	assert_string_equal(err.text, "");
	assert_int_equal(ret, 0);
	return ns;
}

static void assert_refused(int code, const char *sentence)
{
	struct pt_namespace ns = {0};
	struct fe_error err = {""};

	assert_int_equal(pt_namespace_parse(&data, &ns, &err), code);
	assert_string_equal(err.text, sentence);
}

/* The index that QEMU gives to the format of 4 KiB without metadata. */
static uint8_t *format_of_4k(void)
{
	return data.ns + LBAF + 4 * 4;
}

static void a_drive_with_512_byte_blocks(void **state)
{
	struct pt_namespace ns;

	(void)state;
	load(blocks_512);
	ns = parsed();
	assert_int_equal(ns.csi, PT_CSI_NVM);
	assert_int_equal(ns.blocks, (256 << 20) / 512);
	assert_int_equal(ns.block_bytes, 512);
	assert_int_equal(ns.metadata_bytes, 0);
	assert_false(ns.extended);
	assert_int_equal(ns.pi.type, 0);
}

static void a_drive_with_4k_blocks(void **state)
{
	struct pt_namespace ns;

	(void)state;
	ns = parsed();
	assert_int_equal(ns.blocks, (256 << 20) / 4096);
	assert_int_equal(ns.block_bytes, 4096);
}

static void limits_of_the_controller(void **state)
{
	struct pt_namespace ns;

	(void)state;
	ns = parsed();
	assert_int_equal(ns.oncs, 0x15d);
	assert_int_equal(ns.mdts_bytes, 512 << 10);
	assert_int_equal(ns.verify_bytes, 512 << 10);
	assert_int_equal(ns.zeroes_bytes, 0);
	assert_int_equal(ns.uncorrectable_bytes, 0);
	assert_int_equal(ns.copy_ranges, 128);
	assert_int_equal(ns.copy_range_blocks, 128);
	assert_int_equal(ns.copy_blocks, 128);
	assert_false(ns.fdp);
	assert_false(ns.directives);
	assert_false(ns.zeroes_deallocate);
}

static void limits_of_dataset_management(void **state)
{
	struct pt_namespace ns;

	(void)state;
	data.nvm_controller[3] = 7;
	data.nvm_controller[4] = 0x10;
	data.nvm_controller[5] = 0x32;
	data.nvm_controller[8] = 0;
	data.nvm_controller[15] = 0x80;
	ns = parsed();
	assert_int_equal(ns.dsm_ranges, 7);
	assert_int_equal(ns.dsm_range_blocks & 0xffff, 0x3210);
	assert_true(ns.dsm_blocks >= 1ull << 63);
}

static void protection_in_separate_metadata(void **state)
{
	struct pt_namespace ns;

	(void)state;
	load(separate);
	ns = parsed();
	assert_int_equal(ns.block_bytes, 4096);
	assert_int_equal(ns.metadata_bytes, 8);
	assert_false(ns.extended);
	assert_int_equal(ns.pi.type, 1);
	assert_int_equal(ns.pi.guard_bits, 16);
	assert_int_equal(ns.pi.bytes, 8);
	assert_int_equal(ns.pi.storage_bits, 0);
	assert_false(ns.pi.first);
}

static void protection_that_follows_the_data(void **state)
{
	struct pt_namespace ns;

	(void)state;
	load(extended);
	ns = parsed();
	assert_int_equal(ns.block_bytes, 512);
	assert_int_equal(ns.metadata_bytes, 8);
	assert_true(ns.extended);
	assert_true(ns.pi.first);
	assert_int_equal(pt_namespace_buffer_block(&ns), 520);
}

static void a_guard_of_64_bits(void **state)
{
	struct pt_namespace ns;

	(void)state;
	load(guard_64);
	ns = parsed();
	assert_int_equal(ns.metadata_bytes, 16);
	assert_int_equal(ns.pi.guard_bits, 64);
	assert_int_equal(ns.pi.bytes, 16);
	assert_int_equal(ns.pi.storage_bits, 0);
}

static void metadata_without_protection(void **state)
{
	struct pt_namespace ns;

	(void)state;
	load(plain_metadata);
	ns = parsed();
	assert_int_equal(ns.metadata_bytes, 64);
	assert_true(ns.extended);
	assert_int_equal(ns.pi.type, 0);
}

static void a_zoned_drive(void **state)
{
	struct pt_namespace ns;

	(void)state;
	load(zoned);
	ns = parsed();
	assert_int_equal(ns.csi, PT_CSI_ZNS);
	assert_int_equal(ns.zone_blocks, (4 << 20) / 4096);
	assert_int_equal(ns.max_open, 8);
	assert_int_equal(ns.append_bytes, 0);
}

static void append_has_a_limit_of_its_own(void **state)
{
	(void)state;
	load(zoned);
	data.zns_controller[0] = 5;
	assert_int_equal(parsed().append_bytes, 128 << 10);
}

static void as_many_zones_may_be_open_as_there_are(void **state)
{
	(void)state;
	load(zoned);
	memset(data.zns_ns + 8, 0xff, 4);
	assert_int_equal(parsed().max_open, 0);
}

static void what_old_controllers_refuse_has_defaults(void **state)
{
	struct pt_namespace ns;

	(void)state;
	memset(data.descriptors, 0, PT_IDENTIFY_BYTES);
	memset(data.nvm_controller, 0, PT_IDENTIFY_BYTES);
	memset(data.nvm_ns, 0, PT_IDENTIFY_BYTES);
	data.has_nvm_ns = false;
	ns = parsed();
	assert_int_equal(ns.csi, PT_CSI_NVM);
	assert_int_equal(ns.verify_bytes, 0);
	assert_int_equal(ns.dsm_ranges, 0);
	assert_int_equal(ns.dsm_blocks, 0);
}

static void a_guard_that_is_not_told_is_not_guessed(void **state)
{
	(void)state;
	load(guard_64);
	data.has_nvm_ns = false;
	assert_refused(
		-EOPNOTSUPP,
		"the controller does not say of what kind the protection information is (Identify, CNS 05h)");
	/* Without extended formats (CTRATT) there is but one kind. */
	data.controller[CTRATT + 1] = 0;
	assert_int_equal(parsed().pi.guard_bits, 16);
}

static void abilities_are_bits(void **state)
{
	struct pt_namespace ns;

	(void)state;
	data.controller[CTRATT + 2] = 1 << 3;
	data.controller[OACS] = 1 << 5;
	data.ns[DLFEAT] = 1 << 3;
	ns = parsed();
	assert_true(ns.fdp);
	assert_true(ns.directives);
	assert_true(ns.zeroes_deallocate);
}

static void more_than_16_formats_have_two_bits_more_of_index(void **state)
{
	(void)state;
	data.ns[NLBAF] = 63;
	data.ns[FLBAS] = 0x6f;
	data.ns[LBAF + 63 * 4 + 2] = 14;
	assert_int_equal(parsed().block_bytes, 16384);
	data.ns[NLBAF] = 16;
	data.ns[FLBAS] = 0x20;
	data.ns[LBAF + 16 * 4 + 2] = 15;
	assert_int_equal(parsed().block_bytes, 32768);
	/* With fewer, these bits say nothing. */
	data.ns[FLBAS] = 0x6f;
	data.ns[NLBAF] = 15;
	data.ns[LBAF + 15 * 4 + 2] = 13;
	assert_int_equal(parsed().block_bytes, 8192);
}

static void more_formats_than_there_is_room_for_are_refused(void **state)
{
	(void)state;
	data.ns[NLBAF] = 64;
	assert_refused(-EINVAL, "65 formats (NLBAF), of 64 that can be");
	data.ns[NLBAF] = 255;
	assert_refused(-EINVAL, "256 formats (NLBAF), of 64 that can be");
}

static void a_format_that_is_not_there_is_refused(void **state)
{
	(void)state;
	data.ns[FLBAS] = 8;
	assert_refused(
		-EINVAL,
		"formatted as number 8 (FLBAS), of 8 that there are (NLBAF)");
}

static void blocks_are_of_512_bytes_to_64_kib(void **state)
{
	static const uint8_t bad[] = {0, 8, 17, 31, 32, 63, 64, 255};

	(void)state;
	for (size_t i = 0; i < sizeof(bad); i++) {
		char sentence[200];

		snprintf(
			sentence, sizeof(sentence),
			"logical blocks of 2^%u bytes (LBADS); the engine does 512 bytes to 64 KiB",
			bad[i]);
		format_of_4k()[2] = bad[i];
		assert_refused(-EOPNOTSUPP, sentence);
	}
	format_of_4k()[2] = 9;
	assert_int_equal(parsed().block_bytes, 512);
	format_of_4k()[2] = 16;
	assert_int_equal(parsed().block_bytes, 65536);
}

static void metadata_longer_than_the_block_is_refused(void **state)
{
	(void)state;
	format_of_4k()[1] = 0x10;
	assert_int_equal(parsed().metadata_bytes, 4096);
	format_of_4k()[0] = 1;
	assert_refused(
		-EOPNOTSUPP,
		"4097 bytes of metadata (MS) for a logical block of 4096 bytes");
}

static void blocks_without_metadata_are_not_extended(void **state)
{
	(void)state;
	data.ns[FLBAS] |= 0x10;
	assert_false(parsed().extended);
}

static void an_empty_namespace_is_refused(void **state)
{
	(void)state;
	memset(data.ns, 0, 8);
	assert_refused(-EINVAL,
		       "no such namespace, or an empty one (NSZE is 0)");
}

static void a_namespace_that_offsets_cannot_count_is_refused(void **state)
{
	(void)state;
	memset(data.ns, 0, 8);
	data.ns[6] = 0x08;
	assert_refused(
		-EINVAL,
		"2251799813685248 blocks of 4096 bytes (NSZE) are more than offsets can count");
	memset(data.ns, 0xff, 6);
	data.ns[6] = 0x07;
	assert_true(parsed().blocks == (1ull << 51) - 1);
}

static void a_transfer_size_beyond_all_numbers_is_no_limit(void **state)
{
	(void)state;
	data.controller[MDTS] = 51;
	assert_true(parsed().mdts_bytes == 1ull << 63);
	data.controller[MDTS] = 52;
	assert_int_equal(parsed().mdts_bytes, 0);
	data.controller[MDTS] = 255;
	assert_int_equal(parsed().mdts_bytes, 0);
	data.controller[MDTS] = 0;
	assert_int_equal(parsed().mdts_bytes, 0);
}

static void protection_of_an_unknown_type_is_refused(void **state)
{
	(void)state;
	load(separate);
	data.ns[DPS] = 3;
	assert_int_equal(parsed().pi.type, 3);
	data.ns[DPS] = 4;
	assert_refused(-EINVAL,
		       "protection of type 4 (DPS), of 3 that there are");
}

static void protection_needs_room_in_the_metadata(void **state)
{
	(void)state;
	data.ns[DPS] = 1;
	assert_refused(
		-EINVAL,
		"0 bytes of metadata (MS) can't hold 8 of protection information");
}

static void an_unknown_guard_is_refused(void **state)
{
	(void)state;
	load(guard_64);
	/* PIF are bits 8:7. */
	data.nvm_ns[ELBAF + 6 * 4] = 0x80;
	assert_refused(
		-EOPNOTSUPP,
		"protection information of a format (PIF 3) that the engine does not know");
}

static void a_storage_tag_fits_into_the_tag_space(void **state)
{
	uint8_t *elbaf = data.nvm_ns + ELBAF + 6 * 4;

	(void)state;
	load(guard_64);
	elbaf[0] = 48;
	assert_int_equal(parsed().pi.storage_bits, 48);
	elbaf[0] = 49;
	assert_refused(-EINVAL,
		       "a storage tag of 49 bits (STS) beside a guard of 64");
	elbaf[0] = 0x80 | 15;
	elbaf[1] = 0;
	assert_refused(-EINVAL,
		       "a storage tag of 15 bits (STS) beside a guard of 32");
	elbaf[0] = 0x80 | 16;
	assert_int_equal(parsed().pi.guard_bits, 32);
	elbaf[0] = 33;
	assert_refused(-EINVAL,
		       "a storage tag of 33 bits (STS) beside a guard of 16");
}

static void zones_of_nothing_are_refused(void **state)
{
	(void)state;
	load(zoned);
	memset(data.zns_ns + LBAFE + 4 * 16, 0, 8);
	assert_refused(-EINVAL,
		       "zones of 0 blocks (ZSZE) in a namespace of 16384");
}

static void zones_larger_than_the_namespace_are_refused(void **state)
{
	(void)state;
	load(zoned);
	memset(data.zns_ns + LBAFE + 4 * 16, 0xff, 8);
	assert_refused(
		-EINVAL,
		"zones of 18446744073709551615 blocks (ZSZE) in a namespace of 16384");
}

static void one_zone_may_be_the_whole_namespace(void **state)
{
	uint8_t *zsze = data.zns_ns + LBAFE + 4 * 16;

	(void)state;
	load(zoned);
	zsze[1] = 0x40;
	assert_int_equal(parsed().zone_blocks, 16384);
	zsze[0] = 1;
	assert_refused(-EINVAL,
		       "zones of 16385 blocks (ZSZE) in a namespace of 16384");
}

static void other_command_sets_are_refused(void **state)
{
	(void)state;
	data.descriptors[4] = 1;
	assert_refused(
		-EOPNOTSUPP,
		"a namespace of command set 1; the engine does NVM (0) and zoned (2)");
}

/* Sanitizers find what is amiss. */
static void any_bytes_are_refused_or_taken(void **state)
{
	uint8_t *all = (uint8_t *)&data;
	uint32_t random = 1;

	(void)state;
	for (unsigned int round = 0; round < 20000; round++) {
		struct pt_namespace ns = {0};
		struct fe_error err = {""};
		int ret;

		if (round % 50 == 0)
			load(round % 100 ? guard_64 : zoned);
		for (unsigned int i = 0; i < 8; i++) {
			random = random * 1664525 + 1013904223;
			all[(random >> 8) % 30 + i / 2 * PT_IDENTIFY_BYTES +
			    (i % 2 ? LBAF : 0)] = (uint8_t)(random >> 24);
		}
		ret = pt_namespace_parse(&data, &ns, &err);
		assert_int_equal(ret != 0, err.text[0] != '\0');
		if (ret)
			continue;
		assert_in_range(ns.block_bytes, 512, 65536);
		assert_true(ns.blocks <= INT64_MAX / ns.block_bytes);
	}
}

static void a_transfer_is_limited_by_device_and_kernel(void **state)
{
	struct pt_namespace ns = {.mdts_bytes = 0, .kernel_bytes = 0};

	(void)state;
	assert_int_equal(pt_namespace_max_transfer(&ns), 0);
	ns.kernel_bytes = 2;
	assert_int_equal(pt_namespace_max_transfer(&ns), 2);
	ns.mdts_bytes = 1;
	assert_int_equal(pt_namespace_max_transfer(&ns), 1);
	ns.mdts_bytes = 3;
	assert_int_equal(pt_namespace_max_transfer(&ns), 2);
	ns.kernel_bytes = 0;
	assert_int_equal(pt_namespace_max_transfer(&ns), 3);
}

#define TEST(name) cmocka_unit_test_setup(name, set_up)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_drive_with_512_byte_blocks),
		TEST(a_drive_with_4k_blocks),
		TEST(limits_of_the_controller),
		TEST(limits_of_dataset_management),
		TEST(protection_in_separate_metadata),
		TEST(protection_that_follows_the_data),
		TEST(a_guard_of_64_bits),
		TEST(metadata_without_protection),
		TEST(a_zoned_drive),
		TEST(append_has_a_limit_of_its_own),
		TEST(as_many_zones_may_be_open_as_there_are),
		TEST(what_old_controllers_refuse_has_defaults),
		TEST(a_guard_that_is_not_told_is_not_guessed),
		TEST(abilities_are_bits),
		TEST(more_than_16_formats_have_two_bits_more_of_index),
		TEST(more_formats_than_there_is_room_for_are_refused),
		TEST(a_format_that_is_not_there_is_refused),
		TEST(blocks_are_of_512_bytes_to_64_kib),
		TEST(metadata_longer_than_the_block_is_refused),
		TEST(blocks_without_metadata_are_not_extended),
		TEST(an_empty_namespace_is_refused),
		TEST(a_namespace_that_offsets_cannot_count_is_refused),
		TEST(a_transfer_size_beyond_all_numbers_is_no_limit),
		TEST(protection_of_an_unknown_type_is_refused),
		TEST(protection_needs_room_in_the_metadata),
		TEST(an_unknown_guard_is_refused),
		TEST(a_storage_tag_fits_into_the_tag_space),
		TEST(zones_of_nothing_are_refused),
		TEST(zones_larger_than_the_namespace_are_refused),
		TEST(one_zone_may_be_the_whole_namespace),
		TEST(other_command_sets_are_refused),
		TEST(any_bytes_are_refused_or_taken),
		TEST(a_transfer_is_limited_by_device_and_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
