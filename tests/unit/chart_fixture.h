/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TESTS_UNIT_CHART_FIXTURE_H
#define TESTS_UNIT_CHART_FIXTURE_H

/*
 * Made-up drives and what is drawn of them, with real gnuplot if it is
 * there.  To look at the pictures: CHART_TEST_DIR=/some/dir TEST
 */

#include "unit.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
__attribute__((unused)) static struct rp_curve *
new_drive(struct bench *bench, const char *label, double peak, double idle_us,
	  double full_us)
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
__attribute__((unused)) static char *
written(struct bench *bench, const char *stem, const char *suffix)
{
	free(draw(bench, stem));
	tear_down(bench);
	return read_text(stem, suffix);
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

#endif
