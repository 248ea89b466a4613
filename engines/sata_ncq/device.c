/* SPDX-License-Identifier: GPL-2.0-only */
#include "device.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/claim.h"
#include "execute.h"
#include "transport.h"
#include "users.h"

#define SYS "/sys"

/* What fio asks for; the node for commands may be another one. */
static int find_node(struct sn_device *device, const char *name,
		     struct fe_error *err)
{
	struct fe_error reason = {""};
	struct stat st;
	int ret;

	if (stat(name, &st))
		return fe_error_set(err, -errno, "%s: %s", name,
				    strerror(errno));
	ret = sn_node_find(SYS, st.st_mode, st.st_rdev, &device->node, &reason);
	return ret ? fe_error_set(err, ret, "%s: %s", name, reason.text) : 0;
}

/* The node of this name need not be the kernel's device of this name. */
static int find_path(struct sn_device *device, const char *name,
		     struct fe_error *err)
{
	struct fe_place place;
	struct stat st;

	snprintf(device->path, sizeof(device->path), "/dev/%s", name);
	if (stat(device->path, &st))
		return fe_error_set(err, -errno, "%s: %s", device->path,
				    strerror(errno));
	if (!fe_sysfs_locate(SYS, st.st_mode, st.st_rdev, &place) ||
	    strcmp(place.name, name))
		return fe_error_set(
			err, -ENODEV,
			"%s: this node is not that of %s, but of %s",
			device->path, name,
			place.name[0] ? place.name : "nothing");
	device->number = st.st_rdev;
	return 0;
}

static int choose_path(struct sn_device *device, const struct sn_options *o,
		       struct fe_error *err)
{
	const struct sn_node *node = &device->node;

	device->generic = node->generic[0] && o->transport != SN_WAY_SYNC;
	if (o->transport == SN_WAY_ASYNC && !device->generic)
		return fe_error_set(
			err, -ENODEV,
			"%s: transport=async needs its node of sg (modprobe sg)",
			node->block);
	if (!node->block[0])
		device->generic = true;
	return find_path(device, device->generic ? node->generic : node->block,
			 err);
}

/* Once it is written, whoever had the disk in use has lost. */
static int claim(const struct thread_data *td, const struct sn_node *node,
		 struct fe_error *err)
{
	char path[80];

	if ((!td_write(td) && !td_trim(td)) || td->o.allow_mounted_write ||
	    !node->block[0])
		return 0;
	snprintf(path, sizeof(path), "/dev/%s", node->block);
	return fe_claim(path, err);
}

/* One block, as the job's commands will read it. */
static int try_ncq(const struct sn_device *device, int fd,
		   struct sn_outcome *outcome)
{
	const struct sn_modifiers queued = {.queued = true};
	const uint32_t bytes = device->identity.block_bytes;
	struct sn_command command;
	struct sn_cdb cdb;
	void *block;

	if (posix_memalign(&block, 4096, bytes))
		return -ENOMEM;
	sn_command_rw(&command, SN_READ, &queued, 0, 1);
	sn_cdb_ata(&cdb, &command);
	sn_execute(fd, &cdb, SN_FROM_DEVICE, block, bytes, 30000, outcome);
	free(block);
	return 0;
}

/* Said once a disk, however many jobs there are. */
static void say_translated(const struct sn_device *device)
{
	static char said[sizeof(device->path)];

	if (!strcmp(said, device->path))
		return;
	snprintf(said, sizeof(said), "%s", device->path);
	log_err("sata_ncq: %s: %s does not pass queued commands on: READ(16) and WRITE(16) are sent instead\n",
		device->path, device->node.driver);
}

static int refuse_ncq(const struct sn_device *device,
		      const struct sn_outcome *outcome, struct fe_error *err)
{
	const struct sn_node *node = &device->node;
	char text[200];

	if (node->libata && node->queue_depth == 1)
		return fe_error_set(
			err, -EOPNOTSUPP,
			"%s: NCQ is off in the kernel (queue_depth of /sys/block/%s/device is 1); ncq=0 does without",
			device->path, node->block);
	/* After errors, which queue_depth does not show. */
	if (node->libata)
		return fe_error_set(
			err, -EOPNOTSUPP,
			"%s: the kernel has turned NCQ off; 1 and then %u written to /sys/block/%s/device/queue_depth turn it on, ncq=0 does without",
			device->path, node->queue_depth, node->block);
	sn_outcome_text(outcome, text, sizeof(text));
	return fe_error_set(
		err, -EOPNOTSUPP,
		"%s: %s does not pass queued commands on (READ FPDMA QUEUED: %s); commands=scsi has them translated, ncq=0 does without NCQ",
		device->path, node->driver[0] ? node->driver : "the adapter",
		text);
}

/* A translation layer need not pass queued commands on. */
static int check_ncq(struct thread_data *td, struct sn_device *device, int fd,
		     struct fe_error *err)
{
	const struct sn_options *o = td->eo;
	struct sn_outcome outcome;
	int ret;

	if (!device->plan.queued || device->plan.scsi || !device->identity.ncq)
		return 0;
	ret = try_ncq(device, fd, &outcome);
	if (ret)
		return fe_error_set(err, ret, "out of memory");
	if (outcome.kind != SN_REFUSED)
		return 0; /* errors of the medium are the job's */
	if (o->commands != SN_COMMANDS_AUTO)
		return refuse_ncq(device, &outcome, err);
	device->plan.scsi = true;
	say_translated(device);
	return 0;
}

static void make_streams(struct sn_device *device)
{
	static const enum sn_op ops[SN_STREAMS] = {SN_READ, SN_WRITE, SN_TRIM};
	const bool used[SN_STREAMS] = {device->plan.reads, device->plan.writes,
				       device->plan.trims};

	for (int ddir = 0; ddir < SN_STREAMS; ddir++) {
		if (used[ddir])
			sn_stream_init(&device->streams[ddir], ops[ddir],
				       &device->identity, &device->plan,
				       &device->abilities);
	}
}

/* Refuses, or plans, what the job asks of the disk. */
static int plan(struct thread_data *td, struct sn_device *device, int fd,
		struct fe_error *err)
{
	struct fe_error reason = {""};
	int ret = sn_identify(fd, device->path, &device->identity, err);

	if (ret)
		return ret;
	sn_options_plan(td, &device->plan);
	ret = check_ncq(td, device, fd, err);
	if (ret)
		return ret;
	ret = sn_support_check(&device->identity, &device->node, &device->plan,
			       &device->abilities, &reason);
	if (ret)
		return fe_error_set(err, ret, "%s: %s", device->path,
				    reason.text);
	if (device->abilities.note[0])
		log_err("sata_ncq: %s: %s\n", device->path,
			device->abilities.note);
	make_streams(device);
	return claim(td, &device->node, err);
}

/* Said once, however many jobs there are. */
static void say_way(const struct thread_data *td,
		    const struct sn_device *device)
{
	const struct sn_options *o = td->eo;
	static bool said;

	if (said || device->generic || o->transport != SN_WAY_AUTO)
		return;
	said = true;
	log_err("sata_ncq: commands go by ioctl on threads: %s has no node of sg (modprobe sg)\n",
		device->path);
}

/* The node is open for a moment: jobs open it for themselves. */
static int look_at(struct thread_data *td, struct fio_file *file,
		   struct sn_device *device, struct fe_error *err)
{
	int fd, ret;

	ret = find_node(device, file->file_name, err);
	if (!ret)
		ret = choose_path(device, td->eo, err);
	if (ret)
		return ret;
	fd = sn_open_node(device->path, device->number, err);
	if (fd < 0)
		return fd;
	ret = plan(td, device, fd, err);
	close(fd);
	if (!ret)
		say_way(td, device);
	return ret;
}

int sn_device_attach(struct thread_data *td, struct fio_file *file)
{
	struct fe_error err = {""};
	struct sn_device *device;
	int ret;

	if (fe_check_job(td))
		return 1;
	if (sn_device_of(file))
		return 0;
	device = calloc(1, sizeof(*device));
	if (!device) {
		fe_error_set(&err, -ENOMEM, "out of memory");
		return fe_refuse(td, -ENOMEM, &err);
	}
	device->fd = -1;
	sn_list_init(&device->waiting);
	sn_list_init(&device->suspects);
	sn_list_init(&device->alone);
	ret = look_at(td, file, device, &err);
	if (ret) {
		free(device);
		/* With ENOENT fio would make a file of that name. */
		return fe_refuse(td, ret == -ENOENT ? -ENODEV : ret, &err);
	}
	device->users = sn_users_add(device->node.block, device->node.generic);
	file->real_file_size =
		device->identity.blocks * device->identity.block_bytes;
	fio_file_set_size_known(file);
	FILE_SET_ENG_DATA(file, device);
	return 0;
}

/* Much time may have passed, and names are given again after a hot plug. */
int sn_device_open(struct sn_device *device, struct fe_error *err)
{
	struct sn_identity now;
	int ret;

	device->fd = sn_open_node(device->path, device->number, err);
	if (device->fd < 0)
		return device->fd;
	ret = sn_identify(device->fd, device->path, &now, err);
	if (ret)
		return ret;
	if (strcmp(now.serial, device->identity.serial) ||
	    strcmp(now.model, device->identity.model) ||
	    now.blocks != device->identity.blocks)
		return fe_error_set(err, -ESTALE,
				    "%s is another disk than at the start",
				    device->path);
	return 0;
}

int sn_device_flush_cache(const struct sn_device *device)
{
	char path[80];
	int fd, ret = 0;

	if (!device->node.block[0])
		return 0;
	snprintf(path, sizeof(path), "/dev/%s", device->node.block);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || ioctl(fd, BLKFLSBUF, 0))
		ret = -errno;
	if (fd >= 0)
		close(fd);
	return ret;
}

void sn_device_release(struct sn_device *device)
{
	if (device->fd >= 0)
		close(device->fd);
	free(device);
}

bool sn_device_takes_ncq(const struct sn_device *device)
{
	struct sn_outcome outcome;

	return try_ncq(device, device->fd, &outcome) ||
	       outcome.kind != SN_REFUSED;
}

void sn_device_lose_ncq(struct sn_device *device)
{
	device->plan.queued = false;
	device->abilities.queued_trim = false;
	device->abilities.depth = 1;
	make_streams(device);
}
