/* SPDX-License-Identifier: GPL-2.0-only */
#include "identify_fixture.h"

#include <errno.h>

/* As ATA has text: padded, the first character in the high byte. */
static void set_text(unsigned int n, unsigned int count, const char *text)
{
	for (size_t i = 0; i < (size_t)2 * count; i++)
		data[2 * n + (i ^ 1)] = (uint8_t)(*text ? *text++ : ' ');
}

/* ACS 7.13.7, word 255: the sum of all bytes is 0. */
static void sign(void)
{
	uint8_t sum = 0;

	set_word(255, 0xa5);
	for (unsigned int i = 0; i < 511; i++)
		sum = (uint8_t)(sum + data[i]);
	data[511] = (uint8_t)-sum;
}

static void a_recorded_disk_is_named(void **state)
{
	const struct sn_identity id = parsed();

	(void)state;
	assert_string_equal(id.model, "QEMU HARDDISK");
	assert_string_equal(id.serial, "LABSATA");
	assert_string_equal(id.firmware, "2.5+");
}

static void a_recorded_disk_has_plain_ncq(void **state)
{
	const struct sn_identity id = parsed();

	(void)state;
	assert_true(id.ncq);
	assert_int_equal(id.depth, 32);
	assert_false(id.ncq_priority);
	assert_false(id.ncq_streaming);
	assert_false(id.ncq_send_receive);
	assert_false(id.ncq_non_data);
	assert_false(id.ncq_autosense);
	assert_false(id.in_order);
	assert_false(id.phy_events);
	assert_int_equal(id.link_now, 0);
	assert_int_equal(id.link_max, 0);
}

static void a_recorded_disk_has_its_commands(void **state)
{
	const struct sn_identity id = parsed();

	(void)state;
	assert_true(id.smart);
	assert_true(id.flush_ext);
	assert_true(id.write_cache);
	assert_false(id.read_lookahead);
	assert_true(id.trim);
	assert_int_equal(id.trim_units, 0);
	assert_false(id.trim_zeroes);
	assert_false(id.fua_ext);
	assert_false(id.logs);
	assert_false(id.sct);
	assert_int_equal(id.transport, 0);
}

/* One bit each, and nothing else may follow from it. */
static void a_bit_of_a_word_is_a_feature(void **state)
{
	static const struct {
		unsigned int word;
		uint16_t bit;
		size_t at;
	} features[] = {
#define FEATURE(word, bit, field)                                              \
	{word, 1 << (bit), offsetof(struct sn_identity, field)}
		FEATURE(76, 10, phy_events),
		FEATURE(76, 12, ncq_priority),
		FEATURE(77, 4, ncq_streaming),
		FEATURE(77, 5, ncq_non_data),
		FEATURE(77, 6, ncq_send_receive),
		FEATURE(78, 4, in_order),
		FEATURE(78, 7, ncq_autosense),
		FEATURE(84, 5, logs),
		FEATURE(84, 6, fua_ext),
		FEATURE(85, 6, read_lookahead),
		FEATURE(87, 5, logs),
		FEATURE(206, 0, sct),
		/* w69 bit 14 is set already */
		FEATURE(69, 5, trim_zeroes),
	};

	for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++) {
		struct sn_identity with, without;

		load_disk(state);
		without = parsed();
		set_bits(features[i].word, features[i].bit);
		with = parsed();
		((bool *)&without)[features[i].at] = true;
		assert_memory_equal(&with, &without, sizeof(with));
	}
}

static void features_of_ncq_need_ncq(void **state)
{
	struct sn_identity id;

	(void)state;
	set_word(76, 0x1400);
	set_word(77, 0x0070);
	set_word(78, 0x0080);
	id = parsed();
	assert_false(id.ncq);
	assert_int_equal(id.depth, 1);
	assert_false(id.ncq_priority);
	assert_false(id.ncq_streaming);
	assert_false(id.ncq_non_data);
	assert_false(id.ncq_send_receive);
	assert_false(id.ncq_autosense);
	assert_true(id.phy_events);
}

static void the_depth_is_five_bits_and_one(void **state)
{
	(void)state;
	set_word(75, 0xffe0);
	assert_int_equal(parsed().depth, 1);
	set_word(75, 0xfffe);
	assert_int_equal(parsed().depth, 31);
}

static void words_of_sata_are_not_reported_without_the_first(void **state)
{
	static const uint16_t none[] = {0x0000, 0xffff};
	struct sn_identity id;

	(void)state;
	set_word(77, 0x0076);
	set_word(78, 0x0090);
	for (size_t i = 0; i < 2; i++) {
		set_word(76, none[i]);
		id = parsed();
		assert_false(id.ncq);
		assert_false(id.phy_events);
		assert_false(id.in_order);
		assert_int_equal(id.link_now, 0);
		assert_int_equal(id.link_max, 0);
	}
}

static void a_word_of_sata_that_is_all_ones_is_not_reported(void **state)
{
	struct sn_identity id;

	(void)state;
	set_word(76, 0x1f0e);
	set_word(77, 0xffff);
	set_word(78, 0xffff);
	id = parsed();
	assert_true(id.ncq_priority);
	assert_false(id.ncq_send_receive);
	assert_false(id.ncq_autosense);
	assert_int_equal(id.link_now, 0);
}

static void the_link_has_generations(void **state)
{
	(void)state;
	set_word(76, 0x0106);
	set_word(77, 0x0002);
	assert_int_equal(parsed().link_max, 2);
	assert_int_equal(parsed().link_now, 1);
	set_word(76, 0x010e);
	set_word(77, 0x0006);
	assert_int_equal(parsed().link_max, 3);
	assert_int_equal(parsed().link_now, 3);
}

static void a_generation_that_nobody_knows_is_not_told(void **state)
{
	(void)state;
	set_word(77, 0x0008);
	assert_int_equal(parsed().link_now, 0);
}

static void commands_count_only_where_bits_15_and_14_are_01b(void **state)
{
	static const uint16_t invalid[] = {0x3fff, 0xbfff, 0xffff, 0x0000};
	struct sn_identity id;

	(void)state;
	for (size_t i = 0; i < sizeof(invalid) / sizeof(invalid[0]); i++) {
		set_word(83, invalid[i]);
		set_word(84, invalid[i]);
		set_word(87, invalid[i]);
		set_word(85, 0xffff);
		id = parsed();
		assert_false(id.flush_ext);
		assert_false(id.fua_ext);
		assert_false(id.logs);
		assert_false(id.smart);
		assert_false(id.write_cache);
		assert_false(id.read_lookahead);
	}
}

static void what_is_all_ones_is_not_reported(void **state)
{
	static const unsigned int words[] = {105, 206, 217, 222};
	struct sn_identity id;

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		set_word(words[i], 0xffff);
	id = parsed();
	assert_int_equal(id.trim_units, 0);
	assert_false(id.sct);
	assert_int_equal(id.rotation, 0);
	assert_int_equal(id.transport, 0);
	set_word(169, 0xffff);
	assert_false(parsed().trim);
}

static void trim_has_limit_and_result(void **state)
{
	struct sn_identity id;

	(void)state;
	set_word(105, 8);
	set_word(69, 0x0020);
	id = parsed();
	assert_int_equal(id.trim_units, 8);
	assert_false(id.trim_zeroes); /* not deterministic */
	set_word(69, 0x4020);
	assert_true(parsed().trim_zeroes);
	set_word(169, 0);
	id = parsed();
	assert_int_equal(id.trim_units, 0);
	assert_false(id.trim_zeroes);
}

static void the_transport_is_told(void **state)
{
	(void)state;
	set_word(222, 0x10ff);
	assert_int_equal(parsed().transport, 0x10ff);
}

static void a_right_checksum_is_taken(void **state)
{
	(void)state;
	sign();
	assert_int_equal(data[511], 0x55);
	assert_int_equal(parsed().blocks, 256 << 11);
}

static void a_wrong_checksum_is_refused(void **state)
{
	(void)state;
	sign();
	data[511]++;
	assert_refused(-EBADMSG,
		       "IDENTIFY DEVICE: the checksum in word 255 is wrong");
}

static void without_its_signature_there_is_no_checksum(void **state)
{
	(void)state;
	set_word(255, 0x12a4);
	parsed();
}

static void an_empty_answer_is_no_drive(void **state)
{
	(void)state;
	memset(data, 0, sizeof(data));
	assert_refused(
		-ENODEV,
		"IDENTIFY DEVICE: all bytes are 0, this is no ATA drive");
}

static void an_atapi_device_is_no_drive(void **state)
{
	(void)state;
	set_word(0, 0x85c0);
	assert_refused(
		-ENODEV,
		"IDENTIFY DEVICE: word 0 is 85c0h, this is no ATA drive (bit 15)");
}

static void text_fills_its_field(void **state)
{
	(void)state;
	set_text(27, 20, "0123456789012345678901234567890123456789");
	set_text(10, 10, "abcdefghijklmnopqrst");
	set_text(23, 4, "FIRMWARE");
	assert_string_equal(parsed().model,
			    "0123456789012345678901234567890123456789");
	assert_string_equal(parsed().serial, "abcdefghijklmnopqrst");
	assert_string_equal(parsed().firmware, "FIRMWARE");
}

static void text_is_trimmed(void **state)
{
	(void)state;
	set_text(27, 20, "   A  drive");
	set_text(10, 10, "");
	memset(data + 46, 0, 8); /* firmware */
	assert_string_equal(parsed().model, "A  drive");
	assert_string_equal(parsed().serial, "");
	assert_string_equal(parsed().firmware, "");
}

static void what_is_not_printable_is_replaced(void **state)
{
	(void)state;
	set_text(27, 20, "\033[2J\n\x7f\x80\xff~%n");
	assert_string_equal(parsed().model, "?[2J????~%n");
}

static void any_bytes_are_answered(void **state)
{
	uint32_t seed = 1;
	struct sn_identity id;

	(void)state;
	for (unsigned int n = 0; n < 20000; n++) {
		struct fe_error err = {""};
		int ret;

		for (size_t i = 0; i < sizeof(data); i++) {
			seed = seed * 1664525 + 1013904223;
			data[i] = (uint8_t)(seed >> 24);
		}
		data[1] &= 0x7f;
		ret = sn_identity_parse(data, &id, &err);
		assert_true(ret == 0 || ret == -EINVAL || ret == -EBADMSG);
		assert_true(!ret == !err.text[0]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_recorded_disk_is_named),
		TEST(a_recorded_disk_has_plain_ncq),
		TEST(a_recorded_disk_has_its_commands),
		TEST(a_bit_of_a_word_is_a_feature),
		TEST(features_of_ncq_need_ncq),
		TEST(the_depth_is_five_bits_and_one),
		TEST(words_of_sata_are_not_reported_without_the_first),
		TEST(a_word_of_sata_that_is_all_ones_is_not_reported),
		TEST(the_link_has_generations),
		TEST(a_generation_that_nobody_knows_is_not_told),
		TEST(commands_count_only_where_bits_15_and_14_are_01b),
		TEST(what_is_all_ones_is_not_reported),
		TEST(trim_has_limit_and_result),
		TEST(the_transport_is_told),
		TEST(a_right_checksum_is_taken),
		TEST(a_wrong_checksum_is_refused),
		TEST(without_its_signature_there_is_no_checksum),
		TEST(an_empty_answer_is_no_drive),
		TEST(an_atapi_device_is_no_drive),
		TEST(text_fills_its_field),
		TEST(text_is_trimmed),
		TEST(what_is_not_printable_is_replaced),
		TEST(any_bytes_are_answered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
