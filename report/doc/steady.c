/* SPDX-License-Identifier: GPL-2.0-only */
#include "doc/steady.h"

#include <math.h>

#include "base/str.h"

static void number(struct rp_table *table, double value, const char *fmt)
	__attribute__((format(printf, 3, 0)));

static void number(struct rp_table *table, double value, const char *fmt)
{
	struct rp_str text = RP_STR_INIT;

	if (!isnan(value))
		rp_str_addf(&text, fmt, value);
	rp_table_number(table, value, rp_str_text(&text), RP_MARK_NONE);
	rp_str_release(&text);
}

static void add_rounds(struct rp_doc *doc, const struct rp_round *rounds,
		       size_t count)
{
	struct rp_table *table = rp_doc_table(doc, "rounds", "");

	rp_table_column(table, "round", "round", "", RP_ALIGN_RIGHT);
	rp_table_column(table, "iops", "IOPS", "", RP_ALIGN_RIGHT);
	rp_table_column(table, "file", "file", "", RP_ALIGN_LEFT);
	for (size_t i = 0; i < count; i++) {
		number(table, (double)(i + 1), "%.0f");
		number(table, rounds[i].iops, "%.0f");
		rp_table_text(table, rounds[i].file);
	}
}

static void add_judgement(struct rp_doc *doc, const struct rp_steady *steady)
{
	struct rp_table *table = rp_doc_table(doc, "steady", "");

	rp_table_column(table, "steady", "steady", "", RP_ALIGN_RIGHT);
	rp_table_column(table, "window", "window", "rounds", RP_ALIGN_RIGHT);
	rp_table_column(table, "mean_iops", "mean", "IOPS", RP_ALIGN_RIGHT);
	rp_table_column(table, "range_percent", "range", "% of mean",
			RP_ALIGN_RIGHT);
	rp_table_column(table, "slope_iops", "slope", "IOPS a round",
			RP_ALIGN_RIGHT);
	rp_table_column(table, "drift_percent", "drift", "% of mean",
			RP_ALIGN_RIGHT);
	rp_table_number(table, steady->steady, steady->steady ? "yes" : "no",
			RP_MARK_NONE);
	number(table, (double)steady->rounds, "%.0f");
	number(table, steady->mean, "%.0f");
	number(table, 100 * steady->range, "%.1f");
	number(table, steady->slope, "%.1f");
	number(table, 100 * steady->drift, "%.1f");
}

void rp_doc_steady(struct rp_doc *doc, const struct rp_round *rounds,
		   size_t count, const struct rp_steady *steady)
{
	rp_doc_title(doc, "Steady state");
	add_rounds(doc, rounds, count);
	add_judgement(doc, steady);
	if (steady->rounds < RP_STEADY_WINDOW)
		rp_doc_paragraph(doc,
				 "Too few rounds: steady state is judged over "
				 "the last %d.",
				 RP_STEADY_WINDOW);
	else
		rp_doc_paragraph(doc,
				 "Steady are the last %d rounds if their range "
				 "is at most %.0f %% and their drift at most "
				 "%.0f %% of the mean.",
				 RP_STEADY_WINDOW, 100 * RP_STEADY_MOST_RANGE,
				 100 * RP_STEADY_MOST_DRIFT);
}
