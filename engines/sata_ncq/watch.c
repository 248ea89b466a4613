/* SPDX-License-Identifier: GPL-2.0-only */
/* queue_stats=1: how the queue is used, and what the link says. */
#include "job.h"

#include <time.h>

#include "execute.h"

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void sn_watch_sent(struct sn_job *job, struct sn_part *part)
{
	part->newer = NULL;
	part->older = job->newest;
	if (job->newest)
		job->newest->newer = part;
	else
		job->oldest = part;
	job->newest = part;
	sn_stats_depth(&job->stats, job->transport->in_flight, now_ns());
}

void sn_watch_done(struct sn_job *job, struct sn_part *part)
{
	if (part->older) {
		job->stats.out_of_order++;
		part->older->newer = part->newer;
	} else {
		job->oldest = part->newer;
	}
	if (part->newer)
		part->newer->older = part->older;
	else
		job->newest = part->older;
	job->stats.completed++;
}

/* Once for all that were reaped together. */
void sn_watch_reaped(struct sn_job *job)
{
	sn_stats_depth(&job->stats, job->transport->in_flight, now_ns());
}

void sn_watch_begin(struct thread_data *td)
{
	const struct sn_options *o = td->eo;
	struct sn_job *job = td->io_ops_data;
	const struct sn_device *device = job->devices[0];

	job->stats.watched = o->queue_stats;
	job->stats.ncq_on = device->plan.queued && !device->plan.scsi;
	job->stats.link_now = device->identity.link_now;
	if (o->queue_stats)
		job->n_events_before = sn_read_phy_events(
			device->fd, &device->identity, job->events_before);
}

/* Only now, as the drive's queue must be empty for it. */
void sn_watch_end(struct thread_data *td)
{
	struct sn_job *job = td->io_ops_data;
	const struct sn_device *device = job->devices[0];
	struct sn_phy_counter events[SN_PHY_COUNTERS];
	struct fe_error ignored = {""};
	struct sn_identity now;
	unsigned int n;

	if (!job->stats.watched)
		return;
	n = sn_read_phy_events(device->fd, &device->identity, events);
	sn_stats_events(&job->stats, job->events_before, job->n_events_before,
			events, n);
	if (!sn_identify(device->fd, device->path, &now, &ignored))
		job->stats.link_now = now.link_now;
}
