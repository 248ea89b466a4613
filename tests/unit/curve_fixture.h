/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TESTS_UNIT_CURVE_FIXTURE_H
#define TESTS_UNIT_CURVE_FIXTURE_H

#include <stdlib.h>
#include <string.h>

#include "model/run.h"

/* A profile of `outstanding` I/Os in a run, without points. */
static inline struct rp_profile_run *fixture_profile(struct rp_run *run,
						     double outstanding)
{
	struct rp_profile_run *profile = rp_vec_push(&run->profiles);

	if (!run->label)
		run->label = strdup("Drive A");
	if (!run->path)
		run->path = strdup("run-a");
	profile->id = strdup("four-corners/4k-random-read");
	profile->title = strdup("4K random read");
	profile->method = strdup("4 KiB, 100 % read, random");
	profile->outstanding = outstanding;
	profile->block_bytes = 4096;
	profile->read_percent = 100;
	return profile;
}

/* A measured point; `load` 0 is the maximum and has no rate. */
static inline struct rp_point *fixture_point(struct rp_profile_run *profile,
					     int load, double asked,
					     double iops, double mean_ns)
{
	struct rp_point *point = rp_vec_push(&profile->points);
	struct rp_job *job = rp_vec_push(&point->result.jobs);
	struct rp_flow *flow = &job->flow[RP_READ];
	struct rp_latency *lat = &flow->lat[RP_LAT];

	point->load_percent = load;
	point->asked_iops = asked;
	point->runtime_s = 30;
	flow->present = true;
	flow->iops = iops;
	flow->ios = (uint64_t)(iops * 30);
	flow->bytes_per_s = iops * profile->block_bytes;
	lat->present = true;
	lat->mean_ns = mean_ns;
	lat->samples = flow->ios;
	return point;
}

#endif
