/* SPDX-License-Identifier: GPL-2.0-only */
/* Layouts: ACS 9.2 (directory), 9.13 (log 10h), 9.16 and SATA 13.7.4 (11h). */
#include "log.h"

#include "unit.h"

#include <errno.h>
#include <string.h>

static uint8_t data[512];

static int clear(void **state)
{
	(void)state;
	memset(data, 0, sizeof(data));
	return 0;
}

/* Byte 511 makes the sum of all 0. */
static void sign(void)
{
	uint8_t sum = 0;

	for (size_t i = 0; i < 511; i++)
		sum = (uint8_t)(sum + data[i]);
	data[511] = (uint8_t)-sum;
}

static uint8_t digit(char c)
{
	return (uint8_t)(c <= '9' ? c - '0' : c - 'a' + 10);
}

/* "01 00": two bytes */
static void load(size_t at, const char *hex)
{
	const size_t n = (strlen(hex) + 1) / 3;

	for (size_t i = 0; i < n; i++)
		data[at + i] = (uint8_t)(digit(hex[3 * i]) << 4 |
					 digit(hex[3 * i + 1]));
	sign();
}

static struct sn_ncq_error parsed(void)
{
	struct sn_ncq_error error;

	assert_int_equal(sn_ncq_error_parse(data, &error), 0);
	return error;
}

static void the_directory_has_pages_of_each_log(void **state)
{
	(void)state;
	load(0, "01 00"); /* version */
	load(2 * 0x10, "01 00");
	load(2 * 0x30, "02 01");
	load(2 * 0xff, "03 00");
	assert_int_equal(sn_log_pages(data, SN_LOG_NCQ_ERROR), 1);
	assert_int_equal(sn_log_pages(data, SN_LOG_PHY_EVENTS), 0);
	assert_int_equal(sn_log_pages(data, 0x30), 0x102);
	data[511] = 0;
	assert_int_equal(sn_log_pages(data, 0xff), 3);
}

/* An uncorrectable error at LBA 605040302010h of the command with tag 21. */
static void an_error_has_registers_and_sense(void **state)
{
	struct sn_ncq_error error;

	(void)state;
	load(0, "15 00 41 40 10 20 30 44 40 50 60 00 08 01 03 11 04");
	assert_int_equal(data[511], 0xb5);
	error = parsed();
	assert_true(error.queued);
	assert_false(error.unload);
	assert_int_equal(error.tag, 21);
	assert_int_equal(error.status, 0x41);
	assert_int_equal(error.error, 0x40);
	assert_int_equal(error.lba, UINT64_C(0x605040302010));
	assert_int_equal(error.device, 0x44);
	assert_int_equal(error.count, 0x108);
	assert_int_equal(error.key, 3);
	assert_int_equal(error.asc, 0x11);
	assert_int_equal(error.ascq, 4);
}

static void the_error_may_be_of_no_queued_command(void **state)
{
	(void)state;
	load(0, "80 00 51 04");
	assert_false(parsed().queued);
}

static void the_heads_may_have_been_unloaded(void **state)
{
	(void)state;
	load(0, "40 00 41 04");
	assert_true(parsed().queued);
	assert_true(parsed().unload);
	assert_int_equal(parsed().tag, 0);
}

static void a_tag_is_five_bits(void **state)
{
	(void)state;
	load(0, "3f 00 41 04");
	assert_int_equal(parsed().tag, 31);
}

static void reserved_bits_of_the_sense_key_do_not_count(void **state)
{
	(void)state;
	load(0, "00 00 41 04");
	load(14, "fb 47 03");
	assert_int_equal(parsed().key, 11);
}

static void a_wrong_checksum_is_told(void **state)
{
	struct sn_ncq_error error;

	(void)state;
	load(0, "15 00 41 40");
	data[300]++; /* the vendor's bytes count, too */
	assert_int_equal(sn_ncq_error_parse(data, &error), -EBADMSG);
	assert_int_equal(error.tag, 0);
	assert_int_equal(error.status, 0);
}

static void an_empty_log_tells_of_no_error(void **state)
{
	struct sn_ncq_error error;

	(void)state;
	assert_int_equal(sn_ncq_error_parse(data, &error), -ENODATA);
	load(0, "80");
	assert_int_equal(sn_ncq_error_parse(data, &error), -ENODATA);
}

static void an_error_without_status_is_one(void **state)
{
	(void)state;
	load(3, "84");
	assert_int_equal(parsed().error, 0x84);
	load(2, "41 00");
	assert_int_equal(parsed().status, 0x41);
}

static struct sn_phy_counter counters[SN_PHY_COUNTERS];

static void counters_have_lengths_in_words(void **state)
{
	static const struct {
		uint16_t id;
		uint64_t value, most;
	} expected[] = {
		{0x001, 0x0201, 0xffff},
		{0x00a, 0x04030201, 0xffffffff},
		{0x00b, UINT64_C(0x060504030201), UINT64_C(0xffffffffffff)},
		{0x00d, UINT64_C(0x0807060504030201), UINT64_MAX},
	};

	(void)state;
	load(4,
	     "01 10 01 02 0a 20 01 02 03 04 0b 30 01 02 03 04 05 06 0d 40 01 02 03 04 05 06 07 08");
	assert_int_equal(sn_phy_counters_parse(data, counters), 4);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(counters[i].id, expected[i].id);
		assert_int_equal(counters[i].value, expected[i].value);
		assert_int_equal(counters[i].most, expected[i].most);
	}
}

static void reserved_bytes_are_before_the_counters(void **state)
{
	(void)state;
	load(0, "ff ff ff ff 01 10 07 00");
	assert_int_equal(sn_phy_counters_parse(data, counters), 1);
	assert_int_equal(counters[0].value, 7);
}

static void a_counter_of_the_vendor_keeps_its_bit(void **state)
{
	(void)state;
	load(4, "02 a8 01 00 00 00");
	assert_int_equal(sn_phy_counters_parse(data, counters), 1);
	assert_int_equal(counters[0].id, 0x8802);
	assert_null(sn_phy_counter_name(counters[0].id));
}

static void the_list_ends_with_identifier_0(void **state)
{
	(void)state;
	load(4, "01 10 07 00 00 00 02 10 08 00");
	assert_int_equal(sn_phy_counters_parse(data, counters), 1);
	load(4, "00 00");
	assert_int_equal(sn_phy_counters_parse(data, counters), 0);
}

static void what_has_no_value_is_left_out(void **state)
{
	(void)state;
	load(4, "01 00 02 10 08 00");
	assert_int_equal(sn_phy_counters_parse(data, counters), 1);
	assert_int_equal(counters[0].id, 2);
	assert_int_equal(counters[0].value, 8);
}

static void a_reserved_length_is_left_out(void **state)
{
	(void)state;
	/* 5 words */
	load(4, "01 50 01 02 03 04 05 06 07 08 09 0a 02 10 08 00");
	assert_int_equal(sn_phy_counters_parse(data, counters), 1);
	assert_int_equal(counters[0].id, 2);
}

static void more_counters_than_there_is_room_for_are_left_out(void **state)
{
	(void)state;
	for (size_t at = 4; at + 4 <= 508; at += 4)
		load(at,
		     at == SN_PHY_COUNTERS * 4 ? "01 10 07 00" : "01 10 08 00");
	assert_int_equal(sn_phy_counters_parse(data, counters),
			 SN_PHY_COUNTERS);
	assert_int_equal(counters[SN_PHY_COUNTERS - 1].value, 7);
}

/* The last one begins 7 bytes before the checksum. */
static void a_counter_does_not_reach_into_the_checksum(void **state)
{
	(void)state;
	for (size_t at = 4; at + 10 <= 504; at += 10)
		load(at, "01 40 01 00 00 00 00 00 00 00");
	load(504, "02 20 01 00 00 00 03");
	/* 504 to 509 are a counter, at 510 would be an identifier. */
	assert_int_equal(sn_phy_counters_parse(data, counters), 51);
	assert_int_equal(counters[50].id, 2);
	load(504, "02 30 01 00 00 00 00");
	assert_int_equal(sn_phy_counters_parse(data, counters), 50);
}

static void a_wrong_checksum_of_counters_is_told(void **state)
{
	(void)state;
	load(4, "01 10 07 00");
	data[4]++;
	assert_int_equal(sn_phy_counters_parse(data, counters), -EBADMSG);
}

static void counters_have_names(void **state)
{
	static const uint16_t known[] = {0x1, 0x2,  0x3,  0x4, 0x5, 0x6,
					 0x7, 0x8,  0x9,  0xa, 0xb, 0xd,
					 0xf, 0x10, 0x12, 0x13};
	size_t n = 0;

	(void)state;
	for (unsigned int id = 0; id <= 0xffff; id++) {
		const char *name = sn_phy_counter_name((uint16_t)id);

		if (n < sizeof(known) / sizeof(known[0]) && known[n] == id) {
			assert_non_null(name);
			n++;
		} else {
			assert_null(name);
		}
	}
	assert_string_equal(sn_phy_counter_name(0x00f),
			    "CRC errors in data FIS, host to device");
}

static void any_bytes_are_answered(void **state)
{
	uint32_t seed = 1;

	(void)state;
	for (unsigned int n = 0; n < 20000; n++) {
		struct sn_ncq_error error;
		int found;

		for (size_t i = 0; i < sizeof(data); i++) {
			seed = seed * 1664525 + 1013904223;
			data[i] = (uint8_t)(seed >> 24);
		}
		sign();
		assert_int_equal(sn_ncq_error_parse(data, &error), 0);
		assert_true(error.lba >> 48 == 0);
		found = sn_phy_counters_parse(data, counters);
		assert_in_range(found, 0, SN_PHY_COUNTERS);
		for (int i = 0; i < found; i++)
			assert_true(counters[i].value <= counters[i].most);
	}
}

#define TEST(name) cmocka_unit_test_setup(name, clear)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_directory_has_pages_of_each_log),
		TEST(an_error_has_registers_and_sense),
		TEST(the_error_may_be_of_no_queued_command),
		TEST(the_heads_may_have_been_unloaded),
		TEST(a_tag_is_five_bits),
		TEST(reserved_bits_of_the_sense_key_do_not_count),
		TEST(a_wrong_checksum_is_told),
		TEST(an_empty_log_tells_of_no_error),
		TEST(an_error_without_status_is_one),
		TEST(counters_have_lengths_in_words),
		TEST(reserved_bytes_are_before_the_counters),
		TEST(a_counter_of_the_vendor_keeps_its_bit),
		TEST(the_list_ends_with_identifier_0),
		TEST(what_has_no_value_is_left_out),
		TEST(a_reserved_length_is_left_out),
		TEST(more_counters_than_there_is_room_for_are_left_out),
		TEST(a_counter_does_not_reach_into_the_checksum),
		TEST(a_wrong_checksum_of_counters_is_told),
		TEST(counters_have_names),
		TEST(any_bytes_are_answered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
