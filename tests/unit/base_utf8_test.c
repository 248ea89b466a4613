/* SPDX-License-Identifier: GPL-2.0-only */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

static void assert_decodes(const char *bytes, const uint32_t *codes)
{
	const char *p = bytes;

	for (; *codes; codes++)
		assert_int_equal(rp_utf8_next(&p), *codes);
	assert_int_equal(rp_utf8_next(&p), 0);
	assert_ptr_equal(p, bytes + strlen(bytes));
}

static void valid_utf8_is_decoded(void **state)
{
	(void)state;
	assert_decodes("a\xC2\xB5\xE2\x82\xAC\xF0\x9F\x98\x80",
		       (const uint32_t[]){'a', 0xB5, 0x20AC, 0x1F600, 0});
}

static void invalid_utf8_gives_replacements(void **state)
{
	(void)state;
	/* lone continuation, truncated, overlong, surrogate, too large */
	assert_decodes("\x80x\xC2", (const uint32_t[]){0xFFFD, 'x', 0xFFFD, 0});
	assert_decodes("\xC0\x80", (const uint32_t[]){0xFFFD, 0xFFFD, 0});
	assert_decodes("\xE0\x80\x80",
		       (const uint32_t[]){0xFFFD, 0xFFFD, 0xFFFD, 0});
	assert_decodes("\xE2\x82", (const uint32_t[]){0xFFFD, 0xFFFD, 0});
	assert_decodes("\xED\xA0\x80",
		       (const uint32_t[]){0xFFFD, 0xFFFD, 0xFFFD, 0});
	assert_decodes("\xF4\x90\x80\x80",
		       (const uint32_t[]){0xFFFD, 0xFFFD, 0xFFFD, 0xFFFD, 0});
}

static void every_code_point_survives_a_round_trip(void **state)
{
	(void)state;
	for (uint32_t code = 1; code <= 0x10FFFF; code += 37) {
		struct rp_str s = RP_STR_INIT;
		const char *p;

		if (code >= 0xD800 && code <= 0xDFFF)
			continue;
		rp_utf8_add(&s, code);
		p = rp_str_text(&s);
		assert_int_equal(rp_utf8_next(&p), code);
		assert_int_equal(*p, 0);
		rp_str_release(&s);
	}
}

static void wide_and_combining_characters_have_their_width(void **state)
{
	(void)state;
	assert_int_equal(rp_utf8_width('a'), 1);
	assert_int_equal(rp_utf8_width(0xB5), 1);
	assert_int_equal(rp_utf8_width(0x0301), 0);
	assert_int_equal(rp_utf8_width(0x4E2D), 2);
	assert_int_equal(rp_utf8_width(0x1F600), 2);
}

static void a_sequence_is_not_read_beyond_its_length(void **state)
{
	(void)state;
	assert_int_equal(rp_utf8_decode("\xC2\xB5", 2, NULL), 2);
	assert_int_equal(rp_utf8_decode("\xC2\xB5", 1, NULL), 0);
	assert_int_equal(rp_utf8_decode("", 0, NULL), 0);
}

static void a_printable_copy_cannot_steer_a_terminal(void **state)
{
	const char text[] = "a\x1b[1m\0\xC2\x9B\xFFz\xC2\xB5";
	char *copy = rp_utf8_printable(text, sizeof(text) - 1);

	(void)state;
	assert_string_equal(copy, "a [1m  \xEF\xBF\xBDz\xC2\xB5");
	free(copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(valid_utf8_is_decoded),
		cmocka_unit_test(invalid_utf8_gives_replacements),
		cmocka_unit_test(every_code_point_survives_a_round_trip),
		cmocka_unit_test(
			wide_and_combining_characters_have_their_width),
		cmocka_unit_test(a_sequence_is_not_read_beyond_its_length),
		cmocka_unit_test(a_printable_copy_cannot_steer_a_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
