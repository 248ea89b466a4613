/* SPDX-License-Identifier: GPL-2.0-only */
#include "unit.h"

#include <math.h>

#include "analyse/steady_state.h"

#define JUDGE(...)                                                             \
	rp_steady_judge((const double[]){__VA_ARGS__},                         \
			sizeof((const double[]){__VA_ARGS__}) /                \
				sizeof(double))

static void a_level_line_is_steady(void **state)
{
	struct rp_steady s = JUDGE(500, 500, 500, 500, 500);

	(void)state;
	assert_true(s.steady);
	assert_int_equal(s.rounds, 5);
	assert_near(s.mean, 500, 1e-9);
	assert_near(s.range, 0, 1e-9);
	assert_near(s.slope, 0, 1e-9);
	assert_near(s.drift, 0, 1e-9);
}

static void the_slope_is_that_of_least_squares(void **state)
{
	/* by hand: mean 104, sum x*y over x = -2..2 is 12, divided by 10 */
	struct rp_steady s = JUDGE(100, 104, 106, 108, 102);

	(void)state;
	assert_near(s.mean, 104, 1e-9);
	assert_near(s.slope, 0.8, 1e-9);
	assert_near(s.drift, 0.8 * 4 / 104, 1e-9);
	assert_near(s.range, 8 / 104.0, 1e-9);
	assert_true(s.steady);
}

static void a_range_of_a_fifth_is_the_limit(void **state)
{
	(void)state;
	/* symmetric, so that no slope decides */
	assert_true(JUDGE(100, 110, 90, 110, 90, 100).steady);
	assert_true(JUDGE(100, 110, 90, 100, 100).steady);
	assert_false(JUDGE(100, 110.1, 89.9, 100, 100).steady);
}

static void a_drift_of_a_tenth_is_the_limit(void **state)
{
	/* a straight line: its range is its drift */
	struct rp_steady at = JUDGE(95, 97.5, 100, 102.5, 105);
	struct rp_steady above = JUDGE(94.9, 97.45, 100, 102.55, 105.1);
	struct rp_steady down = JUDGE(105.1, 102.55, 100, 97.45, 94.9);

	(void)state;
	assert_near(at.drift, 0.1, 1e-9);
	assert_true(at.steady);
	assert_true(above.range < 0.2);
	assert_false(above.steady);
	assert_false(down.steady);
	assert_near(down.slope, -2.55, 1e-9);
}

static void only_the_last_five_count(void **state)
{
	struct rp_steady s =
		JUDGE(9000, 5000, 2000, 1000, 1010, 990, 1005, 995);

	(void)state;
	assert_true(s.steady);
	assert_near(s.mean, 1000, 1e-9);
	assert_false(JUDGE(1000, 1000, 1000, 1000, 1000, 5000).steady);
}

static void fewer_than_five_are_never_steady(void **state)
{
	struct rp_steady four = JUDGE(100, 100, 100, 100);
	struct rp_steady none = rp_steady_judge(NULL, 0);

	(void)state;
	assert_false(four.steady);
	assert_int_equal(four.rounds, 4);
	assert_near(four.mean, 100, 1e-9);
	assert_false(JUDGE(100).steady);
	assert_near(JUDGE(100).slope, 0, 1e-9);
	assert_false(none.steady);
	assert_true(isnan(none.mean));
}

static void what_is_no_rate_is_never_steady(void **state)
{
	(void)state;
	assert_false(JUDGE(0, 0, 0, 0, 0).steady);
	assert_false(JUDGE(100, 100, NAN, 100, 100).steady);
	assert_false(JUDGE(100, 100, INFINITY, 100, 100).steady);
	assert_false(JUDGE(100, 100, -100, 100, 100).steady);
	assert_true(isnan(JUDGE(0, 0, 0, 0, 0).range));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_level_line_is_steady),
		cmocka_unit_test(the_slope_is_that_of_least_squares),
		cmocka_unit_test(a_range_of_a_fifth_is_the_limit),
		cmocka_unit_test(a_drift_of_a_tenth_is_the_limit),
		cmocka_unit_test(only_the_last_five_count),
		cmocka_unit_test(fewer_than_five_are_never_steady),
		cmocka_unit_test(what_is_no_rate_is_never_steady),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
