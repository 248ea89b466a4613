/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Draws real charts if gnuplot is there.  To look at them:
 * CHART_TEST_DIR=/some/dir chart_latency_iops_test
 */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "chart/gnuplot.h"
#include "chart/latency_iops.h"

#define MOST_CURVES 10
#define POINTS 13

struct bench {
	struct rp_profile_run profile;
	struct rp_point points[POINTS];
	struct rp_curve curves[MOST_CURVES];
	size_t colours[MOST_CURVES];
	size_t count;
	struct rp_latency_chart chart;
};

static char *dir;
static bool keep;

static bool have_gnuplot(void)
{
	struct rp_err err = {0};
	static int known = -1;

	if (known < 0) {
		char *script = rp_strf("%s/probe.gp", dir);

		assert_int_equal(rp_file_write(script, "exit\n", 5, &err), 0);
		known = rp_gnuplot_run(dir, (const char *[]){"probe"}, 1, 1,
				       &err) != -ENOENT;
		unlink(script);
		free(script);
	}
	return known;
}

static void set_up(struct bench *bench, const char *title)
{
	memset(bench, 0, sizeof(*bench));
	bench->profile.block_bytes = 4096;
	for (int i = 0; i < POINTS; i++)
		bench->points[i].load_percent = i * 10;
	bench->chart = (struct rp_latency_chart){
		.title = title,
		.subtitle = "4 KiB, 100 % read, random, 128 threads x QD1 · "
			    "60 s a point · 90 % full",
		.footer = "fio-3.33 · libaio · Linux 6.1.0-18-amd64 · "
			  "2026-11-30",
		.curves = bench->curves,
		.colours = bench->colours,
	};
}

static void tear_down(struct bench *bench)
{
	for (size_t i = 0; i < bench->count; i++)
		rp_vec_release(&bench->curves[i].points);
}

static struct rp_curve *new_curve(struct bench *bench, const char *label)
{
	struct rp_curve *curve = &bench->curves[bench->count];

	curve->profile = &bench->profile;
	curve->label = label;
	curve->kind = RP_LAT;
	bench->colours[bench->count] = bench->count;
	bench->chart.curve_count = ++bench->count;
	return curve;
}

static struct rp_curve_point *new_point(struct bench *bench,
					struct rp_curve *curve, int load,
					double iops, double mean_us)
{
	struct rp_curve_point *point = rp_vec_push(&curve->points);

	assert_non_null(point);
	point->point = &bench->points[load / 10];
	point->sample = (struct rp_sample){
		.iops = iops,
		.bytes_per_s = iops * bench->profile.block_bytes,
		.kind = curve->kind,
		.source = RP_PCT_BINS,
		.mean_ns = mean_us * 1e3,
		.p50_ns = mean_us * 0.9e3,
		.p99_ns = mean_us * 2.6e3,
		.p999_ns = mean_us * 6e3,
	};
	point->missed = load > 100;
	return point;
}

/* A drive as they are: flat, then a bend, then all threads wait. */
static struct rp_curve *new_drive(struct bench *bench, const char *label,
				  double peak, double idle_us, double full_us)
{
	struct rp_curve *curve = new_curve(bench, label);

	new_point(bench, curve, 0, peak, full_us);
	for (int load = 10; load <= 120; load += 10) {
		double part = load < 100 ? load / 100.0 : 0.995;
		double mean = idle_us + (full_us - idle_us) * pow(part, 9);

		new_point(bench, curve, load,
			  peak * part * (load > 100 ? 0.997 : 1),
			  load > 100 ? full_us * 1.03 : mean);
	}
	return curve;
}

static char *read_text(const char *stem, const char *suffix)
{
	char *path = rp_strf("%s/%s%s", dir, stem, suffix);
	struct rp_str text = RP_STR_INIT;
	struct rp_err err = {0};

	assert_int_equal(rp_file_read(path, 1 << 24, &text, &err), 0);
	free(path);
	return rp_str_detach(&text);
}

/* Write it, draw it, and give its SVG (or NULL without gnuplot). */
static char *draw(struct bench *bench, const char *stem)
{
	struct rp_err err = {0};
	int ret = rp_latency_chart_write(&bench->chart, dir, stem, &err);

	if (ret)
		fail_msg("%s: %s", stem, err.message);
	if (!have_gnuplot())
		return NULL;
	ret = rp_gnuplot_run(dir, &stem, 1, 1, &err);
	if (ret)
		fail_msg("%s: %s", stem, err.message);
	free(read_text(stem, ".png"));
	return read_text(stem, ".svg");
}

#define assert_in_text(text, part)                                             \
	do {                                                                   \
		if (!strstr(text, part))                                       \
			fail_msg("\"%s\" is not in:\n%s", part, text);         \
	} while (0)
#define assert_not_in_text(text, part)                                         \
	do {                                                                   \
		if (strstr(text, part))                                        \
			fail_msg("\"%s\" is in:\n%s", part, text);             \
	} while (0)

/* Draw, and give what was written with STEM.SUFFIX. */
static char *written(struct bench *bench, const char *stem, const char *suffix)
{
	free(draw(bench, stem));
	tear_down(bench);
	return read_text(stem, suffix);
}

static void two_drives_have_labels_and_bands(void **state)
{
	struct bench bench;
	char *svg, *gp, *dat;

	(void)state;
	set_up(&bench, "4K random read");
	new_drive(&bench, "KIOXIA CM7-R 3.84TB", 701000, 82, 183);
	new_drive(&bench, "Samsung PM9A3", 580000, 95, 221);
	svg = draw(&bench, "two-drives");
	gp = read_text("two-drives", ".gp");
	dat = read_text("two-drives", ".dat");
	tear_down(&bench);
	assert_in_text(dat, "KIOXIA CM7-R 3.84TB  701k");
	assert_in_text(dat, "# p99 of 2");
	assert_in_text(gp, "filledcurves");
	assert_in_text(gp, "'100 k' 100000");
	assert_not_in_text(gp, "KIOXIA");
	assert_not_in_text(gp, "keyentry");
	if (svg) {
		assert_in_text(svg, "KIOXIA CM7-R 3.84TB  701k</text>");
		assert_in_text(svg, "Mean total latency</text>");
	}
	free(svg);
	free(gp);
	free(dat);
}

static void linear_scale_is_cut_above_what_was_carried(void **state)
{
	struct bench bench;
	char *dat, *gp;

	(void)state;
	set_up(&bench, "4K random write");
	new_drive(&bench, "Drive A", 701000, 82, 183);
	bench.curves[0].points.at[11].sample.mean_ns = 12.3e6;
	bench.curves[0].points.at[12].sample.mean_ns = 9.1e6;
	new_drive(&bench, "Drive B", 690000, 95, 190);
	bench.curves[1].points.at[12].sample.mean_ns = 2.5e6;
	bench.chart.linear = true;
	dat = written(&bench, "linear-cut", ".dat");
	gp = read_text("linear-cut", ".gp");
	assert_in_text(dat, "12.3 ms");
	assert_in_text(dat, "2.5");
	assert_in_text(dat, "cut at");
	assert_in_text(gp, "with vectors");
	assert_in_text(gp, "unset logscale y");
	free(dat);
	free(gp);
}

static void points_keep_their_load_order_when_a_curve_folds_back(void **state)
{
	struct bench bench;
	struct rp_curve *curve;
	const char *at_peak, *past_peak;
	char *dat;

	(void)state;
	set_up(&bench, "Fold back");
	curve = new_drive(&bench, "Collapsing drive", 200000, 120, 600);
	curve->points.at[11].sample.iops = 171000;
	curve->points.at[11].sample.mean_ns = 740e3;
	curve->points.at[12].sample.iops = 152000;
	curve->points.at[12].sample.mean_ns = 910e3;
	dat = written(&bench, "fold-back", ".dat");
	at_peak = strstr(dat, "\n100\t199000\t");
	past_peak = strstr(dat, "\n120\t152000\t910\t");
	assert_non_null(at_peak);
	assert_non_null(past_peak);
	assert_true(past_peak > at_peak);
	/* the band ends where the curve turns */
	assert_not_in_text(strstr(dat, "# p99 of 1"), "\t171000\t");
	free(dat);
}

static void missed_points_are_hollow_and_said(void **state)
{
	struct bench bench;
	char *dat;

	(void)state;
	set_up(&bench, "Missed");
	new_drive(&bench, "A", 1000, 82, 183);
	dat = written(&bench, "missed", ".dat");
	assert_in_text(dat, "hollow: under 97 % of the asked rate");
	assert_in_text(dat, "\n100\t995\t");
	assert_in_text(dat, "\t0\n110\t");
	assert_in_text(dat, "\t1\n120\t");
	free(dat);
}

static void four_drives_get_panels(void **state)
{
	struct bench bench;
	char *gp;

	(void)state;
	set_up(&bench, "8K SQL 90-10");
	new_drive(&bench, "Drive A", 301000, 82, 183);
	new_drive(&bench, "Drive B", 280000, 95, 121);
	new_drive(&bench, "Drive C", 276000, 90, 190);
	new_drive(&bench, "Drive D", 120000, 150, 270);
	gp = written(&bench, "four-drives", ".gp");
	assert_in_text(gp, "# p99.9");
	assert_in_text(gp, "set multiplot");
	assert_not_in_text(gp, "filledcurves");
	free(gp);
}

static void ten_drives_get_a_key(void **state)
{
	static const char *const names[MOST_CURVES] = {
		"Drive A", "Drive B", "Drive C", "Drive D", "Drive E",
		"Drive F", "Drive G", "Drive H", "Drive I", "Drive J",
	};
	struct bench bench;
	char *gp;

	(void)state;
	set_up(&bench, "Ten drives");
	for (size_t i = 0; i < MOST_CURVES; i++)
		new_drive(&bench, names[i], 300000 - 21000 * (double)i,
			  80 + 9 * (double)i, 200 + 30 * (double)i);
	gp = written(&bench, "ten-drives", ".gp");
	assert_in_text(gp, "keyentry");
	assert_not_in_text(gp, "index 'labels'");
	free(gp);
}

static void close_curves_keep_their_labels_apart(void **state)
{
	struct bench bench;
	double y[5];
	const char *p;
	char *dat;

	(void)state;
	set_up(&bench, "Five drives alike");
	for (size_t i = 0; i < 5; i++)
		new_drive(&bench, "Same drive", 500000 + (double)i, 82, 183);
	dat = written(&bench, "five-alike", ".dat");
	p = strstr(dat, "# labels\n");
	assert_non_null(p);
	for (size_t i = 0; i < 5; i++) {
		p = strstr(p, "\nlabel\t") + 7;
		assert_int_equal(sscanf(p, "%*f\t%lf", &y[i]), 1);
		for (size_t j = 0; j < i; j++)
			assert_true(fabs(y[i] - y[j]) > 1);
	}
	free(dat);
}

static void peaks_of_different_magnitude_share_a_chart(void **state)
{
	struct bench bench;
	char *gp;

	(void)state;
	set_up(&bench, "SSD and hard disk");
	new_drive(&bench, "NVMe SSD", 700000, 82, 183);
	new_drive(&bench, "SATA SSD", 90000, 120, 1400);
	new_drive(&bench, "Hard disk", 200, 6500, 100000);
	gp = written(&bench, "magnitudes", ".gp");
	assert_in_text(gp, "set logscale y");
	assert_in_text(gp, "'1 ms' 1000");
	assert_in_text(gp, "'100 ms' 100000");
	free(gp);
}

static void hard_disk_alone_reads_well(void **state)
{
	struct bench bench;
	char *gp;

	(void)state;
	set_up(&bench, "Hard disk, 4K random read");
	new_drive(&bench, "ST16000NM001G", 212, 7800, 100000);
	gp = written(&bench, "hard-disk", ".gp");
	assert_in_text(gp, "'50' 50");
	free(gp);
}

static void large_blocks_are_drawn_over_bandwidth(void **state)
{
	struct bench bench;
	char *gp, *dat;

	(void)state;
	set_up(&bench, "64K sequential read");
	bench.profile.block_bytes = 65536;
	new_drive(&bench, "Drive A", 100000, 82, 160);
	new_drive(&bench, "Drive B", 52000, 95, 307);
	dat = written(&bench, "bandwidth", ".dat");
	gp = read_text("bandwidth", ".gp");
	assert_in_text(gp, "Achieved bandwidth (GB/s)");
	assert_in_text(gp, "'1' 1000");
	assert_in_text(dat, "Drive A  6.55 GB/s");
	free(gp);
	free(dat);
}

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

static void six_drives_have_room_for_labels(void **state)
{
	struct bench bench;
	char *gp;

	(void)state;
	set_up(&bench, "Six drives");
	new_drive(&bench, "Kioxia CM7-R 3.84 TB", 701000, 82, 183);
	new_drive(&bench, "Samsung PM9A3 3.84 TB", 690000, 95, 190);
	new_drive(&bench, "Micron 7450 PRO 3.84 TB", 680000, 90, 188);
	new_drive(&bench, "Solidigm D7-P5520 3.84 TB", 640000, 80, 200);
	new_drive(&bench, "WD Ultrastar DC SN650 7.68 TB", 500000, 85, 250);
	new_drive(&bench, "Kingston DC1500M 1.92 TB", 480000, 105, 266);
	gp = written(&bench, "six-drives", ".gp");
	assert_in_text(gp, "index 'labels'");
	assert_not_in_text(gp, "keyentry");
	free(gp);
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

static void flat_curve_below_a_millisecond_has_no_such_line(void **state)
{
	struct bench bench;
	char *gp;

	(void)state;
	set_up(&bench, "Optane, 4K random read");
	new_drive(&bench, "Flat", 550000, 9, 11);
	gp = written(&bench, "flat", ".gp");
	assert_not_in_text(gp, "set arrow 1 from");
	free(gp);
}

static void upper_bounds_are_not_drawn_but_said(void **state)
{
	struct bench bench;
	struct rp_curve *curve;
	char *dat;

	(void)state;
	set_up(&bench, "Several jobs without bins");
	curve = new_drive(&bench, "Drive", 90000, 120, 1400);
	for (size_t i = 0; i < curve->points.count; i++)
		curve->points.at[i].sample.source = RP_PCT_MAX;
	dat = written(&bench, "bounds", ".dat");
	assert_in_text(dat, "not drawn");
	assert_not_in_text(dat, "# p99 of");
	free(dat);
}

static void kinds_of_latency_are_never_mixed(void **state)
{
	struct bench bench;
	char *dat;

	(void)state;
	set_up(&bench, "Kinds");
	new_drive(&bench, "Old fio", 90000, 120, 1400)->kind = RP_CLAT;
	new_drive(&bench, "New fio", 80000, 120, 1400);
	dat = written(&bench, "kinds", ".dat");
	assert_in_text(dat, "Old fio (only completion latency)");
	assert_not_in_text(dat, "# curve 2");
	free(dat);
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

static int make_dir(void **state)
{
	const char *wanted = getenv("CHART_TEST_DIR");
	char template[] = "/tmp/chart-test-XXXXXX";

	(void)state;
	keep = wanted && *wanted;
	dir = keep ? strdup(wanted) : strdup(mkdtemp(template));
	if (!dir)
		return -1;
	if (!have_gnuplot())
		print_message("gnuplot is not installed: the scripts are "
			      "written but not run\n");
	return 0;
}

static int remove_dir(void **state)
{
	DIR *d = keep ? NULL : opendir(dir);
	struct dirent *entry;

	(void)state;
	while (d && (entry = readdir(d)))
		unlinkat(dirfd(d), entry->d_name, 0);
	if (d) {
		closedir(d);
		rmdir(dir);
	}
	free(dir);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_drives_have_labels_and_bands),
		cmocka_unit_test(linear_scale_is_cut_above_what_was_carried),
		cmocka_unit_test(
			points_keep_their_load_order_when_a_curve_folds_back),
		cmocka_unit_test(missed_points_are_hollow_and_said),
		cmocka_unit_test(four_drives_get_panels),
		cmocka_unit_test(ten_drives_get_a_key),
		cmocka_unit_test(close_curves_keep_their_labels_apart),
		cmocka_unit_test(peaks_of_different_magnitude_share_a_chart),
		cmocka_unit_test(hard_disk_alone_reads_well),
		cmocka_unit_test(large_blocks_are_drawn_over_bandwidth),
		cmocka_unit_test(one_point_alone_is_drawn),
		cmocka_unit_test(equal_and_unknown_values_are_no_trouble),
		cmocka_unit_test(zero_iops_are_no_trouble),
		cmocka_unit_test(impossible_values_are_left_out),
		cmocka_unit_test(six_drives_have_room_for_labels),
		cmocka_unit_test(nothing_to_draw_is_an_error),
		cmocka_unit_test(
			flat_curve_below_a_millisecond_has_no_such_line),
		cmocka_unit_test(upper_bounds_are_not_drawn_but_said),
		cmocka_unit_test(kinds_of_latency_are_never_mixed),
		cmocka_unit_test(hostile_names_stay_text),
		cmocka_unit_test(only_plain_stems_become_files),
		cmocka_unit_test(drawing_twice_gives_the_same_bytes),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
