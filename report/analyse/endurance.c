/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyse/endurance.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/bandwidth.h"
#include "analyse/heat.h"
#include "analyse/levels.h"

static double length_of(const struct rp_bw_window *window)
{
	return window->end_s - window->begin_s;
}

/* Mean speed of some windows. */
static double mean_of(const struct rp_endurance *e, size_t begin, size_t end)
{
	double bytes = 0, seconds = 0;

	for (size_t i = begin; i < end; i++) {
		bytes += e->windows.at[i].bytes_per_s *
			 length_of(&e->windows.at[i]);
		seconds += length_of(&e->windows.at[i]);
	}
	return seconds > 0 ? bytes / seconds : NAN;
}

static int sum_up(struct rp_endurance *e)
{
	size_t count = e->windows.count;
	size_t tenth = (count + 9) / 10;

	e->written = calloc(count, sizeof(*e->written));
	if (!e->written)
		return -ENOMEM;
	e->least = INFINITY;
	for (size_t i = 0; i < count; i++) {
		const struct rp_bw_window *window = &e->windows.at[i];

		e->bytes += window->bytes_per_s * length_of(window);
		e->seconds += length_of(window);
		e->written[i] = e->bytes;
		e->least = fmin(e->least, window->bytes_per_s);
		e->most = fmax(e->most, window->bytes_per_s);
	}
	e->mean = e->bytes / e->seconds;
	e->first_tenth = mean_of(e, 0, tenth);
	e->last_tenth = mean_of(e, count - tenth, count);
	return 0;
}

static void measure_level(const struct rp_endurance *e, const double *speeds,
			  double *scratch, struct rp_level *level)
{
	size_t count = level->end - level->begin;

	level->begin_s = e->windows.at[level->begin].begin_s;
	level->end_s = e->windows.at[level->end - 1].end_s;
	level->from_bytes = level->begin ? e->written[level->begin - 1] : 0;
	level->to_bytes = e->written[level->end - 1];
	level->mean = mean_of(e, level->begin, level->end);
	level->least = INFINITY;
	level->most = 0;
	for (size_t i = level->begin; i < level->end; i++) {
		level->least = fmin(level->least, speeds[i]);
		level->most = fmax(level->most, speeds[i]);
	}
	memcpy(scratch, speeds + level->begin, count * sizeof(*scratch));
	level->median = rp_median(scratch, count);
	level->celsius = level->end_celsius = NAN;
}

static int add_levels(struct rp_endurance *e, const double *speeds,
		      double *scratch)
{
	rp_ends ends = {0};
	size_t begin = 0;
	int ret = rp_levels_find(speeds, e->windows.count, &ends);

	for (size_t i = 0; i < ends.count && !ret; i++) {
		struct rp_level *level = rp_vec_push(&e->levels);

		if (!level) {
			ret = -ENOMEM;
			break;
		}
		level->begin = begin;
		level->end = ends.at[i];
		measure_level(e, speeds, scratch, level);
		begin = ends.at[i];
	}
	rp_vec_release(&ends);
	return ret;
}

static int find_levels(struct rp_endurance *e)
{
	double *speeds = calloc(e->windows.count, sizeof(*speeds));
	double *scratch = calloc(e->windows.count, sizeof(*scratch));
	int ret = speeds && scratch ? 0 : -ENOMEM;

	for (size_t i = 0; i < e->windows.count && !ret; i++)
		speeds[i] = e->windows.at[i].bytes_per_s;
	if (!ret)
		ret = add_levels(e, speeds, scratch);
	free(speeds);
	free(scratch);
	return ret;
}

static void find_fall(struct rp_endurance *e)
{
	double fastest = 0;
	size_t fast_end;

	for (size_t i = 0; i < e->levels.count; i++)
		fastest = fmax(fastest, e->levels.at[i].median);
	for (size_t i = 0; i < e->levels.count; i++)
		if (e->levels.at[i].median >= fastest * (1 - RP_LEVEL_STEP))
			e->fast_levels = i + 1;
	fast_end = e->levels.at[e->fast_levels - 1].end;
	e->before = mean_of(e, 0, fast_end);
	e->after = mean_of(e, fast_end, e->windows.count);
}

static void count_dips(struct rp_endurance *e)
{
	double current = 0;

	for (size_t l = 0; l < e->levels.count; l++) {
		const struct rp_level *level = &e->levels.at[l];

		for (size_t i = level->begin; i < level->end; i++) {
			const struct rp_bw_window *window = &e->windows.at[i];

			if (window->bytes_per_s >=
			    RP_DIP_DEPTH * level->median) {
				current = 0;
				continue;
			}
			e->dips.count += current == 0;
			current += length_of(window);
			e->dips.seconds += length_of(window);
			e->dips.longest_s = fmax(e->dips.longest_s, current);
		}
	}
}

int rp_endurance_make(const struct rp_bw_logs *logs, const struct rp_heat *heat,
		      struct rp_endurance *endurance, struct rp_err *err)
{
	int ret = rp_bandwidth_join(logs, &endurance->windows,
				    &endurance->warnings, err);

	for (size_t i = 0; i < logs->warnings.count && !ret; i++)
		ret = rp_strings_add(&endurance->warnings,
				     logs->warnings.at[i]);
	if (!ret)
		ret = sum_up(endurance);
	if (!ret)
		ret = find_levels(endurance);
	if (!ret) {
		find_fall(endurance);
		count_dips(endurance);
		endurance->heat.correlation = NAN;
		if (heat)
			ret = rp_heat_beside(heat, endurance);
	}
	return ret == -ENOMEM ? rp_err_set(err, ret, "out of memory") : ret;
}

void rp_endurance_release(struct rp_endurance *endurance)
{
	rp_vec_release(&endurance->windows);
	rp_vec_release(&endurance->levels);
	free(endurance->written);
	free(endurance->celsius);
	rp_strings_release(&endurance->warnings);
	*endurance = (struct rp_endurance){0};
}

const struct rp_level *rp_endurance_last_fast(const struct rp_endurance *e)
{
	return &e->levels.at[e->fast_levels - 1];
}

bool rp_endurance_fell(const struct rp_endurance *endurance)
{
	return endurance->fast_levels < endurance->levels.count;
}
