/* SPDX-License-Identifier: GPL-2.0-only */
#include "chart/latency_plan.h"

#include <math.h>

static void add_number(struct rp_str *out, double value)
{
	if (isnan(value))
		rp_str_add(out, "\tNaN");
	else
		rp_str_addf(out, "\t%.6g", value);
}

/* gnuplot finds a block by its comment; two empty lines end it. */
static void end_block(struct rp_str *out)
{
	rp_str_add(out, "\n\n");
}

static void add_texts(const struct rp_latency_plan *plan, struct rp_str *out)
{
	rp_lines_data(&plan->lines, out);
	rp_str_add(out, "# names\n");
	for (size_t i = 0; i < plan->series.count; i++)
		rp_str_addf(out, "%zu\t%s\n", i + 1, plan->series.at[i].label);
	end_block(out);
}

static void add_curve(const struct rp_latency_plan *plan, size_t index,
		      struct rp_str *out)
{
	const struct rp_series *series = &plan->series.at[index];

	rp_str_addf(out,
		    "# curve %zu\n# load %%\t%s\tmean us\tp50 us\tp99 us\t"
		    "p99.9 us\tmissed\n",
		    index + 1, plan->bandwidth ? "MB/s" : "IOPS");
	for (size_t i = 0; i < series->dots.count; i++) {
		const struct rp_dot *dot = &series->dots.at[i];

		rp_str_addf(out, "%d", dot->load_percent);
		add_number(out, dot->x);
		add_number(out, dot->mean);
		for (size_t k = 0; k < RP_PANELS; k++)
			add_number(out, dot->percentile[k]);
		rp_str_addf(out, "\t%d\n", dot->missed);
	}
	end_block(out);
}

/*
 * Up to the peak only: a ribbon that folds back covers itself.  For the same
 * reason an empty line parts it where the load rose and the IOPS did not.
 */
static void add_band(const struct rp_latency_plan *plan, size_t index,
		     struct rp_str *out)
{
	const struct rp_series *series = &plan->series.at[index];

	rp_str_addf(out, "# p99 of %zu\n", index + 1);
	for (size_t i = 0; i <= series->top; i++) {
		const struct rp_dot *dot = &series->dots.at[i];

		if (i && dot->x < dot[-1].x)
			rp_str_add_char(out, '\n');
		rp_str_add(out, "p99");
		add_number(out, dot->x);
		add_number(out, dot->mean);
		add_number(out, dot->percentile[RP_PANEL_P99]);
		rp_str_add_char(out, '\n');
	}
	end_block(out);
}

static void add_maxima(const struct rp_latency_plan *plan, struct rp_str *out)
{
	rp_str_add(out, "# maxima\n");
	for (size_t i = 0; i < plan->series.count; i++) {
		const struct rp_series *series = &plan->series.at[i];

		for (size_t j = 0; j < series->maxima.count; j++) {
			rp_str_add(out, "max");
			add_number(out, series->maxima.at[j].x);
			add_number(out, series->maxima.at[j].mean);
			rp_str_addf(out, "\t%u\n",
				    rp_line_colour(series->colour));
		}
	}
	end_block(out);
}

static void add_labels(const struct rp_latency_plan *plan, struct rp_str *out)
{
	rp_str_add(out, "# labels\n");
	for (size_t i = 0; i < plan->labels.count; i++) {
		const struct rp_place *label = &plan->labels.at[i];
		const struct rp_series *series =
			&plan->series.at[label->series];

		rp_str_add(out, "label");
		add_number(out, label->x);
		add_number(out, label->y);
		rp_str_addf(out, "\t%u\t%s", rp_text_colour(series->colour),
			    series->label);
		add_number(out, label->moved ? label->from_y : NAN);
		rp_str_add_char(out, '\n');
	}
	end_block(out);
}

static void add_cuts(const struct rp_latency_plan *plan, struct rp_str *out)
{
	rp_str_add(out, "# cuts\n");
	for (size_t i = 0; i < plan->cuts.count; i++) {
		const struct rp_place *cut = &plan->cuts.at[i];

		rp_str_add(out, "cut");
		add_number(out, cut->x);
		add_number(out, cut->y);
		rp_str_addf(
			out, "\t%u\n",
			rp_line_colour(plan->series.at[cut->series].colour));
	}
	end_block(out);
}

void rp_latency_data(const struct rp_latency_plan *plan, struct rp_str *out)
{
	rp_str_add(out, "# Blocks that the script of the same name reads.\n");
	add_texts(plan, out);
	for (size_t i = 0; i < plan->series.count; i++)
		add_curve(plan, i, out);
	for (size_t i = 0; plan->bands && i < plan->series.count; i++)
		add_band(plan, i, out);
	add_maxima(plan, out);
	if (!plan->key)
		add_labels(plan, out);
	if (plan->cuts.count)
		add_cuts(plan, out);
}
