/* SPDX-License-Identifier: GPL-2.0-only */
/* The SCSI/ATA translation layer, as SAT describes it. */
#ifndef FAKE_SATA_SATL_H
#define FAKE_SATA_SATL_H

#include "disk.h"
#include "request.h"

enum satl_way {
	SATL_ANSWERED, /* is done, the drive has nothing to do with it */
	SATL_REFUSED,  /* is done: an ATA command that was not let through */
	SATL_TO_DRIVE, /* what is in ->ata is for the drive */
};

enum satl_way satl_take(const struct disk *disk, struct request *request);

/* Answers a request from ->result, where the drive has said how it ended. */
void satl_finish(struct request *request);
/* Answers one that ended because another one failed. */
void satl_abort(struct request *request);
/* Answers one when the drive is gone. */
void satl_gone(struct request *request);

#endif
