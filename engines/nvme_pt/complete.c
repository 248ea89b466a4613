/* SPDX-License-Identifier: GPL-2.0-only */
/* From commands that are done to fio's I/Os. */
#include "job.h"

#include <errno.h>

/* Enough to see what happens; all of them are counted. */
#define MAX_TOLD 10

static void tell(struct thread_data *td, const struct io_u *io_u,
		 const char *reason)
{
	struct pt_job *job = td->io_ops_data;

	if (job->told == MAX_TOLD)
		log_err("nvme_pt: %s: more errors are only counted\n",
			td->o.name);
	if (job->told++ >= MAX_TOLD)
		return;
	log_err("nvme_pt: %s: %s: %s at offset %llu, %llu bytes: %s\n",
		td->o.name, io_u->file->file_name, io_ddir_name(io_u->ddir),
		io_u->offset, io_u->xfer_buflen, reason);
}

void pt_fail(struct thread_data *td, struct io_u *io_u, int status)
{
	char text[256];

	pt_status_text(status, text, sizeof(text));
	tell(td, io_u, text);
	io_u->error = (unsigned int)pt_status_errno(status);
}

/* The tags and metadata that came with the data. */
static void check_parts(struct thread_data *td, struct io_u *io_u)
{
	const struct pt_job *job = td->io_ops_data;
	const unsigned int first = io_u->index * job->parts_each;
	const struct pt_stream *stream = job->parts[first].stream;
	const uint64_t n = (io_u->xfer_buflen + stream->max_bytes - 1) /
			   stream->max_bytes;
	struct pt_error err = {""};

	for (uint64_t i = 0; i < n; i++) {
		const int ret = pt_part_finish(&job->parts[first + i], &err);

		if (!ret)
			continue;
		tell(td, io_u, err.text);
		io_u->error = (unsigned int)-ret;
		return;
	}
}

struct io_u *pt_event(struct thread_data *td, int event)
{
	const struct pt_job *job = td->io_ops_data;
	const struct pt_request *request = job->events[event];
	struct io_u *io_u = request->io_u;

	/* fio has set error and resid to 0 when it queued it. */
	if (request->status)
		pt_fail(td, io_u, request->status);
	else if (job->checks_reads && io_u->ddir == DDIR_READ)
		check_parts(td, io_u);
	return io_u;
}

/* Sent once more? */
static bool try_again(struct thread_data *td, unsigned int index, int status)
{
	const struct pt_options *o = td->eo;
	struct pt_job *job = td->io_ops_data;

	if (job->tries[index] >= o->retries || !pt_status_retryable(status) ||
	    td->terminate) {
		job->tries[index] = 0;
		return false;
	}
	job->tries[index]++;
	job->statuses.retries++;
	job->retried++;
	job->transport->ops->stage(job->transport,
				   &job->transport->slots[index]);
	return true;
}

/* true: the command, good or bad, is over. */
static bool take_failure(struct thread_data *td, const struct pt_slot *slot)
{
	struct pt_job *job = td->io_ops_data;
	const unsigned int index =
		(unsigned int)(slot - job->transport->slots);
	struct pt_request *request = slot->owner;

	pt_status_count(&job->statuses, slot->status);
	if (try_again(td, index, slot->status))
		return false;
	if (!request->status)
		request->status = slot->status;
	return true;
}

/* A request and those that shared its command. */
static unsigned int deliver(struct pt_job *job, struct pt_request *request,
			    unsigned int n, unsigned int max)
{
	struct pt_request *next, *one = request;

	for (; one; one = next) {
		next = one->next;
		one->next = NULL;
		one->status = request->status;
		if (n < max) {
			job->events[n++] = one;
			continue;
		}
		*job->done_end = one;
		job->done_end = &one->next;
	}
	return n;
}

static unsigned int take_done(struct pt_job *job, unsigned int max)
{
	unsigned int n = 0;

	while (n < max && job->done) {
		struct pt_request *request = job->done;

		job->done = request->next;
		request->next = NULL;
		job->events[n++] = request;
	}
	if (!job->done)
		job->done_end = &job->done;
	return n;
}

/* How many commands must be done before there can be `events` more. */
static unsigned int commands_for(const struct pt_job *job, unsigned int events)
{
	/* Fewer, where trims share commands; but never more than there are. */
	return events < job->in_flight ? events : job->in_flight;
}

/* Adds to the n events; returns how many there are now, or -errno. */
static int reap(struct thread_data *td, unsigned int n, unsigned int min,
		unsigned int max)
{
	struct pt_job *job = td->io_ops_data;
	const unsigned int wait = n < min ? commands_for(job, min - n) : 0;
	const int got = job->transport->ops->reap(job->transport, job->slots,
						  max - n, wait);

	for (int i = 0; i < got; i++) {
		struct pt_request *request = job->slots[i]->owner;

		if (job->slots[i]->status && !take_failure(td, job->slots[i]))
			continue;
		job->in_flight--;
		job->statuses.commands++;
		if (--request->left == 0)
			n = deliver(job, request, n, max);
	}
	return got < 0 ? got : (int)n;
}

int pt_getevents(struct thread_data *td, unsigned int min, unsigned int max,
		 const struct timespec *timeout)
{
	struct pt_job *job = td->io_ops_data;
	unsigned int n = job->done ? take_done(job, max) : 0;
	int ret = 0;

	(void)timeout; /* fio's is 0, where min is 0 too */
	do {
		if (job->n_staged || job->retried)
			ret = pt_submit(
				td, n < min ? commands_for(job, min - n) : 0);
		if (ret < 0 || n == max)
			break;
		ret = reap(td, n, min, max);
		if (ret < 0)
			break;
		n = (unsigned int)ret;
	} while (job->retried || (n < min && job->in_flight));
	if (ret >= 0)
		return (int)n;
	td_verror(td, -ret, "wait for completions");
	return ret;
}
