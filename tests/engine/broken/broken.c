/* SPDX-License-Identifier: GPL-2.0-only */
/* Does the I/O in ->commit, and one thing wrong if asked: see enum fault. */
#include "common/fio_engine.h"

#include <signal.h>

enum fault {
	FAULT_NONE,
	FAULT_DROP,	 /* every 100th write is not done */
	FAULT_SHORT,	 /* every 100th I/O is told to be short */
	FAULT_SILENT,	 /* errors are told as success */
	FAULT_FD,	 /* a file left open by each job */
	FAULT_THREAD,	 /* a thread left running by each job */
	FAULT_LEAK,	 /* memory lost by each job */
	FAULT_READ_PAST, /* reads behind the end of its memory */
	FAULT_HANG,	 /* an I/O that never completes */
	FAULT_CRASH,	 /* a null pointer in ->init */
	FAULT_CHILD,	 /* a process that outlives the job */
	FAULT_DEAF,	 /* ^C is ignored */
	FAULT_OFFSET,	 /* odd offsets are rounded down */
	FAULT_FSYNC,	 /* a sync fails */
	FAULT_TRIM,	 /* trims do nothing */
};

struct broken_options {
	FE_OPTIONS_HEAD;
	unsigned int broken_fault;
};

static struct fio_option options[] = {
	{FE_OPTION(struct broken_options, broken_fault, FIO_OPT_INT, "0",
		   "Which fault, a number of enum fault")},
	FE_OPTIONS_END};

struct broken_data {
	enum fault fault;
	unsigned long count;
	struct io_u **pending, **done;
	unsigned int n_pending, n_done;
};

static void *sleep_forever(void *argument)
{
	for (;;)
		pause();
	return argument;
}

static void keep_a_process(void)
{
	const pid_t pid = fork();

	if (pid == 0) {
		for (;;)
			pause();
	}
}

/* The faults that a job shows at its start. */
static void start_wrong(struct broken_data *data)
{
	pthread_t thread;
	volatile size_t end = 1000; /* so that the compiler can't tell */
	char *lost;

	switch (data->fault) {
	case FAULT_FD:
		data->count = (unsigned long)open("/dev/null", O_RDONLY);
		break;
	case FAULT_THREAD:
		pthread_create(&thread, NULL, sleep_forever, NULL);
		break;
	case FAULT_LEAK:
		lost = malloc(end);
		data->count = lost ? (unsigned char)*(volatile char *)&lost : 0;
		break;
	case FAULT_READ_PAST:
		lost = malloc(end);
		if (lost)
			data->count += ((volatile unsigned char *)lost)[end];
		free(lost);
		break;
	case FAULT_CRASH:
		data->pending[1 << 20] = *(struct io_u *volatile *)NULL;
		break;
	case FAULT_CHILD:
		keep_a_process();
		break;
	case FAULT_DEAF:
		signal(SIGINT, SIG_IGN);
		break;
	default:
		break;
	}
}

static int broken_init(struct thread_data *td)
{
	const struct broken_options *o = td->eo;
	struct broken_data *data;

	if (fe_check_job(td))
		return 1;
	data = calloc(1, sizeof(*data));
	if (!data)
		return 1;
	data->fault = (enum fault)o->broken_fault;
	data->pending = calloc(td->o.iodepth, sizeof(struct io_u *));
	data->done = calloc(td->o.iodepth, sizeof(struct io_u *));
	td->io_ops_data = data;
	if (!data->pending || !data->done)
		return 1;
	start_wrong(data);
	return 0;
}

static void broken_cleanup(struct thread_data *td)
{
	struct broken_data *data = td->io_ops_data;

	if (!data)
		return;
	free(data->pending);
	free(data->done);
	free(data);
	td->io_ops_data = NULL;
}

static enum fio_q_status broken_queue(struct thread_data *td, struct io_u *io_u)
{
	struct broken_data *data = td->io_ops_data;

	if (io_u->ddir != DDIR_READ && io_u->ddir != DDIR_WRITE) {
		if (data->n_pending)
			return FIO_Q_BUSY;
		if (ddir_sync(io_u->ddir))
			do_io_u_sync(td, io_u);
		else if (data->fault != FAULT_TRIM)
			do_io_u_trim(td, io_u);
		if (data->fault == FAULT_FSYNC && ddir_sync(io_u->ddir))
			io_u->error = EIO;
		return FIO_Q_COMPLETED;
	}
	data->pending[data->n_pending++] = io_u;
	return FIO_Q_QUEUED;
}

static long long transfer(struct broken_data *data, const struct io_u *io_u)
{
	const int fd = io_u->file->fd;
	off_t offset = (off_t)io_u->offset;
	const bool hundredth = ++data->count % 100 == 0;
	long long n;

	if (data->fault == FAULT_OFFSET)
		offset -= offset % 512;
	if (data->fault == FAULT_SHORT && hundredth)
		return (long long)io_u->xfer_buflen - 1;
	if (io_u->ddir == DDIR_READ)
		n = pread(fd, io_u->xfer_buf, io_u->xfer_buflen, offset);
	else if (data->fault == FAULT_DROP && hundredth)
		n = (long long)io_u->xfer_buflen;
	else
		n = pwrite(fd, io_u->xfer_buf, io_u->xfer_buflen, offset);
	if (data->fault == FAULT_SILENT && n < 0)
		return (long long)io_u->xfer_buflen;
	return n < 0 ? -errno : n;
}

static int broken_commit(struct thread_data *td)
{
	struct broken_data *data = td->io_ops_data;

	fe_issue(td, data->pending, data->n_pending);
	for (unsigned int i = 0; i < data->n_pending; i++) {
		struct io_u *io_u = data->pending[i];

		fe_complete(io_u, transfer(data, io_u));
		if (data->fault != FAULT_HANG || data->count % 100)
			data->done[data->n_done++] = io_u;
	}
	io_u_mark_submit(td, data->n_pending);
	data->n_pending = 0;
	return 0;
}

static int broken_getevents(struct thread_data *td, unsigned int min,
			    unsigned int max, const struct timespec *timeout)
{
	const struct broken_data *data = td->io_ops_data;

	(void)timeout;
	while (data->n_done < min)
		usleep(1000);
	return (int)(data->n_done < max ? data->n_done : max);
}

static struct io_u *broken_event(struct thread_data *td, int event)
{
	struct broken_data *data = td->io_ops_data;

	(void)event;
	return data->done[--data->n_done];
}

FE_EXPORT struct ioengine_ops ioengine = {
	.name = "broken",
	.version = FIO_IOOPS_VERSION,
	.flags = FIO_ASYNCIO_SETS_ISSUE_TIME,
	.init = broken_init,
	.cleanup = broken_cleanup,
	.queue = broken_queue,
	.commit = broken_commit,
	.getevents = broken_getevents,
	.event = broken_event,
	.open_file = generic_open_file,
	.close_file = generic_close_file,
	.get_file_size = generic_get_file_size,
	.options = options,
	.option_struct_size = sizeof(struct broken_options),
};
