/* SPDX-License-Identifier: GPL-2.0-only */
#include "chart/axis.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

/* More than this on a logarithmic axis and only the decades are named. */
#define MOST_LOG_TICKS 14

void rp_axis_release(struct rp_axis *axis)
{
	rp_vec_release(&axis->ticks);
}

static int add_tick(struct rp_axis *axis, double at, rp_tick_format *format)
{
	struct rp_tick *tick = rp_vec_push(&axis->ticks);

	if (!tick)
		return -ENOMEM;
	tick->at = at;
	format(tick->text, sizeof(tick->text), at);
	return 0;
}

/* The 1-2-5 number at or above `value`. */
static double step_up(double value)
{
	double decade = pow(10, floor(log10(value)));
	static const double steps[] = {1, 2, 5, 10};

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (steps[i] * decade >= value * (1 - 1e-9))
			return steps[i] * decade;
	return 10 * decade;
}

/* The 1-2-5 number at or below `value`. */
static double step_down(double value)
{
	double decade = pow(10, floor(log10(value) + 1e-9));
	double mantissa = value / decade * (1 + 1e-9);

	return decade * (mantissa >= 5 ? 5 : mantissa >= 2 ? 2 : 1);
}

int rp_axis_linear(struct rp_axis *axis, double max, unsigned want, bool round,
		   rp_tick_format *format)
{
	double step;
	int ret = 0;

	if (!(max > 0))
		max = 1;
	step = step_up(max / want);
	axis->log = false;
	axis->min = 0;
	axis->max = round ? ceil(max / step * (1 - 1e-9)) * step : max;
	for (unsigned i = 0; !ret && i * step <= axis->max * (1 + 1e-9); i++)
		ret = add_tick(axis, i * step, format);
	return ret;
}

static int add_log_ticks(struct rp_axis *axis, rp_tick_format *format,
			 bool decades)
{
	int ret = 0;

	for (double at = axis->min; !ret && at <= axis->max * (1 + 1e-9);
	     at = step_up(at * 1.5)) {
		double decade = pow(10, round(log10(at)));

		if (!decades || fabs(at / decade - 1) < 1e-6)
			ret = add_tick(axis, at, format);
	}
	return ret;
}

int rp_axis_log(struct rp_axis *axis, double low, double high,
		rp_tick_format *format)
{
	axis->log = true;
	axis->min = step_down(low);
	axis->max = step_up(high);
	if (axis->max <= axis->min)
		axis->max = step_up(axis->min * 1.5);
	return add_log_ticks(axis, format,
			     log10(axis->max / axis->min) * 3 > MOST_LOG_TICKS);
}

double rp_axis_fraction(const struct rp_axis *axis, double value)
{
	if (axis->log)
		return log(value / axis->min) / log(axis->max / axis->min);
	return (value - axis->min) / (axis->max - axis->min);
}

double rp_axis_value(const struct rp_axis *axis, double fraction)
{
	if (axis->log)
		return axis->min * pow(axis->max / axis->min, fraction);
	return axis->min + fraction * (axis->max - axis->min);
}

const char *rp_tick_iops(char *buf, size_t size, double value)
{
	if (value < 1e3)
		snprintf(buf, size, "%g", value);
	else if (value < 1e6)
		snprintf(buf, size, "%g k", value / 1e3);
	else
		snprintf(buf, size, "%g M", value / 1e6);
	return buf;
}

const char *rp_tick_plain(char *buf, size_t size, double value)
{
	if (value >= 1e3)
		return rp_fmt_count(buf, size, value);
	snprintf(buf, size, "%g", value);
	return buf;
}

const char *rp_tick_thousands(char *buf, size_t size, double value)
{
	snprintf(buf, size, "%g", value / 1e3);
	return buf;
}

const char *rp_tick_latency(char *buf, size_t size, double value)
{
	if (value == 0)
		snprintf(buf, size, "0");
	else if (value < 1e3)
		snprintf(buf, size, "%g µs", value);
	else if (value < 1e6)
		snprintf(buf, size, "%g ms", value / 1e3);
	else
		snprintf(buf, size, "%g s", value / 1e6);
	return buf;
}
