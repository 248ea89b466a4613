/* SPDX-License-Identifier: GPL-2.0-only */
#include "job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define MAX_THREADS 256u
/* What all handles hold that a job may have. */
#define MAX_COMMANDS (SN_MAX_HANDLES * SN_HANDLE_COMMANDS)

/* Each file's disk, open. */
static int open_devices(struct thread_data *td, struct sn_job *job,
			struct fe_error *err)
{
	struct fio_file *file;
	unsigned int i;

	job->devices = calloc(td->o.nr_files, sizeof(struct sn_device *));
	if (!job->devices)
		return fe_error_set(err, -ENOMEM, "out of memory");
	for_each_file(td, file, i)
	{
		const bool late = !sn_device_of(file);
		struct sn_device *device;
		int ret;

		/* A trace has named it: fio asked for no size. */
		if (late && sn_device_attach(td, file))
			return fe_error_set(err, -ENODEV, "%s: not usable",
					    file->file_name);
		device = sn_device_of(file);
		if (late)
			device->users = NULL; /* others do the same */
		job->devices[job->n_devices++] = device;
		device->index = i;
		ret = sn_device_open(device, err);
		if (ret)
			return ret;
	}
	return 0;
}

/* Commands of the job's largest I/O, and memory that one needs for ranges. */
static void measure(const struct thread_data *td, struct sn_job *job,
		    size_t *own_bytes)
{
	job->parts_each = 1;
	for (unsigned int i = 0; i < job->n_devices * SN_STREAMS; i++) {
		const int ddir = (int)i % SN_STREAMS;
		const struct sn_stream *stream =
			&job->devices[i / SN_STREAMS]->streams[ddir];

		if (!stream->used)
			continue;
		job->parts_each = max(job->parts_each,
				      (unsigned int)((td->o.max_bs[ddir] +
						      stream->max_bytes - 1) /
						     stream->max_bytes));
		*own_bytes = max(*own_bytes, (size_t)stream->own_bytes);
		if (!stream->own_bytes)
			job->piece = max(job->piece, stream->max_bytes);
	}
}

static int allocate(struct thread_data *td, struct sn_job *job,
		    struct fe_error *err)
{
	size_t own_bytes = 0;
	unsigned int n;

	measure(td, job, &own_bytes);
	job->n_requests = td->o.iodepth;
	if ((uint64_t)job->n_requests * job->parts_each > MAX_COMMANDS)
		return fe_error_set(
			err, -EINVAL,
			"iodepth=%u with %u commands for an I/O: more than %u commands at once; use a smaller iodepth or smaller blocks",
			job->n_requests, job->parts_each, MAX_COMMANDS);
	n = job->n_requests * job->parts_each;
	job->requests = calloc(job->n_requests, sizeof(*job->requests));
	job->staged = calloc(job->n_requests, sizeof(struct io_u *));
	job->events = calloc(job->n_requests, sizeof(struct io_u *));
	job->reaped = calloc(n, sizeof(struct sn_slot *));
	job->parts = calloc(n, sizeof(*job->parts));
	job->suspects = calloc(n, sizeof(*job->suspects));
	job->suspected = calloc(n, sizeof(struct sn_part *));
	job->memory = calloc(n, own_bytes + 1);
	if (!job->requests || !job->staged || !job->events || !job->reaped ||
	    !job->parts || !job->suspects || !job->suspected || !job->memory)
		return fe_error_set(err, -ENOMEM, "out of memory");
	for (unsigned int i = 0; i < n; i++) {
		job->parts[i].own = job->memory + i * own_bytes;
		job->parts[i].request = &job->requests[i / job->parts_each];
	}
	sn_list_init(&job->done);
	return 0;
}

static bool all_generic(const struct sn_job *job)
{
	for (unsigned int i = 0; i < job->n_devices; i++) {
		if (!job->devices[i]->generic)
			return false;
	}
	return true;
}

/* So many commands are with the disks at most. */
static unsigned int most_in_flight(const struct sn_job *job, unsigned int slots)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < job->n_devices; i++)
		n += job->devices[i]->abilities.depth;
	return max(min(min(n, slots), MAX_THREADS), 1u);
}

static int open_transport(struct thread_data *td, struct sn_job *job,
			  struct fe_error *err)
{
	const unsigned int n = job->n_requests * job->parts_each;
	const char **paths = calloc(job->n_devices, sizeof(*paths));
	dev_t *numbers = calloc(job->n_devices, sizeof(*numbers));
	const struct sn_transport_setup setup = {
		.paths = paths,
		.numbers = numbers,
		.n_devices = job->n_devices,
		.slots = n,
		.bytes = min(job->piece, (uint64_t)td_max_bs(td)),
	};

	for (unsigned int i = 0; paths && numbers && i < job->n_devices; i++) {
		paths[i] = job->devices[i]->path;
		numbers[i] = job->devices[i]->number;
	}
	if (!paths || !numbers)
		fe_error_set(err, -ENOMEM, "out of memory");
	else if (all_generic(job))
		job->transport = sn_handles_new(&setup, err);
	else
		job->transport =
			sn_sync_new(&setup, most_in_flight(job, n), err);
	free(paths);
	free(numbers);
	if (!job->transport)
		return -EIO;
	for (unsigned int i = 0; i < n; i++) {
		job->parts[i].slot = &job->transport->slots[i];
		job->transport->slots[i].owner = &job->parts[i];
	}
	return 0;
}

static int begin_priority(struct thread_data *td, struct sn_job *job,
			  struct fe_error *err)
{
	struct sn_options *o = td->eo;
	int ret;

	if (!o->priority.bssplit_str && !o->priority.percentage[DDIR_READ] &&
	    !o->priority.percentage[DDIR_WRITE])
		return 0;
	ret = fio_cmdprio_init(td, &job->priority, &o->priority);
	if (ret)
		return fe_error_set(
			err, -EINVAL,
			"cmdprio_percentage, cmdprio_bssplit: not usable");
	job->has_priority = job->priority.mode != CMDPRIO_MODE_NONE;
	return 0;
}

int sn_job_new(struct thread_data *td, struct sn_job **job,
	       struct fe_error *err)
{
	struct sn_job *new = calloc(1, sizeof(*new));
	int ret;

	*job = NULL;
	if (!new)
		return fe_error_set(err, -ENOMEM, "out of memory");
	ret = open_devices(td, new, err);
	if (!ret)
		ret = allocate(td, new, err);
	if (!ret)
		ret = open_transport(td, new, err);
	if (!ret)
		ret = begin_priority(td, new, err);
	if (ret)
		sn_job_free(new);
	else
		*job = new;
	return ret;
}

void sn_job_free(struct sn_job *job)
{
	if (!job)
		return;
	if (job->transport)
		job->transport->ops->free(job->transport);
	for (unsigned int i = 0; i < job->n_devices; i++)
		sn_device_release(job->devices[i]);
	fio_cmdprio_cleanup(&job->priority);
	free(job->devices);
	free(job->memory);
	free(job->suspected);
	free(job->suspects);
	free(job->parts);
	free(job->reaped);
	free(job->events);
	free(job->staged);
	free(job->requests);
	free(job);
}

int sn_job_memory(struct thread_data *td, size_t bytes)
{
	struct sn_job *job = td->io_ops_data;
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	job->buffer_bytes = bytes;
	td->orig_buffer = memory == MAP_FAILED ? NULL : memory;
	return memory == MAP_FAILED;
}

void sn_job_memory_free(struct thread_data *td)
{
	const struct sn_job *job = td->io_ops_data;

	if (td->orig_buffer)
		munmap(td->orig_buffer, job->buffer_bytes);
	td->orig_buffer = NULL;
}

/* The piece of fio's buffer that the slot's command transfers. */
static void map_piece(struct thread_data *td, const struct sn_job *job,
		      unsigned int slot)
{
	const struct io_u *io_u = td->io_u_all.io_us[slot / job->parts_each];
	const uint64_t at = slot % job->parts_each * job->piece;

	if (at < td_max_bs(td))
		job->transport->ops->map(
			job->transport, &job->transport->slots[slot],
			(char *)io_u->buf + at,
			min(job->piece, (uint64_t)td_max_bs(td) - at));
}

int sn_job_buffers(struct thread_data *td, struct fe_error *err)
{
	const struct sn_job *job = td->io_ops_data;

	for (unsigned int i = 0; i < job->n_requests; i++)
		job->requests[i].io_u = td->io_u_all.io_us[i];
	/* fio goes on where it got no memory for them. */
	if (job->piece && !td->orig_buffer)
		return fe_error_set(
			err, -ENOMEM,
			"%s: no memory for %u buffers of %llu bytes (mem= can't be chosen)",
			td->o.name, job->n_requests, td_max_bs(td));
	/* The ranges of a trim go through the handle's buffer, too, and would
	 * be found in data that fio wrote there before. */
	if (!job->piece || !job->transport->ops->map ||
	    job->devices[0]->plan.trims)
		return 0;
	for (unsigned int i = 0; i < job->transport->n_slots; i++)
		map_piece(td, job, i);
	return 0;
}
