/* SPDX-License-Identifier: GPL-2.0-only */
/* From commands that are done to fio's I/Os. */
#include "job.h"

#include <errno.h>
#include <string.h>

FE_COLD void pt_fail(struct thread_data *td, struct io_u *io_u, int status)
{
	struct pt_job *job = td->io_ops_data;
	char text[256];

	pt_status_brief(status, text, sizeof(text));
	fe_tell(td, &job->told, io_u, text);
	io_u->error = (unsigned int)pt_status_errno(status);
}

/* The tags and metadata that came with the data. */
static void check_parts(struct thread_data *td, struct pt_request *request)
{
	struct pt_job *job = td->io_ops_data;
	const struct pt_part *parts = &job->parts[request->slot];
	const struct pt_stream *stream = parts->stream;
	struct io_u *io_u = request->io_u;
	const uint64_t n =
		(io_u->xfer_buflen + stream->max_bytes - 1) / stream->max_bytes;
	struct fe_error err = {""};

	for (uint64_t i = 0; i < n; i++) {
		const int ret = pt_part_finish(&parts[i], &err);

		if (!ret)
			continue;
		fe_tell(td, &job->told, io_u, err.text);
		io_u->error = (unsigned int)-ret;
		return;
	}
}

/* The next commands in these slots are others. */
static void forget_tries(const struct pt_job *job,
			 const struct pt_request *request)
{
	memset(&job->tries[request->slot], 0,
	       job->parts_each * sizeof(*job->tries));
}

static FE_COLD struct io_u *finish(struct thread_data *td,
				   struct pt_request *request)
{
	const struct pt_job *job = td->io_ops_data;
	struct io_u *io_u = request->io_u;

	forget_tries(job, request);
	if (request->status)
		pt_fail(td, io_u, request->status);
	else if (io_u->ddir == DDIR_READ && job->checks_reads)
		check_parts(td, request);
	request->status = 0;
	return io_u;
}

/* fio has set the io_u's error and resid to 0 when it queued it. */
struct io_u *pt_event(struct thread_data *td, int event)
{
	const struct pt_job *job = td->io_ops_data;
	struct pt_request *request = job->events[event];

	if (fe_unlikely(request->status || job->finishes))
		return finish(td, request);
	return request->io_u;
}

FE_COLD bool pt_try_again(struct thread_data *td, unsigned int *tries,
			  int status)
{
	const struct pt_options *o = td->eo;
	struct pt_job *job = td->io_ops_data;

	pt_status_count(&job->statuses, status);
	if (*tries >= o->retries || !pt_status_retryable(status) ||
	    td->terminate)
		return false;
	++*tries;
	job->statuses.retries++;
	return true;
}

/* true: the command is over for good. */
static FE_COLD bool take_failure(struct thread_data *td,
				 const struct pt_slot *slot, int status)
{
	struct pt_job *job = td->io_ops_data;
	const unsigned int index = (unsigned int)(slot - job->transport->slots);
	struct pt_request *request = slot->owner;

	if (pt_try_again(td, &job->tries[index], status)) {
		job->finishes = true;
		job->retrying = true;
		pt_stage(job->transport, index);
		return false;
	}
	if (!request->status)
		request->status = status;
	return true;
}

/* A request and those that shared its command. */
static FE_COLD unsigned int deliver_chain(struct pt_job *job,
					  struct pt_request *request,
					  unsigned int n, unsigned int max)
{
	struct pt_request *next, *one;

	for (one = request; one; one = next) {
		next = one->next;
		one->next = NULL;
		one->status = request->status;
		if (n < max)
			job->events[n++] = one;
		else
			pt_list_push(&job->done, one); /* not asked for */
	}
	return n;
}

static FE_COLD unsigned int take_put_aside(struct pt_job *job, unsigned int n,
					   unsigned int max)
{
	while (n < max && job->done.first)
		job->events[n++] = pt_list_pop(&job->done);
	return n;
}

/* Adds what is done to the n events; returns how many they are then. */
static FE_HOT unsigned int deliver(struct thread_data *td, struct pt_job *job,
				   unsigned int n, unsigned int max)
{
	const struct pt_transport *transport = job->transport;
	const unsigned int tail =
		__atomic_load_n(transport->done_tail, __ATOMIC_ACQUIRE);
	unsigned int head = *transport->done_head;

	for (; head != tail && n < max; head++) {
		const struct pt_done *done =
			&transport->done[head & transport->done_mask];
		const struct pt_slot *slot =
			(const struct pt_slot *)(uintptr_t)done->slot;
		struct pt_request *request = slot->owner;

		if (fe_unlikely(done->status) &&
		    !take_failure(td, slot, done->status))
			continue;
		job->in_flight--;
		job->statuses.commands++;
		if (fe_unlikely(request->left > 1))
			request->left--;
		else if (fe_likely(!request->next))
			job->events[n++] = request;
		else
			n = deliver_chain(job, request, n, max);
	}
	__atomic_store_n(transport->done_head, head, __ATOMIC_RELEASE);
	return n;
}

FE_COLD int pt_stuck(struct thread_data *td, int reason)
{
	td_verror(td, -reason, "io_uring_enter");
	return reason;
}

/* Sends what is staged and waits for what `events` need. */
static FE_HOT int exchange(struct thread_data *td, struct pt_job *job,
			   unsigned int events, bool reap)
{
	if (job->n_staged)
		pt_announce(td, job);
	/* Only now: trims that share a command are fewer commands. */
	return job->transport->ops->exchange(job->transport,
					     min(events, job->in_flight), reap);
}

/* Goes on from n events until there are `min`, all that was told to wait for
 * room has some, and what failed is on its way again. */
static __attribute__((noinline)) int collect(struct thread_data *td,
					     unsigned int n, unsigned int min,
					     unsigned int max)
{
	struct pt_job *job = td->io_ops_data;

	do {
		int ret;

		if (job->waiting.first)
			pt_stage_waiting(job);
		if (job->done.first)
			n = take_put_aside(job, n, max);
		job->retrying = false;
		ret = exchange(td, job, n < min ? min - n : 0, n < max);
		if (ret)
			return pt_stuck(td, ret);
		n = deliver(td, job, n, max);
	} while (job->retrying || (job->waiting.first && pt_has_room(job)) ||
		 (n < min && job->in_flight));
	return (int)n;
}

/* What nearly every call comes to is done here, the rest is left to collect().
 */
int pt_getevents(struct thread_data *td, unsigned int min, unsigned int max,
		 const struct timespec *timeout)
{
	struct pt_job *job = td->io_ops_data;
	unsigned int n;

	(void)timeout; /* fio's is 0, where min is 0 too */
	if (fe_unlikely(job->waiting.first || job->done.first))
		return collect(td, 0, min, max);
	if (fe_unlikely(exchange(td, job, min, true)))
		return collect(td, 0, min, max);
	n = deliver(td, job, 0, max);
	if (fe_unlikely(n < min || job->waiting.first || job->retrying))
		return collect(td, n, min, max);
	return (int)n;
}
