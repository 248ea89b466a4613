/* SPDX-License-Identifier: GPL-2.0-only */
#include "load/fio_latency.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "load/json_value.h"

#define NS_PER_US 1000.0

/* fio's histogram: so many buckets to each power of two (stat.h). */
#define BUCKET_BITS 6
#define BUCKETS (1u << BUCKET_BITS)
#define BUCKET_INDEX_MAX (29 * BUCKETS)

static int by_percent(const void *a, const void *b)
{
	const struct rp_percentile *x = a, *y = b;

	return (x->percent > y->percent) - (x->percent < y->percent);
}

static int by_ns(const void *a, const void *b)
{
	const struct rp_bin *x = a, *y = b;

	return (x->ns > y->ns) - (x->ns < y->ns);
}

static int read_percentiles(json_t *object, double unit, struct rp_latency *lat)
{
	struct rp_percentile *p;
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value)
	{
		double percent;

		/* "0.00" fills up the list of releases before 3.4 */
		if (!rp_parse_decimal(key, &percent) || percent <= 0 ||
		    percent > 100 || !json_is_number(value))
			continue;
		p = rp_vec_push(&lat->percentiles);
		if (!p)
			return -ENOMEM;
		p->percent = percent;
		p->ns = json_number_value(value) * unit;
	}
	if (lat->percentiles.count)
		qsort(lat->percentiles.at, lat->percentiles.count,
		      sizeof(*lat->percentiles.at), by_percent);
	return 0;
}

/* The middle of a histogram bucket, as fio itself names it. */
static double bucket_middle(double index)
{
	unsigned i, group;

	if (index < 2 * BUCKETS)
		return index;
	i = (unsigned)index;
	group = (i >> BUCKET_BITS) - 1;
	return (BUCKETS + i % BUCKETS + 0.5) * (double)((uint64_t)1 << group);
}

static int read_bins(json_t *object, double unit, struct rp_latency *lat)
{
	/* these go with indices: 2.2.12 to 2.19 */
	bool indices = rp_json_has(object, "FIO_IO_U_PLAT_NR");
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value)
	{
		uint64_t count = rp_json_count(object, key);
		struct rp_bin *bin;
		double place;

		if (!count || !rp_parse_decimal(key, &place) ||
		    (indices && place >= BUCKET_INDEX_MAX))
			continue;
		bin = rp_vec_push(&lat->bins);
		if (!bin)
			return -ENOMEM;
		bin->ns = (indices ? bucket_middle(place) : place) * unit;
		bin->count = count;
	}
	if (lat->bins.count)
		qsort(lat->bins.at, lat->bins.count, sizeof(*lat->bins.at),
		      by_ns);
	return 0;
}

void rp_fio_latency_drop(struct rp_latency *lat)
{
	rp_latency_release(lat);
	*lat = (struct rp_latency){0};
}

static int read_object(const json_t *object, double unit,
		       struct rp_latency *lat)
{
	bool counted = rp_json_has(object, "N");
	int ret;

	lat->samples = rp_json_count(object, "N");
	lat->min_ns = rp_json_number(object, "min", 0) * unit;
	lat->max_ns = rp_json_number(object, "max", 0) * unit;
	lat->mean_ns = rp_json_number(object, "mean", 0) * unit;
	lat->stddev_ns = rp_json_number(object, "stddev", 0) * unit;
	/* without "N": zeros are what fio prints if it measured nothing */
	lat->present = counted ? lat->samples > 0
			       : lat->max_ns > 0 || lat->mean_ns > 0;
	if (!lat->present) {
		rp_fio_latency_drop(lat);
		return 0;
	}
	ret = read_percentiles(json_object_get(object, "percentile"), unit,
			       lat);
	if (!ret)
		ret = read_bins(json_object_get(object, "bins"), unit, lat);
	return ret;
}

/* The object and the unit that its name tells; NULL if there is none. */
static const json_t *find_object(const json_t *parent, const char *name,
				 double *unit)
{
	const json_t *object;
	char key[16];

	snprintf(key, sizeof(key), "%s_ns", name);
	object = json_object_get(parent, key);
	*unit = object ? 1 : NS_PER_US;
	if (!object)
		object = json_object_get(parent, name);
	return json_is_object(object) ? object : NULL;
}

int rp_fio_latency(const json_t *parent, const char *name,
		   struct rp_latency *lat)
{
	double unit;
	const json_t *object = find_object(parent, name, &unit);

	return object ? read_object(object, unit, lat) : 0;
}

int rp_fio_latency_adopt(const json_t *parent, const char *name,
			 struct rp_latency *lat)
{
	double unit;
	const json_t *object = find_object(parent, name, &unit);
	int ret = 0;

	if (!object)
		return 0;
	if (!lat->percentiles.count)
		ret = read_percentiles(json_object_get(object, "percentile"),
				       unit, lat);
	if (!ret && !lat->bins.count)
		ret = read_bins(json_object_get(object, "bins"), unit, lat);
	return ret;
}
