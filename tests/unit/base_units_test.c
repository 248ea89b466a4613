/* SPDX-License-Identifier: GPL-2.0-only */
#include "unit.h"

#include <math.h>

#include "base/units.h"

static char buf[RP_NUMBER_MAX];

static void counts_have_thousands_separators(void **state)
{
	(void)state;
	assert_string_equal(rp_fmt_count(buf, sizeof(buf), 0), "0");
	assert_string_equal(rp_fmt_count(buf, sizeof(buf), 999), "999");
	assert_string_equal(rp_fmt_count(buf, sizeof(buf), 1000), "1,000");
	assert_string_equal(rp_fmt_count(buf, sizeof(buf), 80208.6), "80,209");
	assert_string_equal(rp_fmt_count(buf, sizeof(buf), 1234567),
			    "1,234,567");
	assert_string_equal(rp_fmt_count(buf, sizeof(buf), -1234), "-1,234");
	assert_string_equal(rp_fmt_count(buf, sizeof(buf), 0.5), "0.5");
}

static void what_is_not_known_is_a_dash(void **state)
{
	(void)state;
	assert_string_equal(rp_fmt_count(buf, sizeof(buf), NAN), "–");
	assert_string_equal(rp_fmt_latency(buf, sizeof(buf), NAN), "–");
	assert_string_equal(rp_fmt_bandwidth(buf, sizeof(buf), INFINITY), "–");
	assert_string_equal(rp_fmt_bytes(buf, sizeof(buf), NAN), "–");
	assert_string_equal(rp_fmt_percent(buf, sizeof(buf), NAN), "–");
}

static void latencies_choose_their_unit(void **state)
{
	(void)state;
	assert_string_equal(rp_fmt_latency(buf, sizeof(buf), 850), "850 ns");
	assert_string_equal(rp_fmt_latency(buf, sizeof(buf), 203200), "203 µs");
	assert_string_equal(rp_fmt_latency(buf, sizeof(buf), 1590000),
			    "1.59 ms");
	assert_string_equal(rp_fmt_latency(buf, sizeof(buf), 12.44e9),
			    "12.4 s");
	/* what rounds to 1,000 of a unit is 1 of the next */
	assert_string_equal(rp_fmt_latency(buf, sizeof(buf), 999999),
			    "1.00 ms");
	assert_string_equal(rp_fmt_latency(buf, sizeof(buf), 999400), "999 µs");
}

static void bandwidth_is_decimal(void **state)
{
	(void)state;
	assert_string_equal(rp_fmt_bandwidth(buf, sizeof(buf), 2590e6),
			    "2,590 MB/s");
	assert_string_equal(rp_fmt_bandwidth(buf, sizeof(buf), 4096),
			    "0.00 MB/s");
	assert_string_equal(rp_fmt_bandwidth(buf, sizeof(buf), 56.78e6),
			    "56.8 MB/s");
}

static void sizes_are_binary_and_whole_where_they_can_be(void **state)
{
	(void)state;
	assert_string_equal(rp_fmt_bytes(buf, sizeof(buf), 4096), "4 KiB");
	assert_string_equal(rp_fmt_bytes(buf, sizeof(buf), 1.5 * 0x1p30),
			    "1.50 GiB");
	assert_string_equal(rp_fmt_bytes(buf, sizeof(buf), 512), "512 B");
}

static void no_number_overflows_its_buffer(void **state)
{
	const double values[] = {1e308, -1e308, 1e18, 5e-324, -0.0, 1e15};

	(void)state;
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		rp_fmt_count(buf, sizeof(buf), values[i]);
		rp_fmt_latency(buf, sizeof(buf), values[i]);
		rp_fmt_bandwidth(buf, sizeof(buf), values[i]);
		rp_fmt_bytes(buf, sizeof(buf), values[i]);
		rp_fmt_percent(buf, sizeof(buf), values[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_have_thousands_separators),
		cmocka_unit_test(what_is_not_known_is_a_dash),
		cmocka_unit_test(latencies_choose_their_unit),
		cmocka_unit_test(bandwidth_is_decimal),
		cmocka_unit_test(sizes_are_binary_and_whole_where_they_can_be),
		cmocka_unit_test(no_number_overflows_its_buffer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
