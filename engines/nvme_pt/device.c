/* SPDX-License-Identifier: GPL-2.0-only */
#include "device.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/claim.h"
#include "identify.h"
#include "support.h"
#include "transport.h"

/*
 * How many jobs of this fio share the tags of a controller: fio asks for the
 * sizes of all jobs' files before it starts the first job.
 */
static unsigned int *count_of(uint64_t tag_set)
{
	static struct user {
		struct user *next;
		uint64_t tag_set;
		unsigned int jobs;
	} * users;
	struct user *user;

	for (user = users; user; user = user->next) {
		if (user->tag_set == tag_set)
			return &user->jobs;
	}
	user = calloc(1, sizeof(*user));
	if (!user)
		return NULL;
	user->tag_set = tag_set;
	user->next = users;
	users = user;
	return &user->jobs;
}

static enum pt_op op_of(const struct pt_options *o, enum fio_ddir ddir)
{
	switch (ddir) {
	case DDIR_READ:
		return (enum pt_op)o->read_mode;
	case DDIR_WRITE:
		return (enum pt_op)o->write_mode;
	default:
		return PT_DEALLOCATE;
	}
}

/* Writes are read back even where the job itself does not read. */
static bool uses(struct thread_data *td, enum fio_ddir ddir)
{
	switch (ddir) {
	case DDIR_READ:
		return td_read(td) || td->o.verify != VERIFY_NONE;
	case DDIR_WRITE:
		return td_write(td);
	default:
		return td_trim(td) || td->o.trim_percentage;
	}
}

static int use_of(struct thread_data *td, enum fio_ddir ddir,
		  struct pt_use *use, struct fe_error *err)
{
	*use = (struct pt_use){
		.used = uses(td, ddir),
		.op = op_of(td->eo, ddir),
		.min_bytes = td->o.min_bs[ddir],
		.max_bytes = td->o.max_bs[ddir],
	};
	return pt_options_modifiers(td->eo, ddir, &use->modifiers, err);
}

/* What fio's verification can't hold against the commands. */
static int check_verify(struct thread_data *td, struct fe_error *err)
{
	const struct pt_options *o = td->eo;

	if (td->o.verify == VERIFY_NONE)
		return 0;
	if (o->read_mode != PT_READ)
		return fe_error_set(err, -EINVAL,
				    "verify= needs read_mode=read");
	if (!td_write(td) || o->write_mode == PT_WRITE)
		return 0;
	if (o->write_mode == PT_APPEND && td->o.iodepth == 1)
		return 0;
	return fe_error_set(
		err, -EINVAL,
		o->write_mode == PT_APPEND
			? "verify= with write_mode=append needs iodepth=1: the device chooses the order"
			: "verify= needs write_mode=write: other commands do not write what is verified");
}

static int check_edge(const struct pt_namespace *ns, const char *option,
		      unsigned long long bytes, struct fe_error *err)
{
	if (bytes % ns->block_bytes == 0)
		return 0;
	return fe_error_set(
		err, -EINVAL,
		"%s=%llu is no multiple of the logical block of %u bytes",
		option, bytes, ns->block_bytes);
}

/* Block sizes are for pt_support_check(). */
static int check_places(const struct thread_data *td,
			const struct pt_namespace *ns, struct fe_error *err)
{
	const int ret = check_edge(ns, "offset", td->o.start_offset, err);

	return ret ? ret
		   : check_edge(ns, "offset_increment", td->o.offset_increment,
				err);
}

/* md_pattern and md_check are about metadata beside protection information. */
static int check_metadata(const struct pt_options *o,
			  const struct pt_namespace *ns, struct fe_error *err)
{
	const char *option = o->md_check ? "md_check" : "md_pattern";

	if (!o->md_check && !o->md_pattern)
		return 0;
	if (!ns->metadata_bytes)
		return fe_error_set(
			err, -EOPNOTSUPP,
			"%s: the namespace is formatted without metadata (MS is 0)",
			option);
	if (ns->pi.type && ns->metadata_bytes == ns->pi.bytes)
		return fe_error_set(
			err, -EOPNOTSUPP,
			"%s: all metadata of the namespace is protection information",
			option);
	return 0;
}

/* What the job does with the namespace. */
static int make_plan(struct thread_data *td, struct pt_plan *plan,
		     struct fe_error *err)
{
	const struct pt_options *o = td->eo;
	int ret;

	*plan = (struct pt_plan){
		.split = o->max_transfer == 0,
		.copy_distance = o->copy_distance,
		.trim_ranges = o->trim_ranges,
		.poll = o->hipri,
	};
	ret = use_of(td, DDIR_READ, &plan->read, err);
	if (!ret)
		ret = use_of(td, DDIR_WRITE, &plan->write, err);
	if (!ret)
		ret = use_of(td, DDIR_TRIM, &plan->trim, err);
	return ret;
}

static int check(struct thread_data *td, const struct pt_device *device,
		 struct fe_error *err)
{
	const struct pt_options *o = td->eo;
	int ret;

	if (o->transport == PT_WAY_IO_URING && !device->generic)
		return fe_error_set(
			err, -EINVAL,
			"transport=io_uring needs the character device, /dev/ngXnY");
	ret = check_verify(td, err);
	if (!ret)
		ret = check_places(td, &device->ns, err);
	return ret ? ret : check_metadata(o, &device->ns, err);
}

static void make_stream(struct thread_data *td, struct pt_device *device,
			enum fio_ddir ddir, const struct pt_use *use)
{
	const struct pt_options *o = td->eo;
	struct pt_stream *stream = &device->streams[ddir];

	if (!use->used)
		return;
	stream->ns = &device->ns;
	stream->op = use->op;
	stream->modifiers = use->modifiers;
	stream->md_pattern = (uint8_t)o->md_pattern;
	stream->md_check = o->md_check;
	stream->copy_distance = o->copy_distance / device->ns.block_bytes;
	pt_stream_init(stream);
}

/* Refuses, or makes the streams of, what the job asks of the namespace. */
static int plan_streams(struct thread_data *td, struct pt_device *device,
			struct fe_error *err)
{
	struct pt_plan plan;
	int ret = check(td, device, err);

	if (!ret)
		ret = make_plan(td, &plan, err);
	if (!ret)
		ret = pt_support_check(&device->ns, &plan, err);
	if (ret)
		return ret;
	make_stream(td, device, DDIR_READ, &plan.read);
	make_stream(td, device, DDIR_WRITE, &plan.write);
	make_stream(td, device, DDIR_TRIM, &plan.trim);
	return 0;
}

/* Said once, however many jobs there are. */
static void say_way(struct thread_data *td, const struct pt_device *device,
		    const char *path)
{
	const struct pt_options *o = td->eo;
	struct fe_error reason = {""};
	static bool said;

	if (said || o->transport != PT_WAY_AUTO)
		return;
	if (!device->generic)
		fe_error_set(&reason, 0,
			     "%s is a block device (io_uring needs /dev/ngXnY)",
			     path);
	else if (pt_ring_available(&reason))
		return;
	said = true;
	log_err("nvme_pt: commands go by ioctl on threads: %s\n", reason.text);
}

/* Once it is written, whoever had the device in use has lost. */
static int claim(struct thread_data *td, int fd, const char *path,
		 struct fe_error *err)
{
	char block[64];
	int ret;

	if ((!td_write(td) && !td_trim(td)) || td->o.allow_mounted_write)
		return 0;
	ret = pt_block_device(fd, block, sizeof(block));
	if (ret == -ENODEV)
		return 0; /* none that could be in use */
	if (ret)
		return fe_error_set(err, ret,
				    "%s: its block device was not found: %s",
				    path, strerror(-ret));
	return fe_claim(block, err);
}

/* The node is open for a moment: jobs open it for themselves. */
static int look_at(struct thread_data *td, struct fio_file *file,
		   struct pt_device *device, struct fe_error *err)
{
	struct stat st;
	int fd, ret;

	fd = open(file->file_name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return fe_error_set(err, -errno, "%s: %s", file->file_name,
				    strerror(errno));
	ret = pt_identify(fd, file->file_name, &device->ns, err);
	if (!ret && fstat(fd, &st))
		ret = fe_error_set(err, -errno, "%s: %s", file->file_name,
				   strerror(errno));
	if (!ret) {
		device->generic = S_ISCHR(st.st_mode);
		device->node = st.st_rdev;
		ret = plan_streams(td, device, err);
	}
	if (!ret)
		ret = claim(td, fd, file->file_name, err);
	close(fd);
	if (ret)
		return ret;
	device->jobs = count_of(device->ns.tag_set);
	if (!device->jobs)
		return fe_error_set(err, -ENOMEM, "out of memory");
	++*device->jobs;
	return 0;
}

int pt_device_attach(struct thread_data *td, struct fio_file *file)
{
	struct fe_error err = {""};
	struct pt_device *device;
	int ret;

	if (fe_check_job(td))
		return 1;
	if (pt_device_of(file))
		return 0;
	device = calloc(1, sizeof(*device));
	if (!device) {
		fe_error_set(&err, -ENOMEM, "out of memory");
		return fe_refuse(td, -ENOMEM, &err);
	}
	device->fd = -1;
	ret = look_at(td, file, device, &err);
	if (ret) {
		free(device);
		/* With ENOENT fio would make a file of that name. */
		return fe_refuse(td, ret == -ENOENT ? -ENODEV : ret, &err);
	}
	say_way(td, device, file->file_name);
	file->real_file_size = device->ns.blocks * device->ns.block_bytes;
	fio_file_set_size_known(file);
	FILE_SET_ENG_DATA(file, device);
	return 0;
}

/* Much time may have passed, and numbers are given again after a hot plug. */
int pt_device_open(struct pt_device *device, const char *path, int flags,
		   struct fe_error *err)
{
	struct pt_namespace now;
	struct stat st;
	int ret;

	device->fd = open(path, flags | O_CLOEXEC);
	if (device->fd < 0 || fstat(device->fd, &st))
		return fe_error_set(err, -errno, "%s: %s", path,
				    strerror(errno));
	ret = pt_identify(device->fd, path, &now, err);
	if (ret)
		return ret;
	if (st.st_rdev != device->node || now.tag_set != device->ns.tag_set ||
	    now.nsid != device->ns.nsid || now.blocks != device->ns.blocks)
		return fe_error_set(err, -ENODEV,
				    "%s is another device than at the start",
				    path);
	return 0;
}

void pt_device_release(struct pt_device *device)
{
	if (device->fd >= 0)
		close(device->fd);
	free(device);
}
