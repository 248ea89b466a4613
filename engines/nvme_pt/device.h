/* SPDX-License-Identifier: GPL-2.0-only */
/* A file of a job: the namespace, and what the job does with it. */
#ifndef PT_DEVICE_H
#define PT_DEVICE_H

#include "job_options.h"
#include "part.h"

#define PT_STREAMS 3 /* DDIR_READ, DDIR_WRITE, DDIR_TRIM */

struct pt_device {
	struct pt_namespace ns;
	struct pt_stream streams[PT_STREAMS];
	bool generic;	    /* /dev/ngXnY, not /dev/nvmeXnY */
	dev_t node;	    /* that was looked at */
	int fd;		    /* open in the job's own process, else -1 */
	unsigned int index; /* among the job's devices */
	unsigned int *jobs; /* of this fio that share its tags */
};

static inline struct pt_device *pt_device_of(const struct fio_file *file)
{
	return FILE_ENG_DATA(file);
}

/*
 * In fio's parent process, before any job begins: asks the device, refuses what
 * it can't do, and claims it if the job writes.  Sets the file's size and
 * engine data.  0, or 1 with a sentence printed and td's error set.
 */
int pt_device_attach(struct thread_data *td, struct fio_file *file);

/* In the job.  0, or -errno with a sentence, also if the path leads to another
 * device than it did. */
int pt_device_open(struct pt_device *device, const char *path, int flags,
		   struct fe_error *err);

/* Frees it, too. */
void pt_device_release(struct pt_device *device);

#endif
