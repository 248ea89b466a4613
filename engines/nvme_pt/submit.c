/* SPDX-License-Identifier: GPL-2.0-only */
/* From fio's I/Os to commands that the transport has. */
#include "job.h"

#include <errno.h>

/*
 * Flush while nothing is waiting to be sent.  Not in the background: fio would
 * ask for one after another until one is done.
 */
static FE_COLD enum fio_q_status flush(struct thread_data *td,
				       struct io_u *io_u)
{
	const struct pt_options *o = td->eo;
	const struct pt_modifiers modifiers = {.timeout_ms = o->cmd_timeout};
	struct pt_job *job = td->io_ops_data;
	const struct pt_device *device = pt_device_of(io_u->file);
	struct nvme_uring_cmd command;
	unsigned int tries = 0;
	int status;

	if (job->n_staged)
		return FIO_Q_BUSY; /* fio commits and comes back */
	fio_gettime(&io_u->issue_time, NULL);
	pt_command_prepare(&command, PT_FLUSH, &device->ns, &modifiers);
	do
		status = pt_ioctl_once(device->fd, &command);
	while (status && pt_try_again(td, &tries, status));
	job->statuses.commands++;
	if (status)
		pt_fail(td, io_u, status);
	return FIO_Q_COMPLETED;
}

/* The slot was used for something else before. */
static FE_COLD void prepare_slot(struct pt_job *job, unsigned int index,
				 const struct pt_device *device,
				 const struct pt_stream *stream)
{
	struct pt_slot *slot = &job->transport->slots[index];

	job->parts[index].stream = stream;
	*slot->command = stream->prepared;
	slot->device = device->index;
	if (stream->buffer == PT_BUFFER_IO)
		slot->buffer = (int)(job->io_buffers + index);
	else if (stream->buffer == PT_BUFFER_OWN)
		slot->buffer = (int)index;
	else
		slot->buffer = -1;
	job->transport->ops->bind(job->transport, slot);
}

/* Next time it may be the same but for the place; see is_repeated(). */
static inline void remember(struct pt_request *request,
			    const struct pt_stream *stream, uint64_t bytes)
{
	request->file = stream->plain ? request->io_u->file : NULL;
	request->ddir = request->io_u->ddir;
	request->stream = stream;
	request->bytes = bytes;
}

/* Bytes `at` to `at + length` of the I/O, as the command of one slot. */
static FE_HOT int fill_part(struct pt_job *job, struct pt_request *request,
			    unsigned int index, const struct pt_stream *stream,
			    uint64_t at, uint64_t length)
{
	const struct io_u *io_u = request->io_u;
	struct pt_part *part = &job->parts[index];

	if (fe_unlikely(part->stream != stream))
		prepare_slot(job, index, pt_device_of(io_u->file), stream);
	if (index == request->slot)
		remember(request, stream, length);
	part->slba = (io_u->offset + at) >> stream->block_shift;
	part->blocks = (uint32_t)(length >> stream->block_shift);
	part->data = (uint8_t *)io_u->xfer_buf + at;
	return pt_part_fill(job->transport->slots[index].command, part);
}

/* As many commands as it takes.  0, or why there is not even one. */
static int stage_parts(struct pt_job *job, struct pt_request *request,
		       const struct pt_stream *stream)
{
	const struct io_u *io_u = request->io_u;
	unsigned int n = 0;
	uint64_t at = 0;

	while (at < io_u->xfer_buflen) {
		const uint64_t length = min((uint64_t)io_u->xfer_buflen - at,
					    stream->max_bytes);
		const unsigned int index = request->slot + n;
		const int ret =
			fill_part(job, request, index, stream, at, length);

		if (ret && !n)
			return ret;
		if (ret) {
			request->status = ret;
			break;
		}
		pt_stage(job->transport, index);
		n++;
		at += length;
	}
	request->left = n;
	job->in_flight += n;
	return 0;
}

/* Wait for others, to share a command with them; see pt_share_commands(). */
static void hold_trim(struct pt_job *job, struct pt_request *request)
{
	pt_list_push(&job->trims, request);
	job->in_flight++;
}

/* What is not one command of its own, or none at all. */
static FE_COLD int stage_special(struct pt_job *job, struct pt_request *request,
				 const struct pt_stream *stream)
{
	if (!stream->ns)
		return -EOPNOTSUPP; /* a trace does more than the job says */
	if ((request->io_u->offset | request->io_u->xfer_buflen) &
	    stream->unaligned)
		return -EINVAL;
	/* A trace's I/O may be larger than what bs= has made room for. */
	if (request->io_u->xfer_buflen > job->parts_each * stream->max_bytes)
		return -EMSGSIZE;
	if (stream->op != PT_DEALLOCATE || job->trim_ranges == 1 ||
	    request->io_u->xfer_buflen > stream->max_bytes)
		return stage_parts(job, request, stream);
	hold_trim(job, request);
	return 0;
}

static inline void stage_one(struct pt_job *job, unsigned int index)
{
	job->in_flight++;
	pt_stage(job->transport, index);
}

/* 0, or why nothing was staged. */
static int stage_request(struct pt_job *job, struct pt_request *request)
{
	const struct io_u *io_u = request->io_u;
	const struct pt_stream *stream =
		&pt_device_of(io_u->file)->streams[io_u->ddir];
	int ret;

	if (fe_unlikely(stream->op == PT_DEALLOCATE ||
			io_u->xfer_buflen > stream->max_bytes ||
			(io_u->offset | io_u->xfer_buflen) & stream->unaligned))
		return stage_special(job, request, stream);
	ret = fill_part(job, request, request->slot, stream, 0,
			io_u->xfer_buflen);
	if (!ret)
		stage_one(job, request->slot);
	return ret;
}

/* Not FIO_Q_BUSY: fio would put the I/O back, and of a mixed job that it
 * verifies lose count of what is where. */
static FE_COLD enum fio_q_status hold(struct pt_job *job, struct io_u *io_u)
{
	pt_list_push(&job->waiting, pt_request_of(io_u));
	return FIO_Q_QUEUED;
}

FE_COLD void pt_stage_waiting(struct pt_job *job)
{
	while (job->waiting.first && pt_has_room(job)) {
		struct pt_request *request = pt_list_pop(&job->waiting);

		request->status = stage_request(job, request);
		if (request->status)
			pt_list_push(&job->done, request);
		else
			job->staged[job->n_staged++] = request->io_u;
	}
}

static FE_COLD enum fio_q_status refuse(struct thread_data *td,
					struct io_u *io_u, int reason)
{
	pt_fail(td, io_u, reason);
	return FIO_Q_COMPLETED;
}

/* fio holds the zone's lock. */
static FE_COLD enum fio_q_status reset_zone(struct thread_data *td,
					    struct io_u *io_u)
{
	int ret;

	fio_gettime(&io_u->issue_time, NULL);
	ret = zbd_do_io_u_trim(td, io_u);
	return ret < 0 ? refuse(td, io_u, ret) : FIO_Q_COMPLETED;
}

/* Neither read nor write, nor trim in the usual sense. */
static FE_COLD enum fio_q_status queue_special(struct thread_data *td,
					       struct io_u *io_u)
{
	return io_u->ddir == DDIR_TRIM ? reset_zone(td, io_u) : flush(td, io_u);
}

static __attribute__((noinline)) enum fio_q_status
queue_any(struct thread_data *td, struct io_u *io_u)
{
	struct pt_job *job = td->io_ops_data;
	int ret;

	if (fe_unlikely(io_u->ddir >= job->first_special))
		return queue_special(td, io_u);
	if (fe_unlikely(job->waiting.first || !pt_has_room(job)))
		return hold(job, io_u);
	ret = stage_request(job, pt_request_of(io_u));
	if (fe_unlikely(ret))
		return refuse(td, io_u, ret);
	job->staged[job->n_staged++] = io_u;
	return FIO_Q_QUEUED;
}

/* Is its command the one that its slot has, but for the place and the buffer?
 */
static inline bool is_repeated(const struct pt_request *request,
			       const struct io_u *io_u)
{
	return request->file == io_u->file && request->ddir == io_u->ddir &&
	       request->bytes == io_u->xfer_buflen &&
	       !(io_u->offset & request->stream->unaligned);
}

/* What nearly every call comes to is done here, the rest is left to
 * queue_any(). */
enum fio_q_status pt_queue(struct thread_data *td, struct io_u *io_u)
{
	struct pt_job *job = td->io_ops_data;
	const struct pt_request *request = pt_request_of(io_u);

	fio_ro_check(td, io_u);
	if (fe_unlikely(!is_repeated(request, io_u) || job->waiting.first ||
			!pt_has_room(job)))
		return queue_any(td, io_u);
	pt_plain_move(request->command, request->stream, io_u->offset,
		      io_u->xfer_buf);
	stage_one(job, request->slot);
	job->staged[job->n_staged++] = io_u;
	return FIO_Q_QUEUED;
}

/* Adds ranges to the leader's command, and their requests to its chain, while
 * they are for the same device and the limits of DMRL and DMSL allow. */
static struct pt_request *share_command(struct pt_job *job,
					struct pt_request *leader)
{
	const unsigned int index = leader->slot;
	const struct pt_device *device = pt_device_of(leader->io_u->file);
	struct pt_part *part = &job->parts[index];
	struct pt_dsm_range *ranges;
	struct pt_request *last = leader, *one;
	uint64_t blocks;
	unsigned int n = 1;

	fill_part(job, leader, index, &device->streams[DDIR_TRIM], 0,
		  leader->io_u->xfer_buflen);
	ranges = (struct pt_dsm_range *)part->own;
	blocks = part->blocks;
	for (one = leader->next; one && n < job->trim_ranges; one = one->next) {
		const uint64_t more =
			one->io_u->xfer_buflen >> part->stream->block_shift;

		if (pt_device_of(one->io_u->file) != device ||
		    (device->ns.dsm_blocks &&
		     blocks + more > device->ns.dsm_blocks))
			break;
		pt_dsm_range_set(&ranges[n++],
				 one->io_u->offset >> part->stream->block_shift,
				 (uint32_t)more);
		blocks += more;
		last = one;
		job->in_flight--;
	}
	last->next = NULL;
	pt_command_ranges(leader->command, n);
	leader->command->data_len = n * (unsigned int)sizeof(*ranges);
	pt_stage(job->transport, index);
	return one;
}

FE_COLD void pt_share_commands(struct pt_job *job)
{
	struct pt_request *leader = job->trims.first;

	while (leader)
		leader = share_command(job, leader);
	pt_list_init(&job->trims);
}

static __attribute__((noinline)) int send_staged(struct thread_data *td)
{
	struct pt_job *job = td->io_ops_data;
	int ret;

	pt_announce(td, job);
	ret = job->transport->ops->exchange(job->transport, 0, false);
	return ret < 0 ? pt_stuck(td, ret) : 0;
}

/*
 * If no io_u is left, fio waits for one next (do_io() in its backend.c):
 * getevents then submits and waits with one system call.
 */
int pt_commit(struct thread_data *td)
{
	const struct pt_job *job = td->io_ops_data;

	if (io_u_qempty(&td->io_u_freelist) || !job->n_staged)
		return 0;
	return send_staged(td);
}
