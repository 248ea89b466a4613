/* SPDX-License-Identifier: GPL-2.0-only */
#include "chart_fixture.h"

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
		cmocka_unit_test(six_drives_have_room_for_labels),
		cmocka_unit_test(
			flat_curve_below_a_millisecond_has_no_such_line),
		cmocka_unit_test(upper_bounds_are_not_drawn_but_said),
		cmocka_unit_test(kinds_of_latency_are_never_mixed),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
