/* SPDX-License-Identifier: GPL-2.0-only */
#include "zoned.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "device.h"
#include "zones.h"

/* fio asks before and while the job has the device open.  -1: errno says why;
 * to be given back to put_fd(). */
static int get_fd(const struct fio_file *file, int flags)
{
	const struct pt_device *device = pt_device_of(file);

	if (device->fd >= 0)
		return device->fd;
	return open(file->file_name, flags | O_CLOEXEC);
}

static void put_fd(const struct fio_file *file, int fd)
{
	if (fd != pt_device_of(file)->fd)
		close(fd);
}

static int complain(const struct fio_file *file, int code,
		    const struct fe_error *err)
{
	log_err("nvme_pt: %s: %s\n", file->file_name,
		err->text[0] ? err->text : strerror(-code));
	errno = -code; /* fio looks there */
	return code;
}

int pt_get_zoned_model(struct thread_data *td, struct fio_file *file,
		       enum zbd_zoned_model *model)
{
	(void)td;
	*model = pt_device_of(file)->ns.csi == PT_CSI_ZNS ? ZBD_HOST_MANAGED
							  : ZBD_NONE;
	return 0;
}

static void tell_fio(struct zbd_zone *to, const struct pt_zone *from)
{
	/* Zone states of NVMe and conditions of fio have the same numbers. */
	*to = (struct zbd_zone){
		.start = from->start,
		.wp = from->write_pointer,
		.len = from->length,
		.capacity = from->capacity,
		.type = ZBD_ZONE_TYPE_SWR,
		.cond = (enum zbd_zone_cond)from->state,
	};
}

int pt_report_zones(struct thread_data *td, struct fio_file *file,
		    uint64_t offset, struct zbd_zone *zones,
		    unsigned int n_zones)
{
	const struct pt_device *device = pt_device_of(file);
	struct pt_zone *found = calloc(n_zones, sizeof(*found));
	struct fe_error err = {""};
	int fd, n;

	(void)td;
	if (!found)
		return complain(file, -ENOMEM, &err);
	fd = get_fd(file, O_RDONLY);
	if (fd < 0) {
		free(found);
		return complain(file, -errno, &err);
	}
	n = pt_zones_report(fd, &device->ns, offset, found, n_zones, &err);
	for (int i = 0; i < n; i++)
		tell_fio(&zones[i], &found[i]);
	put_fd(file, fd);
	free(found);
	return n < 0 ? complain(file, n, &err) : n;
}

int pt_reset_wp(struct thread_data *td, struct fio_file *file, uint64_t offset,
		uint64_t length)
{
	const struct pt_device *device = pt_device_of(file);
	struct fe_error err = {""};
	const int fd = get_fd(file, O_RDWR);
	int ret;

	(void)td;
	if (fd < 0)
		return complain(file, -errno, &err);
	ret = pt_zones_reset(fd, &device->ns, offset, length, &err);
	put_fd(file, fd);
	return ret ? complain(file, ret, &err) : 0;
}

int pt_get_max_open_zones(struct thread_data *td, struct fio_file *file,
			  unsigned int *max_open_zones)
{
	(void)td;
	*max_open_zones = pt_device_of(file)->ns.max_open;
	return 0;
}
