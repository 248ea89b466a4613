/* SPDX-License-Identifier: GPL-2.0-only */
#include "sense.h"

#include "unit.h"

#include <string.h>

#define PASS_THROUGH_16 0x85
#define PASS_THROUGH_32 0x7f
#define READ_16 0x88

static struct sn_sense parse(const uint8_t *bytes, size_t n, uint8_t opcode)
{
	struct sn_sense sense;

	memset(&sense, 0xff, sizeof(sense));
	sn_sense_parse(bytes, n, opcode, &sense);
	return sense;
}

#define PARSE(opcode, ...)                                                     \
	parse((const uint8_t[]){__VA_ARGS__},                                  \
	      sizeof((const uint8_t[]){__VA_ARGS__}), opcode)

static void expect_code(const struct sn_sense *sense, uint8_t key, uint8_t asc,
			uint8_t ascq)
{
	assert_true(sense->valid);
	assert_int_equal(sense->key, key);
	assert_int_equal(sense->asc, asc);
	assert_int_equal(sense->ascq, ascq);
}

static void expect_registers(const struct sn_sense *sense, uint8_t error,
			     uint8_t status, uint8_t device, uint16_t count)
{
	assert_true(sense->ata);
	assert_int_equal(sense->error, error);
	assert_int_equal(sense->status, status);
	assert_int_equal(sense->device, device);
	assert_int_equal(sense->count, count);
}

/* Recorded: READ FPDMA QUEUED with CK_COND that went well. */
static void success_with_registers_is_read(void **state)
{
	const struct sn_sense sense =
		PARSE(PASS_THROUGH_16, 0x72, 0x01, 0x00, 0x1d, 0x00, 0x00, 0x00,
		      0x0e, 0x09, 0x0c, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00,
		      0x00, 0x00, 0x00, 0x00, 0xa0, 0x50);

	(void)state;
	expect_code(&sense, 1, 0x00, 0x1d);
	expect_registers(&sense, 0x00, 0x50, 0xa0, 0);
	assert_false(sense.has_lba);
}

/* As a translation layer gives it that has the drive's log: SAT 12.2.2.7 */
static void a_descriptor_has_registers_and_lba(void **state)
{
	const struct sn_sense sense =
		PARSE(PASS_THROUGH_16, 0x72, 0x03, 0x11, 0x04, 0x00, 0x00, 0x00,
		      0x0e, 0x09, 0x0c, 0x01, 0x40, 0x12, 0x34, 0x06, 0x03,
		      0x05, 0x02, 0x04, 0x01, 0x40, 0x41);

	(void)state;
	expect_code(&sense, 3, 0x11, 0x04);
	expect_registers(&sense, 0x40, 0x41, 0x40, 0x1234);
	assert_true(sense.has_lba);
	assert_int_equal(sense.lba, 0x040506010203);
}

static void a_descriptor_of_a_28_bit_command_is_read_so(void **state)
{
	const struct sn_sense sense =
		PARSE(PASS_THROUGH_16, 0x72, 0x03, 0x11, 0x04, 0x00, 0x00, 0x00,
		      0x0e, 0x09, 0x0c, 0x00, 0x40, 0xee, 0x34, 0xee, 0x03,
		      0xee, 0x02, 0xee, 0x01, 0x47, 0x41);

	(void)state;
	expect_registers(&sense, 0x40, 0x41, 0x47, 0x34);
	assert_true(sense.has_lba);
	assert_int_equal(sense.lba, 0x7010203);
}

static void the_information_descriptor_is_the_better_word(void **state)
{
	const struct sn_sense sense =
		PARSE(PASS_THROUGH_16, 0x72, 0x03, 0x11, 0x00, 0x00, 0x00, 0x00,
		      0x1a, 0x00, 0x0a, 0x80, 0x00, 0x01, 0x02, 0x03, 0x04,
		      0x05, 0x06, 0x07, 0x08, 0x09, 0x0c, 0x01, 0x40, 0x00,
		      0x00, 0x00, 0x09, 0x00, 0x00, 0x00, 0x00, 0x40, 0x41);

	(void)state;
	expect_registers(&sense, 0x40, 0x41, 0x40, 0);
	assert_true(sense.has_lba);
	assert_int_equal(sense.lba, 0x0102030405060708);
}

static void information_that_is_not_valid_is_not_taken(void **state)
{
	const struct sn_sense sense =
		PARSE(READ_16, 0x72, 0x03, 0x11, 0x00, 0x00, 0x00, 0x00, 0x0c,
		      0x00, 0x0a, 0x00, 0x00, 0x01, 0x02, 0x03, 0x04, 0x05,
		      0x06, 0x07, 0x08);

	(void)state;
	expect_code(&sense, 3, 0x11, 0x00);
	assert_false(sense.has_lba);
}

/* Linux fills it in from registers that may be another command's. */
static void information_of_an_aborted_command_is_not_taken(void **state)
{
	const struct sn_sense descriptors =
		PARSE(READ_16, 0x72, 0x0b, 0x00, 0x00, 0x00, 0x00, 0x00, 0x0c,
		      0x00, 0x0a, 0x80, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
		      0x00, 0x00, 0x08);
	const struct sn_sense fixed =
		PARSE(READ_16, 0xf0, 0x00, 0x0b, 0x00, 0x00, 0x00, 0x08, 0x0a,
		      0x00, 0x00, 0x00, 0x00, 0x00, 0x00);

	(void)state;
	assert_false(descriptors.has_lba);
	assert_int_equal(descriptors.lba_bits, 0);
	assert_false(fixed.has_lba);
}

static void unknown_descriptors_are_passed_over(void **state)
{
	const struct sn_sense sense = PARSE(
		PASS_THROUGH_16, 0x72, 0x0b, 0x00, 0x00, 0x00, 0x00, 0x00, 0x12,
		0x02, 0x02, 0xff, 0xff, 0x09, 0x0c, 0x01, 0x04, 0x00, 0x01,
		0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x40, 0x41);

	(void)state;
	expect_registers(&sense, 0x04, 0x41, 0x40, 1);
}

static void a_descriptor_that_is_too_short_is_not_taken(void **state)
{
	const struct sn_sense sense =
		PARSE(PASS_THROUGH_16, 0x72, 0x0b, 0x00, 0x00, 0x00, 0x00, 0x00,
		      0x0e, 0x09, 0x0b, 0x01, 0x04, 0x00, 0x01, 0x00, 0x00,
		      0x00, 0x00, 0x00, 0x00, 0x40, 0x41);

	(void)state;
	expect_code(&sense, 11, 0, 0);
	assert_false(sense.ata);
}

static void a_descriptor_beyond_the_length_is_not_there(void **state)
{
	const struct sn_sense sense =
		PARSE(PASS_THROUGH_16, 0x72, 0x0b, 0x00, 0x00, 0x00, 0x00, 0x00,
		      0x0d, 0x09, 0x0c, 0x01, 0x04, 0x00, 0x01, 0x00, 0x00,
		      0x00, 0x00, 0x00, 0x00, 0x40, 0x41);

	(void)state;
	assert_false(sense.ata);
}

/* Recorded of Linux 6.12: READ LOG EXT that the drive aborted. */
static void fixed_format_of_sat_is_read(void **state)
{
	const struct sn_sense sense = PARSE(
		PASS_THROUGH_16, 0xf0, 0x00, 0x0b, 0x04, 0x41, 0x40, 0x01, 0x0a,
		0x80, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00);

	(void)state;
	expect_code(&sense, 11, 0, 0);
	expect_registers(&sense, 0x04, 0x41, 0x40, 1);
	assert_false(sense.has_lba);
}

static void fixed_format_of_sat_has_an_lba(void **state)
{
	const struct sn_sense sense = PARSE(
		PASS_THROUGH_16, 0xf0, 0x00, 0x03, 0x40, 0x41, 0x40, 0x00, 0x0a,
		0x8f, 0x03, 0x02, 0x01, 0x11, 0x04, 0x00, 0x00, 0x00, 0x00);

	(void)state;
	expect_code(&sense, 3, 0x11, 0x04);
	assert_true(sense.has_lba);
	assert_int_equal(sense.lba, 0x010203);
}

static void fixed_format_tells_when_it_has_but_the_low_bits(void **state)
{
	const struct sn_sense sense = PARSE(
		PASS_THROUGH_16, 0xf0, 0x00, 0x03, 0x40, 0x41, 0x40, 0x00, 0x0a,
		0xa0, 0x03, 0x02, 0x01, 0x11, 0x04, 0x00, 0x00, 0x00, 0x00);

	(void)state;
	assert_false(sense.has_lba);
	assert_int_equal(sense.lba_bits, 24);
	assert_int_equal(sense.lba, 0x010203);
}

static void fixed_format_of_a_28_bit_command_is_read_so(void **state)
{
	const struct sn_sense sense = PARSE(
		PASS_THROUGH_16, 0xf0, 0x00, 0x03, 0x40, 0x41, 0x45, 0x00, 0x0a,
		0x0f, 0x03, 0x02, 0x01, 0x11, 0x04, 0x00, 0x00, 0x00, 0x00);

	(void)state;
	assert_true(sense.has_lba);
	assert_int_equal(sense.lba, 0x5010203);
}

/* Recorded of Linux 6.1: the same, and with what else follows byte 11. */
static void fixed_format_of_older_linux_is_read(void **state)
{
	const struct sn_sense sense = PARSE(
		PASS_THROUGH_16, 0x70, 0x00, 0x0b, 0x00, 0x00, 0x00, 0x00, 0x0a,
		0x04, 0x41, 0xa0, 0x01, 0x00, 0x00, 0x00, 0x00, 0x80, 0x10);

	(void)state;
	expect_code(&sense, 11, 0, 0);
	expect_registers(&sense, 0x04, 0x41, 0xa0, 1);
	assert_int_equal(sense.lba_bits, 0);
}

/* Recorded: a transfer too short on 6.1 and 6.12, a read beyond the end on
 * 6.1. */
static void registers_of_no_error_do_not_explain_one(void **state)
{
	const struct sn_sense old = PARSE(
		PASS_THROUGH_16, 0x70, 0x00, 0x0b, 0x00, 0x00, 0x00, 0x00, 0x0a,
		0x00, 0x40, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00);
	const struct sn_sense zeros = PARSE(
		PASS_THROUGH_16, 0x70, 0x00, 0x0b, 0x00, 0x00, 0x00, 0x00, 0x0a,
		0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00);
	const struct sn_sense before = PARSE(
		PASS_THROUGH_16, 0x70, 0x00, 0x0b, 0x00, 0x00, 0x00, 0x00, 0x0a,
		0x00, 0x50, 0xa0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x00);

	(void)state;
	assert_false(old.ata);
	assert_false(zeros.ata);
	assert_false(before.ata);
}

static void nothing_counts_of_a_busy_drive(void **state)
{
	const struct sn_sense sense =
		PARSE(PASS_THROUGH_16, 0xf0, 0x00, 0x0b, 0x40, 0xff, 0xff, 0xff,
		      0x0a, 0x80, 0x01, 0x00, 0x00, 0x00, 0x00);

	(void)state;
	assert_false(sense.ata);
	assert_int_equal(sense.lba_bits, 0);
}

static void an_lba_counts_only_with_errors_that_have_one(void **state)
{
	const struct sn_sense aborted =
		PARSE(PASS_THROUGH_16, 0xf0, 0x00, 0x0b, 0x04, 0x41, 0x40, 0x01,
		      0x0a, 0x80, 0x08, 0x00, 0x00, 0x00, 0x00);
	const struct sn_sense not_found =
		PARSE(PASS_THROUGH_16, 0xf0, 0x00, 0x05, 0x10, 0x41, 0x40, 0x01,
		      0x0a, 0x80, 0x08, 0x00, 0x00, 0x21, 0x00);

	(void)state;
	assert_int_equal(aborted.lba_bits, 0);
	assert_true(not_found.has_lba);
	assert_int_equal(not_found.lba, 8);
}

static void information_of_a_read_is_an_lba_not_registers(void **state)
{
	const struct sn_sense sense = PARSE(
		READ_16, 0xf0, 0x00, 0x03, 0x04, 0x41, 0x40, 0x01, 0x0a, 0x00,
		0x00, 0x00, 0x00, 0x11, 0x04, 0x00, 0x00, 0x00, 0x00);

	(void)state;
	assert_false(sense.ata);
	assert_true(sense.has_lba);
	assert_int_equal(sense.lba, 0x04414001);
}

static void after_pass_through_32_extend_tells_registers(void **state)
{
	const struct sn_sense place =
		PARSE(PASS_THROUGH_32, 0xf0, 0x00, 0x03, 0x00, 0x41, 0x40, 0x01,
		      0x0a, 0x00, 0x00, 0x00, 0x00, 0x11, 0x04);
	const struct sn_sense registers =
		PARSE(PASS_THROUGH_32, 0xf0, 0x00, 0x03, 0x40, 0x41, 0x40, 0x01,
		      0x0a, 0x80, 0x07, 0x00, 0x00, 0x11, 0x04);

	(void)state;
	assert_false(place.ata);
	assert_int_equal(place.lba, 0x414001);
	expect_registers(&registers, 0x40, 0x41, 0x40, 1);
	assert_int_equal(registers.lba, 7);
}

static void without_valid_information_is_nothing(void **state)
{
	const struct sn_sense sense =
		PARSE(PASS_THROUGH_16, 0x70, 0x00, 0x03, 0x40, 0x41, 0x40, 0x01,
		      0x0a, 0x04, 0x41, 0x00, 0x00, 0x11, 0x04);

	(void)state;
	expect_code(&sense, 3, 0x11, 0x04);
	assert_false(sense.ata);
	assert_false(sense.has_lba);
}

static void pass_through_12_is_as_16(void **state)
{
	const struct sn_sense sense =
		PARSE(0xa1, 0xf0, 0x00, 0x0b, 0x04, 0x41, 0x40, 0x01, 0x0a,
		      0x00, 0x00, 0x00, 0x00);

	(void)state;
	expect_registers(&sense, 0x04, 0x41, 0x40, 1);
}

static void information_of_a_block_not_found_is_an_lba(void **state)
{
	const struct sn_sense not_found =
		PARSE(READ_16, 0xf0, 0x00, 0x05, 0x00, 0x00, 0x00, 0x08, 0x0a,
		      0x00, 0x00, 0x00, 0x00, 0x21, 0x00);
	const struct sn_sense refused =
		PARSE(READ_16, 0xf0, 0x00, 0x05, 0x00, 0x00, 0x00, 0x08, 0x0a,
		      0x00, 0x00, 0x00, 0x00, 0x24, 0x00);

	(void)state;
	assert_true(not_found.has_lba);
	assert_int_equal(not_found.lba, 8);
	assert_false(refused.has_lba);
}

static void information_of_fixed_format_has_to_be_valid(void **state)
{
	const struct sn_sense sense =
		PARSE(READ_16, 0x71, 0x00, 0x03, 0x00, 0x00, 0x00, 0x08, 0x0a,
		      0x00, 0x00, 0x00, 0x00, 0x11, 0x00);

	(void)state;
	assert_false(sense.has_lba);
}

static void no_lba_is_named_by_registers_without_an_error(void **state)
{
	const struct sn_sense sense =
		PARSE(PASS_THROUGH_16, 0xf0, 0x00, 0x01, 0x40, 0x50, 0x40, 0x00,
		      0x0a, 0x80, 0x03, 0x02, 0x01, 0x00, 0x1d);

	(void)state;
	assert_true(sense.ata);
	assert_int_equal(sense.lba_bits, 0);
}

static void codes_beyond_the_length_are_not_there(void **state)
{
	const struct sn_sense none =
		PARSE(READ_16, 0x70, 0x00, 0x03, 0x00, 0x00, 0x00, 0x00, 0x04,
		      0x00, 0x00, 0x00, 0x00, 0x11, 0x04);
	const struct sn_sense one =
		PARSE(READ_16, 0x70, 0x00, 0x03, 0x00, 0x00, 0x00, 0x00, 0x05,
		      0x00, 0x00, 0x00, 0x00, 0x11, 0x04);

	(void)state;
	expect_code(&none, 3, 0, 0);
	expect_code(&one, 3, 0x11, 0);
}

static void deferred_errors_are_told(void **state)
{
	const struct sn_sense fixed =
		PARSE(READ_16, 0x71, 0x00, 0x03, 0x00, 0x00, 0x00, 0x00, 0x0a,
		      0x00, 0x00, 0x00, 0x00, 0x0c, 0x02);
	const struct sn_sense descriptors =
		PARSE(READ_16, 0x73, 0x03, 0x0c, 0x02, 0, 0, 0, 0);
	const struct sn_sense current =
		PARSE(READ_16, 0x72, 0x03, 0x0c, 0x02, 0, 0, 0, 0);

	(void)state;
	expect_code(&fixed, 3, 0x0c, 0x02);
	expect_code(&descriptors, 3, 0x0c, 0x02);
	assert_true(fixed.deferred);
	assert_true(descriptors.deferred);
	assert_false(current.deferred);
}

static void what_is_no_sense_data_is_told(void **state)
{
	const struct sn_sense nothing = parse(NULL, 0, PASS_THROUGH_16);
	const struct sn_sense vendor = PARSE(PASS_THROUGH_16, 0x7f, 3, 0x11, 0,
					     0, 0, 0, 0, 0, 0, 0, 0, 0x11, 4);
	const struct sn_sense cut = PARSE(PASS_THROUGH_16, 0x72, 3, 0x11);

	(void)state;
	assert_false(nothing.valid);
	assert_false(vendor.valid);
	assert_false(cut.valid);
}

/* However much is there, and whatever it says of its length: whether something
 * is read beyond it is the sanitizer's to say. */
static void no_length_is_trusted(void **state)
{
	static const uint8_t codes[] = {0x70, 0xf0, 0x71, 0x72, 0x73, 0xff};
	static const uint8_t opcodes[] = {0x85, 0xa1, 0x7f, 0x88};
	struct sn_sense sense;

	(void)state;
	for (size_t n = 0; n <= 40; n++) {
		for (unsigned int turn = 0; turn < 6 * 256; turn++) {
			uint8_t *bytes = test_malloc(n ? n : 1);

			for (size_t i = 0; i < n; i++)
				bytes[i] = (uint8_t)(turn * (i + 7) % 13);
			if (n)
				bytes[0] = codes[turn % 6];
			if (n > 7)
				bytes[7] = (uint8_t)(turn / 6);
			if (n > 9)
				bytes[9] = (uint8_t)(turn / 5);
			sn_sense_parse(bytes, n, opcodes[turn % 4], &sense);
			test_free(bytes);
			if (n > 3 && turn % 6 != 5)
				assert_true(sense.valid);
			else
				assert_false(sense.valid);
		}
	}
}

static void a_place_lies_within_the_command(void **state)
{
	const struct sn_sense sense = {
		.has_lba = true, .lba_bits = 64, .lba = 1000};
	uint64_t place = 0;

	(void)state;
	assert_true(sn_sense_place(&sense, 1000, 1, &place));
	assert_int_equal(place, 1000);
	assert_true(sn_sense_place(&sense, 993, 8, &place));
	assert_false(sn_sense_place(&sense, 992, 8, &place));
	assert_false(sn_sense_place(&sense, 1001, UINT32_MAX, &place));
	assert_false(sn_sense_place(&sense, 1000, 0, &place));
}

static void the_last_of_all_places_is_one(void **state)
{
	const struct sn_sense sense = {
		.has_lba = true, .lba_bits = 64, .lba = UINT64_MAX};
	uint64_t place = 0;

	(void)state;
	assert_true(sn_sense_place(&sense, UINT64_MAX, 8, &place));
	assert_int_equal(place, UINT64_MAX);
}

static void upper_bits_of_a_place_are_those_of_the_command(void **state)
{
	const struct sn_sense sense = {.lba_bits = 24, .lba = 0x000002};
	uint64_t place = 0;

	(void)state;
	assert_true(sn_sense_place(&sense, 0x12fffffe, 8, &place));
	assert_int_equal(place, 0x13000002);
	assert_false(sn_sense_place(&sense, 0x12fffffa, 8, &place));
	assert_false(sn_sense_place(&sense, UINT64_MAX - 3, 8, &place));
}

static void no_place_is_within_nothing(void **state)
{
	const struct sn_sense sense = {.valid = true};
	uint64_t place = 0;

	(void)state;
	assert_false(sn_sense_place(&sense, 0, 8, &place));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(success_with_registers_is_read),
		cmocka_unit_test(a_descriptor_has_registers_and_lba),
		cmocka_unit_test(a_descriptor_of_a_28_bit_command_is_read_so),
		cmocka_unit_test(the_information_descriptor_is_the_better_word),
		cmocka_unit_test(information_that_is_not_valid_is_not_taken),
		cmocka_unit_test(
			information_of_an_aborted_command_is_not_taken),
		cmocka_unit_test(unknown_descriptors_are_passed_over),
		cmocka_unit_test(a_descriptor_that_is_too_short_is_not_taken),
		cmocka_unit_test(a_descriptor_beyond_the_length_is_not_there),
		cmocka_unit_test(fixed_format_of_sat_is_read),
		cmocka_unit_test(fixed_format_of_sat_has_an_lba),
		cmocka_unit_test(
			fixed_format_tells_when_it_has_but_the_low_bits),
		cmocka_unit_test(fixed_format_of_a_28_bit_command_is_read_so),
		cmocka_unit_test(fixed_format_of_older_linux_is_read),
		cmocka_unit_test(registers_of_no_error_do_not_explain_one),
		cmocka_unit_test(nothing_counts_of_a_busy_drive),
		cmocka_unit_test(an_lba_counts_only_with_errors_that_have_one),
		cmocka_unit_test(information_of_a_read_is_an_lba_not_registers),
		cmocka_unit_test(after_pass_through_32_extend_tells_registers),
		cmocka_unit_test(without_valid_information_is_nothing),
		cmocka_unit_test(pass_through_12_is_as_16),
		cmocka_unit_test(information_of_a_block_not_found_is_an_lba),
		cmocka_unit_test(information_of_fixed_format_has_to_be_valid),
		cmocka_unit_test(no_lba_is_named_by_registers_without_an_error),
		cmocka_unit_test(codes_beyond_the_length_are_not_there),
		cmocka_unit_test(deferred_errors_are_told),
		cmocka_unit_test(what_is_no_sense_data_is_told),
		cmocka_unit_test(no_length_is_trusted),
		cmocka_unit_test(a_place_lies_within_the_command),
		cmocka_unit_test(the_last_of_all_places_is_one),
		cmocka_unit_test(
			upper_bits_of_a_place_are_those_of_the_command),
		cmocka_unit_test(no_place_is_within_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
