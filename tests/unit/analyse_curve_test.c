/* SPDX-License-Identifier: GPL-2.0-only */
#include "unit.h"

#include <errno.h>
#include <math.h>

#include "analyse/review.h"
#include "curve_fixture.h"

static void the_peak_is_the_point_of_most_iops(void **state)
{
	struct rp_run run = {0};
	struct rp_profile_run *p = fixture_profile(&run, 128);
	struct rp_curve curve;

	(void)state;
	fixture_point(p, 0, 0, 80000, 1.6e6);
	fixture_point(p, 50, 40000, 40000, 3e5);
	fixture_point(p, 110, 88000, 80209, 1.596e6);
	assert_int_equal(rp_curve_make(&run, p, &curve, NULL), 0);
	assert_int_equal(curve.peak, 2);
	assert_int_equal(curve.kind, RP_LAT);
	assert_int_equal(curve.missed, 0);
	assert_true(curve.points.at[2].missed);
	rp_curve_release(&curve);
	rp_run_release(&run);
}

static void a_point_three_percent_short_is_missed(void **state)
{
	struct rp_run run = {0};
	struct rp_profile_run *p = fixture_profile(&run, 128);
	struct rp_curve curve;

	(void)state;
	fixture_point(p, 10, 10000, 9701, 1e5);
	fixture_point(p, 20, 20000, 19399, 1e5);
	assert_int_equal(rp_curve_make(&run, p, &curve, NULL), 0);
	assert_false(curve.points.at[0].missed);
	assert_true(curve.points.at[1].missed);
	assert_int_equal(curve.missed, 1);
	rp_curve_release(&curve);
	rp_run_release(&run);
}

static void chance_alone_misses_no_point(void **state)
{
	struct rp_run run = {0};
	struct rp_profile_run *p = fixture_profile(&run, 16);
	struct rp_curve curve;

	(void)state;
	/* 2 s at 100/s: 200 +- 14 arrivals, so 90/s is within three sigma */
	fixture_point(p, 10, 100, 90, 1e5)->runtime_s = 2;
	fixture_point(p, 20, 100, 75, 1e5)->runtime_s = 2;
	/* 2.8 standard deviations */
	fixture_point(p, 30, 100, 80, 1e5)->runtime_s = 2;
	assert_int_equal(rp_curve_make(&run, p, &curve, NULL), 0);
	assert_false(curve.points.at[0].missed);
	assert_true(curve.points.at[1].missed);
	assert_false(curve.points.at[2].missed);
	rp_curve_release(&curve);
	rp_run_release(&run);
}

static void a_miss_at_100_percent_counts_and_one_beyond_does_not(void **state)
{
	struct rp_run run = {0};
	struct rp_profile_run *p = fixture_profile(&run, 0);
	struct rp_curve curve;

	(void)state;
	fixture_point(p, 0, 0, 1000, 1e5);
	fixture_point(p, 100, 1000, 900, 1e5);
	fixture_point(p, 110, 1100, 900, 1e5);
	assert_int_equal(rp_curve_make(&run, p, &curve, NULL), 0);
	assert_int_equal(curve.missed, 1);
	rp_curve_release(&curve);
	rp_run_release(&run);
}

static void a_wrong_mix_is_told(void **state)
{
	struct rp_run run = {0};
	struct rp_profile_run *p = fixture_profile(&run, 0);
	struct rp_curve curve;

	(void)state;
	p->read_percent = 70;
	fixture_point(p, 0, 0, 1000, 1e5);
	assert_int_equal(rp_curve_make(&run, p, &curve, NULL), 0);
	assert_string_equal(
		curve.warnings.at[0],
		"maximum: 100.0 % of the I/Os were reads where the profile has 70.0 %");
	rp_curve_release(&curve);
	rp_run_release(&run);
}

static void a_curve_that_rises_past_its_peak_is_not_called_never(void **state)
{
	struct rp_run run = {0};
	struct rp_profile_run *p = fixture_profile(&run, 0);
	struct rp_curve curve;

	(void)state;
	fixture_point(p, 0, 0, 99000, 1.6e5);
	fixture_point(p, 80, 80000, 100100, 1.5e5);
	fixture_point(p, 90, 90000, 90000, 1.5e6);
	fixture_point(p, 100, 99000, 95000, 3e6);
	assert_int_equal(rp_curve_make(&run, p, &curve, NULL), 0);
	assert_int_equal(curve.mean_1ms.state, RP_CROSSING_PAST_PEAK);
	rp_curve_release(&curve);
	rp_run_release(&run);
}

static void littles_law_must_hold_where_all_threads_are_busy(void **state)
{
	struct rp_run run = {0};
	struct rp_profile_run *p = fixture_profile(&run, 128);
	struct rp_curve curve;

	(void)state;
	fixture_point(p, 0, 0, 80000, 1.6e6);	     /* 128: right */
	fixture_point(p, 10, 8000, 8000, 1e5);	     /* 0.8: not driven */
	fixture_point(p, 100, 80000, 80000, 1.75e6); /* 140 of 128 */
	fixture_point(p, 120, 96000, 80000, 1.2e6);  /* 96 though saturated */
	assert_int_equal(rp_curve_make(&run, p, &curve, NULL), 0);
	assert_false(curve.points.at[0].little_off);
	assert_false(curve.points.at[1].little_off);
	assert_true(curve.points.at[2].little_off);
	assert_true(curve.points.at[3].little_off);
	assert_near(curve.points.at[3].outstanding, 96, 1e-6);
	assert_int_equal(curve.warnings.count, 1);
	assert_non_null(strstr(curve.warnings.at[0], "140 of 128 (100 %)"));
	assert_non_null(strstr(curve.warnings.at[0], "96 of 128 (120 %)"));
	rp_curve_release(&curve);
	rp_run_release(&run);
}

static void
a_point_missed_below_saturation_needs_not_keep_all_busy(void **state)
{
	struct rp_run run = {0};
	struct rp_profile_run *p = fixture_profile(&run, 16);
	struct rp_curve curve;

	(void)state;
	fixture_point(p, 0, 0, 20000, 8e5);
	fixture_point(p, 30, 6000, 5800, 7e5); /* a hiccup: 4 of 16 */
	assert_int_equal(rp_curve_make(&run, p, &curve, NULL), 0);
	assert_true(curve.points.at[1].missed);
	assert_false(curve.points.at[1].little_off);
	rp_curve_release(&curve);
	rp_run_release(&run);
}

static void littles_law_takes_the_total_latency(void **state)
{
	struct rp_run run = {0};
	struct rp_profile_run *p = fixture_profile(&run, 16);
	struct rp_latency *completion;
	struct rp_percentile *p99;
	struct rp_curve curve;

	(void)state;
	/* fio's default: percentiles of the completion latency only */
	fixture_point(p, 0, 0, 20000, 8e5);
	completion =
		&p->points.at[0].result.jobs.at[0].flow[RP_READ].lat[RP_CLAT];
	completion->present = true;
	completion->mean_ns = 6e5;
	p99 = rp_vec_push(&completion->percentiles);
	*p99 = (struct rp_percentile){99, 7e5};
	assert_int_equal(rp_curve_make(&run, p, &curve, NULL), 0);
	assert_int_equal(curve.kind, RP_CLAT);
	assert_near(curve.points.at[0].sample.mean_ns, 6e5, 0);
	assert_near(curve.points.at[0].outstanding, 16, 1e-9);
	rp_curve_release(&curve);
	rp_run_release(&run);
}

static void points_not_tried_are_no_failures(void **state)
{
	struct rp_run run = {0};
	struct rp_profile_run *p = fixture_profile(&run, 0);
	struct rp_point *waiting;
	struct rp_curve curve;

	(void)state;
	fixture_point(p, 0, 0, 1000, 9e5);
	waiting = fixture_point(p, 10, 100, 0, 0);
	waiting->failure = strdup("not measured yet");
	waiting->pending = true;
	assert_int_equal(rp_curve_make(&run, p, &curve, NULL), 0);
	assert_int_equal(curve.failed, 0);
	assert_int_equal(curve.pending, 1);
	assert_string_equal(curve.warnings.at[0],
			    "1 of 2 points not measured yet");
	rp_curve_release(&curve);
	rp_run_release(&run);
}

static void latencies_at_a_load_come_from_its_point_or_between_two(void **state)
{
	struct rp_run run = {0};
	struct rp_profile_run *p = fixture_profile(&run, 0);
	struct rp_curve curve;

	(void)state;
	fixture_point(p, 0, 0, 1000, 9e5);
	fixture_point(p, 10, 100, 100, 1e5);
	fixture_point(p, 40, 400, 400, 2e5);
	fixture_point(p, 60, 600, 600, 4e5);
	assert_int_equal(rp_curve_make(&run, p, &curve, NULL), 0);
	assert_near(curve.lat10_ns, 1e5, 1e-6);
	assert_near(curve.lat50_ns, 3e5, 1e-6);
	/* the maximum is no neighbour of a point with a rate */
	assert_true(isnan(curve.lat90_ns));
	assert_near(curve.lat100_ns, 9e5, 1e-6);
	assert_int_equal(curve.mean_1ms.state, RP_CROSSING_NEVER);
	assert_int_equal(curve.p99_1ms.state, RP_CROSSING_UNKNOWN);
	rp_curve_release(&curve);
	rp_run_release(&run);
}

static void failed_points_are_counted_with_their_reason(void **state)
{
	struct rp_run run = {0};
	struct rp_profile_run *p = fixture_profile(&run, 0);
	struct rp_curve curve;

	(void)state;
	fixture_point(p, 0, 0, 1000, 9e5);
	fixture_point(p, 10, 100, 0, 0)->failure = strdup("did no I/O");
	assert_int_equal(rp_curve_make(&run, p, &curve, NULL), 0);
	assert_int_equal(curve.points.count, 1);
	assert_int_equal(curve.failed, 1);
	assert_string_equal(curve.warnings.at[0],
			    "10 %: no measurement: did no I/O");
	rp_curve_release(&curve);
	rp_run_release(&run);
}

static void a_point_too_short_for_a_rate_is_no_measurement(void **state)
{
	struct rp_run run = {0};
	struct rp_profile_run *p = fixture_profile(&run, 0);
	struct rp_curve curve;

	(void)state;
	fixture_point(p, 0, 0, 1000, 9e5);
	/* fio prints 0 IOPS beside 7 I/Os */
	fixture_point(p, 10, 100, 0, 9e5)->result.jobs.at[0].flow[RP_READ].ios =
		7;
	assert_int_equal(rp_curve_make(&run, p, &curve, NULL), 0);
	assert_int_equal(curve.points.count, 1);
	assert_int_equal(curve.failed, 1);
	rp_curve_release(&curve);
	rp_run_release(&run);
}

static void a_curve_without_any_measurement_is_an_error(void **state)
{
	struct rp_run run = {0};
	struct rp_profile_run *p = fixture_profile(&run, 0);
	struct rp_curve curve;
	struct rp_err err = {0};

	(void)state;
	fixture_point(p, 0, 0, 0, 0)->failure = strdup("fio was killed");
	assert_int_equal(rp_curve_make(&run, p, &curve, &err), -EBADMSG);
	assert_non_null(strstr(err.message, "fio was killed"));
	rp_curve_release(&curve);
	rp_run_release(&run);
}

static void
runs_are_grouped_by_profile_with_unique_labels_and_stems(void **state)
{
	rp_runs runs = {0};
	struct rp_review review;
	struct rp_profile_run *p;

	(void)state;
	for (int i = 0; i < 2; i++) {
		p = fixture_profile(rp_vec_push(&runs), 0);
		fixture_point(p, 0, 0, 1000 + i, 9e5);
	}
	p = fixture_profile(&runs.at[1], 0);
	free(p->id);
	p->id = strdup("Four Corners/4K \"random\" read");
	fixture_point(p, 0, 0, 5, 9e5);
	assert_int_equal(rp_review_make(&runs, &review, NULL), 0);
	assert_string_equal(review.labels.at[0], "Drive A");
	assert_string_equal(review.labels.at[1], "Drive A (2)");
	assert_int_equal(review.profiles.count, 2);
	assert_int_equal(review.profiles.at[0].curves.count, 2);
	assert_int_equal(review.profiles.at[0].runs.at[1], 1);
	assert_string_equal(review.profiles.at[0].stem,
			    "four-corners-4k-random-read");
	assert_string_equal(review.profiles.at[1].stem,
			    "four-corners-4k-random-read-2");
	rp_review_release(&review);
	rp_runs_release(&runs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_peak_is_the_point_of_most_iops),
		cmocka_unit_test(a_point_three_percent_short_is_missed),
		cmocka_unit_test(chance_alone_misses_no_point),
		cmocka_unit_test(
			a_miss_at_100_percent_counts_and_one_beyond_does_not),
		cmocka_unit_test(a_wrong_mix_is_told),
		cmocka_unit_test(
			a_curve_that_rises_past_its_peak_is_not_called_never),
		cmocka_unit_test(
			littles_law_must_hold_where_all_threads_are_busy),
		cmocka_unit_test(
			a_point_missed_below_saturation_needs_not_keep_all_busy),
		cmocka_unit_test(littles_law_takes_the_total_latency),
		cmocka_unit_test(points_not_tried_are_no_failures),
		cmocka_unit_test(
			latencies_at_a_load_come_from_its_point_or_between_two),
		cmocka_unit_test(failed_points_are_counted_with_their_reason),
		cmocka_unit_test(
			a_point_too_short_for_a_rate_is_no_measurement),
		cmocka_unit_test(a_curve_without_any_measurement_is_an_error),
		cmocka_unit_test(
			runs_are_grouped_by_profile_with_unique_labels_and_stems),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
