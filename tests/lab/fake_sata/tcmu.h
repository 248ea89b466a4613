/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ring in which Linux's target_core_user gives SCSI commands to a program,
 * linux/target_core_user.h.  Answers may come in any order.
 */
#ifndef FAKE_SATA_TCMU_H
#define FAKE_SATA_TCMU_H

#include <stddef.h>
#include <stdint.h>

#include "request.h"

struct tcmu {
	int fd;
	uint8_t *map;
	size_t bytes;
	uint32_t next; /* where the first entry is that was not taken yet */
};

struct tcmu_event {
	struct request *request; /* NULL: commands are given up, see ->ids */
	const uint8_t *ids;	 /* of 16 bits, as this machine has them */
	uint32_t n_ids;
};

/* 0 or -errno; -EPROTONOSUPPORT if answers must come in order. */
int tcmu_open(struct tcmu *tcmu, const char *path, size_t bytes);
void tcmu_close(struct tcmu *tcmu);

/* 1 with the next event, 0 without one; -EBADMSG for a ring that can't be,
 * -ENOMEM. */
int tcmu_take(struct tcmu *tcmu, struct tcmu_event *event);

uint16_t tcmu_event_id(const struct tcmu_event *event, uint32_t n);

void tcmu_answer(struct tcmu *tcmu, const struct request *request);

/* Tells the kernel of the answers.  0 or -errno. */
int tcmu_kick(struct tcmu *tcmu);

#endif
