/* SPDX-License-Identifier: GPL-2.0-only */
#include "chart/files.h"
#include "chart/latency_plan.h"

/* gnuplot's filled shapes; the hollow ones are one less. */
static const unsigned shapes[] = {7, 5, 9, 13, 11, 15};

#define SHAPES (sizeof(shapes) / sizeof(shapes[0]))

/* Only numbers and texts of this file go into the script. */
static void add_begin(const struct rp_latency_plan *plan, const char *stem,
		      struct rp_str *out)
{
	rp_str_addf(out,
		    "# Latency over load.  Restyle here, then run:"
		    "  gnuplot %s.gp\n"
		    "# Names, titles and points are in %s.dat.\n"
		    "reset\n"
		    "DATA = '%s.dat'\n"
		    "W = %.0f.; H = %.0f.        # size in pixels\n"
		    "N = %zu                    # curves\n"
		    "set encoding utf8\n"
		    "set datafile separator tab\n\n",
		    stem, stem, stem, plan->width, plan->height,
		    plan->series.count);
	rp_str_addf(out,
		    "# Texts come in as data, so none is ever a command.\n"
		    "array TEXT[%zu]; array NAME[N]\n"
		    "stats DATA index 'text' using "
		    "(TEXT[int($0) + 1] = stringcolumn(2), 0) nooutput\n"
		    "stats DATA index 'names' using "
		    "(NAME[int($0) + 1] = stringcolumn(2), 0) nooutput\n\n",
		    plan->lines.count ? plan->lines.count : 1);
	rp_str_add(out, "# Pixels from the upper left corner -> gnuplot's "
			"screen coordinates.\n"
			"px(x) = x / W\n"
			"py(y) = 1 - y / H\n\n");
}

static void add_styles(const struct rp_latency_plan *plan, struct rp_str *out)
{
	rp_str_add(out, "# A style a curve (colour, shape, dashes); SHAPE less "
			"one is the hollow mark.\n");
	for (size_t i = 0; i < plan->series.count; i++) {
		size_t colour = plan->series.at[i].colour;

		rp_str_addf(out,
			    "set style line %zu lc rgb '#%06X' lw 2.3 pt %u "
			    "ps 0.85 dt %zu\n",
			    i + 1, rp_line_colour(colour),
			    shapes[colour % SHAPES],
			    colour < RP_COLOURS - 1
				    ? 1
				    : 2 + (colour - RP_COLOURS + 1) % 3);
	}
	rp_str_add(out, "SHAPE = '");
	for (size_t i = 0; i < plan->series.count; i++)
		rp_str_addf(out, "%s%u", i ? " " : "",
			    shapes[plan->series.at[i].colour % SHAPES]);
	rp_str_add(out, "'\n\n");
}

static const char *x_title(const struct rp_latency_plan *plan)
{
	if (!plan->bandwidth)
		return "Achieved IOPS";
	return plan->x.max >= 2000 ? "Achieved bandwidth (GB/s)"
				   : "Achieved bandwidth (MB/s)";
}

static const char *y_title(const struct rp_latency_plan *plan)
{
	switch (plan->kind) {
	case RP_LAT:
		return "Mean total latency";
	case RP_CLAT:
		return "Mean completion latency";
	default:
		return "Mean submission latency";
	}
}

static void add_texts(const struct rp_latency_plan *plan, struct rp_str *out)
{
	rp_lines_script(&plan->lines, out);
	rp_str_addf(out,
		    "set label 20 '%s' at screen px(20), screen py(%.0f) "
		    "left font ',12' tc rgb '#444444'\n",
		    y_title(plan), plan->main.top - 20);
}

/* The line that every such review measures drives against. */
static void add_millisecond(const struct rp_axis *y, bool label,
			    struct rp_str *out)
{
	rp_str_add(out, "unset arrow 1; unset label 21\n");
	if (y->min > 1000 || y->max < 1000)
		return;
	rp_str_add(out, "set arrow 1 from graph 0, first 1000 to graph 1, "
			"first 1000 nohead back lw 1.3 dt 2 lc rgb "
			"'#8a8a8a'\n");
	if (label)
		rp_str_addf(out,
			    "set label 21 '1 ms' at graph 0, first 1000 left "
			    "offset char 0.5, char %s font ',11' "
			    "tc rgb '#6b6b6b'\n",
			    y->max < 1001 ? "-0.6" : "0.55");
}

static void add_x_title(const struct rp_latency_plan *plan,
			const struct rp_box *box, struct rp_str *out)
{
	rp_str_addf(out,
		    "set label 22 '%s' at screen px(%.0f), screen py(%.0f) "
		    "center font ',12' tc rgb '#444444'\n",
		    x_title(plan), (box->left + box->right) / 2,
		    box->bottom + 38);
}

static void add_main(const struct rp_latency_plan *plan, struct rp_str *out)
{
	rp_box_script(&plan->main, out);
	rp_ticks_script(&plan->x, "x", true, out);
	rp_ticks_script(&plan->y, "y", true, out);
	add_x_title(plan, &plan->main, out);
	add_millisecond(&plan->y, true, out);
	if (plan->key)
		rp_str_addf(out,
			    "set key at screen px(%.0f), screen py(%.0f) left "
			    "top Left reverse samplen 2.5 spacing 1.35 "
			    "tc rgb '#1a1a1a'\n",
			    plan->main.right + 8, plan->main.top - 8);
	else
		rp_str_add(out, "unset key\n");
}

/* Line and marks of column `y`; white below the marks makes hollow ones. */
#define CURVES(y)                                                              \
	"for [i=1:N] DATA index sprintf('curve %d', i) using 2:" y             \
	" with lines ls i notitle, \\\n"                                       \
	"  for [i=1:N] DATA index sprintf('curve %d', i) using 2:" y           \
	" with points ls i lc rgb 'white' notitle, \\\n"                       \
	"  for [i=1:N] DATA index sprintf('curve %d', i) using 2:" y           \
	":(word(SHAPE, i) - $7) with points ls i pt variable dt 1 notitle"

static void add_labels(const struct rp_latency_plan *plan, struct rp_str *out)
{
	bool moved = false;

	for (size_t i = 0; i < plan->labels.count; i++)
		moved = moved || plan->labels.at[i].moved;
	if (moved)
		rp_str_add(out, ", \\\n  DATA index 'labels' using 2:3:(0):"
				"($6 - $3):4 with vectors nohead lw 0.8 "
				"lc rgb variable notitle");
	rp_str_add(out, ", \\\n  DATA index 'labels' using 2:3:5:4 "
			"with labels left offset char 1.3,0 "
			"tc rgb variable notitle");
}

static void add_main_plot(const struct rp_latency_plan *plan,
			  struct rp_str *out)
{
	bool maxima = false;

	for (size_t i = 0; i < plan->series.count; i++)
		maxima = maxima || plan->series.at[i].maxima.count;
	rp_str_add(out, "plot \\\n");
	if (plan->bands)
		rp_str_add(out,
			   "  for [i=1:N] DATA index sprintf('p99 of %d', i) "
			   "using 2:3:4 with "
			   "filledcurves fs transparent solid 0.13 noborder "
			   "ls i notitle, \\\n"
			   "  for [i=1:N] DATA index sprintf('p99 of %d', i) "
			   "using 2:4 with linespoints "
			   "ls i lw 1.6 dt '.' ps 0.3 notitle, \\\n");
	rp_str_add(out, "  " CURVES("3"));
	if (maxima)
		rp_str_add(out, ", \\\n  DATA index 'maxima' using 2:3:4 with "
				"points pt 2 ps 0.9 lw 1.8 lc rgb variable "
				"notitle");
	if (plan->cuts.count)
		rp_str_addf(out,
			    ", \\\n  DATA index 'cuts' using 2:($3 - %.9g):(0):"
			    "(%.9g):4 with vectors head filled size screen "
			    "0.009,20 lw 2.3 lc rgb variable notitle",
			    plan->y.max / 20, plan->y.max / 20);
	if (plan->key)
		rp_str_add(out, ", \\\n  for [i=1:N] keyentry with linespoints "
				"ls i title NAME[i]");
	else
		add_labels(plan, out);
	rp_str_add(out, "\n");
}

static void add_panel(const struct rp_latency_plan *plan, size_t i,
		      struct rp_str *out)
{
	static const char *const plots[RP_PANELS] = {
		"plot " CURVES("4") "\n",
		"plot " CURVES("5") "\n",
		"plot " CURVES("6") "\n",
	};
	static const char *const names[RP_PANELS] = {"p50", "p99", "p99.9"};

	rp_str_addf(out, "\n# %s\n", names[i]);
	rp_box_script(&plan->panel[i], out);
	rp_ticks_script(&plan->panel_y, "y", i == 0, out);
	rp_str_addf(out,
		    "set label 30 '%s' at graph 0, graph 1 left offset "
		    "0, char 0.9 font ',12' tc rgb '#1a1a1a'\n",
		    names[i]);
	rp_str_add(out, plots[i]);
}

static void add_panels(const struct rp_latency_plan *plan, struct rp_str *out)
{
	rp_str_add(out, "\n# Percentiles, a panel each, on one scale.\n"
			"unset label; unset key\n");
	rp_ticks_script(&plan->panel_x, "x", true, out);
	add_millisecond(&plan->panel_y, false, out);
	add_x_title(plan, &plan->panel[RP_PANELS / 2], out);
	for (size_t i = 0; i < RP_PANELS; i++)
		add_panel(plan, i, out);
}

void rp_latency_script(const struct rp_latency_plan *plan, const char *stem,
		       struct rp_str *out)
{
	add_begin(plan, stem, out);
	add_styles(plan, out);
	rp_frame_script(out);
	rp_chart_pictures_begin(stem, out);
	rp_str_add(out, plan->panels ? "set multiplot\nunset label\n" : "");
	add_texts(plan, out);
	add_main(plan, out);
	add_main_plot(plan, out);
	if (plan->panels) {
		add_panels(plan, out);
		rp_str_add(out, "unset multiplot\n");
	}
	rp_chart_pictures_end(out);
}
