/* SPDX-License-Identifier: GPL-2.0-only */
#include "unit.h"

#include <math.h>

#include "analyse/crossing.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void a_crossing_is_interpolated(void **state)
{
	const struct rp_xy xy[] = {{10, 2}, {20, 8}, {30, 12}};
	struct rp_crossing c = rp_crossing_find(xy, COUNT(xy), 10);

	(void)state;
	assert_int_equal(c.state, RP_CROSSING_AT);
	assert_near(c.x, 25, 1e-9);
}

static void the_first_way_up_counts(void **state)
{
	/* a slow first point (idle states), then down, then up for good */
	const struct rp_xy xy[] = {{1, 15}, {2, 5}, {3, 15}, {4, 5}};
	struct rp_crossing c = rp_crossing_find(xy, COUNT(xy), 10);

	(void)state;
	assert_int_equal(c.state, RP_CROSSING_AT);
	assert_near(c.x, 2.5, 1e-9);
}

static void a_fold_back_is_followed_in_load_order(void **state)
{
	/* beyond saturation the curve turns back in x */
	const struct rp_xy xy[] = {{90, 5}, {100, 9}, {96, 13}};
	struct rp_crossing c = rp_crossing_find(xy, COUNT(xy), 10);

	(void)state;
	assert_int_equal(c.state, RP_CROSSING_AT);
	assert_near(c.x, 99, 1e-9);
}

static void never_always_and_unknown_are_told_apart(void **state)
{
	const struct rp_xy below[] = {{1, 5}, {2, 10}};
	const struct rp_xy above[] = {{1, 11}, {2, 12}};
	const struct rp_xy unknown[] = {{1, NAN}, {2, NAN}};

	(void)state;
	assert_int_equal(rp_crossing_find(below, 2, 10).state,
			 RP_CROSSING_NEVER);
	assert_int_equal(rp_crossing_find(above, 2, 10).state,
			 RP_CROSSING_ALWAYS);
	assert_int_equal(rp_crossing_find(unknown, 2, 10).state,
			 RP_CROSSING_UNKNOWN);
	assert_int_equal(rp_crossing_find(below, 0, 10).state,
			 RP_CROSSING_UNKNOWN);
}

static void unknown_points_are_passed_over(void **state)
{
	const struct rp_xy xy[] = {{10, 5}, {20, NAN}, {30, 15}};

	(void)state;
	assert_near(rp_crossing_find(xy, COUNT(xy), 10).x, 20, 1e-9);
	assert_near(rp_interpolate(xy, COUNT(xy), 20), 10, 1e-9);
	assert_true(isnan(rp_interpolate(xy, COUNT(xy), 31)));
	assert_near(rp_interpolate(xy, COUNT(xy), 10), 5, 1e-9);
}

static void the_knee_of_a_hockey_stick_is_its_bend(void **state)
{
	const struct rp_xy xy[] = {{10, 1},   {40, 1.1}, {70, 1.3},
				   {80, 1.5}, {90, 5},	 {100, 20}};

	(void)state;
	assert_int_equal(rp_knee_find(xy, COUNT(xy)), 3);
}

static void flat_and_straight_curves_have_no_knee(void **state)
{
	const struct rp_xy flat[] = {{10, 1}, {50, 1}, {100, 1.5}};
	const struct rp_xy straight[] = {{0, 1}, {50, 3}, {100, 5}};
	const struct rp_xy back[] = {{10, 1}, {20, 2}, {5, 9}};

	(void)state;
	assert_int_equal(rp_knee_find(flat, COUNT(flat)), -1);
	assert_int_equal(rp_knee_find(straight, COUNT(straight)), -1);
	assert_int_equal(rp_knee_find(back, COUNT(back)), -1);
	assert_int_equal(rp_knee_find(flat, 2), -1);
	assert_int_equal(rp_knee_find(NULL, 0), -1);
}

static void a_rough_curve_has_no_knee(void **state)
{
	/* a hiccup before the bend; IOPS that fall on the way */
	const struct rp_xy hiccup[] = {
		{10, 1}, {30, 4.5}, {80, 1.5}, {100, 20}};
	const struct rp_xy back[] = {
		{10, 1}, {70, 1.1}, {60, 1.2}, {80, 1.3}, {100, 20}};

	(void)state;
	assert_int_equal(rp_knee_find(hiccup, COUNT(hiccup)), -1);
	assert_int_equal(rp_knee_find(back, COUNT(back)), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_crossing_is_interpolated),
		cmocka_unit_test(the_first_way_up_counts),
		cmocka_unit_test(a_fold_back_is_followed_in_load_order),
		cmocka_unit_test(never_always_and_unknown_are_told_apart),
		cmocka_unit_test(unknown_points_are_passed_over),
		cmocka_unit_test(the_knee_of_a_hockey_stick_is_its_bend),
		cmocka_unit_test(flat_and_straight_curves_have_no_knee),
		cmocka_unit_test(a_rough_curve_has_no_knee),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
