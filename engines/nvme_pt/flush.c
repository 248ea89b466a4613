/* SPDX-License-Identifier: GPL-2.0-only */
#include "flush.h"

#include <errno.h>
#include <libnvme.h>

int pt_flush(int fd, uint32_t nsid, uint32_t timeout_ms)
{
	struct nvme_passthru_cmd command = {
		.opcode = nvme_cmd_flush,
		.nsid = nsid,
		.timeout_ms = timeout_ms,
	};
	const int status = nvme_submit_io_passthru(fd, &command, NULL);

	return status < 0 ? -errno : status;
}
