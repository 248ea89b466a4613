/* SPDX-License-Identifier: GPL-2.0-only */
#include "job.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#define PAGE 4096u
#define MAX_THREADS 512u
#define MAX_SLOTS (1u << 24)

static size_t round_up(size_t size, size_t step)
{
	return (size + step - 1) / step * step;
}

/* Of the streams, the next that the job uses: one with blocks.  NULL after the
 * last; *at counts all of them, those of a device beside each other. */
static struct pt_stream *next_stream(const struct pt_job *job, unsigned int *at)
{
	while (*at < job->n_devices * PT_STREAMS) {
		struct pt_device *device = job->devices[*at / PT_STREAMS];
		struct pt_stream *stream =
			&device->streams[(*at)++ % PT_STREAMS];

		if (stream->ns)
			return stream;
	}
	return NULL;
}

static void find_piece(struct pt_job *job)
{
	const struct pt_stream *stream;
	unsigned int at = 0;

	while ((stream = next_stream(job, &at))) {
		if (stream->buffer != PT_BUFFER_IO)
			continue;
		if (!job->piece || stream->max_bytes < job->piece)
			job->piece = stream->max_bytes;
		job->edge = max(job->edge, stream->ns->block_bytes);
	}
}

/*
 * fio's buffers are cut at the same places for all commands, as each piece is
 * registered by itself: Linux 6.1 holds the segments of the whole registered
 * buffer against the limit of a command.
 */
static int choose_piece(struct thread_data *td, struct pt_job *job,
			struct fe_error *err)
{
	struct pt_stream *stream;
	unsigned int at = 0;

	find_piece(job);
	if (!job->piece || job->piece >= td_max_bs(td))
		return 0;
	if (job->piece < job->edge)
		return fe_error_set(
			err, -EINVAL,
			"%s: blocks of %u bytes on one device, transfers of %llu bytes on another: use a job for each",
			td->o.name, job->edge, (unsigned long long)job->piece);
	job->piece -= job->piece % job->edge;
	while ((stream = next_stream(job, &at))) {
		if (stream->buffer == PT_BUFFER_IO)
			stream->max_bytes = job->piece;
	}
	return 0;
}

/* Room that the largest I/O of a stream needs.  Returns its commands. */
static uint64_t measure(struct pt_job *job, struct pt_stream *stream,
			uint64_t max_bytes)
{
	const uint64_t bytes = min(max_bytes, stream->max_bytes);
	const uint32_t blocks = (uint32_t)(bytes >> stream->block_shift);
	const uint64_t parts =
		(max_bytes + stream->max_bytes - 1) / stream->max_bytes;

	job->own_bytes = max(job->own_bytes, pt_part_own_bytes(stream, blocks));
	job->metadata_bytes = max(job->metadata_bytes,
				  pt_part_metadata_bytes(stream, blocks));
	stream->max_bytes = bytes;
	return parts;
}

/* Over all directions and devices. */
static int measure_all(struct thread_data *td, struct pt_job *job,
		       struct fe_error *err)
{
	struct pt_stream *stream;
	unsigned int at = 0;
	uint64_t parts = 1;

	while ((stream = next_stream(job, &at))) {
		const unsigned int ddir = (at - 1) % PT_STREAMS;
		const uint64_t needed =
			measure(job, stream, td->o.max_bs[ddir]);

		parts = max(parts, needed);
		if (ddir == DDIR_READ && stream->metadata)
			job->checks_reads = job->finishes = true;
	}
	if (parts > MAX_SLOTS / td->o.iodepth)
		return fe_error_set(
			err, -EINVAL,
			"%s: iodepth=%u with I/Os of %llu commands is more than can be kept",
			td->o.name, td->o.iodepth, (unsigned long long)parts);
	job->parts_each = (unsigned int)parts;
	job->n_requests = td->o.iodepth;
	job->n_slots = job->n_requests * job->parts_each;
	return 0;
}

static int give_memory(struct pt_job *job)
{
	const size_t own = round_up(job->own_bytes, PAGE);
	const size_t metadata = round_up(job->metadata_bytes, 64);
	void *memory = NULL;

	if (!own && !metadata)
		return 0;
	if (posix_memalign(&memory, PAGE, job->n_slots * (own + metadata)))
		return -ENOMEM;
	memset(memory, 0, job->n_slots * (own + metadata));
	job->memory = memory;
	for (unsigned int i = 0; i < job->n_slots; i++) {
		job->parts[i].own = job->memory + i * own;
		job->parts[i].metadata =
			job->memory + job->n_slots * own + i * metadata;
	}
	return 0;
}

static int allocate(struct thread_data *td, struct pt_job *job,
		    struct fe_error *err)
{
	int ret = choose_piece(td, job, err);

	if (!ret)
		ret = measure_all(td, job, err);
	if (ret)
		return ret;
	job->requests = calloc(job->n_requests, sizeof(*job->requests));
	job->staged = calloc(job->n_requests, sizeof(*job->staged));
	job->events = calloc(job->n_requests, sizeof(*job->events));
	job->parts = calloc(job->n_slots, sizeof(*job->parts));
	job->tries = calloc(job->n_slots, sizeof(*job->tries));
	if (!job->requests || !job->staged || !job->events || !job->parts ||
	    !job->tries || give_memory(job))
		return fe_error_set(err, -ENOMEM, "out of memory");
	return 0;
}

/* Each file's device, open. */
static int open_devices(struct thread_data *td, struct pt_job *job,
			struct fe_error *err)
{
	const int flags = td_write(td) || td_trim(td) ? O_RDWR : O_RDONLY;
	struct fio_file *file;
	unsigned int i;

	job->devices = calloc(td->o.nr_files, sizeof(*job->devices));
	if (!job->devices)
		return fe_error_set(err, -ENOMEM, "out of memory");
	for_each_file(td, file, i)
	{
		struct pt_device *device;
		int ret;

		/* A trace has named it: fio asked for no size. */
		if (!pt_device_of(file) && pt_device_attach(td, file))
			return fe_error_set(err, -ENODEV, "%s: not usable",
					    file->file_name);
		device = pt_device_of(file);
		job->devices[job->n_devices++] = device;
		device->index = i;
		ret = pt_device_open(device, file->file_name, flags, err);
		if (ret)
			return ret;
	}
	return 0;
}

static bool by_ioctl(const struct pt_job *job, const struct pt_options *o)
{
	struct fe_error ignored = {""};

	if (o->transport != PT_WAY_AUTO)
		return o->transport == PT_WAY_IOCTL;
	for (unsigned int i = 0; i < job->n_devices; i++) {
		if (!job->devices[i]->generic)
			return true;
	}
	return !pt_ring_available(&ignored);
}

static int open_transport(struct thread_data *td, struct pt_job *job,
			  struct fe_error *err)
{
	const struct pt_options *o = td->eo;
	struct pt_transport_setup setup = {
		.n_devices = job->n_devices,
		.slots = job->n_slots,
		.poll = o->hipri,
		.submit_thread = o->sqthread_poll,
		.submit_cpu = o->sqthread_poll_cpu,
		.fixed_buffers = !o->no_fixedbufs,
		.fixed_files = !o->no_registerfiles,
	};
	int *devices = calloc(job->n_devices, sizeof(*devices));
	int ret;

	if (!devices)
		return fe_error_set(err, -ENOMEM, "out of memory");
	for (unsigned int i = 0; i < job->n_devices; i++)
		devices[i] = job->devices[i]->fd;
	setup.devices = devices;
	job->limit = job->n_slots;
	if (by_ioctl(job, o)) {
		job->limit =
			max(min(job->n_slots, MAX_THREADS), job->parts_each);
		job->transport = pt_ioctl_new(&setup, job->limit, err);
	} else {
		job->transport = pt_ring_new(&setup, err);
	}
	ret = job->transport ? 0 : -errno;
	free(devices);
	return ret;
}

/* DMRL of the devices and trim_ranges. */
static unsigned int fewest_ranges(const struct pt_job *job, unsigned int asked)
{
	unsigned int fewest = asked;

	for (unsigned int i = 0; i < job->n_devices; i++) {
		const uint32_t ranges = job->devices[i]->ns.dsm_ranges;

		if (ranges && ranges < fewest)
			fewest = ranges;
	}
	return fewest;
}

static void link_all(struct pt_job *job)
{
	pt_list_init(&job->waiting);
	pt_list_init(&job->trims);
	pt_list_init(&job->done);
	for (unsigned int i = 0; i < job->n_requests; i++) {
		struct pt_request *request = &job->requests[i];

		request->left = 1;
		request->slot = i * job->parts_each;
		request->command = job->transport->slots[request->slot].command;
	}
	for (unsigned int i = 0; i < job->n_slots; i++)
		job->transport->slots[i].owner =
			&job->requests[i / job->parts_each];
}

static int set_up(struct thread_data *td, struct pt_job *job,
		  struct fe_error *err)
{
	const struct pt_options *o = td->eo;
	int ret = open_devices(td, job, err);

	if (!ret)
		ret = allocate(td, job, err);
	if (!ret)
		ret = open_transport(td, job, err);
	if (ret)
		return ret;
	job->trim_ranges = fewest_ranges(job, o->trim_ranges);
	job->first_special =
		td->o.zone_mode == ZONE_MODE_ZBD ? DDIR_TRIM : DDIR_SYNC;
	link_all(job);
	return 0;
}

int pt_job_new(struct thread_data *td, struct pt_job **job,
	       struct fe_error *err)
{
	int ret;

	*job = calloc(1, sizeof(**job));
	if (!*job)
		return fe_error_set(err, -ENOMEM, "out of memory");
	ret = set_up(td, *job, err);
	if (ret) {
		pt_job_free(*job);
		*job = NULL;
	}
	return ret;
}

void pt_job_free(struct pt_job *job)
{
	if (!job)
		return;
	if (job->transport)
		job->transport->ops->free(job->transport);
	for (unsigned int i = 0; i < job->n_devices; i++)
		pt_device_release(job->devices[i]);
	free(job->devices);
	free(job->memory);
	free(job->tries);
	free(job->parts);
	free(job->events);
	free(job->staged);
	free(job->requests);
	free(job);
}

/* Of fio's buffer, what the slot's command has; nothing if it never has any. */
static struct iovec piece_of(struct thread_data *td, const struct pt_job *job,
			     unsigned int slot)
{
	const struct io_u *io_u = td->io_u_all.io_us[slot / job->parts_each];
	const uint64_t at = slot % job->parts_each * job->piece;

	if (at >= td_max_bs(td) || !job->piece)
		return (struct iovec){NULL, 0};
	return (struct iovec){(char *)io_u->buf + at,
			      min(job->piece, td_max_bs(td) - at)};
}

/* What commands have of their own, one a slot, then fio's buffers in their
 * pieces, also one a slot: a job that only trims has none of them. */
static int register_buffers(struct thread_data *td, struct pt_job *job)
{
	const size_t own = round_up(job->own_bytes, PAGE);
	const unsigned int n_own = own ? job->n_slots : 0;
	const unsigned int n = n_own + (td->orig_buffer ? job->n_slots : 0);
	struct iovec *buffers;
	int ret;

	job->io_buffers = n_own;
	if (!n)
		return 0;
	if (!job->transport->ops->register_buffers)
		return 0;
	buffers = calloc(n, sizeof(*buffers));
	if (!buffers)
		return -ENOMEM;
	for (unsigned int i = 0; i < n_own; i++)
		buffers[i] = (struct iovec){job->parts[i].own, own};
	for (unsigned int i = n_own; i < n; i++)
		buffers[i] = piece_of(td, job, i - n_own);
	ret = job->transport->ops->register_buffers(job->transport, buffers, n);
	free(buffers);
	return ret;
}

/* Commands that a job may have in flight so that none waits for a tag: Linux
 * then hands it to a worker, where memory that is not registered can't be
 * mapped (EFAULT). */
static unsigned int share_of_tags(const struct pt_job *job)
{
	unsigned int fewest = 0;

	for (unsigned int i = 0; i < job->n_devices; i++) {
		const struct pt_device *device = job->devices[i];
		const unsigned int share = device->ns.tags / *device->jobs;

		if (device->ns.tags && (!fewest || share < fewest))
			fewest = max(share, 1u);
	}
	return fewest;
}

/* Zones take writes at their write pointer only. */
static bool needs_order(const struct pt_job *job)
{
	for (unsigned int i = 0; i < job->n_devices; i++) {
		const struct pt_device *device = job->devices[i];
		const struct pt_stream *writes = &device->streams[DDIR_WRITE];

		if (device->ns.csi == PT_CSI_ZNS && writes->ns &&
		    writes->op == PT_WRITE)
			return true;
	}
	return false;
}

static int lower_limit(struct thread_data *td, unsigned int limit,
		       const char *reason, struct fe_error *err)
{
	struct pt_job *job = td->io_ops_data;

	if (!limit || limit >= job->limit)
		return 0;
	if (limit < job->parts_each)
		return fe_error_set(
			err, -EINVAL,
			"%s: an I/O of %u commands, but %u may be in flight (%s): use smaller blocks",
			td->o.name, job->parts_each, limit, reason);
	job->limit = limit;
	log_err("nvme_pt: %s: at most %u command%s in flight: %s\n", td->o.name,
		limit, limit == 1 ? "" : "s", reason);
	return 0;
}

/* By ioctl there is a thread for each command, and no tags to run out of. */
static int choose_limit(struct thread_data *td, struct fe_error *err)
{
	const struct pt_job *job = td->io_ops_data;
	const bool ordered = needs_order(job);

	if (!job->transport->ops->register_buffers)
		return ordered ? lower_limit(td, 1,
					     "threads keep no order, which "
					     "writes of zones need",
					     err)
			       : 0;
	if (ordered)
		return lower_limit(td, share_of_tags(job),
				   "so many tags has the queue, and what waits "
				   "for one loses its place, which writes of "
				   "zones need",
				   err);
	if (!job->transport->fixed_buffers || job->metadata_bytes)
		return lower_limit(td, share_of_tags(job),
				   "so many tags has the queue, and memory is "
				   "not fixed",
				   err);
	return 0;
}

int pt_job_buffers(struct thread_data *td, struct fe_error *err)
{
	struct pt_job *job = td->io_ops_data;
	const int ret = register_buffers(td, job);

	for (unsigned int i = 0; i < job->n_requests; i++) {
		job->requests[i].io_u = td->io_u_all.io_us[i];
		job->requests[i].io_u->engine_data = &job->requests[i];
	}
	/* fio goes on where it got no memory for them. */
	if (job->piece && !td->orig_buffer)
		return fe_error_set(
			err, -ENOMEM,
			"%s: no memory for %u buffers of %llu bytes",
			td->o.name, job->n_requests, td_max_bs(td));
	if (ret)
		log_err("nvme_pt: %s: buffers are not fixed: %s%s\n",
			td->o.name, strerror(-ret),
			ret == -ENOMEM
				? " (raise the limit of locked memory, ulimit -l)"
				: "");
	return choose_limit(td, err);
}
