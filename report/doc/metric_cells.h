/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_DOC_METRIC_CELLS_H
#define RP_DOC_METRIC_CELLS_H

#include "analyse/metric.h"
#include "doc/doc.h"

/* Columns and cells of a table for a list of metrics (analyse/metric.h). */
void rp_metric_columns(struct rp_table *table, const char *const *names,
		       size_t count);
/*
 * `sample` NULL: there is no measurement, so the cells are empty.  A
 * percentile that is only an upper bound is written with a sign for it.
 */
void rp_metric_cells(struct rp_table *table, const char *const *names,
		     size_t count, const struct rp_sample *sample);

/* A number in its metric's own way of writing. */
void rp_unit_cell(struct rp_table *table, enum rp_unit unit, double value,
		  enum rp_mark mark);

/* "total" or "completion": what the latencies of a sample are. */
const char *rp_latency_word(enum rp_lat_kind kind);

/* "fio", "bins", "bound" or "": where percentiles come from. */
const char *rp_percentiles_word(enum rp_pct_source source);

#endif
