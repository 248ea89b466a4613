/* SPDX-License-Identifier: GPL-2.0-only */
#include "request.h"

#include <stdlib.h>
#include <string.h>

struct request *request_new(uint16_t id, const uint8_t cdb[CDB_BYTES],
			    const struct transfer *transfer)
{
	const size_t bytes = transfer->n * sizeof(struct piece);
	struct request *request = calloc(1, sizeof(*request) + bytes);

	if (!request)
		return NULL;
	request->id = id;
	memcpy(request->cdb, cdb, CDB_BYTES);
	if (bytes)
		memcpy(request->pieces, transfer->pieces, bytes);
	request->transfer = (struct transfer){request->pieces, transfer->n};
	request->drive_transfer = request->transfer;
	return request;
}

void request_free(struct request *request)
{
	free(request->payload);
	free(request);
}

void request_check(struct request *request, struct sense_code code)
{
	sense_fixed(request->sense, code, NULL);
	request->status = SCSI_CHECK_CONDITION;
	request->read = 0;
}

void request_give(struct request *request, const void *bytes, size_t n,
		  size_t wanted)
{
	request->status = SCSI_GOOD;
	request->read = transfer_put(&request->transfer, bytes,
				     n < wanted ? n : wanted);
}
