/* SPDX-License-Identifier: GPL-2.0-only */
/* From commands that are done to fio's I/Os. */
#include "job.h"

#include <errno.h>

struct io_u *sn_event(struct thread_data *td, int event)
{
	const struct sn_job *job = td->io_ops_data;

	return job->events[event];
}

void sn_finish(struct sn_job *job, struct sn_part *part, int error)
{
	struct sn_request *request = part->request;

	if (error && !request->error)
		request->error = error;
	if (--request->left)
		return;
	if (request->error)
		request->io_u->error = (unsigned int)request->error;
	sn_list_push(&job->done, &request->link);
}

static FE_HOT void take(struct thread_data *td, struct sn_slot *slot)
{
	struct sn_job *job = td->io_ops_data;
	struct sn_part *part = slot->owner;
	struct sn_device *device = job->devices[slot->device];

	device->in_flight--;
	device->closed = false;
	job->stats.commands++;
	if (fe_unlikely(job->stats.watched))
		sn_watch_done(job, part);
	if (fe_unlikely(slot->failed))
		sn_suspect(td, part);
	else
		sn_finish(job, part, 0);
	if (fe_unlikely(!device->in_flight && sn_is_recovering(device)))
		sn_recover(td, device);
}

/* Waits until there are `events` to deliver, perhaps for fewer. */
static int reap(struct thread_data *td, unsigned int events)
{
	struct sn_job *job = td->io_ops_data;
	const unsigned int min =
		events > job->done.n ? events - job->done.n : 0;
	int n;

	if (!job->transport->in_flight)
		return 0;
	n = job->transport->ops->reap(job->transport, min,
				      job->transport->n_slots, job->reaped);
	for (int i = 0; i < n; i++)
		take(td, job->reaped[i]);
	if (fe_unlikely(job->stats.watched))
		sn_watch_reaped(job);
	return n;
}

static bool is_waiting(const struct sn_job *job)
{
	for (unsigned int i = 0; i < job->n_devices; i++) {
		if (job->devices[i]->waiting.n)
			return true;
	}
	return false;
}

/* Of a device whose commands could not even be sent, nothing is in flight that
 * would end its recovery. */
static void recover_idle(struct thread_data *td)
{
	struct sn_job *job = td->io_ops_data;

	for (unsigned int i = 0; i < job->n_devices; i++) {
		struct sn_device *device = job->devices[i];

		if (!device->in_flight && sn_is_recovering(device))
			sn_recover(td, device);
	}
}

/* Sends what there is room for, and takes what is done, unless there are more
 * events than are asked for already. */
static int exchange(struct thread_data *td, unsigned int events,
		    unsigned int max)
{
	struct sn_job *job = td->io_ops_data;

	if (fe_unlikely(is_waiting(job)))
		sn_stage_waiting(td);
	if (job->n_staged)
		sn_commit(td);
	recover_idle(td);
	return job->done.n < max ? reap(td, events) : 0;
}

static unsigned int deliver(struct sn_job *job, unsigned int n,
			    unsigned int max)
{
	for (; n < max && job->done.n; n++) {
		const struct sn_request *request = sn_list_pop(&job->done);

		job->events[n] = request->io_u;
	}
	return n;
}

int sn_getevents(struct thread_data *td, unsigned int min, unsigned int max,
		 const struct timespec *timeout)
{
	struct sn_job *job = td->io_ops_data;
	unsigned int n = 0;

	(void)timeout; /* fio's is 0, where min is 0 too */
	do {
		const int ret = exchange(td, n < min ? min - n : 0, max - n);

		if (ret < 0) {
			td_verror(td, -ret, "sg");
			return ret;
		}
		n = deliver(job, n, max);
	} while (n < min &&
		 (job->transport->in_flight || job->done.n || is_waiting(job)));
	return (int)n;
}
