/* SPDX-License-Identifier: GPL-2.0-only */
#include "zones.h"

#include "unit.h"

#include <errno.h>
#include <string.h>

#define ZONES 8
#define BLOCK 4096ull
#define ZONE_BLOCKS 1024ull /* 4 MiB */
#define CAPACITY 768ull	    /* 3 MiB */

static const struct pt_namespace ns = {.csi = PT_CSI_ZNS,
				       .blocks = ZONES * ZONE_BLOCKS,
				       .block_bytes = BLOCK,
				       .zone_blocks = ZONE_BLOCKS};
static uint8_t report[PT_ZONE_REPORT_HEADER + (ZONES + 2) * PT_ZONE_DESCRIPTOR];
static struct pt_zone zones[ZONES + 2];

static uint8_t *descriptor(unsigned int index)
{
	return report + PT_ZONE_REPORT_HEADER + index * PT_ZONE_DESCRIPTOR;
}

static void put(uint8_t *at, uint64_t value)
{
	for (unsigned int i = 0; i < 8; i++)
		at[i] = (uint8_t)(value >> 8 * i);
}

static void put_zone(unsigned int index, uint8_t state, uint64_t written)
{
	uint8_t *d = descriptor(index);

	d[0] = 2;
	d[1] = (uint8_t)(state << 4);
	put(d + 8, CAPACITY);
	put(d + 16, index * ZONE_BLOCKS);
	put(d + 24, index * ZONE_BLOCKS + written);
}

static int set_up(void **state)
{
	(void)state;
	memset(report, 0, sizeof(report));
	memset(zones, 0, sizeof(zones));
	put(report, ZONES);
	for (unsigned int i = 0; i < ZONES + 2; i++)
		put_zone(i, PT_ZONE_EMPTY, 0);
	return 0;
}

static int parse_from(uint64_t from, unsigned int max, struct fe_error *err)
{
	return pt_zones_parse(report, sizeof(report), 0, &ns, from, zones, max,
			      err);
}

static void assert_parsed(int expected)
{
	struct fe_error err = {""};
	const int ret = parse_from(0, ZONES + 2, &err);

	assert_string_equal(err.text, "");
	assert_int_equal(ret, expected);
}

static void assert_refused(const char *sentence)
{
	struct fe_error err = {""};

	assert_int_equal(parse_from(0, ZONES + 2, &err), -EINVAL);
	assert_string_equal(err.text, sentence);
}

/* Bytes that were not 0 in the report of QEMU 7.2 on a drive with zones of
 * which the second had been opened and the third finished. */
static const struct {
	uint8_t at, byte;
} recorded[] = {
	{0, 0x07},   {64, 0x02},  {65, 0x10},  {73, 0x03},  {128, 0x02},
	{129, 0x30}, {137, 0x03}, {145, 0x04}, {153, 0x04}, {192, 0x02},
	{193, 0xe0}, {201, 0x03}, {209, 0x08}, {216, 0xff}, {217, 0xff},
	{218, 0xff}, {219, 0xff}, {220, 0xff}, {221, 0xff}, {222, 0xff},
	{223, 0xff},
};

static void the_report_of_an_emulated_drive(void **state)
{
	struct fe_error err = {""};

	(void)state;
	memset(report, 0, sizeof(report));
	for (size_t i = 0; i < sizeof(recorded) / sizeof(recorded[0]); i++)
		report[recorded[i].at] = recorded[i].byte;
	assert_int_equal(parse_from(0, 3, &err), 3);
	assert_int_equal(zones[0].state, PT_ZONE_EMPTY);
	assert_int_equal(zones[0].capacity, 3 << 20);
	assert_int_equal(zones[1].state, PT_ZONE_EXPLICITLY_OPEN);
	assert_int_equal(zones[1].write_pointer, 4 << 20);
	assert_int_equal(zones[2].state, PT_ZONE_FULL);
	assert_int_equal(zones[2].write_pointer, (8 << 20) + (3 << 20));
}

static void a_zone_is_told_in_bytes(void **state)
{
	(void)state;
	put_zone(1, PT_ZONE_IMPLICITLY_OPEN, 3);
	assert_parsed(ZONES);
	assert_int_equal(zones[0].start, 0);
	assert_int_equal(zones[0].write_pointer, 0);
	assert_int_equal(zones[1].start, 4 << 20);
	assert_int_equal(zones[1].length, 4 << 20);
	assert_int_equal(zones[1].capacity, 3 << 20);
	assert_int_equal(zones[1].write_pointer, (4 << 20) + 3 * BLOCK);
	assert_int_equal(zones[1].state, PT_ZONE_IMPLICITLY_OPEN);
}

static void all_states_are_known_and_no_others(void **state)
{
	static const uint8_t good[] = {0x1, 0x2, 0x3, 0x4, 0xd, 0xe, 0xf};

	(void)state;
	for (uint8_t one = 0, next = 0; one < 16; one++) {
		struct fe_error err = {""};

		put_zone(0, one, 0);
		if (one == good[next]) {
			next++;
			assert_parsed(ZONES);
			assert_int_equal(zones[0].state, one);
			continue;
		}
		assert_int_equal(parse_from(0, ZONES, &err), -EINVAL);
	}
	put_zone(0, 5, 0);
	assert_refused("the zone at LBA 0 is of type 2 (ZT) in state 5 (ZS)");
}

static void a_full_zone_is_written_to_its_capacity(void **state)
{
	(void)state;
	put_zone(2, PT_ZONE_FULL, 0);
	put(descriptor(2) + 24, UINT64_MAX);
	assert_parsed(ZONES);
	assert_int_equal(zones[2].write_pointer, 2 * (4 << 20) + (3 << 20));
}

static void a_zone_that_cannot_be_written_has_no_pointer(void **state)
{
	(void)state;
	put_zone(1, PT_ZONE_READ_ONLY, 0);
	put(descriptor(1) + 24, UINT64_MAX);
	put_zone(2, PT_ZONE_OFFLINE, 0);
	put(descriptor(2) + 24, 1);
	assert_parsed(ZONES);
	assert_int_equal(zones[1].write_pointer, zones[1].start);
	assert_int_equal(zones[2].write_pointer, zones[2].start);
}

static void a_report_may_begin_at_any_zone(void **state)
{
	struct fe_error err = {""};

	(void)state;
	put(report, 2);
	put(descriptor(0) + 16, 6 * ZONE_BLOCKS);
	put(descriptor(0) + 24, 6 * ZONE_BLOCKS);
	put(descriptor(1) + 16, 7 * ZONE_BLOCKS);
	put(descriptor(1) + 24, 7 * ZONE_BLOCKS);
	assert_int_equal(parse_from(6 * ZONE_BLOCKS, ZONES, &err), 2);
	assert_int_equal(zones[1].start, 7 * (4 << 20));
}

static void no_more_are_taken_than_asked_for(void **state)
{
	struct fe_error err = {""};

	(void)state;
	assert_int_equal(parse_from(0, 3, &err), 3);
	assert_int_equal(zones[2].start, 2 * (4 << 20));
	assert_int_equal(zones[3].length, 0);
	assert_int_equal(parse_from(0, 0, &err), 0);
}

static void only_whole_descriptors_count(void **state)
{
	struct fe_error err = {""};
	const size_t two = PT_ZONE_REPORT_HEADER + 2 * PT_ZONE_DESCRIPTOR;

	(void)state;
	put(report, UINT64_MAX);
	assert_int_equal(
		pt_zones_parse(report, two, 0, &ns, 0, zones, ZONES, &err), 2);
	assert_int_equal(
		pt_zones_parse(report, two - 1, 0, &ns, 0, zones, ZONES, &err),
		1);
	for (size_t size = 0; size < PT_ZONE_REPORT_HEADER; size++)
		assert_int_equal(pt_zones_parse(report, size, 0, &ns, 0, zones,
						ZONES, &err),
				 0);
}

static void an_extended_report_has_more_between_them(void **state)
{
	struct fe_error err = {""};

	(void)state;
	put(report, 3);
	/* The second and fourth places hold extensions. */
	memset(descriptor(1), 0xff, PT_ZONE_DESCRIPTOR);
	memset(descriptor(3), 0xff, PT_ZONE_DESCRIPTOR);
	put(descriptor(2) + 16, ZONE_BLOCKS);
	put(descriptor(2) + 24, ZONE_BLOCKS);
	put(descriptor(4) + 16, 2 * ZONE_BLOCKS);
	put(descriptor(4) + 24, 2 * ZONE_BLOCKS);
	assert_int_equal(pt_zones_parse(report, sizeof(report), 64, &ns, 0,
					zones, ZONES, &err),
			 3);
	assert_int_equal(zones[2].start, 2 * (4 << 20));
}

static void zones_beyond_the_namespace_are_refused(void **state)
{
	struct fe_error err = {""};

	(void)state;
	put(report, ZONES + 1);
	assert_refused("the report names more zones than the namespace has");
	assert_int_equal(parse_from(UINT64_MAX - 5, 1, &err), -EINVAL);
}

static void zones_out_of_order_are_refused(void **state)
{
	(void)state;
	put(descriptor(3) + 16, 0);
	assert_refused(
		"the report names a zone at LBA 0 where that at 3072 is next");
}

static void zones_of_another_type_are_refused(void **state)
{
	(void)state;
	descriptor(4)[0] = 1;
	assert_refused(
		"the zone at LBA 4096 is of type 1 (ZT) in state 1 (ZS)");
	/* The upper bits are reserved. */
	descriptor(4)[0] = 0xf2;
	assert_parsed(ZONES);
}

static void a_capacity_beyond_the_zone_is_refused(void **state)
{
	(void)state;
	put(descriptor(0) + 8, ZONE_BLOCKS);
	assert_parsed(ZONES);
	put(descriptor(0) + 8, ZONE_BLOCKS + 1);
	assert_refused(
		"the zone at LBA 0 has a capacity of 1025 blocks (ZCAP), of 1024");
}

static void a_write_pointer_outside_the_zone_is_refused(void **state)
{
	(void)state;
	put_zone(1, PT_ZONE_CLOSED, ZONE_BLOCKS);
	assert_parsed(ZONES);
	put_zone(1, PT_ZONE_CLOSED, ZONE_BLOCKS + 1);
	assert_refused(
		"the zone at LBA 1024 has its write pointer at 2049, outside of it");
	put(descriptor(1) + 24, ZONE_BLOCKS - 1);
	assert_refused(
		"the zone at LBA 1024 has its write pointer at 1023, outside of it");
}

#define TEST(name) cmocka_unit_test_setup(name, set_up)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_report_of_an_emulated_drive),
		TEST(a_zone_is_told_in_bytes),
		TEST(all_states_are_known_and_no_others),
		TEST(a_full_zone_is_written_to_its_capacity),
		TEST(a_zone_that_cannot_be_written_has_no_pointer),
		TEST(a_report_may_begin_at_any_zone),
		TEST(no_more_are_taken_than_asked_for),
		TEST(only_whole_descriptors_count),
		TEST(an_extended_report_has_more_between_them),
		TEST(zones_beyond_the_namespace_are_refused),
		TEST(zones_out_of_order_are_refused),
		TEST(zones_of_another_type_are_refused),
		TEST(a_capacity_beyond_the_zone_is_refused),
		TEST(a_write_pointer_outside_the_zone_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
