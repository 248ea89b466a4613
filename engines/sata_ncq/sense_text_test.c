/* SPDX-License-Identifier: GPL-2.0-only */
#include "sense.h"

#include "unit.h"

#include <ctype.h>
#include <string.h>

static void expect_text(struct sn_sense sense, const char *expected)
{
	char text[120];

	sense.valid = true;
	sn_sense_text(&sense, text, sizeof(text));
	assert_string_equal(text, expected);
}

static void a_text_has_words_codes_registers_and_place(void **state)
{
	(void)state;
	expect_text((struct sn_sense){.key = 3,
				      .asc = 0x11,
				      .ascq = 4,
				      .ata = true,
				      .status = 0x41,
				      .error = 0x40,
				      .has_lba = true,
				      .lba_bits = 64,
				      .lba = 1000},
		    "Unrecovered read error (3/11/04h), "
		    "ATA status 41h error 40h, LBA 1000");
}

static void half_a_place_is_not_told(void **state)
{
	(void)state;
	expect_text(
		(struct sn_sense){
			.key = 3, .asc = 0x11, .lba_bits = 24, .lba = 1000},
		"Unrecovered read error (3/11/00h)");
}

static void a_reason_that_nobody_gives_is_the_key_in_words(void **state)
{
	(void)state;
	expect_text((struct sn_sense){.key = 11}, "Command aborted (B/00/00h)");
	expect_text((struct sn_sense){.key = 4}, "Hardware error (4/00/00h)");
}

static void codes_without_words_are_named_by_the_key(void **state)
{
	(void)state;
	expect_text((struct sn_sense){.key = 3, .asc = 0x80, .ascq = 0x85},
		    "Medium error (3/80/85h)");
	expect_text((struct sn_sense){.key = 9, .asc = 0x80, .ascq = 0x01},
		    "Sense (9/80/01h)");
}

static void a_qualifier_is_more_than_its_code(void **state)
{
	(void)state;
	expect_text((struct sn_sense){.key = 2, .asc = 4, .ascq = 0x21},
		    "Not ready, hard reset required (2/04/21h)");
	expect_text((struct sn_sense){.key = 2, .asc = 4, .ascq = 0x7f},
		    "Not ready (2/04/7Fh)");
}

static void a_deferred_error_is_called_so(void **state)
{
	(void)state;
	expect_text((struct sn_sense){.key = 3, .asc = 0x0c, .deferred = true},
		    "Write error (3/0C/00h, deferred)");
}

static void nothing_has_a_text_as_well(void **state)
{
	const struct sn_sense sense = {.valid = false, .key = 3};
	char text[40];

	(void)state;
	sn_sense_text(&sense, text, sizeof(text));
	assert_string_equal(text, "No sense data");
}

static void all_codes_are_printable(void **state)
{
	struct sn_sense sense = {.valid = true,
				 .ata = true,
				 .status = 0xff,
				 .error = 0xff,
				 .has_lba = true,
				 .lba_bits = 64,
				 .lba = UINT64_MAX};
	char text[160];

	(void)state;
	for (unsigned int code = 0; code < 16 * 256 * 8; code++) {
		sense.key = code >> 11;
		sense.asc = code >> 3 & 0xff;
		sense.ascq = code & 7;
		sn_sense_text(&sense, text, sizeof(text));
		assert_true(strlen(text) < sizeof(text) - 1);
		for (const char *at = text; *at; at++)
			assert_true(isprint((unsigned char)*at));
	}
}

static void a_long_text_is_cut(void **state)
{
	const struct sn_sense sense = {.valid = true, .key = 3, .asc = 0x11};
	char text[8];

	(void)state;
	sn_sense_text(&sense, text, sizeof(text));
	assert_string_equal(text, "Unrecov");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_has_words_codes_registers_and_place),
		cmocka_unit_test(half_a_place_is_not_told),
		cmocka_unit_test(
			a_reason_that_nobody_gives_is_the_key_in_words),
		cmocka_unit_test(codes_without_words_are_named_by_the_key),
		cmocka_unit_test(a_qualifier_is_more_than_its_code),
		cmocka_unit_test(a_deferred_error_is_called_so),
		cmocka_unit_test(nothing_has_a_text_as_well),
		cmocka_unit_test(all_codes_are_printable),
		cmocka_unit_test(a_long_text_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
