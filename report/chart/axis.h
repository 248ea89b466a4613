/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_CHART_AXIS_H
#define RP_CHART_AXIS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/units.h"
#include "base/vec.h"

/* Writes the label of a tick; as the rp_fmt_ functions do. */
typedef const char *rp_tick_format(char *buf, size_t size, double value);

struct rp_tick {
	double at;
	char text[RP_NUMBER_MAX];
};

/* A range with its ticks, in whatever unit the chart draws. */
struct rp_axis {
	double min, max;
	bool log;
	RP_VEC(struct rp_tick) ticks;
};

void rp_axis_release(struct rp_axis *axis);

/*
 * From 0 to `max`, with about `want` ticks at 1-2-5 steps.  With `round` the
 * axis itself ends at a tick.  0 or -ENOMEM.
 */
int rp_axis_linear(struct rp_axis *axis, double max, unsigned want, bool round,
		   rp_tick_format *format);

/* Logarithmic around [low, high], both > 0, with ticks at 1-2-5. */
int rp_axis_log(struct rp_axis *axis, double low, double high,
		rp_tick_format *format);

/* Where a value lies: 0 at the axis' begin, 1 at its end; and back. */
double rp_axis_fraction(const struct rp_axis *axis, double value);
double rp_axis_value(const struct rp_axis *axis, double fraction);

/* 150000 -> "150 k"; 1.2e6 -> "1.2 M" */
rp_tick_format rp_tick_iops;
/* MB/s: the number alone; its axis names the unit. */
rp_tick_format rp_tick_plain;
/* MB/s, written in GB/s. */
rp_tick_format rp_tick_thousands;
/* Microseconds, each with its own unit: "200 µs", "1 ms", "2 s" */
rp_tick_format rp_tick_latency;

#endif
