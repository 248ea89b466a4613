/* SPDX-License-Identifier: GPL-2.0-only */
/* What a running job has, and how I/O passes through it. */
#ifndef SN_JOB_H
#define SN_JOB_H

#include "device.h"
#include "recover.h"
#include "stats.h"
#include "transport.h"

/* An I/O: one for each io_u. */
struct sn_request {
	struct sn_link link; /* in a list of the job or of a device */
	struct io_u *io_u;
	unsigned int left; /* commands not done */

	int error; /* errno of the first that failed, else 0 */
};

/* What a slot's command is: a piece of an I/O. */
struct sn_part {
	struct sn_link link; /* among suspects, or those to be sent alone */
	struct sn_slot *slot;
	struct sn_request *request;
	const struct sn_stream *stream; /* that the CDB is prepared for */
	uint64_t lba;
	uint32_t blocks;
	uint8_t *data;
	unsigned int sent; /* how often the command was */
	bool alone;	   /* nothing else is with the disk */
	uint8_t *own;	   /* memory for ranges */

	/* Those with the disk, oldest first, where the queue is watched. */
	struct sn_part *older, *newer;
};

struct sn_job {
	struct sn_transport *transport;
	struct sn_device **devices; /* one a file of the job */
	unsigned int n_devices;
	struct sn_request *requests; /* one an io_u */
	unsigned int n_requests;     /* td->o.iodepth */
	unsigned int parts_each;     /* commands that an I/O may need */
	uint64_t piece;		     /* bytes of a command, where split */
	struct sn_part *parts;	     /* one a slot: iodepth x parts_each */
	uint8_t *memory;	     /* that `own` points into */
	size_t buffer_bytes;	     /* of fio's buffers */

	struct io_u **staged; /* to be sent by commit */
	unsigned int n_staged;
	struct sn_list done; /* to be given to fio with the next events */
	struct sn_slot **reaped;
	struct sn_suspect *suspects; /* one a slot */
	struct sn_part **suspected;  /* whose command each of these was */
	struct io_u **events;	     /* that getevents found */

	bool has_priority;
	struct cmdprio priority; /* fio's */

	struct sn_stats stats;
	struct sn_part *oldest, *newest;
	struct sn_phy_counter events_before[SN_PHY_COUNTERS];
	unsigned int n_events_before;
	unsigned int told; /* errors that were printed */
};

/* Opens the disks and the way to them.  0, or -errno with a sentence and *job
 * NULL. */
int sn_job_new(struct thread_data *td, struct sn_job **job,
	       struct fe_error *err);
void sn_job_free(struct sn_job *job);

/* fio's buffers: the kernel's own memory, where it can be. */
int sn_job_memory(struct thread_data *td, size_t bytes);
void sn_job_memory_free(struct thread_data *td);
/* Once fio has made the io_us.  0, or -errno with a sentence. */
int sn_job_buffers(struct thread_data *td, struct fe_error *err);

/* submit.c */
enum fio_q_status sn_queue(struct thread_data *td, struct io_u *io_u);
int sn_commit(struct thread_data *td);
/* I/Os that wait for room, as far as there is some. */
void sn_stage_waiting(struct thread_data *td);
/* A command that was with the disk before; after it lost NCQ what does the
 * same. */
void sn_send_again(struct thread_data *td, struct sn_part *part);

/* complete.c */
int sn_getevents(struct thread_data *td, unsigned int min, unsigned int max,
		 const struct timespec *timeout);
struct io_u *sn_event(struct thread_data *td, int event);
/* A command is over for good: with 0 or an errno. */
void sn_finish(struct sn_job *job, struct sn_part *part, int error);

/* recovery.c: a command ended with an error. */
void sn_suspect(struct thread_data *td, struct sn_part *part);
/* The device's queue is empty, after errors. */
void sn_recover(struct thread_data *td, struct sn_device *device);

static inline bool sn_is_recovering(const struct sn_device *device)
{
	return device->suspects.n || device->alone.n;
}

/* Nothing else may be sent: also while the last of those is with the disk that
 * are sent by themselves. */
static inline bool sn_is_closed(const struct sn_device *device)
{
	return sn_is_recovering(device) || device->closed;
}

/* watch.c: where the queue is watched. */
void sn_watch_sent(struct sn_job *job, struct sn_part *part);
void sn_watch_done(struct sn_job *job, struct sn_part *part);
void sn_watch_reaped(struct sn_job *job);
void sn_watch_begin(struct thread_data *td);
void sn_watch_end(struct thread_data *td);

#endif
