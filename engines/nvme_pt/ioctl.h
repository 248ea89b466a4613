/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The inside of ioctl.c, for its test: what stands between the transport and
 * the kernel.
 */
#ifndef PT_IOCTL_H
#define PT_IOCTL_H

#include "transport.h"

/* libnvme's nvme_submit_io_passthru(): 0, a positive NVMe status, or -1 with
 * errno set. */
typedef int pt_ioctl_issue(int fd, struct nvme_passthru_cmd *command,
			   __u32 *result);

struct pt_transport *pt_ioctl_new_with(pt_ioctl_issue *issue,
				       const struct pt_transport_setup *setup,
				       unsigned int threads,
				       struct fe_error *err);

#endif
