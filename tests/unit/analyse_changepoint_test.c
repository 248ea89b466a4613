/* SPDX-License-Identifier: GPL-2.0-only */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "analyse/changepoint.h"
#include "noise_fixture.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void the_median_of_even_and_odd(void **state)
{
	double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2};

	(void)state;
	assert_near(rp_median(odd, 3), 2, 0);
	assert_near(rp_median(even, 4), 2.5, 0);
	assert_true(isnan(rp_median(odd, 0)));
}

static void noise_is_measured_between_steps(void **state)
{
	struct noise noise = noise_of_seed(1);
	double values[4000];

	(void)state;
	for (size_t i = 0; i < COUNT(values); i++)
		values[i] = noise_normal(&noise) + 100.0 * (double)(i / 1000);
	assert_near(rp_noise(values, COUNT(values)), 1, 0.1);
	assert_true(isnan(rp_noise(values, 1)));
}

static void slow_noise_is_not_taken_for_small(void **state)
{
	double values[400];

	(void)state;
	/* neighbours are alike, pairs of them are not */
	for (size_t i = 0; i < COUNT(values); i++)
		values[i] = i / 2 % 2 ? 1 : -1;
	assert_true(rp_noise(values, COUNT(values)) > 2);
}

static double stretch_cost(const double *values, size_t begin, size_t end)
{
	double mean = 0, squares = 0;

	for (size_t i = begin; i < end; i++)
		mean += values[i] / (double)(end - begin);
	for (size_t i = begin; i < end; i++)
		squares += (values[i] - mean) * (values[i] - mean);
	return squares;
}

/* The least cost of all splits, by trying every last stretch. */
static double least_cost(const double *values, size_t count, size_t least,
			 double penalty)
{
	double best[64];

	best[0] = -penalty;
	for (size_t end = 1; end <= count; end++) {
		best[end] = INFINITY;
		for (size_t begin = 0; begin + least <= end; begin++)
			best[end] =
				fmin(best[end],
				     best[begin] + penalty +
					     stretch_cost(values, begin, end));
	}
	return best[count];
}

static double cost_of(const double *values, const rp_ends *ends, double penalty)
{
	double cost = -penalty;
	size_t begin = 0;

	for (size_t i = 0; i < ends->count; i++) {
		cost += stretch_cost(values, begin, ends->at[i]) + penalty;
		begin = ends->at[i];
	}
	return cost;
}

static void no_split_is_better(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 400; seed++) {
		struct noise noise = noise_of_seed(seed);
		size_t count = 10 + seed % 50, least = 1 + seed % 6;
		double penalty = 0.5 + (double)(seed % 7), values[64];
		rp_ends ends = {0};
		size_t begin = 0;

		for (size_t i = 0; i < count; i++)
			values[i] = noise_normal(&noise) +
				    (double)(i / 11 * (seed % 4));
		assert_int_equal(
			rp_changepoints(values, count, least, penalty, &ends),
			0);
		assert_near(cost_of(values, &ends, penalty),
			    least_cost(values, count, least, penalty), 1e-6);
		for (size_t i = 0; i < ends.count; i++) {
			assert_true(ends.at[i] >= begin + least);
			begin = ends.at[i];
		}
		assert_int_equal(begin, count);
		rp_vec_release(&ends);
	}
}

static void what_is_too_short_is_one_stretch(void **state)
{
	const double values[] = {1, 100, 1};
	rp_ends ends = {0};

	(void)state;
	assert_int_equal(rp_changepoints(values, 3, 5, 1, &ends), 0);
	assert_int_equal(ends.count, 1);
	assert_int_equal(ends.at[0], 3);
	rp_vec_release(&ends);
	assert_int_equal(rp_changepoints(values, 0, 5, 1, &ends), 0);
	assert_int_equal(ends.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_median_of_even_and_odd),
		cmocka_unit_test(noise_is_measured_between_steps),
		cmocka_unit_test(slow_noise_is_not_taken_for_small),
		cmocka_unit_test(no_split_is_better),
		cmocka_unit_test(what_is_too_short_is_one_stretch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
