/* SPDX-License-Identifier: GPL-2.0-only */
#include "doc/metric_cells.h"

#include <math.h>

#include "base/units.h"

void rp_unit_cell(struct rp_table *table, enum rp_unit unit, double value,
		  enum rp_mark mark)
{
	char text[RP_NUMBER_MAX];

	rp_table_number(table, value,
			rp_metric_format(unit, text, sizeof(text), value),
			mark);
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
			rp_unit_cell(table, metric->unit, metric->get(sample),
				     RP_MARK_NONE);
		else
			rp_table_number(table, NAN, "", RP_MARK_NONE);
	}
}

const char *rp_latency_word(enum rp_lat_kind kind)
{
	return kind == RP_LAT ? "total" : "completion";
}
