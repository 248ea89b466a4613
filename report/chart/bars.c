/* SPDX-License-Identifier: GPL-2.0-only */
#include "chart/bars.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>

#include "base/units.h"
#include "chart/colour.h"
#include "chart/files.h"
#include "chart/lines.h"
#include "chart/text.h"

#define ROW_HEIGHT 30.0
#define NAME_SIZE 12.0
#define NAME_MOST 28 /* characters */
#define NAME_GAP 10.0
#define PANEL_GAP 26.0
#define HEAD_HEIGHT 34.0 /* a panel's name above its bars */
/* Of a panel, so that the number at the longest bar's end has room. */
#define LONGEST_BAR 0.66

struct panel {
	const char *title;
	bool is_latency;
	double (*get)(const struct rp_application *of);
};

static double rate(const struct rp_application *of)
{
	return of->rate;
}

static double mean(const struct rp_application *of)
{
	return of->mean_ns;
}

static double p99(const struct rp_application *of)
{
	return of->p99_ns;
}

static const struct panel panels[] = {
	{NULL, false, rate},
	{"Mean latency (less is better)", true, mean},
	{"99th percentile (less is better)", true, p99},
};

#define PANELS (sizeof(panels) / sizeof(panels[0]))

struct plan {
	const struct rp_bars_chart *chart;
	rp_lines lines;
	double left, panel_width, top, bottom, height;
};

static size_t rows(const struct plan *plan)
{
	return plan->chart->application->results.count;
}

static double value_of(const struct plan *plan, size_t panel, size_t row)
{
	return panels[panel].get(plan->chart->application->results.at[row].of);
}

static void add_name(const struct plan *plan, size_t row, struct rp_str *out)
{
	size_t run = plan->chart->application->results.at[row].run;

	rp_chart_text_add_short(out, plan->chart->labels->at[run], NAME_MOST);
}

static double longest_name(const struct plan *plan)
{
	double longest = 0;

	for (size_t i = 0; i < rows(plan); i++) {
		struct rp_str name = RP_STR_INIT;

		add_name(plan, i, &name);
		longest = fmax(longest, rp_chart_text_width(rp_str_text(&name),
							    NAME_SIZE));
		rp_str_release(&name);
	}
	return longest;
}

static int lay_out(struct plan *plan)
{
	const struct rp_review_application *of = plan->chart->application;
	double y = 14;
	int ret = rp_lines_add(&plan->lines, of->title, 18, RP_TITLE_COLOUR, 1,
			       &y);

	if (!ret)
		ret = rp_lines_add(&plan->lines, of->method, 12.5,
				   RP_METHOD_COLOUR, 3, &y);
	plan->left = RP_CHART_EDGE + longest_name(plan) + NAME_GAP;
	plan->panel_width = (RP_CHART_WIDTH - RP_CHART_EDGE - plan->left -
			     (PANELS - 1) * PANEL_GAP) /
			    PANELS;
	plan->top = y + HEAD_HEIGHT;
	plan->bottom = plan->top + (double)rows(plan) * ROW_HEIGHT;
	y = plan->bottom + 18;
	if (!ret)
		ret = rp_lines_add(&plan->lines, plan->chart->footer, 10.5,
				   RP_QUIET_COLOUR, 2, &y);
	plan->height = ceil(y + 8);
	return ret;
}

/* Row, value, the bar's colour, its text's colour, number, name. */
static void add_panel_data(const struct plan *plan, size_t panel,
			   struct rp_str *out)
{
	rp_str_addf(out, "# panel %zu\n", panel + 1);
	for (size_t i = 0; i < rows(plan); i++) {
		size_t run = plan->chart->application->results.at[i].run;
		double value = value_of(plan, panel, i);
		char number[RP_NUMBER_MAX];

		if (panels[panel].is_latency)
			rp_fmt_latency(number, sizeof(number), value);
		else
			rp_fmt_count(number, sizeof(number), value);
		rp_str_addf(out, "%zu\t%.9g\t%u\t%u\t%s\t", i,
			    isnan(value) ? 0 : value, rp_line_colour(run),
			    rp_text_colour(run), number);
		add_name(plan, i, out);
		rp_str_add_char(out, '\n');
	}
	rp_str_add(out, "\n\n");
}

/* Only numbers and texts of this file go into the script. */
static void add_begin(const struct plan *plan, const char *stem,
		      struct rp_str *out)
{
	rp_str_addf(out,
		    "# Bars of an application.  Restyle here, then run:"
		    "  gnuplot %s.gp\n"
		    "# Names, titles and numbers are in %s.dat.\n"
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
		    "py(y) = 1 - y / H\n\n"
		    "set border 2 lc rgb '#888888'\n"
		    "unset tics; unset key\n"
		    "set tmargin at screen py(%.0f); "
		    "set bmargin at screen py(%.0f)\n"
		    "set yrange [%g:-0.5]\n\n",
		    stem, stem, stem, RP_CHART_WIDTH, plan->height,
		    plan->lines.count ? plan->lines.count : 1, plan->top,
		    plan->bottom, (double)rows(plan) - 0.5);
}

static const char *title_of(const struct plan *plan, size_t panel)
{
	if (panels[panel].title)
		return panels[panel].title;
	return plan->chart->application->is_iops
		       ? "IOPS (more is better)"
		       : "Transactions/s (more is better)";
}

static double largest(const struct plan *plan, size_t panel)
{
	double most = 0;

	for (size_t i = 0; i < rows(plan); i++)
		most = fmax(most, value_of(plan, panel, i));
	return most > 0 ? most : 1;
}

static void add_panel(const struct plan *plan, size_t panel, struct rp_str *out)
{
	double left =
		plan->left + (double)panel * (plan->panel_width + PANEL_GAP);

	rp_str_addf(out,
		    "\n# %s\n"
		    "set lmargin at screen px(%.1f); "
		    "set rmargin at screen px(%.1f)\n"
		    "set xrange [0:%.9g]\n"
		    "set label 30 '%s' at screen px(%.1f), screen py(%.0f) "
		    "left font ',12' tc rgb '#444444'\n"
		    "plot DATA index 'panel %zu' "
		    "using ($2/2):1:(0):2:($1-0.34):($1+0.34):3 "
		    "with boxxyerror fs solid noborder lc rgb variable, \\\n"
		    "  '' index 'panel %zu' using 2:1:5:4 with labels left "
		    "offset char 0.6,0 tc rgb variable",
		    title_of(plan, panel), left, left + plan->panel_width,
		    largest(plan, panel) / LONGEST_BAR, title_of(plan, panel),
		    left, plan->top - 16, panel + 1, panel + 1);
	if (panel == 0)
		rp_str_add(out, ", \\\n  '' index 'panel 1' using (0):1:6 "
				"with labels right offset char -0.8,0 "
				"tc rgb '#1a1a1a'");
	rp_str_add(out, "\n");
	if (panel == 0)
		rp_str_addf(out, "do for [i=1:%zu] { unset label i }\n",
			    plan->lines.count);
}

static void add_script(const struct plan *plan, const char *stem,
		       struct rp_str *out)
{
	add_begin(plan, stem, out);
	rp_chart_pictures_begin(stem, out);
	rp_str_add(out, "set multiplot\nunset label\n");
	rp_lines_script(&plan->lines, out);
	for (size_t i = 0; i < PANELS; i++)
		add_panel(plan, i, out);
	rp_str_add(out, "unset multiplot\n");
	rp_chart_pictures_end(out);
}

int rp_bars_chart_write(const struct rp_bars_chart *chart, const char *dir,
			const char *stem, struct rp_err *err)
{
	struct rp_str data = RP_STR_INIT, script = RP_STR_INIT;
	struct plan plan = {.chart = chart};
	int ret = rp_chart_stem_check(stem, err);

	if (ret)
		return ret;
	ret = lay_out(&plan);
	if (ret) {
		rp_err_set(err, ret, "out of memory for a chart");
	} else {
		rp_str_add(
			&data,
			"# Blocks that the script of the same name reads.\n");
		rp_lines_data(&plan.lines, &data);
		for (size_t i = 0; i < PANELS; i++)
			add_panel_data(&plan, i, &data);
		add_script(&plan, stem, &script);
		ret = rp_chart_files_write(dir, stem, &data, &script, err);
	}
	rp_lines_release(&plan.lines);
	rp_str_release(&data);
	rp_str_release(&script);
	return ret;
}
