/* SPDX-License-Identifier: GPL-2.0-only */
/* What both transports begin with. */
#include "transport.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of linux/include/scsi/sg.h; C libraries leave it out. */
#ifndef SG_FLAG_Q_AT_TAIL
#define SG_FLAG_Q_AT_TAIL 0x10
#endif

bool sn_slots_new(struct sn_transport *transport, unsigned int n)
{
	transport->slots = calloc(n, sizeof(*transport->slots));
	if (!transport->slots)
		return false;
	transport->n_slots = n;
	for (unsigned int i = 0; i < n; i++) {
		struct sn_slot *slot = &transport->slots[i];

		slot->header.interface_id = 'S';
		slot->header.flags = SG_FLAG_Q_AT_TAIL;
		slot->header.cmdp = slot->cdb;
		slot->header.sbp = slot->sense;
		slot->header.mx_sb_len = sizeof(slot->sense);
	}
	return true;
}

int sn_open_node(const char *path, dev_t number, struct fe_error *err)
{
	/* sg writes commands, whatever they do. */
	const int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd < 0)
		return fe_error_set(err, -errno, "%s: %s", path,
				    strerrordesc_np(errno));
	if (fstat(fd, &st) || st.st_rdev != number) {
		close(fd);
		return fe_error_set(err, -ESTALE,
				    "%s is another device than at the start",
				    path);
	}
	if (fcntl(fd, F_SETFL, O_RDWR)) {
		const int ret = fe_error_set(err, -errno, "%s: %s", path,
					     strerrordesc_np(errno));

		close(fd);
		return ret;
	}
	return fd;
}
