/* SPDX-License-Identifier: GPL-2.0-only */
#include "unit.h"

#include "curve_fixture.h"
#include "doc/sentence.h"

static void expect(struct rp_run *run, struct rp_profile_run *profile,
		   const char *sentence)
{
	struct rp_str text = RP_STR_INIT;
	struct rp_curve curve;

	assert_int_equal(rp_curve_make(run, profile, &curve, NULL), 0);
	rp_curve_sentences(&curve, &text);
	assert_string_equal(rp_str_text(&text), sentence);
	rp_str_release(&text);
	rp_curve_release(&curve);
	rp_run_release(run);
}

static void a_curve_that_leaves_1_ms(void **state)
{
	struct rp_run run = {0};
	struct rp_profile_run *p = fixture_profile(&run, 128);

	(void)state;
	fixture_point(p, 0, 0, 80209, 1.59e6);
	fixture_point(p, 90, 79000, 79000, 0.9e6);
	fixture_point(p, 100, 81000, 80200, 1.02e6);
	expect(&run, p,
	       "Drive A stayed under 1 ms up to 80,000 IOPS and peaked at "
	       "80,209 IOPS with a latency of 1.59 ms.");
}

static void a_curve_below_1_ms_throughout(void **state)
{
	struct rp_run run = {0};
	struct rp_profile_run *p = fixture_profile(&run, 128);

	(void)state;
	p->block_bytes = 65536;
	fixture_point(p, 0, 0, 41554, 384500);
	fixture_point(p, 10, 4160, 4160, 2e5);
	expect(&run, p,
	       "Drive A stayed under 1 ms all the way and peaked at 41,554 "
	       "IOPS "
	       "(2,723 MB/s) with a latency of 384 µs.");
}

static void a_curve_above_1_ms_from_the_start(void **state)
{
	struct rp_run run = {0};
	struct rp_profile_run *p = fixture_profile(&run, 128);

	(void)state;
	fixture_point(p, 0, 0, 210, 600e6);
	fixture_point(p, 10, 128, 126, 12.5e6);
	expect(&run, p,
	       "Drive A was above 1 ms from the start (12.5 ms at 126 IOPS) "
	       "and peaked at 210 IOPS with a latency of 600 ms.");
}

static void a_curve_that_begins_above_1_ms_and_comes_under_it(void **state)
{
	struct rp_run run = {0};
	struct rp_profile_run *p = fixture_profile(&run, 128);

	(void)state;
	/* a drive that sleeps at low load */
	fixture_point(p, 0, 0, 79000, 1.6e6);
	fixture_point(p, 10, 8000, 8000, 1.25e6);
	fixture_point(p, 50, 40000, 40000, 0.5e6);
	fixture_point(p, 100, 80000, 80000, 1.5e6);
	expect(&run, p,
	       "Drive A was above 1 ms from the start (1.25 ms at 8,000 IOPS), came under it, left it again at 60,000 IOPS and peaked at 80,000 IOPS with a latency of 1.50 ms.");
}

static void what_comes_after_the_peak_is_not_said_of_the_way_there(void **state)
{
	struct rp_run run = {0};
	struct rp_profile_run *p = fixture_profile(&run, 128);

	(void)state;
	fixture_point(p, 0, 0, 79000, 1.6e6);
	fixture_point(p, 100, 80000, 80000, 0.7e6);
	fixture_point(p, 120, 96000, 78000, 1.6e6);
	expect(&run, p,
	       "Drive A stayed under 1 ms up to its peak (not beyond it) and peaked at 80,000 IOPS with a latency of 700 µs.");
}

static void missed_and_failed_points_are_said(void **state)
{
	struct rp_run run = {0};
	struct rp_profile_run *p = fixture_profile(&run, 0);

	(void)state;
	fixture_point(p, 0, 0, 1000, 1e5);
	fixture_point(p, 90, 900, 700, 1e5);
	fixture_point(p, 100, 900, 0, 0)->failure = strdup("no I/O");
	expect(&run, p,
	       "Drive A stayed under 1 ms all the way and peaked at 1,000 IOPS "
	       "with a latency of 100 µs. 1 of its points up to 100 % missed "
	       "the rate asked for by more than 3 %. 1 of its points gave no "
	       "measurement.");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_curve_that_leaves_1_ms),
		cmocka_unit_test(a_curve_below_1_ms_throughout),
		cmocka_unit_test(a_curve_above_1_ms_from_the_start),
		cmocka_unit_test(
			a_curve_that_begins_above_1_ms_and_comes_under_it),
		cmocka_unit_test(
			what_comes_after_the_peak_is_not_said_of_the_way_there),
		cmocka_unit_test(missed_and_failed_points_are_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
