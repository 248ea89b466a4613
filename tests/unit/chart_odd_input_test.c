/* SPDX-License-Identifier: GPL-2.0-only */
#include "chart_fixture.h"

static void one_point_alone_is_drawn(void **state)
{
	struct bench bench;
	char *dat;

	(void)state;
	set_up(&bench, "One point");
	new_point(&bench, new_curve(&bench, "Only a maximum"), 0, 512, 250);
	dat = written(&bench, "one-point", ".dat");
	assert_in_text(dat, "\n0\t512\t250\t");
	assert_not_in_text(dat, "max\t");
	free(dat);
}

static void equal_and_unknown_values_are_no_trouble(void **state)
{
	struct bench bench;
	struct rp_curve *curve;
	char *dat;

	(void)state;
	set_up(&bench, "Same x, some latencies unknown");
	curve = new_curve(&bench, "Stuck");
	for (int load = 10; load < 60; load += 10)
		new_point(&bench, curve, load, 1000, 500)->sample.source =
			RP_PCT_NONE;
	curve->points.at[2].sample.mean_ns = NAN;
	curve = new_curve(&bench, "Nothing known");
	new_point(&bench, curve, 10, 1000, NAN);
	dat = written(&bench, "same-x", ".dat");
	assert_in_text(dat, "left out: Nothing known (no latency known)");
	assert_not_in_text(dat, "\n30\t");
	free(dat);
}

static void zero_iops_are_no_trouble(void **state)
{
	struct bench bench;

	(void)state;
	set_up(&bench, "Zero range");
	new_point(&bench, new_curve(&bench, "Zero"), 10, 0, 500);
	free(written(&bench, "zero-range", ".dat"));
}

static void impossible_values_are_left_out(void **state)
{
	static const double odd[] = {INFINITY, -1, 1e308, NAN, 1e-300};
	struct rp_curve *curve;
	struct bench bench;
	char *dat;

	(void)state;
	set_up(&bench, "Impossible values");
	curve = new_curve(&bench, "Broken file");
	new_point(&bench, curve, 10, 1000, 500);
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		new_point(&bench, curve, 20, 2000, odd[i]);
		new_point(&bench, curve, 30, odd[i], 600)->sample.p99_ns =
			odd[i];
	}
	dat = written(&bench, "impossible", ".dat");
	assert_in_text(dat, "\n10\t1000\t500\t");
	assert_not_in_text(dat, "\n20\t");
	assert_not_in_text(dat, "e+30");
	assert_not_in_text(dat, "inf");
	free(dat);
}

static void nothing_to_draw_is_an_error(void **state)
{
	struct rp_err err = {0};
	struct bench bench;

	(void)state;
	set_up(&bench, "Nothing");
	new_point(&bench, new_curve(&bench, "A"), 10, 1000, NAN);
	assert_int_equal(
		rp_latency_chart_write(&bench.chart, dir, "nothing", &err),
		-EBADMSG);
	tear_down(&bench);
}

static bool is_there(const char *name)
{
	char *path = rp_strf("%s/%s", dir, name);
	bool there = !access(path, F_OK);

	free(path);
	return there;
}

static void hostile_names_stay_text(void **state)
{
	static const char name[] = "\"; system(\"touch PWNED\"); print \"";
	static const char title[] =
		"`touch PWNED` @macro <script>alert(1)</script>\n\tx % "
		"{/Symbol a} a_b^c '.' \\n \\\" \x1b[31m \xff # | < -";
	struct bench bench;
	char *svg, *gp, *dat;
	char longest[201];

	(void)state;
	memset(longest, 'M', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	set_up(&bench, title);
	bench.chart.subtitle = name;
	bench.chart.footer = longest;
	new_drive(&bench, name, 700000, 82, 183);
	new_drive(&bench, title, 600000, 82, 183);
	new_drive(&bench, longest, 500000, 82, 183);
	svg = draw(&bench, "hostile");
	gp = read_text("hostile", ".gp");
	dat = read_text("hostile", ".dat");
	tear_down(&bench);
	assert_false(is_there("PWNED"));
	assert_not_in_text(gp, "PWNED");
	assert_not_in_text(dat, "\"");
	assert_not_in_text(dat, "`");
	assert_not_in_text(dat, "\\");
	assert_not_in_text(dat, "\x1b");
	if (svg) {
		assert_not_in_text(svg, "<script>alert");
		assert_not_in_text(svg, "MMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMM"
					"MMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMM"
					"MMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMM");
		assert_in_text(svg, "{/Symbol a} a_b^c");
	}
	free(svg);
	free(gp);
	free(dat);
}

static void only_plain_stems_become_files(void **state)
{
	static const char *const bad[] = {"", "a/b", "..", "A", "a b", "a'"};
	struct rp_err err;
	struct bench bench;

	(void)state;
	set_up(&bench, "x");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		memset(&err, 0, sizeof(err));
		assert_int_equal(
			rp_latency_chart_write(&bench.chart, dir, bad[i], &err),
			-EINVAL);
	}
}

static void drawing_twice_gives_the_same_bytes(void **state)
{
	struct bench bench;
	char *first, *second;

	(void)state;
	if (!have_gnuplot())
		skip();
	set_up(&bench, "Twice");
	new_drive(&bench, "A", 700000, 82, 183);
	first = draw(&bench, "twice");
	second = draw(&bench, "twice");
	tear_down(&bench);
	assert_string_equal(first, second);
	free(first);
	free(second);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_point_alone_is_drawn),
		cmocka_unit_test(equal_and_unknown_values_are_no_trouble),
		cmocka_unit_test(zero_iops_are_no_trouble),
		cmocka_unit_test(impossible_values_are_left_out),
		cmocka_unit_test(nothing_to_draw_is_an_error),
		cmocka_unit_test(hostile_names_stay_text),
		cmocka_unit_test(only_plain_stems_become_files),
		cmocka_unit_test(drawing_twice_gives_the_same_bytes),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
