/* SPDX-License-Identifier: GPL-2.0-only */
#include "chart/endurance.h"

#include <errno.h>
#include <math.h>

#include "chart/colour.h"
#include "chart/files.h"
#include "chart/frame.h"
#include "chart/lines.h"
#include "chart/text.h"

#define LEFT 78.0 /* where the plots begin */
#define MAIN_HEIGHT 340.0
#define HEAT_HEIGHT 120.0
#define ABOVE_PLOT 40.0 /* the name of its y axis */
#define BELOW_PLOT 50.0 /* tick labels and the name of the x axis */
#define BETWEEN 64.0
#define NUMBER_SIZE 11.0
/* Twice the pixels, as the PNG has them. */
#define COLUMNS 1700

#define GIB 0x1p30
#define MB 1e6

struct plan {
	const struct rp_endurance_chart *chart;
	const struct rp_endurance *e;
	rp_lines lines;
	struct rp_axis x, y, heat_y;
	struct rp_box main, heat;
	double height;
};

static int scale(struct plan *plan)
{
	const struct rp_endurance *e = plan->e;
	int ret = rp_axis_linear(&plan->x, e->bytes / GIB, 8, false,
				 rp_tick_plain);

	if (!ret)
		ret = rp_axis_linear(&plan->y, e->most / MB, 6, true,
				     rp_tick_plain);
	if (!ret && e->heat.known)
		ret = rp_axis_linear(&plan->heat_y, e->heat.hottest, 3, true,
				     rp_tick_plain);
	return ret;
}

static int lay_out(struct plan *plan)
{
	const struct rp_endurance_chart *chart = plan->chart;
	double y = 14;
	int ret = rp_lines_add(&plan->lines, chart->title, 18, RP_TITLE_COLOUR,
			       1, &y);

	if (!ret)
		ret = rp_lines_add(&plan->lines, chart->subtitle, 12.5,
				   RP_METHOD_COLOUR, 3, &y);
	if (!ret)
		ret = rp_lines_add(
			&plan->lines,
			plan->e->windows.count > COLUMNS
				? "Thin: least and most of some windows of the log · thick: mean of a level"
				: "Thin: each window of the log · thick: mean of a level",
			11, RP_QUIET_COLOUR, 1, &y);
	plan->main =
		(struct rp_box){LEFT, RP_CHART_WIDTH - RP_CHART_EDGE,
				y + ABOVE_PLOT, y + ABOVE_PLOT + MAIN_HEIGHT};
	y = plan->main.bottom;
	if (plan->e->heat.known) {
		plan->heat = plan->main;
		plan->heat.top = y + BETWEEN;
		plan->heat.bottom = y = plan->heat.top + HEAT_HEIGHT;
	}
	y += BELOW_PLOT;
	if (!ret)
		ret = rp_lines_add(&plan->lines, chart->footer, 10.5,
				   RP_QUIET_COLOUR, 2, &y);
	plan->height = ceil(y + 8);
	return ret;
}

/* What was written at the middle of a window. */
static double gib_at(const struct rp_endurance *e, size_t i)
{
	double before = i ? e->written[i - 1] : 0;

	return (before + e->written[i]) / 2 / GIB;
}

static void add_windows(const struct rp_endurance *e, struct rp_str *out)
{
	size_t count = e->windows.count;
	size_t columns = count < COLUMNS ? count : COLUMNS;

	rp_str_add(out, "# windows\n# GiB\tMB/s\n");
	for (size_t c = 0; c < columns; c++) {
		size_t begin = c * count / columns;
		size_t end = (c + 1) * count / columns;
		double least = INFINITY, most = 0;

		for (size_t i = begin; i < end; i++) {
			least = fmin(least, e->windows.at[i].bytes_per_s);
			most = fmax(most, e->windows.at[i].bytes_per_s);
		}
		rp_str_addf(out, "%.9g\t%.9g\n", gib_at(e, begin), least / MB);
		if (most > least)
			rp_str_addf(out, "%.9g\t%.9g\n", gib_at(e, end - 1),
				    most / MB);
	}
	rp_str_add(out, "\n\n");
}

static void add_levels(const struct rp_endurance *e, struct rp_str *out)
{
	rp_str_add(out, "# levels\n# GiB\tMB/s\n");
	for (size_t i = 0; i < e->levels.count; i++) {
		const struct rp_level *level = &e->levels.at[i];

		rp_str_addf(out, "%.9g\t%.9g\n%.9g\t%.9g\n",
			    level->from_bytes / GIB, level->mean / MB,
			    level->to_bytes / GIB, level->mean / MB);
	}
	rp_str_add(out, "\n\n");
}

/* A level's speed stands above it where there is room. */
static void add_numbers(const struct plan *plan, struct rp_str *out)
{
	rp_str_add(out, "# numbers\n# GiB\tMB/s\tlabel\n");
	for (size_t i = 0; i < plan->e->levels.count; i++) {
		const struct rp_level *level = &plan->e->levels.at[i];
		double left = level->from_bytes / GIB;
		double right = level->to_bytes / GIB;
		double pixels = (rp_axis_fraction(&plan->x, right) -
				 rp_axis_fraction(&plan->x, left)) *
				(plan->main.right - plan->main.left);
		char text[RP_NUMBER_MAX];

		rp_fmt_bandwidth(text, sizeof(text), level->mean);
		if (rp_chart_text_width(text, NUMBER_SIZE) < pixels)
			rp_str_addf(out, "%.9g\t%.9g\t%s\n", (left + right) / 2,
				    fmin(level->most / MB, plan->y.max), text);
	}
	/* gnuplot wants a row in every block that it is told to plot */
	rp_str_add(out, "NaN\tNaN\t-\n\n\n");
}

/* An empty line parts the curve where nothing was read. */
static void add_heat(const struct rp_endurance *e, struct rp_str *out)
{
	rp_str_add(out, "# temperature\n# GiB\tdegrees Celsius\n");
	for (size_t i = 0; i < e->windows.count; i++)
		if (!isnan(e->celsius[i]))
			rp_str_addf(out, "%.9g\t%.9g\n", gib_at(e, i),
				    e->celsius[i]);
		else if (i && !isnan(e->celsius[i - 1]))
			rp_str_add_char(out, '\n');
	rp_str_add(out, "\n\n");
}

static void add_data(const struct plan *plan, struct rp_str *out)
{
	rp_str_add(out, "# Blocks that the script of the same name reads.\n");
	rp_lines_data(&plan->lines, out);
	add_windows(plan->e, out);
	add_levels(plan->e, out);
	add_numbers(plan, out);
	if (plan->e->heat.known)
		add_heat(plan->e, out);
}

/* Only numbers and texts of this file go into the script. */
static void add_begin(const struct plan *plan, const char *stem,
		      struct rp_str *out)
{
	rp_str_addf(out,
		    "# Speed over what was written.  Restyle here, then run:"
		    "  gnuplot %s.gp\n"
		    "# Texts and numbers are in %s.dat.\n"
		    "reset\n"
		    "DATA = '%s.dat'\n"
		    "W = %.0f.; H = %.0f.        # size in pixels\n"
		    "set encoding utf8\n"
		    "set datafile separator tab\n\n"
		    "# Texts come in as data, so none is ever a command.\n"
		    "array TEXT[%zu]\n"
		    "stats DATA index 'text' using "
		    "(TEXT[int($0) + 1] = stringcolumn(2), 0) nooutput\n\n"
		    "# Pixels from the upper left corner -> gnuplot's screen "
		    "coordinates.\n"
		    "px(x) = x / W\n"
		    "py(y) = 1 - y / H\n\n",
		    stem, stem, stem, RP_CHART_WIDTH, plan->height,
		    plan->lines.count);
	rp_frame_script(out);
	rp_str_add(out, "unset key\n");
}

static void add_y_title(const struct rp_box *box, const char *title,
			struct rp_str *out)
{
	rp_str_addf(out,
		    "set label 30 '%s' at screen px(%.0f), screen py(%.0f) "
		    "left font ',12' tc rgb '#444444'\n",
		    title, RP_CHART_EDGE, box->top - 20);
}

static void add_x_title(const struct rp_box *box, struct rp_str *out)
{
	rp_str_addf(out,
		    "set label 31 'Written (GiB)' at screen px(%.0f), "
		    "screen py(%.0f) center font ',12' tc rgb '#444444'\n",
		    (box->left + box->right) / 2, box->bottom + 38);
}

/* On the side of the mark where there is more room. */
static void add_fall(const struct plan *plan, struct rp_str *out)
{
	double at = rp_endurance_last_fast(plan->e)->to_bytes;
	double gib = at / GIB;
	bool late = gib > plan->x.max / 2;
	char text[RP_NUMBER_MAX];

	if (!rp_endurance_fell(plan->e))
		return;
	rp_fmt_bytes(text, sizeof(text), at);
	rp_str_addf(out,
		    "set arrow 1 from first %.9g, graph 0 to first %.9g, "
		    "graph 1 nohead back lw 1.3 dt 2 lc rgb '#8a8a8a'\n"
		    "set label 32 'falls for good after %s' at first %.9g, "
		    "graph 1 %s offset char %s,0.6 font ',11' "
		    "tc rgb '#6b6b6b'\n",
		    gib, gib, text, gib, late ? "right" : "left",
		    late ? "-0.5" : "0.5");
}

static void add_main(const struct plan *plan, struct rp_str *out)
{
	rp_box_script(&plan->main, out);
	rp_ticks_script(&plan->x, "x", true, out);
	rp_ticks_script(&plan->y, "y", true, out);
	add_y_title(&plan->main, "Speed (MB/s)", out);
	if (!plan->e->heat.known)
		add_x_title(&plan->main, out);
	add_fall(plan, out);
	rp_str_addf(out,
		    "plot DATA index 'windows' using 1:2 with lines lw 0.8 "
		    "lc rgb '#%06X' notitle, \\\n"
		    "  '' index 'levels' using 1:2 with lines lw 2.6 "
		    "lc rgb '#%06X' notitle, \\\n"
		    "  '' index 'numbers' using 1:2:3 with labels center "
		    "offset 0,char 0.8 font ',%g' tc rgb '#%06X' notitle\n",
		    rp_line_colour(4), rp_line_colour(0), NUMBER_SIZE,
		    rp_text_colour(0));
}

static void add_heat_panel(const struct plan *plan, struct rp_str *out)
{
	rp_str_add(out, "\n# Temperature, on the same scale of what was "
			"written.\nunset label\n");
	rp_box_script(&plan->heat, out);
	rp_ticks_script(&plan->heat_y, "y", true, out);
	add_y_title(&plan->heat, "Temperature of the drive (°C)", out);
	add_x_title(&plan->heat, out);
	rp_str_addf(out,
		    "plot DATA index 'temperature' using 1:2 with lines lw 2 "
		    "lc rgb '#%06X' notitle\n",
		    rp_line_colour(1));
}

static void add_script(const struct plan *plan, const char *stem,
		       struct rp_str *out)
{
	add_begin(plan, stem, out);
	rp_chart_pictures_begin(stem, out);
	rp_str_add(out, "set multiplot\nunset label; unset arrow\n");
	rp_lines_script(&plan->lines, out);
	add_main(plan, out);
	if (plan->e->heat.known)
		add_heat_panel(plan, out);
	rp_str_add(out, "unset multiplot\n");
	rp_chart_pictures_end(out);
}

int rp_endurance_chart_write(const struct rp_endurance_chart *chart,
			     const char *dir, const char *stem,
			     struct rp_err *err)
{
	struct rp_str data = RP_STR_INIT, script = RP_STR_INIT;
	struct plan plan = {.chart = chart, .e = chart->endurance};
	int ret = rp_chart_stem_check(stem, err);

	if (ret)
		return ret;
	ret = scale(&plan);
	if (!ret)
		ret = lay_out(&plan);
	if (ret) {
		rp_err_set(err, ret, "out of memory for a chart");
	} else {
		add_data(&plan, &data);
		add_script(&plan, stem, &script);
		ret = rp_chart_files_write(dir, stem, &data, &script, err);
	}
	rp_lines_release(&plan.lines);
	rp_axis_release(&plan.x);
	rp_axis_release(&plan.y);
	rp_axis_release(&plan.heat_y);
	rp_str_release(&data);
	rp_str_release(&script);
	return ret;
}
