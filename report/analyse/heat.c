/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyse/heat.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analyse/rank.h"

/* Between readings that lie farther apart nothing is made up. */
#define GAP_S 15.0

/* The temperature at a time, between its neighbours; *at only moves on. */
static double celsius_at(const struct rp_heat *heat, double seconds, size_t *at)
{
	const struct rp_heat_reading *readings = heat->readings.at;
	size_t count = heat->readings.count;
	double share;

	while (*at + 1 < count && readings[*at + 1].seconds < seconds)
		(*at)++;
	/* sensors are read at whole seconds: the ends may lie just outside */
	if (*at + 1 == count || seconds <= readings[*at].seconds)
		return fabs(readings[*at].seconds - seconds) <= GAP_S / 2
			       ? readings[*at].celsius
			       : NAN;
	if (readings[*at + 1].seconds - readings[*at].seconds > GAP_S)
		return NAN;
	share = (seconds - readings[*at].seconds) /
		(readings[*at + 1].seconds - readings[*at].seconds);
	return readings[*at].celsius +
	       share * (readings[*at + 1].celsius - readings[*at].celsius);
}

static double middle_of(const struct rp_bw_window *window)
{
	return (window->begin_s + window->end_s) / 2;
}

static void find_hottest(struct rp_endurance *e, size_t *hottest)
{
	struct rp_heat_sight *sight = &e->heat;

	sight->coldest = INFINITY;
	sight->hottest = -INFINITY;
	for (size_t i = 0; i < e->windows.count; i++) {
		double celsius = e->celsius[i];

		if (isnan(celsius))
			continue;
		sight->windows++;
		sight->coldest = fmin(sight->coldest, celsius);
		if (celsius > sight->hottest) {
			sight->hottest = celsius;
			sight->hottest_s = middle_of(&e->windows.at[i]);
			*hottest = i;
		}
	}
	sight->known = sight->windows > 0;
}

/* A window without a temperature ends the stretch: NAN is no comparison. */
static bool is_hot(const struct rp_endurance *e, size_t i)
{
	return e->celsius[i] >= e->heat.hottest - RP_HOT_CELSIUS;
}

static void find_stretch(struct rp_endurance *e, size_t hottest)
{
	size_t begin = hottest, end = hottest, hot = 0;

	while (begin && is_hot(e, begin - 1))
		begin--;
	while (end + 1 < e->windows.count && is_hot(e, end + 1))
		end++;
	hot = end + 1 - begin;
	e->heat.hot_begin_s = e->windows.at[begin].begin_s;
	e->heat.hot_end_s = e->windows.at[end].end_s;
	e->heat.hot_share = (double)hot / (double)e->heat.windows;
}

static void tell_levels(struct rp_endurance *e)
{
	for (size_t i = 0; i < e->levels.count; i++) {
		struct rp_level *level = &e->levels.at[i];
		double sum = 0;
		size_t known = 0;

		for (size_t w = level->begin; w < level->end; w++) {
			if (isnan(e->celsius[w]))
				continue;
			sum += e->celsius[w];
			known++;
		}
		level->celsius = known ? sum / (double)known : NAN;
		level->end_celsius = e->celsius[level->end - 1];
		level->ends_hot = !isnan(level->end_celsius) &&
				  level->end_s >= e->heat.hot_begin_s &&
				  level->end_s <= e->heat.hot_end_s;
	}
}

static int correlate(struct rp_endurance *e)
{
	double *speeds = calloc(e->heat.windows, sizeof(*speeds));
	double *degrees = calloc(e->heat.windows, sizeof(*degrees));
	size_t count = 0;
	int ret = speeds && degrees ? 0 : -ENOMEM;

	for (size_t i = 0; i < e->windows.count && !ret; i++) {
		if (isnan(e->celsius[i]))
			continue;
		speeds[count] = e->windows.at[i].bytes_per_s;
		degrees[count++] = e->celsius[i];
	}
	if (!ret)
		ret = rp_rank_correlation(speeds, degrees, count,
					  &e->heat.correlation);
	free(speeds);
	free(degrees);
	return ret;
}

int rp_heat_beside(const struct rp_heat *heat, struct rp_endurance *endurance)
{
	size_t at = 0, hottest = 0;

	if (!heat->readings.count)
		return 0;
	endurance->celsius = calloc(endurance->windows.count, sizeof(double));
	if (!endurance->celsius)
		return -ENOMEM;
	for (size_t i = 0; i < endurance->windows.count; i++)
		endurance->celsius[i] = celsius_at(
			heat, middle_of(&endurance->windows.at[i]), &at);
	find_hottest(endurance, &hottest);
	if (!endurance->heat.known) {
		free(endurance->celsius);
		endurance->celsius = NULL;
		return rp_strings_add(
			&endurance->warnings,
			"no temperature was read while the log was written");
	}
	find_stretch(endurance, hottest);
	tell_levels(endurance);
	return correlate(endurance);
}
