/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_ANALYSE_METRIC_H
#define RP_ANALYSE_METRIC_H

#include <stdbool.h>
#include <stddef.h>

#include "analyse/sample.h"
#include "base/err.h"
#include "base/vec.h"

/* What a metric is counted in decides how it is written. */
enum rp_unit {
	RP_UNIT_IOPS,
	RP_UNIT_BANDWIDTH,
	RP_UNIT_LATENCY,
	RP_UNIT_COUNT,
	RP_UNIT_PERCENT
};

enum rp_better { RP_BETTER_NONE, RP_BETTER_HIGHER, RP_BETTER_LOWER };

/*
 * The one table that columns, sort keys and axes read: adding a metric is
 * adding a row.  `name` carries the unit of the raw number.
 */
struct rp_metric {
	const char *name;  /* "lat_p99_ns" */
	const char *title; /* "p99" */
	enum rp_unit unit;
	enum rp_better better;
	bool percentile; /* see rp_pct_source for what it is worth */
	double (*get)(const struct rp_sample *sample); /* NAN = not known */
};

extern const struct rp_metric rp_metrics[];
extern const size_t rp_metric_count;

const struct rp_metric *rp_metric_find(const char *name); /* or NULL */

/* Names of metrics; they belong to the table, not to the list. */
typedef RP_VEC(const char *) rp_metric_names;

/* "iops,lat_p95_ns" as names.  -EINVAL lists what there is. */
int rp_metric_names_parse(const char *text, rp_metric_names *names,
			  struct rp_err *err);

/* The value in the metric's own way of writing; see base/units.h. */
const char *rp_metric_format(enum rp_unit unit, char *buf, size_t size,
			     double value);

#endif
