/* SPDX-License-Identifier: GPL-2.0-only */
#include "doc/endurance.h"

#include <math.h>

#include "analyse/levels.h"
#include "base/units.h"

/* Over a larger share of the run "the hottest" tells no time from another. */
#define HOT_SHARE_MOST 0.5

#define FMT(name, how, value)                                                  \
	char name[RP_NUMBER_MAX];                                              \
	how(name, sizeof(name), value)

/* Seconds as a count: 1,203 s is easier to compare than 20 min. */
static const char *seconds(char *buf, size_t size, double value)
{
	return rp_fmt_count(buf, size, value < 10 ? value : round(value));
}

static void add_whole(const struct rp_endurance *e, struct rp_str *out)
{
	FMT(bytes, rp_fmt_bytes, e->bytes);
	FMT(time, seconds, e->seconds);
	FMT(mean, rp_fmt_bandwidth, e->mean);
	FMT(least, rp_fmt_bandwidth, e->least);
	FMT(most, rp_fmt_bandwidth, e->most);

	rp_str_addf(out,
		    "%s were written in %s s, at %s on average (%s to %s).",
		    bytes, time, mean, least, most);
}

static void add_fall(const struct rp_endurance *e, struct rp_str *out)
{
	const struct rp_level *fast = rp_endurance_last_fast(e);
	FMT(cache, rp_fmt_bytes, fast->to_bytes);
	FMT(time, seconds, fast->end_s);
	FMT(before, rp_fmt_bandwidth, e->before);
	FMT(after, rp_fmt_bandwidth, e->after);
	FMT(share, rp_fmt_percent, round(100 * e->after / e->before));

	rp_str_addf(
		out,
		" The first %s (until %s s) went at %s; then the speed fell for good, to %s on average (%s). A write cache that is full looks like this, and throttling may.",
		cache, time, before, after, share);
	if (e->levels.count - e->fast_levels > 1)
		rp_str_addf(out, " After it there are %zu levels.",
			    e->levels.count - e->fast_levels);
}

/* Is the change from tenth to tenth more than a level's step would be? */
static bool drifted(const struct rp_endurance *e)
{
	return fabs(e->last_tenth - e->first_tenth) >=
	       RP_LEVEL_STEP * fmax(e->last_tenth, e->first_tenth);
}

static void add_no_fall(const struct rp_endurance *e, struct rp_str *out)
{
	FMT(first, rp_fmt_bandwidth, e->first_tenth);
	FMT(last, rp_fmt_bandwidth, e->last_tenth);

	if (e->levels.count > 1)
		rp_str_addf(
			out,
			" There are %zu levels, but the speed did not fall for good: at the end it was back within %.0f %% of the fastest level.",
			e->levels.count, 100 * RP_LEVEL_STEP);
	else
		rp_str_addf(
			out,
			" No step of %.0f %% or more was found, so no end of a cache.",
			100 * RP_LEVEL_STEP);
	if (e->levels.count == 1 && drifted(e))
		rp_str_addf(
			out,
			" The speed drifted from %s in the first tenth of the time to %s in the last.",
			first, last);
}

static void add_dips(const struct rp_dips *dips, struct rp_str *out)
{
	FMT(count, rp_fmt_count, (double)dips->count);
	FMT(time, seconds, dips->seconds);
	FMT(longest, seconds, dips->longest_s);

	if (!dips->count)
		return;
	rp_str_addf(
		out,
		" %s %s below %.0f %% of the level around %s, %s s in all, the longest %s s.",
		count, dips->count == 1 ? "dip went" : "dips went",
		100 * RP_DIP_DEPTH, dips->count == 1 ? "it" : "them", time,
		longest);
}

void rp_endurance_sentences(const struct rp_endurance *endurance,
			    struct rp_str *out)
{
	if (endurance->bytes <= 0) {
		rp_str_add(out, "Nothing was written.");
		return;
	}
	add_whole(endurance, out);
	if (rp_endurance_fell(endurance))
		add_fall(endurance, out);
	else
		add_no_fall(endurance, out);
	add_dips(&endurance->dips, out);
}

static void add_hottest(const struct rp_heat_sight *sight, struct rp_str *out)
{
	FMT(hottest_at, seconds, sight->hottest_s);
	FMT(begin, seconds, sight->hot_begin_s);
	FMT(end, seconds, sight->hot_end_s);
	FMT(share, rp_fmt_percent, round(100 * sight->hot_share));

	rp_str_addf(
		out,
		"The drive had %.0f to %.0f \u00b0C, the most at %s s; it was within %.0f \u00b0C of that from %s to %s s (%s of the time).",
		sight->coldest, sight->hottest, hottest_at, RP_HOT_CELSIUS,
		begin, end, share);
}

static bool is_fall(const struct rp_endurance *e, size_t i)
{
	return e->levels.at[i + 1].median < e->levels.at[i].median;
}

static void add_falls(const struct rp_endurance *e, struct rp_str *out)
{
	size_t falls = 0;

	for (size_t i = 0; i + 1 < e->levels.count; i++) {
		const struct rp_level *level = &e->levels.at[i];
		FMT(at, seconds, level->end_s);

		if (!is_fall(e, i) || isnan(level->end_celsius))
			continue;
		falls++;
		rp_str_addf(
			out,
			" The fall at %s s, with %.0f \u00b0C, lies %s this stretch.",
			at, level->end_celsius,
			level->ends_hot ? "in" : "outside");
	}
	if (falls && e->heat.hot_share > HOT_SHARE_MOST)
		rp_str_add(out, " As the stretch is most of the time, that "
				"says little.");
}

void rp_heat_sentences(const struct rp_endurance *endurance, struct rp_str *out)
{
	const struct rp_heat_sight *sight = &endurance->heat;
	FMT(windows, rp_fmt_count, (double)sight->windows);

	if (!sight->known)
		return;
	if (sight->hottest - sight->coldest < RP_HEAT_MOVES) {
		rp_str_addf(
			out,
			"The drive had %.0f to %.0f \u00b0C: too little of a change to set beside the speed.",
			sight->coldest, sight->hottest);
		return;
	}
	add_hottest(sight, out);
	add_falls(endurance, out);
	if (!isnan(sight->correlation))
		rp_str_addf(
			out,
			" Speed and temperature correlate with %+.2f (Spearman, %s windows); neither this nor the time of a fall tells a cause.",
			sight->correlation, windows);
}
