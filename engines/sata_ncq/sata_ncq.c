/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ATA commands, queued natively, through Linux's sg driver.  Hooks of fio that
 * are short stand here; I/O goes through submit.c, complete.c and recovery.c.
 */
#include "job.h"

/* Runs in the job's own process. */
static int sn_init(struct thread_data *td)
{
	struct fe_error err = {""};
	struct sn_job *job;
	int ret;

	if (fe_check_job(td))
		return 1;
	ret = sn_job_new(td, &job, &err);
	td->io_ops_data = job;
	if (ret)
		return fe_refuse(td, ret, &err);
	sn_watch_begin(td);
	return 0;
}

static int sn_post_init(struct thread_data *td)
{
	struct fe_error err = {""};
	const int ret = sn_job_buffers(td, &err);

	return ret ? fe_refuse(td, ret, &err) : 0;
}

static void report(struct thread_data *td, const struct sn_job *job)
{
	const struct sn_options *o = td->eo;
	struct fe_error err = {""};
	char path[PATH_MAX];
	struct fe_log log;

	if (fe_log_open(&log))
		sn_stats_print(&job->stats, td->o.name, log.out);
	fe_log_close(&log);
	if (!o->status_json)
		return;
	snprintf(path, sizeof(path), "%s.%d.json", o->status_json,
		 td->thread_number);
	if (sn_stats_write(&job->stats, &job->devices[0]->identity, td->o.name,
			   path, &err))
		log_err("sata_ncq: %s\n", err.text);
}

static void sn_cleanup(struct thread_data *td)
{
	struct sn_job *job = td->io_ops_data;

	if (job) {
		sn_watch_end(td);
		report(td, job);
	}
	sn_job_free(job);
	td->io_ops_data = NULL;
}

/* The disk is open as long as the job. */
static int sn_open_file(struct thread_data *td, struct fio_file *file)
{
	(void)td;
	file->fd = sn_device_of(file)->fd;
	return 0;
}

static int sn_close_file(struct thread_data *td, struct fio_file *file)
{
	(void)td;
	file->fd = -1;
	return 0;
}

/* fio itself would ask the file descriptor, which may be that of sg. */
static int sn_invalidate(struct thread_data *td, struct fio_file *file)
{
	(void)td;
	return sn_device_flush_cache(sn_device_of(file));
}

FE_EXPORT struct ioengine_ops ioengine = {
	.name = "sata_ncq",
	.version = FIO_IOOPS_VERSION,
	.flags = FIO_ASYNCIO_SETS_ISSUE_TIME | FIO_NO_OFFLOAD | FIO_NOEXTEND |
		 FIO_RAWIO,
	.init = sn_init,
	.post_init = sn_post_init,
	.cleanup = sn_cleanup,
	.queue = sn_queue,
	.commit = sn_commit,
	.getevents = sn_getevents,
	.event = sn_event,
	.iomem_alloc = sn_job_memory,
	.iomem_free = sn_job_memory_free,
	.open_file = sn_open_file,
	.invalidate = sn_invalidate,
	.close_file = sn_close_file,
	.get_file_size = sn_device_attach,
	.options = sn_options,
	.option_struct_size = sizeof(struct sn_options),
};
