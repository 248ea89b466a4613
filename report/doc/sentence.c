/* SPDX-License-Identifier: GPL-2.0-only */
#include "doc/sentence.h"

#include <math.h>

#include "base/units.h"

/* From this block size on people think in MB/s. */
#define BANDWIDTH_BLOCK_BYTES 65536

#define FMT(name, how, value)                                                  \
	char name[RP_NUMBER_MAX];                                              \
	how(name, sizeof(name), value)

static const struct rp_sample *lowest_rated(const struct rp_curve *curve)
{
	for (size_t i = 0; i < curve->points.count; i++)
		if (curve->points.at[i].point->load_percent != RP_LOAD_PEAK)
			return &curve->points.at[i].sample;
	return &curve->points.at[0].sample;
}

static void add_crossing(const struct rp_curve *curve, struct rp_str *out)
{
	const struct rp_sample *low = lowest_rated(curve);
	FMT(iops, rp_fmt_count, round(curve->mean_1ms.x));
	FMT(low_iops, rp_fmt_count, low->iops);
	FMT(low_latency, rp_fmt_latency, low->mean_ns);

	if (curve->mean_1ms.began_above)
		rp_str_addf(out,
			    " was above 1 ms from the start (%s at %s IOPS)",
			    low_latency, low_iops);
	switch (curve->mean_1ms.state) {
	case RP_CROSSING_AT:
		rp_str_addf(
			out,
			curve->mean_1ms.began_above
				? ", came under it, left it again at %s IOPS"
				: " stayed under 1 ms up to %s IOPS",
			iops);
		break;
	case RP_CROSSING_PAST_PEAK:
		rp_str_add(
			out,
			curve->mean_1ms.began_above
				? ", came under it up to its peak (not beyond it)"
				: " stayed under 1 ms up to its peak (not beyond it)");
		break;
	case RP_CROSSING_NEVER:
		rp_str_add(out, curve->mean_1ms.began_above
					? ", came under it"
					: " stayed under 1 ms all the way");
		break;
	case RP_CROSSING_ALWAYS:
		break;
	case RP_CROSSING_UNKNOWN:
		return;
	}
	rp_str_add(out, " and");
}

static void add_peak(const struct rp_curve *curve, struct rp_str *out)
{
	const struct rp_sample *peak = &curve->points.at[curve->peak].sample;
	FMT(iops, rp_fmt_count, peak->iops);
	FMT(bandwidth, rp_fmt_bandwidth, peak->bytes_per_s);
	FMT(latency, rp_fmt_latency, peak->mean_ns);

	rp_str_addf(out, " peaked at %s IOPS", iops);
	if (curve->profile->block_bytes >= BANDWIDTH_BLOCK_BYTES)
		rp_str_addf(out, " (%s)", bandwidth);
	if (!isnan(peak->mean_ns))
		rp_str_addf(out, " with a latency of %s", latency);
	rp_str_add_char(out, '.');
}

static void add_tail(const struct rp_curve *curve, struct rp_str *out)
{
	const struct rp_sample *peak = &curve->points.at[curve->peak].sample;
	const char *bound = peak->source == RP_PCT_MAX ? "at most " : "";
	FMT(p99, rp_fmt_latency, peak->p99_ns);
	FMT(iops, rp_fmt_count, round(curve->p99_1ms.x));

	if (isnan(peak->p99_ns))
		return;
	if (curve->p99_1ms.state == RP_CROSSING_AT &&
	    !curve->p99_1ms.began_above)
		rp_str_addf(
			out,
			" The slowest percent of the I/Os left 1 ms at %s IOPS and took %s%s or more at the peak.",
			iops, bound, p99);
	else if (curve->p99_1ms.state == RP_CROSSING_NEVER &&
		 !curve->p99_1ms.began_above)
		rp_str_addf(
			out,
			" 99 %% of the I/Os stayed under 1 ms all the way, at the peak within %s%s.",
			bound, p99);
	else
		rp_str_addf(
			out,
			" At the peak 99 %% of the I/Os were done within %s%s.",
			bound, p99);
}

static void add_knee(const struct rp_curve *curve, struct rp_str *out)
{
	FMT(iops, rp_fmt_count, curve->knee_iops);
	FMT(latency, rp_fmt_latency, curve->knee_ns);

	if (!isnan(curve->knee_iops))
		rp_str_addf(out, " Latency turns up at about %s IOPS (%s).",
			    iops, latency);
}

static void add_missed(const struct rp_curve *curve, struct rp_str *out)
{
	if (curve->missed)
		rp_str_addf(
			out,
			" %zu of its points up to 100 %% missed the rate asked for by more than %.0f %%.",
			curve->missed, RP_MISSED_PERCENT);
	if (curve->failed)
		rp_str_addf(out, " %zu of its points gave no measurement.",
			    curve->failed);
}

void rp_curve_sentences(const struct rp_curve *curve, struct rp_str *out)
{
	rp_str_add(out, curve->label);
	add_crossing(curve, out);
	add_peak(curve, out);
	add_tail(curve, out);
	add_knee(curve, out);
	add_missed(curve, out);
}
