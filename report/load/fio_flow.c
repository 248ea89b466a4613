/* SPDX-License-Identifier: GPL-2.0-only */
#include "load/fio_flow.h"

#include <math.h>

#include "load/fio_latency.h"
#include "load/json_value.h"

#define KIB 1024.0
#define MS_PER_S 1000.0
#define SECTOR 512.0

/*
 * Before 2.1.14 fio tells no count, and IOPS only as a whole number.  IOPS x
 * runtime is then short by up to `seconds` I/Os; if bytes / count is nearly
 * a whole number of sectors, that block size gives the count exactly.
 */
static uint64_t derive_ios(const struct rp_flow *flow)
{
	double low = flow->iops * flow->runtime_s;
	double high = (flow->iops + 1) * flow->runtime_s;
	double block, count;

	if (!(low >= 0.5) || !(high < 9e18))
		return 0;
	block = round((double)flow->bytes / low / SECTOR) * SECTOR;
	count = block > 0 ? (double)flow->bytes / block : 0;
	if (count == floor(count) && count >= floor(low) && count <= ceil(high))
		return (uint64_t)count;
	return (uint64_t)llround(low);
}

/* io_bytes was KiB despite its name until io_kbytes appeared (2.21). */
static uint64_t read_bytes(const json_t *object)
{
	uint64_t bytes = rp_json_count(object, "io_bytes");

	return rp_json_has(object, "io_kbytes") ? bytes : bytes * (uint64_t)KIB;
}

/* bw_bytes came with 3.2; bw always was KiB/s. */
static double read_bandwidth(const json_t *object)
{
	if (rp_json_has(object, "bw_bytes"))
		return rp_json_number(object, "bw_bytes", 0);
	return rp_json_number(object, "bw", 0) * KIB;
}

static int adopt_from_clat(const json_t *object, struct rp_flow *flow)
{
	static const struct rp_latency none;
	struct rp_latency *clat = &flow->lat[RP_CLAT];

	if (!flow->lat[RP_LAT].present)
		return 0;
	rp_latency_release(clat);
	clat->percentiles = none.percentiles;
	clat->bins = none.bins;
	return rp_fio_latency_adopt(object, rp_lat_kind_name[RP_CLAT],
				    &flow->lat[RP_LAT]);
}

int rp_fio_flow(const json_t *object, bool lat_in_clat, struct rp_flow *flow)
{
	int ret = 0;

	flow->bytes = read_bytes(object);
	flow->bytes_per_s = read_bandwidth(object);
	flow->iops = rp_json_number(object, "iops", 0);
	flow->runtime_s = rp_json_number(object, "runtime", 0) / MS_PER_S;
	flow->short_ios = rp_json_count(object, "short_ios");
	flow->drop_ios = rp_json_count(object, "drop_ios");
	flow->ios = rp_json_has(object, "total_ios")
			    ? rp_json_count(object, "total_ios")
			    : derive_ios(flow);
	flow->present = flow->ios || flow->bytes;
	if (!flow->present)
		return 0;
	for (int kind = 0; kind < RP_LAT_KIND_COUNT && !ret; kind++)
		ret = rp_fio_latency(object, rp_lat_kind_name[kind],
				     &flow->lat[kind]);
	if (!ret && lat_in_clat)
		ret = adopt_from_clat(object, flow);
	return ret;
}
