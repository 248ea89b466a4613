/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyse/metric.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/units.h"

#define GETTER(field)                                                          \
	static double get_##field(const struct rp_sample *sample)              \
	{                                                                      \
		return (double)sample->field;                                  \
	}

GETTER(iops)
GETTER(bytes_per_s)
GETTER(mean_ns)
GETTER(p50_ns)
GETTER(p90_ns)
GETTER(p95_ns)
GETTER(p99_ns)
GETTER(p999_ns)
GETTER(p9999_ns)
GETTER(max_ns)
GETTER(ios)
GETTER(bytes)
GETTER(read_percent)
GETTER(errors)

#define HIGHER RP_BETTER_HIGHER
#define LOWER RP_BETTER_LOWER

const struct rp_metric rp_metrics[] = {
	{"iops", "IOPS", RP_UNIT_IOPS, HIGHER, false, get_iops},
	{"bandwidth_bytes_s", "MB/s", RP_UNIT_BANDWIDTH, HIGHER, false,
	 get_bytes_per_s},
	{"lat_mean_ns", "mean", RP_UNIT_LATENCY, LOWER, false, get_mean_ns},
	{"lat_p50_ns", "p50", RP_UNIT_LATENCY, LOWER, true, get_p50_ns},
	{"lat_p90_ns", "p90", RP_UNIT_LATENCY, LOWER, true, get_p90_ns},
	{"lat_p95_ns", "p95", RP_UNIT_LATENCY, LOWER, true, get_p95_ns},
	{"lat_p99_ns", "p99", RP_UNIT_LATENCY, LOWER, true, get_p99_ns},
	{"lat_p99_9_ns", "p99.9", RP_UNIT_LATENCY, LOWER, true, get_p999_ns},
	{"lat_p99_99_ns", "p99.99", RP_UNIT_LATENCY, LOWER, true, get_p9999_ns},
	{"lat_max_ns", "max", RP_UNIT_LATENCY, LOWER, false, get_max_ns},
	{"ios", "I/Os", RP_UNIT_COUNT, RP_BETTER_NONE, false, get_ios},
	{"bytes", "bytes", RP_UNIT_COUNT, RP_BETTER_NONE, false, get_bytes},
	{"read_percent", "reads", RP_UNIT_PERCENT, RP_BETTER_NONE, false,
	 get_read_percent},
	{"errors", "errors", RP_UNIT_COUNT, LOWER, false, get_errors},
};

const size_t rp_metric_count = sizeof(rp_metrics) / sizeof(rp_metrics[0]);

const struct rp_metric *rp_metric_find(const char *name)
{
	for (size_t i = 0; i < rp_metric_count; i++)
		if (!strcmp(rp_metrics[i].name, name))
			return &rp_metrics[i];
	return NULL;
}

static int refuse_name(const char *name, struct rp_err *err)
{
	struct rp_str known = RP_STR_INIT;
	int ret;

	for (size_t i = 0; i < rp_metric_count; i++)
		rp_str_addf(&known, " %s", rp_metrics[i].name);
	ret = rp_err_set(err, -EINVAL, "no such column: %s; there are:%s", name,
			 rp_str_text(&known));
	rp_str_release(&known);
	return ret;
}

static int add_name(const char *name, rp_metric_names *names,
		    struct rp_err *err)
{
	const struct rp_metric *metric = rp_metric_find(name);
	const char **place;

	if (!metric)
		return refuse_name(name, err);
	place = rp_vec_push(names);
	if (!place)
		return rp_err_set(err, -ENOMEM, "out of memory");
	*place = metric->name;
	return 0;
}

int rp_metric_names_parse(const char *text, rp_metric_names *names,
			  struct rp_err *err)
{
	char *copy = strdup(text), *rest = copy, *name;
	int ret = copy ? 0 : rp_err_set(err, -ENOMEM, "out of memory");

	while (!ret && (name = strsep(&rest, ",")))
		ret = add_name(name, names, err);
	free(copy);
	return ret;
}

const char *rp_metric_format(enum rp_unit unit, char *buf, size_t size,
			     double value)
{
	char *space;

	switch (unit) {
	case RP_UNIT_LATENCY:
		return rp_fmt_latency(buf, size, value);
	case RP_UNIT_PERCENT:
		return rp_fmt_percent(buf, size, value);
	case RP_UNIT_BANDWIDTH:
		/* MB/s stands in the head of the column already */
		rp_fmt_bandwidth(buf, size, value);
		space = strchr(buf, ' ');
		if (space)
			*space = '\0';
		return buf;
	case RP_UNIT_IOPS:
	case RP_UNIT_COUNT:
		break;
	}
	return rp_fmt_count(buf, size, value);
}
