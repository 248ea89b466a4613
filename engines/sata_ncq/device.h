/* SPDX-License-Identifier: GPL-2.0-only */
/* A file of a job: the disk, and what the job does with it. */
#ifndef SN_DEVICE_H
#define SN_DEVICE_H

#include "job_options.h"
#include "list.h"
#include "node.h"
#include "stream.h"

#define SN_STREAMS 3 /* DDIR_READ, DDIR_WRITE, DDIR_TRIM */

struct sn_device {
	struct sn_identity identity;
	struct sn_node node;
	struct sn_plan plan;
	struct sn_abilities abilities;
	struct sn_stream streams[SN_STREAMS];
	char path[80]; /* that commands go to: /dev/sgN, or /dev/sdX */
	dev_t number;  /* of it */
	bool generic;  /* it is /dev/sgN */

	/* In the job's own process. */
	int fd;			/* for what is not I/O, else -1 */
	unsigned int index;	/* among the job's devices */
	unsigned int in_flight; /* commands */
	unsigned int staged;	/* that commit will send */
	struct sn_list waiting; /* I/Os, for room in the queue */
	/* Commands that ended with an error, until the queue is empty; then
	 * those that are sent by themselves. */
	struct sn_list suspects, alone;
	bool closed; /* one of these is with the disk */
	/* Others may have commands there as well: jobs, or files of this one.
	 */
	const unsigned int *users; /* how many; NULL: not known */
	bool ncq_lost;
};

static inline struct sn_device *sn_device_of(const struct fio_file *file)
{
	return FILE_ENG_DATA(file);
}

static inline bool sn_device_is_shared(const struct sn_device *device)
{
	return !device->users || *device->users > 1;
}

/*
 * In fio's parent process, before any job begins: asks the disk, refuses what
 * it can't do, and claims it if the job writes.  Sets the file's size and
 * engine data.  0, or 1 with a sentence printed and td's error set.
 */
int sn_device_attach(struct thread_data *td, struct fio_file *file);

/* In the job.  0, or -errno with a sentence, also if the path leads to another
 * disk than it did. */
int sn_device_open(struct sn_device *device, struct fe_error *err);

/* Has the kernel write what its own cache of the disk holds, and forget it, or
 * it would be written over the job's data later.  0 or -errno. */
int sn_device_flush_cache(const struct sn_device *device);

/* Frees it, too. */
void sn_device_release(struct sn_device *device);

/* Whether a queued read is taken, asked of the drive; waits for it.  Also what
 * does not come to an end as it should is taken. */
bool sn_device_takes_ncq(const struct sn_device *device);

/* From now on commands are not queued: of reads and writes. */
void sn_device_lose_ncq(struct sn_device *device);

#endif
