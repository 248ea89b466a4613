/* SPDX-License-Identifier: GPL-2.0-only */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/levels.h"
#include "noise_fixture.h"

#define MB 1e6

static void expect(const double *speeds, size_t count, const size_t *ends,
		   size_t levels, size_t tolerance)
{
	rp_ends found = {0};

	assert_int_equal(rp_levels_find(speeds, count, &found), 0);
	assert_int_equal(found.count, levels);
	for (size_t i = 0; i < levels; i++)
		assert_in_range(found.at[i] + tolerance, ends[i],
				ends[i] + 2 * tolerance);
	assert_int_equal(found.at[levels - 1], count);
	rp_vec_release(&found);
}

static void expect_none(const double *speeds, size_t count)
{
	expect(speeds, count, &count, 1, 0);
}

static void one_step_is_found_to_the_window(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 50; seed++) {
		struct noise noise = noise_of_seed(seed);
		size_t at = 5 + seed * 7;
		const size_t ends[] = {at, 600};
		double speeds[600];

		noise_speeds(&noise, speeds, at, 3000 * MB, 0.03);
		noise_speeds(&noise, speeds + at, 600 - at, 900 * MB, 0.05);
		expect(speeds, 600, ends, 2, 0);
	}
}

static void two_steps_are_found(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 50; seed++) {
		struct noise noise = noise_of_seed(seed);
		const size_t ends[] = {24, 144, 844};
		double speeds[844];

		noise_speeds(&noise, speeds, 24, 5000 * MB, 0.02);
		noise_speeds(&noise, speeds + 24, 120, 1500 * MB, 0.05);
		noise_speeds(&noise, speeds + 144, 700, 620 * MB, 0.08);
		expect(speeds, 844, ends, 3, 0);
	}
}

static void a_step_just_over_the_limit_is_found_one_under_it_not(void **state)
{
	struct noise noise = noise_of_seed(3);
	const size_t ends[] = {200, 400};
	double speeds[400];

	(void)state;
	noise_speeds(&noise, speeds, 200, 500 * MB, 0.01);
	noise_speeds(&noise, speeds + 200, 200, 440 * MB, 0.01);
	expect(speeds, 400, ends, 2, 0);
	noise_speeds(&noise, speeds + 200, 200, 460 * MB, 0.01);
	expect_none(speeds, 400);
}

static void constant_speed_with_noise_has_no_step(void **state)
{
	static const double deviations[] = {0, 0.001, 0.02, 0.1, 0.3};

	(void)state;
	for (unsigned seed = 1; seed <= 200; seed++) {
		struct noise noise = noise_of_seed(seed);
		size_t count = 20 + seed * 13 % 1500;
		double speeds[1520];

		noise_speeds(&noise, speeds, count, 500 * MB,
			     deviations[seed % 5]);
		expect_none(speeds, count);
	}
}

static void slow_noise_makes_few_steps_and_only_real_ones(void **state)
{
	size_t steps = 0;

	(void)state;
	/* speeds that hang together over some 10 windows, 5 % around a mean */
	for (unsigned seed = 1; seed <= 100; seed++) {
		struct noise noise = noise_of_seed(seed);
		double speeds[1000], off = 0;
		rp_ends ends = {0};

		for (size_t i = 0; i < 1000; i++) {
			off = 0.9 * off + 0.0218 * noise_normal(&noise);
			speeds[i] = 500 * MB * exp(off);
		}
		assert_int_equal(rp_levels_find(speeds, 1000, &ends), 0);
		steps += ends.count - 1;
		rp_vec_release(&ends);
	}
	assert_in_range(steps, 0, 5);
}

static void a_drift_is_no_step(void **state)
{
	double speeds[6000];

	(void)state;
	/* as of a disk from its outer to its inner tracks */
	for (unsigned seed = 1; seed <= 20; seed++) {
		struct noise noise = noise_of_seed(seed);
		size_t count = 300 * seed;

		for (size_t i = 0; i < count; i++) {
			double at = (double)i / (double)count;

			speeds[i] = MB * (250 - 130 * at * sqrt(at)) *
				    (1 + 0.01 * noise_normal(&noise));
		}
		expect_none(speeds, count);
		/* and up again */
		for (size_t i = 0; i < count / 2; i++)
			speeds[count - 1 - i] = speeds[i];
		expect_none(speeds, count);
	}
}

static void a_steep_drift_is_hardly_ever_a_step(void **state)
{
	double speeds[2000];
	size_t steps = 0;

	(void)state;
	/*
	 * To a tenth: near the end it is ten percent in a few windows, and the
	 * noise is half of that.  Without the drift taken off the steps,
	 * there are six a run.
	 */
	for (unsigned seed = 1; seed <= 50; seed++) {
		struct noise noise = noise_of_seed(seed);
		rp_ends ends = {0};

		for (size_t i = 0; i < 2000; i++)
			speeds[i] = MB * (1000 - 0.45 * (double)i +
					  5 * noise_normal(&noise));
		assert_int_equal(rp_levels_find(speeds, 2000, &ends), 0);
		steps += ends.count - 1;
		rp_vec_release(&ends);
	}
	assert_in_range(steps, 0, 3);
}

static void dips_and_peaks_are_no_levels(void **state)
{
	struct noise noise = noise_of_seed(7);
	double speeds[2000];

	(void)state;
	noise_speeds(&noise, speeds, 2000, 500 * MB, 0.02);
	for (size_t i = 50; i < 2000; i += 37)
		speeds[i] *= 0.2;
	for (size_t i = 700; i < 709; i++)
		speeds[i] = 0;
	for (size_t i = 1200; i < 1239; i++)
		speeds[i] *= 1.8;
	/* cut off by the end of the run */
	for (size_t i = 1980; i < 2000; i++)
		speeds[i] *= 0.5;
	expect_none(speeds, 2000);
}

static void a_long_slow_part_between_is_a_level(void **state)
{
	struct noise noise = noise_of_seed(8);
	const size_t ends[] = {700, 800, 2000};
	double speeds[2000];

	(void)state;
	noise_speeds(&noise, speeds, 2000, 500 * MB, 0.02);
	for (size_t i = 700; i < 800; i++)
		speeds[i] *= 0.4;
	expect(speeds, 2000, ends, 3, 0);
}

static void a_cache_is_found_before_a_speed_that_swings(void **state)
{
	struct noise noise = noise_of_seed(9);
	const size_t ends[] = {60, 960};
	double speeds[960];

	(void)state;
	noise_speeds(&noise, speeds, 60, 3000 * MB, 0.02);
	for (size_t i = 60; i < 960; i += 15)
		noise_speeds(&noise, speeds + i, 15,
			     (i / 15 % 2 ? 1500 : 110) * MB, 0.08);
	expect(speeds, 960, ends, 2, 1);
}

static void a_fall_over_some_seconds_is_one_step(void **state)
{
	struct noise noise = noise_of_seed(10);
	double speeds[1000];
	const size_t ends[] = {205, 1000};

	(void)state;
	noise_speeds(&noise, speeds, 200, 3000 * MB, 0.02);
	for (size_t i = 200; i < 212; i++)
		speeds[i] = MB * (3000 - 2000 * (double)(i - 199) / 12);
	noise_speeds(&noise, speeds + 212, 788, 1000 * MB, 0.02);
	expect(speeds, 1000, ends, 2, 8);
}

static void what_is_short_or_nothing_is_one_level(void **state)
{
	const double few[] = {500, 5, 500}, zeros[100] = {0};
	rp_ends ends = {0};

	(void)state;
	expect_none(few, 1);
	expect_none(few, 3);
	expect_none(zeros, 100);
	assert_int_equal(rp_levels_find(few, 0, &ends), 0);
	assert_int_equal(ends.count, 0);
}

static void a_very_long_run_is_as_exact(void **state)
{
	struct noise noise = noise_of_seed(11);
	const size_t ends[] = {403, 20011, 40001};
	double *speeds = calloc(40001, sizeof(*speeds));

	(void)state;
	assert_non_null(speeds);
	noise_speeds(&noise, speeds, 403, 3000 * MB, 0.03);
	noise_speeds(&noise, speeds + 403, 19608, 700 * MB, 0.1);
	noise_speeds(&noise, speeds + 20011, 19990, 400 * MB, 0.1);
	expect(speeds, 40001, ends, 3, 0);
	free(speeds);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_step_is_found_to_the_window),
		cmocka_unit_test(two_steps_are_found),
		cmocka_unit_test(
			a_step_just_over_the_limit_is_found_one_under_it_not),
		cmocka_unit_test(constant_speed_with_noise_has_no_step),
		cmocka_unit_test(slow_noise_makes_few_steps_and_only_real_ones),
		cmocka_unit_test(a_drift_is_no_step),
		cmocka_unit_test(a_steep_drift_is_hardly_ever_a_step),
		cmocka_unit_test(dips_and_peaks_are_no_levels),
		cmocka_unit_test(a_long_slow_part_between_is_a_level),
		cmocka_unit_test(a_cache_is_found_before_a_speed_that_swings),
		cmocka_unit_test(a_fall_over_some_seconds_is_one_step),
		cmocka_unit_test(what_is_short_or_nothing_is_one_level),
		cmocka_unit_test(a_very_long_run_is_as_exact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
