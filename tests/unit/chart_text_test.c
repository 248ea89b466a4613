/* SPDX-License-Identifier: GPL-2.0-only */
#include "unit.h"

#include <string.h>

#include "chart/axis.h"
#include "chart/text.h"

static void assert_clean(const char *text, size_t max, const char *clean)
{
	struct rp_str s = RP_STR_INIT;

	rp_chart_text_add_short(&s, text, max);
	assert_string_equal(rp_str_text(&s), clean);
	rp_str_release(&s);
}

static void nothing_that_gnuplot_acts_on_remains(void **state)
{
	(void)state;
	assert_clean("a\"b'c`d\\e\tf\ng\x1b", 99,
		     "a\u201Db\u2019c\u2019d/e f g ");
	assert_clean("\xE2\x80\xAE"
		     "abc",
		     99, " abc");
	assert_clean("\xFF", 99, "\uFFFD");
}

static void long_text_ends_in_an_ellipsis(void **state)
{
	(void)state;
	assert_clean("12345", 5, "12345");
	assert_clean("123456", 5, "1234\u2026");
	assert_clean("\u00B5\u00B5\u00B5", 2, "\u00B5\u2026");
}

static void lines_break_at_spaces(void **state)
{
	rp_strings lines = {0};

	(void)state;
	assert_int_equal(
		rp_chart_text_wrap(&lines, "one two three four", 10, 45, 2), 0);
	assert_int_equal(lines.count, 2);
	assert_string_equal(lines.at[0], "one two");
	assert_string_equal(lines.at[1], "three\u2026");
	rp_strings_release(&lines);
}

static void a_word_longer_than_a_line_is_cut(void **state)
{
	rp_strings lines = {0};

	(void)state;
	assert_int_equal(
		rp_chart_text_wrap(&lines, "nnnnnnnnnnnnnnnnnnnn", 10, 63.1, 1),
		0);
	assert_int_equal(lines.count, 1);
	assert_string_equal(lines.at[0], "nnnnnnnnn\u2026");
	rp_strings_release(&lines);
}

static const char *tick(const struct rp_axis *axis, size_t i)
{
	assert_true(i < axis->ticks.count);
	return axis->ticks.at[i].text;
}

static void linear_ticks_are_one_two_five_steps(void **state)
{
	struct rp_axis axis = {0};

	(void)state;
	assert_int_equal(rp_axis_linear(&axis, 715000, 8, false, rp_tick_iops),
			 0);
	assert_string_equal(tick(&axis, 0), "0");
	assert_string_equal(tick(&axis, 1), "100 k");
	assert_int_equal(axis.ticks.count, 8);
	rp_axis_release(&axis);
}

static void log_ticks_carry_their_own_units(void **state)
{
	struct rp_axis axis = {0};

	(void)state;
	assert_int_equal(rp_axis_log(&axis, 130, 4300, rp_tick_latency), 0);
	assert_string_equal(tick(&axis, 0), "100 µs");
	assert_string_equal(tick(&axis, 3), "1 ms");
	assert_string_equal(tick(&axis, 5), "5 ms");
	assert_int_equal(axis.ticks.count, 6);
	rp_axis_release(&axis);
}

static void many_decades_name_only_decades(void **state)
{
	struct rp_axis axis = {0};

	(void)state;
	assert_int_equal(rp_axis_log(&axis, 3, 7e6, rp_tick_latency), 0);
	assert_string_equal(tick(&axis, 0), "10 µs");
	assert_string_equal(tick(&axis, 1), "100 µs");
	rp_axis_release(&axis);
}

static void places_on_an_axis_map_back(void **state)
{
	struct rp_axis axis = {.min = 10, .max = 1000, .log = true};

	(void)state;
	assert_float_equal(rp_axis_fraction(&axis, 100), 0.5, 1e-9);
	assert_float_equal(rp_axis_value(&axis, 0.5), 100, 1e-6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_that_gnuplot_acts_on_remains),
		cmocka_unit_test(long_text_ends_in_an_ellipsis),
		cmocka_unit_test(lines_break_at_spaces),
		cmocka_unit_test(a_word_longer_than_a_line_is_cut),
		cmocka_unit_test(linear_ticks_are_one_two_five_steps),
		cmocka_unit_test(log_ticks_carry_their_own_units),
		cmocka_unit_test(many_decades_name_only_decades),
		cmocka_unit_test(places_on_an_axis_map_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
