/* SPDX-License-Identifier: GPL-2.0-only */
/* From fio's I/Os to commands that the transport has. */
#include "job.h"

#include <errno.h>

#include "execute.h"

static int direction_of(enum sn_direction direction)
{
	return direction == SN_FROM_DEVICE ? SG_DXFER_FROM_DEV
					   : SG_DXFER_TO_DEV;
}

/*
 * FLUSH CACHE EXT waits for what is queued.  Not in the background: fio would
 * ask for one after another until one is done.
 */
static FE_COLD enum fio_q_status flush(struct thread_data *td,
				       struct io_u *io_u)
{
	const struct sn_options *o = td->eo;
	struct sn_job *job = td->io_ops_data;
	const struct sn_device *device = sn_device_of(io_u->file);
	struct sn_command command;
	struct sn_outcome outcome;
	struct sn_cdb cdb;
	char text[256];

	if (job->n_staged)
		return FIO_Q_BUSY; /* fio commits and comes back */
	if (device->plan.scsi) {
		sn_cdb_scsi(&cdb, SN_FLUSH, false, 0, 0);
	} else {
		sn_command_flush(&command);
		sn_cdb_ata(&cdb, &command);
	}
	fio_gettime(&io_u->issue_time, NULL);
	sn_execute(device->fd, &cdb, SN_NO_DATA, NULL, 0, o->cmd_timeout,
		   &outcome);
	io_u->error = (unsigned int)sn_outcome_to_errno(&outcome);
	if (io_u->error) {
		sn_outcome_text(&outcome, text, sizeof(text));
		fe_tell(td, &job->told, io_u, text);
	}
	return FIO_Q_COMPLETED;
}

/* The slot was used for something else before. */
static FE_COLD void prepare(struct thread_data *td, struct sn_part *part,
			    const struct sn_device *device,
			    const struct sn_stream *stream)
{
	const struct sn_options *o = td->eo;
	struct sn_slot *slot = part->slot;

	part->stream = stream;
	memcpy(slot->cdb, stream->cdb.bytes, sizeof(slot->cdb));
	slot->device = device->index;
	slot->header.cmd_len = stream->cdb.length;
	slot->header.dxfer_direction = direction_of(stream->direction);
	slot->header.timeout = o->cmd_timeout;
}

static FE_COLD void place_ranges(struct sn_part *part)
{
	sn_stream_ranges(part->stream, part->own, part->lba, part->blocks);
	part->slot->header.dxferp = part->own;
	part->slot->header.dxfer_len = part->stream->own_bytes;
}

/* As the disk is to get it: again after it lost NCQ, too. */
static FE_HOT void place(struct sn_part *part)
{
	const struct sn_stream *stream = part->stream;
	struct sg_io_hdr *header = &part->slot->header;

	if (fe_unlikely(stream->own_bytes)) {
		place_ranges(part);
		return;
	}
	sn_cdb_place(part->slot->cdb, stream->cdb.form, part->lba,
		     part->blocks);
	header->dxferp = part->data;
	header->dxfer_len = part->blocks << stream->block_shift;
}

/* What a failed call leaves is for getevents to take. */
static FE_COLD void not_sent(struct thread_data *td, struct sn_part *part,
			     int error)
{
	part->slot->failed = true;
	part->slot->error = error;
	sn_suspect(td, part);
}

static void send_command(struct thread_data *td, struct sn_part *part)
{
	struct sn_job *job = td->io_ops_data;
	struct sn_device *device = job->devices[part->slot->device];
	int ret;

	part->sent++;
	ret = job->transport->ops->send(job->transport, part->slot);
	if (fe_unlikely(ret)) {
		not_sent(td, part, -ret);
		return;
	}
	device->in_flight++;
	if (fe_unlikely(job->stats.watched))
		sn_watch_sent(job, part);
}

/* From what it was planned to be, whatever it has been since. */
static FE_COLD void prepare_again(struct thread_data *td, struct sn_part *part)
{
	const struct io_u *io_u = part->request->io_u;
	const struct sn_device *device = sn_device_of(io_u->file);

	prepare(td, part, device, &device->streams[io_u->ddir]);
}

static FE_COLD void set_priority(struct sn_job *job, struct sn_part *part)
{
	const bool high = part->request->io_u->ioprio >> IOPRIO_CLASS_SHIFT ==
			  IOPRIO_CLASS_RT;

	if (!part->stream->queued || part->stream->op == SN_TRIM)
		return;
	sn_stream_priority(part->stream, part->slot->cdb,
			   high ? SN_PRIO_HIGH : SN_PRIO_NORMAL);
	job->stats.high_priority += high && !part->sent;
}

static FE_HOT void send_part(struct thread_data *td, struct sn_part *part)
{
	struct sn_job *job = td->io_ops_data;
	const struct io_u *io_u = part->request->io_u;
	const struct sn_device *device = sn_device_of(io_u->file);
	const struct sn_stream *stream = &device->streams[io_u->ddir];

	if (fe_unlikely(part->stream != stream))
		prepare(td, part, device, stream);
	place(part);
	part->sent = 0;
	part->alone = false; /* as it may have been the time before */
	if (fe_unlikely(job->has_priority))
		set_priority(job, part);
	send_command(td, part);
}

FE_COLD void sn_send_again(struct thread_data *td, struct sn_part *part)
{
	struct sn_job *job = td->io_ops_data;

	prepare_again(td, part);
	place(part);
	if (job->has_priority)
		set_priority(job, part);
	send_command(td, part);
}

/* Blocks, which are at least one, of as many commands as it takes. */
static void send_request(struct thread_data *td, struct sn_request *request)
{
	struct sn_job *job = td->io_ops_data;
	const struct io_u *io_u = request->io_u;
	const struct sn_stream *stream =
		&sn_device_of(io_u->file)->streams[io_u->ddir];
	struct sn_part *part = &job->parts[io_u->index * job->parts_each];
	uint64_t at = 0;

	for (unsigned int n = request->left; n; n--, part++) {
		const uint64_t bytes = min((uint64_t)io_u->xfer_buflen - at,
					   stream->max_bytes);

		part->lba = (io_u->offset + at) >> stream->block_shift;
		part->blocks = (uint32_t)(bytes >> stream->block_shift);
		part->data = (uint8_t *)io_u->xfer_buf + at;
		send_part(td, part);
		at += bytes;
	}
}

/* A trace's I/O may be none that the job was planned for. */
static int check(const struct sn_job *job, const struct sn_stream *stream,
		 const struct io_u *io_u)
{
	if (!stream->used)
		return EOPNOTSUPP;
	if ((io_u->offset | io_u->xfer_buflen) & stream->unaligned ||
	    !io_u->xfer_buflen)
		return EINVAL;
	if (io_u->xfer_buflen > job->parts_each * stream->max_bytes)
		return EMSGSIZE;
	/* The LBA of a command has 48 bits: further on it would be another. */
	if (io_u->offset >= io_u->file->real_file_size ||
	    io_u->xfer_buflen > io_u->file->real_file_size - io_u->offset)
		return ENOSPC;
	return 0;
}

/* Commands that the I/O needs. */
static FE_HOT unsigned int count_parts(const struct sn_stream *stream,
				       const struct io_u *io_u)
{
	if (fe_likely(io_u->xfer_buflen <= stream->max_bytes))
		return 1;
	return (unsigned int)((io_u->xfer_buflen + stream->max_bytes - 1) /
			      stream->max_bytes);
}

/* For commands that are staged as well; one I/O has room in an empty queue,
 * however many commands it is. */
static FE_HOT bool has_room(const struct sn_device *device, unsigned int parts)
{
	return !sn_is_closed(device) &&
	       (device->in_flight + device->staged + parts <=
			device->abilities.depth ||
		!(device->in_flight + device->staged));
}

static FE_COLD enum fio_q_status refuse(struct thread_data *td,
					struct io_u *io_u, int error)
{
	struct sn_job *job = td->io_ops_data;

	io_u->error = (unsigned int)error;
	fe_tell(td, &job->told, io_u, strerror(error));
	return FIO_Q_COMPLETED;
}

static FE_HOT void stage(struct sn_job *job, struct sn_device *device,
			 struct io_u *io_u)
{
	device->staged += job->requests[io_u->index].left;
	job->staged[job->n_staged++] = io_u;
}

enum fio_q_status sn_queue(struct thread_data *td, struct io_u *io_u)
{
	struct sn_job *job = td->io_ops_data;
	struct sn_device *device = sn_device_of(io_u->file);
	struct sn_request *request = &job->requests[io_u->index];
	const struct sn_stream *stream;
	int error;

	fio_ro_check(td, io_u);
	if (fe_unlikely(!ddir_rw(io_u->ddir) && io_u->ddir != DDIR_TRIM))
		return flush(td, io_u);
	stream = &device->streams[io_u->ddir];
	error = check(job, stream, io_u);
	if (fe_unlikely(error))
		return refuse(td, io_u, error);
	if (fe_unlikely(job->has_priority && io_u->ddir != DDIR_TRIM))
		fio_cmdprio_set_ioprio(td, &job->priority, io_u);
	request->left = count_parts(stream, io_u);
	request->error = 0;
	/* Not FIO_Q_BUSY: fio would put the I/O back, and of a mixed job that
	 * it verifies lose count of what is where. */
	if (fe_unlikely(device->waiting.n || !has_room(device, request->left)))
		sn_list_push(&device->waiting, &request->link);
	else
		stage(job, device, io_u);
	return FIO_Q_QUEUED;
}

void sn_stage_waiting(struct thread_data *td)
{
	struct sn_job *job = td->io_ops_data;

	for (unsigned int i = 0; i < job->n_devices; i++) {
		struct sn_device *device = job->devices[i];
		struct sn_request *request =
			(struct sn_request *)device->waiting.first;

		while (request && has_room(device, request->left)) {
			sn_list_pop(&device->waiting);
			stage(job, device, request->io_u);
			request = (struct sn_request *)device->waiting.first;
		}
	}
}

int sn_commit(struct thread_data *td)
{
	struct sn_job *job = td->io_ops_data;
	const unsigned int n = job->n_staged;

	fe_issue(td, job->staged, n);
	io_u_mark_submit(td, n);
	job->n_staged = 0;
	for (unsigned int i = 0; i < n; i++) {
		struct sn_request *request =
			&job->requests[job->staged[i]->index];

		sn_device_of(job->staged[i]->file)->staged -= request->left;
		send_request(td, request);
	}
	return 0;
}
