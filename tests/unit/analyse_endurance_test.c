/* SPDX-License-Identifier: GPL-2.0-only */
#include "unit.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "analyse/endurance.h"
#include "analyse/rank.h"
#include "base/str.h"
#include "load/bw_log.h"

#define KIB 1024.0

/* Lines of `count` windows of `ms`, behind those that are there. */
static void add_lines(struct rp_str *text, double *time, size_t count,
		      double ms, double kib)
{
	for (size_t i = 0; i < count; i++) {
		*time += ms;
		rp_str_addf(text, "%.0f, %.0f, 1, 0, 0\n", *time, kib);
	}
}

static void take(struct rp_str *text, struct rp_bw_logs *logs)
{
	struct rp_err err = {0};

	if (rp_load_bw_text("log", rp_str_text(text), text->len, logs, &err))
		fail_msg("line %u: %s", err.line, err.message);
	rp_str_release(text);
}

static void make(const struct rp_bw_logs *logs, const struct rp_heat *heat,
		 struct rp_endurance *e)
{
	struct rp_err err = {0};

	*e = (struct rp_endurance){0};
	if (rp_endurance_make(logs, heat, e, &err))
		fail_msg("%s", err.message);
}

/* 20 s at 2 GiB/s, 30 s at 1 GiB/s, `back` s at 2, 100 s at 1/2. */
static void cached(struct rp_bw_logs *logs, size_t back)
{
	struct rp_str text = RP_STR_INIT;
	double time = 0;

	add_lines(&text, &time, 20, 1000, 2 << 20);
	add_lines(&text, &time, 30, 1000, 1 << 20);
	add_lines(&text, &time, back, 1000, 2 << 20);
	add_lines(&text, &time, 100, 1000, 1 << 19);
	take(&text, logs);
}

static void the_cache_ends_where_the_speed_falls_for_good(void **state)
{
	struct rp_bw_logs logs = {0};
	struct rp_endurance e;

	(void)state;
	cached(&logs, 0);
	make(&logs, NULL, &e);
	assert_int_equal(e.levels.count, 3);
	assert_true(rp_endurance_fell(&e));
	assert_near(rp_endurance_last_fast(&e)->to_bytes, 40 * 0x1p30, 1);
	assert_near(rp_endurance_last_fast(&e)->end_s, 20, 1e-9);
	assert_near(e.before, 2 * 0x1p30, 1);
	assert_near(e.after, 80.0 / 130 * 0x1p30, 1);
	assert_near(e.bytes, 120 * 0x1p30, 1);
	assert_near(e.least, 0x1p29, 1);
	assert_near(e.most, 0x1p31, 1);
	assert_int_equal(e.dips.count, 0);
	rp_endurance_release(&e);
	rp_bw_logs_release(&logs);
}

static void a_speed_that_comes_back_had_not_fallen_for_good(void **state)
{
	struct rp_bw_logs logs = {0};
	struct rp_endurance e;

	(void)state;
	cached(&logs, 25);
	make(&logs, NULL, &e);
	assert_int_equal(e.levels.count, 4);
	assert_int_equal(e.fast_levels, 3);
	assert_near(rp_endurance_last_fast(&e)->to_bytes, 120 * 0x1p30, 1);
	rp_endurance_release(&e);
	rp_bw_logs_release(&logs);
}

static void jobs_are_added_up_window_by_window(void **state)
{
	struct rp_bw_logs logs = {0};
	struct rp_str text = RP_STR_INIT;
	struct rp_endurance e;
	double time = 0;

	(void)state;
	add_lines(&text, &time, 40, 1000, 100 << 10);
	take(&text, &logs);
	/* the same bytes in windows that begin and end elsewhere */
	time = 0;
	add_lines(&text, &time, 50, 799, 100 << 10);
	take(&text, &logs);
	make(&logs, NULL, &e);
	assert_int_equal(e.windows.count, 50);
	assert_near(e.seconds, 40, 1e-6);
	assert_near(e.bytes, 79.95 * 100 * 1024 * KIB, 1);
	assert_near(e.windows.at[10].bytes_per_s, 200 * 1024 * KIB, 1);
	assert_int_equal(e.warnings.count, 0);
	rp_endurance_release(&e);
	rp_bw_logs_release(&logs);
}

static void a_job_that_ended_early_is_told(void **state)
{
	struct rp_bw_logs logs = {0};
	struct rp_str text = RP_STR_INIT;
	struct rp_endurance e;
	double time = 0;

	(void)state;
	add_lines(&text, &time, 40, 1000, 100);
	take(&text, &logs);
	time = 0;
	add_lines(&text, &time, 20, 1000, 100);
	take(&text, &logs);
	make(&logs, NULL, &e);
	assert_int_equal(e.warnings.count, 1);
	assert_near(e.windows.at[19].bytes_per_s, 200 * KIB, 1e-6);
	assert_near(e.windows.at[20].bytes_per_s, 100 * KIB, 1e-6);
	rp_endurance_release(&e);
	rp_bw_logs_release(&logs);
}

static void jobs_of_another_time_are_refused(void **state)
{
	struct rp_bw_logs logs = {0};
	struct rp_str text = RP_STR_INIT;
	struct rp_endurance e = {0};
	struct rp_err err = {0};
	double time = 0;

	(void)state;
	add_lines(&text, &time, 40, 1000, 100);
	take(&text, &logs);
	time = 1.7e12;
	add_lines(&text, &time, 40, 1000, 100);
	take(&text, &logs);
	assert_int_equal(rp_endurance_make(&logs, NULL, &e, &err), -EBADMSG);
	assert_string_equal(err.where, "log");
	rp_endurance_release(&e);
	rp_bw_logs_release(&logs);
}

/* A reading a second: from `cold`, up at `begin`, down again at `end`. */
static void warm(struct rp_heat *heat, size_t count, size_t begin, size_t end)
{
	for (size_t i = 0; i < count; i++) {
		struct rp_heat_reading *reading = rp_vec_push(&heat->readings);

		assert_non_null(reading);
		reading->seconds = (double)i;
		reading->celsius = i >= begin && i < end ? 75 : 50;
	}
}

static void a_fall_in_the_hottest_stretch_is_told(void **state)
{
	struct rp_bw_logs logs = {0};
	struct rp_heat heat = {0};
	struct rp_endurance e;

	(void)state;
	cached(&logs, 0);
	warm(&heat, 151, 45, 80);
	make(&logs, &heat, &e);
	assert_true(e.heat.known);
	assert_near(e.heat.hottest, 75, 0);
	assert_near(e.heat.hot_begin_s, 45, 1.01);
	assert_near(e.heat.hot_end_s, 80, 1.01);
	assert_false(e.levels.at[0].ends_hot);
	assert_true(e.levels.at[1].ends_hot);
	assert_near(e.levels.at[0].celsius, 50, 1e-9);
	assert_int_equal(e.heat.windows, 150);
	rp_endurance_release(&e);
	rp_heat_release(&heat);
	rp_bw_logs_release(&logs);
}

static void nothing_is_made_up_where_no_temperature_was_read(void **state)
{
	struct rp_bw_logs logs = {0};
	struct rp_heat heat = {0};
	struct rp_endurance e;

	(void)state;
	cached(&logs, 0);
	warm(&heat, 30, 0, 10);
	make(&logs, &heat, &e);
	assert_false(isnan(e.celsius[20]));
	assert_true(isnan(e.celsius[60]));
	assert_true(isnan(e.levels.at[2].celsius));
	rp_endurance_release(&e);
	/* wholly beside the run */
	for (size_t i = 0; i < heat.readings.count; i++)
		heat.readings.at[i].seconds += 1000;
	make(&logs, &heat, &e);
	assert_false(e.heat.known);
	assert_int_equal(e.warnings.count, 1);
	rp_endurance_release(&e);
	rp_heat_release(&heat);
	rp_bw_logs_release(&logs);
}

static void ranks_correlate(void **state)
{
	const double up[] = {1, 2, 3, 40}, down[] = {9, 8, 1, 0};
	const double flat[] = {5, 5, 5, 5}, ties[] = {1, 1, 2, 2};
	double r;

	(void)state;
	assert_int_equal(rp_rank_correlation(up, down, 4, &r), 0);
	assert_near(r, -1, 1e-12);
	assert_int_equal(rp_rank_correlation(up, ties, 4, &r), 0);
	assert_near(r, 0.894427191, 1e-9);
	assert_int_equal(rp_rank_correlation(up, flat, 4, &r), 0);
	assert_true(isnan(r));
	assert_int_equal(rp_rank_correlation(up, down, 2, &r), 0);
	assert_true(isnan(r));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_cache_ends_where_the_speed_falls_for_good),
		cmocka_unit_test(
			a_speed_that_comes_back_had_not_fallen_for_good),
		cmocka_unit_test(jobs_are_added_up_window_by_window),
		cmocka_unit_test(a_job_that_ended_early_is_told),
		cmocka_unit_test(jobs_of_another_time_are_refused),
		cmocka_unit_test(a_fall_in_the_hottest_stretch_is_told),
		cmocka_unit_test(
			nothing_is_made_up_where_no_temperature_was_read),
		cmocka_unit_test(ranks_correlate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
