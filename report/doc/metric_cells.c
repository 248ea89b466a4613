/* SPDX-License-Identifier: GPL-2.0-only */
#include "doc/metric_cells.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/units.h"

void rp_unit_cell(struct rp_table *table, enum rp_unit unit, double value,
		  enum rp_mark mark)
{
	char text[RP_NUMBER_MAX];

	rp_table_number(table, value,
			rp_metric_format(unit, text, sizeof(text), value),
			mark);
}

/* Is this number of a sample only known to be no larger? */
static bool is_bound(const struct rp_metric *metric,
		     const struct rp_sample *sample)
{
	return sample->source == RP_PCT_MAX && metric->percentile;
}

static void metric_cell(struct rp_table *table, const struct rp_metric *metric,
			const struct rp_sample *sample)
{
	double value = metric->get(sample);
	char number[RP_NUMBER_MAX], text[RP_NUMBER_MAX + 8];

	rp_metric_format(metric->unit, number, sizeof(number), value);
	snprintf(text, sizeof(text), "%s%s",
		 is_bound(metric, sample) && !isnan(value) ? "\xe2\x89\xa4 "
							   : "",
		 number);
	rp_table_number(table, value, text, RP_MARK_NONE);
}

void rp_metric_columns(struct rp_table *table, const char *const *names,
		       size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct rp_metric *metric = rp_metric_find(names[i]);

		rp_table_column(table, metric->name, metric->title, "",
				RP_ALIGN_RIGHT);
	}
}

void rp_metric_cells(struct rp_table *table, const char *const *names,
		     size_t count, const struct rp_sample *sample)
{
	for (size_t i = 0; i < count; i++) {
		const struct rp_metric *metric = rp_metric_find(names[i]);

		if (sample)
			metric_cell(table, metric, sample);
		else
			rp_table_number(table, NAN, "", RP_MARK_NONE);
	}
}

const char *rp_latency_word(enum rp_lat_kind kind)
{
	return kind == RP_LAT ? "total" : "completion";
}

const char *rp_percentiles_word(enum rp_pct_source source)
{
	static const char *const words[] = {
		[RP_PCT_NONE] = "",
		[RP_PCT_FIO] = "fio",
		[RP_PCT_BINS] = "bins",
		[RP_PCT_MAX] = "bound",
	};

	return words[source];
}
