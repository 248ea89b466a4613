/* SPDX-License-Identifier: GPL-2.0-only */
#include "load/fio_snapshot.h"

#include <stdlib.h>
#include <string.h>

/* timestamp and elapsed are whole seconds, rounded each their own way */
#define GENESIS_SLACK_S 2

static bool starts_agree(const struct rp_fio_clock *a,
			 const struct rp_fio_clock *b)
{
	if (a->job_start_ms && b->job_start_ms &&
	    a->job_start_ms != b->job_start_ms)
		return false;
	if (a->genesis_s && b->genesis_s &&
	    llabs(a->genesis_s - b->genesis_s) > GENESIS_SLACK_S)
		return false;
	return true;
}

/* More samples can only widen the extremes; no more leave them alone. */
static bool extremes_agree(const struct rp_latency *earlier,
			   const struct rp_latency *later, bool grew)
{
	if (!earlier->present)
		return true;
	if (!later->present)
		return false;
	if (!grew)
		return earlier->min_ns == later->min_ns &&
		       earlier->max_ns == later->max_ns;
	return later->min_ns <= earlier->min_ns &&
	       later->max_ns >= earlier->max_ns;
}

static bool flow_continues(const struct rp_flow *earlier,
			   const struct rp_flow *later)
{
	bool grew = later->bytes > earlier->bytes;

	if (later->bytes < earlier->bytes ||
	    later->runtime_s < earlier->runtime_s)
		return false;
	return extremes_agree(&earlier->lat[RP_CLAT], &later->lat[RP_CLAT],
			      grew);
}

static bool job_continues(const struct rp_job *earlier,
			  const struct rp_job *later)
{
	if (strcmp(earlier->name, later->name))
		return false;
	for (int ddir = 0; ddir < RP_DDIR_COUNT; ddir++)
		if (!flow_continues(&earlier->flow[ddir], &later->flow[ddir]))
			return false;
	return true;
}

bool rp_fio_same_run(const struct rp_result *earlier,
		     const struct rp_fio_clock *earlier_clock,
		     const struct rp_result *later,
		     const struct rp_fio_clock *later_clock)
{
	size_t jobs = earlier->jobs.count < later->jobs.count
			      ? earlier->jobs.count
			      : later->jobs.count;

	if (strcmp(earlier->fio_version, later->fio_version) || !jobs ||
	    !starts_agree(earlier_clock, later_clock))
		return false;
	/* a cut-off document has fewer */
	for (size_t i = 0; i < jobs; i++)
		if (!job_continues(&earlier->jobs.at[i], &later->jobs.at[i]))
			return false;
	return true;
}
