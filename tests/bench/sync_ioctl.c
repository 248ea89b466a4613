/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A yardstick: passthrough by one ioctl at a time, as plain as it can be. Reads
 * only, and only of one namespace, which has no metadata.
 */
#include "common/fio_engine.h"

#include <linux/nvme_ioctl.h>
#include <sys/ioctl.h>

#define IDENTIFY 0x06	  /* Base Specification 5.17 */
#define READ_COMMAND 0x02 /* NVM Command Set 3.2.4 */

static struct {
	unsigned int nsid;
	unsigned int shift; /* of a logical block */
} space;

static int identify(const struct fio_file *f, unsigned long long *bytes)
{
	unsigned char data[4096] __attribute__((aligned(4096)));
	struct nvme_admin_cmd command = {
		.opcode = IDENTIFY,
		.addr = (uintptr_t)data,
		.data_len = sizeof(data),
	};
	int fd, nsid, ret;
	uint64_t blocks;

	fd = open(f->file_name, O_RDONLY);
	if (fd < 0)
		return -errno;
	nsid = ioctl(fd, NVME_IOCTL_ID);
	command.nsid = (unsigned int)nsid;
	ret = nsid < 0 ? nsid : ioctl(fd, NVME_IOCTL_ADMIN_CMD, &command);
	close(fd);
	if (ret)
		return -EIO;
	memcpy(&blocks, data, sizeof(blocks)); /* NSZE */
	space.nsid = command.nsid;
	/* LBADS of the format that FLBAS names */
	space.shift = data[128 + 4 * (data[26] & 15) + 2] & 31;
	*bytes = blocks << space.shift;
	return 0;
}

static int sync_ioctl_get_file_size(struct thread_data *td, struct fio_file *f)
{
	unsigned long long bytes;
	int ret;

	ret = identify(f, &bytes);
	if (ret) {
		td_verror(td, -ret, "sync_ioctl");
		return ret;
	}
	f->real_file_size = bytes;
	fio_file_set_size_known(f);
	return 0;
}

static int sync_ioctl_init(struct thread_data *td)
{
	return fe_check_job(td);
}

static enum fio_q_status sync_ioctl_queue(struct thread_data *td,
					  struct io_u *io_u)
{
	uint64_t slba = io_u->offset >> space.shift;
	struct nvme_passthru_cmd command = {
		.opcode = READ_COMMAND,
		.nsid = space.nsid,
		.addr = (uintptr_t)io_u->xfer_buf,
		.data_len = (unsigned int)io_u->xfer_buflen,
		.cdw10 = (unsigned int)slba,
		.cdw11 = (unsigned int)(slba >> 32),
		.cdw12 = (unsigned int)(io_u->xfer_buflen >> space.shift) - 1,
	};

	(void)td;
	if (ioctl(io_u->file->fd, NVME_IOCTL_IO_CMD, &command))
		io_u->error = EIO;
	return FIO_Q_COMPLETED;
}

FE_EXPORT struct ioengine_ops ioengine = {
	.name = FE_NAME,
	.version = FIO_IOOPS_VERSION,
	.flags = FIO_SYNCIO | FIO_RAWIO | FIO_NOEXTEND,
	.init = sync_ioctl_init,
	.queue = sync_ioctl_queue,
	.get_file_size = sync_ioctl_get_file_size,
	.open_file = generic_open_file,
	.close_file = generic_close_file,
};
