/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * NVMe commands by Linux's passthrough.  Hooks of fio that are short stand
 * here; I/O goes through submit.c and complete.c.
 */
#include "job.h"

#include "zoned.h"

/* Runs in the job's own process. */
static int pt_init(struct thread_data *td)
{
	struct fe_error err = {""};
	struct pt_job *job;
	int ret;

	if (fe_check_job(td))
		return 1;
	ret = pt_job_new(td, &job, &err);
	td->io_ops_data = job;
	return ret ? fe_refuse(td, ret, &err) : 0;
}

static int pt_post_init(struct thread_data *td)
{
	struct fe_error err = {""};
	const int ret = pt_job_buffers(td, &err);

	return ret ? fe_refuse(td, ret, &err) : 0;
}

static void report_statuses(struct thread_data *td, const struct pt_job *job)
{
	const struct pt_options *o = td->eo;
	struct fe_error err = {""};
	char path[PATH_MAX];
	struct fe_log log;

	if (fe_log_open(&log))
		pt_statuses_print(&job->statuses, td->o.name, log.out);
	fe_log_close(&log);
	if (!o->status_json)
		return;
	snprintf(path, sizeof(path), "%s.%d.json", o->status_json,
		 td->thread_number);
	if (pt_statuses_write(&job->statuses, td->o.name, path, &err))
		log_err("nvme_pt: %s\n", err.text);
}

static void pt_cleanup(struct thread_data *td)
{
	struct pt_job *job = td->io_ops_data;

	if (job)
		report_statuses(td, job);
	pt_job_free(job);
	td->io_ops_data = NULL;
}

/* The device is open as long as the job: the ring knows it. */
static int pt_open_file(struct thread_data *td, struct fio_file *file)
{
	const struct pt_device *device = pt_device_of(file);

	(void)td;
	file->fd = device->fd;
	return 0;
}

static int pt_close_file(struct thread_data *td, struct fio_file *file)
{
	(void)td;
	file->fd = -1;
	return 0;
}

FE_EXPORT struct ioengine_ops ioengine = {
	.name = "nvme_pt",
	.version = FIO_IOOPS_VERSION,
	.flags = FIO_ASYNCIO_SETS_ISSUE_TIME | FIO_NO_OFFLOAD | FIO_NOEXTEND |
		 FIO_RAWIO,
	.init = pt_init,
	.post_init = pt_post_init,
	.cleanup = pt_cleanup,
	.queue = pt_queue,
	.commit = pt_commit,
	.getevents = pt_getevents,
	.event = pt_event,
	.open_file = pt_open_file,
	.close_file = pt_close_file,
	.get_file_size = pt_device_attach,
	.get_zoned_model = pt_get_zoned_model,
	.report_zones = pt_report_zones,
	.reset_wp = pt_reset_wp,
	.get_max_open_zones = pt_get_max_open_zones,
	.options = pt_options,
	.option_struct_size = sizeof(struct pt_options),
};
