/* SPDX-License-Identifier: GPL-2.0-only */
/* A SCSI command from when it comes until it is answered. */
#ifndef FAKE_SATA_REQUEST_H
#define FAKE_SATA_REQUEST_H

#include <sys/queue.h>

#include "passthrough.h"
#include "sense.h"
#include "transfer.h"

enum scsi_status {
	SCSI_GOOD = 0x00,
	SCSI_CHECK_CONDITION = 0x02,
	SCSI_BUSY = 0x08,
};

struct request {
	TAILQ_ENTRY(request) link;
	uint16_t id; /* whoever gave it knows it by */
	uint8_t cdb[CDB_BYTES];
	struct transfer transfer;

	/* For the drive. */
	struct passthrough ata; /* ->bytes is 0 for a translated command */
	uint8_t *payload;	/* of a translated one, or NULL */
	struct piece payload_piece;
	struct transfer drive_transfer;
	uint64_t sequence;
	uint64_t arrived_us;
	unsigned int outstanding; /* with the drive when it came there */
	uint8_t tag;
	bool silent; /* is never answered */

	/* The answer. */
	struct ata_result result;
	enum scsi_status status;
	uint8_t sense[SENSE_BYTES];
	size_t read; /* bytes that it was given */

	struct piece pieces[];
};

TAILQ_HEAD(request_list, request);

/* With a copy of the CDB and of the list of pieces.  NULL without memory. */
struct request *request_new(uint16_t id, const uint8_t cdb[CDB_BYTES],
			    const struct transfer *transfer);
void request_free(struct request *request);

/* Answers it: Check Condition with sense in fixed format, without data. */
void request_check(struct request *request, struct sense_code code);
/* Answers it: Good, with data, of which it may want less. */
void request_give(struct request *request, const void *bytes, size_t n,
		  size_t wanted);

#endif
