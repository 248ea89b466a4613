/* SPDX-License-Identifier: GPL-2.0-only */
/* Any bytes as a bandwidth log and as a table of temperatures. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "analyse/endurance.h"
#include "load/bw_log.h"
#include "load/heat.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A few lines can stand for millions of silent windows: too slow to look at. */
#define WINDOWS_MAX 20000

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check_endurance(const struct rp_endurance *e)
{
	double bytes = 0;
	size_t begin = 0;

	require(e->levels.count && e->fast_levels);
	for (size_t i = 0; i < e->levels.count; i++) {
		const struct rp_level *level = &e->levels.at[i];

		require(level->begin == begin && level->end > begin);
		require(level->least <= level->median &&
			level->median <= level->most);
		require(level->from_bytes == bytes);
		bytes = level->to_bytes;
		begin = level->end;
	}
	require(begin == e->windows.count && bytes == e->bytes);
	for (size_t i = 1; i < e->windows.count; i++)
		require(e->windows.at[i].begin_s == e->windows.at[i - 1].end_s);
}

static void analyse(const struct rp_bw_logs *logs)
{
	/* readings for any time */
	struct rp_heat_reading readings[] = {{0, 30}, {10, 60}, {20, 40}};
	struct rp_heat heat = {.readings = {readings, 3, 3}};
	struct rp_endurance endurance = {0};
	struct rp_err err = {0};

	if (logs->windows > WINDOWS_MAX)
		return;
	if (!rp_endurance_make(logs, &heat, &endurance, &err))
		check_endurance(&endurance);
	else
		require(err.code && err.message[0]);
	rp_endurance_release(&endurance);
}

static void read_log(const char *text, size_t size)
{
	struct rp_bw_logs logs = {0};
	struct rp_err err = {0};
	int ret = rp_load_bw_text("input", text, size, &logs, &err);

	if (!ret)
		analyse(&logs);
	else
		require(ret == err.code && err.message[0] && err.where[0]);
	rp_bw_logs_release(&logs);
}

static void read_heat(const char *text, size_t size)
{
	struct rp_heat heat = {0};
	struct rp_err err = {0};
	int ret = rp_load_heat_text("input", text, size, NULL, &heat, &err);

	if (ret)
		require(ret == err.code && err.message[0] && err.where[0]);
	for (size_t i = 1; !ret && i < heat.readings.count; i++)
		require(heat.readings.at[i].seconds >
			heat.readings.at[i - 1].seconds);
	rp_heat_release(&heat);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_log((const char *)data, size);
	read_heat((const char *)data, size);
	return 0;
}
