/* SPDX-License-Identifier: GPL-2.0-only */
/* What a running job has, and how I/O passes through it. */
#ifndef PT_JOB_H
#define PT_JOB_H

#include "device.h"
#include "status.h"
#include "transport.h"

/* An I/O: one for each io_u. */
struct pt_request {
	struct io_u *io_u;
	struct pt_request *next; /* in a list of the job, or NULL */
	unsigned int left;	 /* commands not done; 1 where there are none */
	int status;		 /* the first that failed, else 0 */
	unsigned int slot;	 /* its first, of parts_each */
	struct nvme_uring_cmd *command; /* of this slot */

	/* The I/O that this slot had last.  NULL: not one that is repeated by
	 * pt_plain_move(). */
	const struct fio_file *file;
	enum fio_ddir ddir;
	const struct pt_stream *stream;
	uint64_t bytes;
};

/* From pt_job_buffers() on; in place of io_u->index, which is gone then. */
static inline struct pt_request *pt_request_of(const struct io_u *io_u)
{
	return io_u->engine_data;
}

/* First come, first served. */
struct pt_list {
	struct pt_request *first, **end;
};

static inline void pt_list_init(struct pt_list *list)
{
	list->first = NULL;
	list->end = &list->first;
}

static inline void pt_list_push(struct pt_list *list,
				struct pt_request *request)
{
	*list->end = request;
	list->end = &request->next;
}

/* Not from an empty one. */
static inline struct pt_request *pt_list_pop(struct pt_list *list)
{
	struct pt_request *request = list->first;

	list->first = request->next;
	if (!list->first)
		list->end = &list->first;
	request->next = NULL;
	return request;
}

struct pt_job {
	struct pt_transport *transport;
	struct pt_device **devices; /* one a file of the job */
	unsigned int n_devices;
	struct pt_request *requests; /* one an io_u */
	unsigned int n_requests;     /* td->o.iodepth */
	unsigned int parts_each;     /* commands that an I/O may need */
	uint64_t piece;		     /* bytes of fio's buffer for a command */
	uint32_t edge;		     /* largest logical block of the devices */
	struct pt_part *parts;	     /* one a slot: iodepth x parts_each */
	unsigned int *tries; /* of the slot's command, after the first */
	unsigned int n_slots;
	uint8_t *memory;		  /* that the parts point into */
	size_t own_bytes, metadata_bytes; /* of a part */
	unsigned int io_buffers; /* index of fio's first, of those registered */

	unsigned int limit;	/* commands in flight at most */
	unsigned int in_flight; /* staged ones included */
	bool retrying;		/* commands were staged again */

	enum fio_ddir first_special; /* trims with zonemode=zbd, else syncs */
	struct pt_list waiting;	     /* for room below limit */

	struct io_u **staged;
	unsigned int n_staged;
	unsigned int trim_ranges; /* of a command at most */
	struct pt_list trims;	  /* to share a command */

	struct pt_request **events; /* that getevents found */
	struct pt_list done; /* to be given to fio with the next events */

	bool checks_reads; /* metadata comes with them */
	bool finishes;	   /* so there is more to be done at the end of an
			    * I/O, or some were tried again */
	struct pt_statuses statuses;
	unsigned int told; /* errors that were printed */
};

/* For one more I/O, as if it were split: exact enough for a limit. */
static inline bool pt_has_room(const struct pt_job *job)
{
	return job->in_flight + job->parts_each <= job->limit ||
	       !job->in_flight;
}

/* Opens the devices and the way to them.  0, or -errno with a sentence and *job
 * NULL. */
int pt_job_new(struct thread_data *td, struct pt_job **job,
	       struct fe_error *err);
void pt_job_free(struct pt_job *job);

/* Once fio has made the io_us: registers their buffers, sets the limit. */
int pt_job_buffers(struct thread_data *td, struct fe_error *err);

/* fio's hooks: submit.c */
enum fio_q_status pt_queue(struct thread_data *td, struct io_u *io_u);
int pt_commit(struct thread_data *td);
/* Those that there is room for, while the caller is waiting anyway. */
void pt_stage_waiting(struct pt_job *job);

/* Makes commands of the trims that were held. */
void pt_share_commands(struct pt_job *job);

/* What is staged is about to be sent. */
static FE_HOT void pt_announce(struct thread_data *td, struct pt_job *job)
{
	if (fe_unlikely(job->trims.first))
		pt_share_commands(job);
	fe_issue(td, job->staged, job->n_staged);
	io_u_mark_submit(td, job->n_staged);
	job->n_staged = 0;
}

/* complete.c */
int pt_getevents(struct thread_data *td, unsigned int min, unsigned int max,
		 const struct timespec *timeout);
struct io_u *pt_event(struct thread_data *td, int event);

/* Commands can't be sent or waited for any more: returns the -errno. */
int pt_stuck(struct thread_data *td, int reason);

/* Counts a command that failed.  true: it is to be sent once more, and *tries
 * counts that. */
bool pt_try_again(struct thread_data *td, unsigned int *tries, int status);

/* For an I/O that failed before it was sent, as well. */
void pt_fail(struct thread_data *td, struct io_u *io_u, int status);

#endif
