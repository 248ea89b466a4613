/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An asynchronous engine: ->queue collects, ->commit hands over, ->getevents
 * waits, ->event tells how one I/O ended.  fio calls all of them from the
 * job's own thread (or process), so nothing here needs a lock.
 */
#include "common/fio_engine.h"

#include "pool.h"

struct template_options {
	FE_OPTIONS_HEAD;
	unsigned int template_workers;
	unsigned int template_delay_us;
};

static struct fio_option options[] = {
	{FE_OPTION(struct template_options, template_workers, FIO_OPT_INT, "4",
		   "Threads that do the I/O"),
	 .minval = 1, .maxval = 1024},
	{FE_OPTION(struct template_options, template_delay_us, FIO_OPT_INT, "0",
		   "Microseconds to wait before each I/O"),
	 .maxval = 60000000},
	FE_OPTIONS_END};

/* A job's state.  io_u->index, below iodepth, is the tag of an I/O. */
struct template_data {
	struct pool *pool;
	struct pool_request *requests; /* one an io_u */
	struct io_u **pending;	       /* queued, not yet committed */
	unsigned int n_pending;
	struct pool_request **events; /* what getevents found */
};

static void template_free(struct template_data *data)
{
	if (!data)
		return;
	pool_free(data->pool);
	free(data->events);
	free(data->pending);
	free(data->requests);
	free(data);
}

/* Runs in the job's process; ->setup runs before fio forks. */
static int template_init(struct thread_data *td)
{
	const struct template_options *o = td->eo;
	const unsigned int depth = td->o.iodepth;
	struct template_data *data;

	if (fe_check_job(td))
		return 1;
	data = calloc(1, sizeof(*data));
	if (!data)
		goto no_memory;
	data->requests = calloc(depth, sizeof(*data->requests));
	data->pending = calloc(depth, sizeof(*data->pending));
	data->events = calloc(depth, sizeof(*data->events));
	if (!data->requests || !data->pending || !data->events)
		goto no_memory;
	data->pool = pool_new(o->template_workers, o->template_delay_us);
	if (!data->pool) {
		td_verror(td, errno, "start workers");
		template_free(data);
		return 1;
	}
	td->io_ops_data = data;
	return 0;

no_memory:
	td_verror(td, ENOMEM, "init");
	template_free(data);
	return 1;
}

static void template_cleanup(struct thread_data *td)
{
	template_free(td->io_ops_data);
	td->io_ops_data = NULL;
}

/* -1: not for this engine. */
static int op_of(enum fio_ddir ddir)
{
	switch (ddir) {
	case DDIR_READ:
		return POOL_READ;
	case DDIR_WRITE:
		return POOL_WRITE;
	case DDIR_TRIM:
		return POOL_DISCARD;
	default:
		return -1;
	}
}

/* In the background fio would ask for one after another until one is done. */
static enum fio_q_status sync_now(struct thread_data *td, struct io_u *io_u)
{
	const struct template_data *data = td->io_ops_data;

	if (data->n_pending)
		return FIO_Q_BUSY; /* fio commits and comes back */
	fio_gettime(&io_u->issue_time, NULL);
	do_io_u_sync(td, io_u);
	return FIO_Q_COMPLETED;
}

static enum fio_q_status template_queue(struct thread_data *td,
					struct io_u *io_u)
{
	struct template_data *data = td->io_ops_data;
	struct pool_request *request = &data->requests[io_u->index];
	const int op = op_of(io_u->ddir);

	fio_ro_check(td, io_u);
	if (ddir_sync(io_u->ddir))
		return sync_now(td, io_u);
	if (op < 0) {
		io_u->error = EOPNOTSUPP;
		return FIO_Q_COMPLETED;
	}
	*request = (struct pool_request){
		.op = (enum pool_op)op,
		.fd = io_u->file->fd,
		.buffer = io_u->xfer_buf,
		.length = io_u->xfer_buflen,
		.offset = (off_t)io_u->offset,
		.owner = io_u,
	};
	data->pending[data->n_pending++] = io_u;
	return FIO_Q_QUEUED;
}

static int template_commit(struct thread_data *td)
{
	struct template_data *data = td->io_ops_data;

	fe_issue(td, data->pending, data->n_pending);
	for (unsigned int i = 0; i < data->n_pending; i++)
		pool_submit(data->pool,
			    &data->requests[data->pending[i]->index]);
	io_u_mark_submit(td, data->n_pending);
	data->n_pending = 0;
	return 0;
}

static int template_getevents(struct thread_data *td, unsigned int min,
			      unsigned int max, const struct timespec *timeout)
{
	struct template_data *data = td->io_ops_data;

	return (int)pool_reap(data->pool, data->events, min, max, timeout);
}

static struct io_u *template_event(struct thread_data *td, int event)
{
	struct template_data *data = td->io_ops_data;
	const struct pool_request *request = data->events[event];
	struct io_u *io_u = request->owner;

	fe_complete(io_u, request->result);
	return io_u;
}

FE_EXPORT struct ioengine_ops ioengine = {
	.name = "template",
	.version = FIO_IOOPS_VERSION,
	.flags = FIO_ASYNCIO_SETS_ISSUE_TIME,
	.init = template_init,
	.cleanup = template_cleanup,
	.queue = template_queue,
	.commit = template_commit,
	.getevents = template_getevents,
	.event = template_event,
	.open_file = generic_open_file,
	.close_file = generic_close_file,
	.get_file_size = generic_get_file_size,
	.options = options,
	.option_struct_size = sizeof(struct template_options),
};
