/* SPDX-License-Identifier: GPL-2.0-only */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "render/base64.h"
#include "render/escape.h"
#include "render/number.h"

static void assert_escapes(void (*escape)(struct rp_str *, const char *),
			   const char *text, const char *expected)
{
	struct rp_str s = RP_STR_INIT;

	escape(&s, text);
	assert_string_equal(rp_str_text(&s), expected);
	rp_str_release(&s);
}

static void terminal_gets_no_control_character(void **state)
{
	(void)state;
	assert_escapes(rp_escape_tty, "a\x1b[31mb\r\n\x7f",
		       "a\\x1b[31mb\\x0d"
		       "\\x0a\\x7f");
	/* C1's CSI, a mark that turns the text's direction, broken UTF-8 */
	assert_escapes(rp_escape_tty,
		       "\xC2\x9B"
		       "31m",
		       "\\x9b31m");
	assert_escapes(rp_escape_tty, "\u202eabc", "\\u202eabc");
	assert_escapes(rp_escape_tty, "\x9b\xff", "\uFFFD\uFFFD");
	assert_escapes(rp_escape_tty, "203 µs – 中", "203 µs – 中");
}

static void html_is_closed_to_markup(void **state)
{
	(void)state;
	assert_escapes(rp_escape_html, "<a href='x' b=\"&\">",
		       "&lt;a href=&#39;x&#39; b=&quot;&amp;&quot;&gt;");
	assert_escapes(rp_escape_html,
		       "a\x1b"
		       "b\nc",
		       "a\uFFFD"
		       "b c");
}

static void markdown_is_closed_to_markup(void **state)
{
	(void)state;
	assert_escapes(rp_escape_md, "a|b `c` *d* _e_ <f> [g](h) \\",
		       "a\\|b \\`c\\` \\*d\\* \\_e\\_ \\<f\\> \\[g\\](h) \\\\");
	assert_escapes(rp_escape_md, "# no\nheading", "\\# no heading");
	assert_escapes(rp_escape_md, "- no list", "\\- no list");
	assert_escapes(rp_escape_md, "12. no list", "12\\. no list");
	assert_escapes(rp_escape_md, "82.1", "82.1");
	assert_escapes(rp_escape_md, "&lt;", "\\&lt;");
}

static void json_strings_stay_strings(void **state)
{
	(void)state;
	assert_escapes(rp_escape_json, "\"\\\n\x01/",
		       "\\\"\\\\\\u000a\\u0001/");
	assert_escapes(rp_escape_json, "\xc3(", "\uFFFD(");
	assert_escapes(rp_escape_json, "\U0001F600", "\U0001F600");
}

static void csv_fields_stay_fields(void **state)
{
	(void)state;
	assert_escapes(rp_escape_csv, "plain", "plain");
	assert_escapes(rp_escape_csv, "a,b", "\"a,b\"");
	assert_escapes(rp_escape_csv, "a\"b", "\"a\"\"b\"");
	assert_escapes(rp_escape_csv, "a\nb", "\"a\nb\"");
	assert_escapes(rp_escape_csv, "# no comment", "\"# no comment\"");
}

static void spreadsheets_see_no_formula(void **state)
{
	(void)state;
	assert_escapes(rp_escape_csv, "=1+1", "'=1+1");
	assert_escapes(rp_escape_csv, "+1", "'+1");
	assert_escapes(rp_escape_csv, "-1", "'-1");
	assert_escapes(rp_escape_csv, "@x", "'@x");
	assert_escapes(rp_escape_csv, "=cmd|' /C calc'!A0,\"",
		       "\"'=cmd|' /C calc'!A0,\"\"\"");
	assert_escapes(rp_escape_csv, "a=b", "a=b");
}

static void urls_hold_only_what_a_path_may(void **state)
{
	(void)state;
	assert_escapes(rp_escape_url, "charts/a-1", "charts/a-1");
	assert_escapes(rp_escape_url, "a b)µ", "a%20b%29%C2%B5");
}

static void assert_number(double number, const char *expected)
{
	struct rp_str s = RP_STR_INIT;

	rp_number_add(&s, number, "null");
	assert_string_equal(rp_str_text(&s), expected);
	rp_str_release(&s);
}

static void numbers_are_short_and_exact(void **state)
{
	(void)state;
	assert_number(0, "0");
	assert_number(-0.0, "0");
	assert_number(701000, "701000");
	assert_number(0.1, "0.1");
	assert_number(1.0 / 3, "0.3333333333333333");
	assert_number(123456.789, "123456.789");
	assert_number(-2.5, "-2.5");
	assert_number(1e300, "1e+300");
	assert_number(NAN, "null");
	assert_number(INFINITY, "null");
}

static void assert_base64(const char *text, const char *expected)
{
	struct rp_str s = RP_STR_INIT;

	rp_base64_add(&s, text, strlen(text));
	assert_string_equal(rp_str_text(&s), expected);
	rp_str_release(&s);
}

/* The vectors of RFC 4648. */
static void base64_is_that_of_the_rfc(void **state)
{
	(void)state;
	assert_base64("", "");
	assert_base64("f", "Zg==");
	assert_base64("fo", "Zm8=");
	assert_base64("foo", "Zm9v");
	assert_base64("foobar", "Zm9vYmFy");
	assert_base64("\xff\xfe\xfd", "//79");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(terminal_gets_no_control_character),
		cmocka_unit_test(html_is_closed_to_markup),
		cmocka_unit_test(markdown_is_closed_to_markup),
		cmocka_unit_test(json_strings_stay_strings),
		cmocka_unit_test(csv_fields_stay_fields),
		cmocka_unit_test(spreadsheets_see_no_formula),
		cmocka_unit_test(urls_hold_only_what_a_path_may),
		cmocka_unit_test(numbers_are_short_and_exact),
		cmocka_unit_test(base64_is_that_of_the_rfc),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
