/* SPDX-License-Identifier: GPL-2.0-only */
#include "translate.h"

#include "bytes.h"
#include "identify.h"

#include <stdlib.h>

enum {
	READ_10 = 0x28,
	WRITE_10 = 0x2a,
	SYNCHRONIZE_CACHE_10 = 0x35,
	UNMAP = 0x42,
	READ_16 = 0x88,
	WRITE_16 = 0x8a,
	SYNCHRONIZE_CACHE_16 = 0x91,
};

#define UNMAP_HEAD 8
#define UNMAP_DESCRIPTOR 16
#define RANGE_BLOCKS 65535u
#define PAYLOAD_BYTES (FAKE_TRIM_PAGES * ATA_PAGE)

bool translate_knows(uint8_t opcode)
{
	switch (opcode) {
	case READ_10:
	case WRITE_10:
	case SYNCHRONIZE_CACHE_10:
	case UNMAP:
	case READ_16:
	case WRITE_16:
	case SYNCHRONIZE_CACHE_16:
		return true;
	}
	return false;
}

static enum satl_way refuse(struct request *request, struct sense_code code)
{
	request_check(request, code);
	return SATL_ANSWERED;
}

static void set_command(struct ata_command *command, bool write, bool fua,
			bool ncq, uint64_t lba, uint32_t blocks)
{
	*command = (struct ata_command){
		.lba = lba,
		.device = ATA_DEVICE_LBA,
		.protocol = ncq ? ATA_FPDMA : ATA_DMA,
	};
	if (ncq) {
		command->opcode = write ? ATA_WRITE_FPDMA : ATA_READ_FPDMA;
		command->feature = (uint16_t)blocks;
		if (fua)
			command->device |= ATA_DEVICE_FUA;
		return;
	}
	command->count = (uint16_t)blocks;
	command->opcode = ATA_READ_DMA_EXT;
	if (write)
		command->opcode =
			fua ? ATA_WRITE_DMA_FUA_EXT : ATA_WRITE_DMA_EXT;
}

static enum satl_way read_or_write(const struct options *options, bool ncq,
				   struct request *request)
{
	const uint8_t *cdb = request->cdb;
	const bool wide = cdb[0] >= READ_16;
	const bool write = cdb[0] == WRITE_10 || cdb[0] == WRITE_16;
	const uint64_t lba = wide ? get_be(cdb + 2, 8) : get_be(cdb + 2, 4);
	const uint64_t blocks = wide ? get_be(cdb + 10, 4) : get_be(cdb + 7, 2);

	if (lba > options->blocks || blocks > options->blocks - lba)
		return refuse(request, sense_out_of_range);
	if (blocks > ATA_MOST_BLOCKS ||
	    blocks * options->block_bytes > transfer_bytes(&request->transfer))
		return refuse(request, sense_invalid_field);
	if (!blocks)
		return SATL_ANSWERED;
	set_command(&request->ata.command, write, cdb[1] & 0x08, ncq, lba,
		    (uint32_t)blocks);
	return SATL_TO_DRIVE;
}

static enum satl_way flush(struct request *request)
{
	request->ata.command = (struct ata_command){
		.protocol = ATA_NON_DATA,
		.device = ATA_DEVICE_LBA,
		.opcode = ATA_FLUSH_CACHE_EXT,
	};
	return SATL_TO_DRIVE;
}

/* Ranges of TRIM for one of UNMAP, from *used bytes of the payload on. */
static bool add_ranges(uint8_t *payload, size_t *used, uint64_t lba,
		       uint64_t blocks)
{
	while (blocks) {
		const uint64_t part =
			blocks < RANGE_BLOCKS ? blocks : RANGE_BLOCKS;

		if (*used == PAYLOAD_BYTES || lba >> 48)
			return false;
		put_le(payload + *used, 8, lba | part << 48);
		*used += 8;
		lba += part;
		blocks -= part;
	}
	return true;
}

/* False for what is no UNMAP parameter list, SBC-4 5.39. */
static bool unmap_ranges(const struct request *request, uint8_t *payload,
			 size_t *used)
{
	uint8_t head[UNMAP_HEAD + 256 * UNMAP_DESCRIPTOR] = {0};
	const size_t length = get_be(request->cdb + 7, 2);
	const size_t got =
		transfer_get(&request->transfer, head,
			     length < sizeof(head) ? length : sizeof(head));
	size_t described;

	if (got < UNMAP_HEAD)
		return false;
	described = get_be(head + 2, 2);
	if (described % UNMAP_DESCRIPTOR || described > got - UNMAP_HEAD)
		return false;
	for (size_t at = UNMAP_HEAD; at < UNMAP_HEAD + described;
	     at += UNMAP_DESCRIPTOR) {
		if (!add_ranges(payload, used, get_be(head + at, 8),
				get_be(head + at + 8, 4)))
			return false;
	}
	return true;
}

static enum satl_way unmap(struct request *request)
{
	size_t used = 0;
	uint16_t pages;

	if (!get_be(request->cdb + 7, 2))
		return SATL_ANSWERED;
	request->payload = calloc(1, PAYLOAD_BYTES);
	if (!request->payload) {
		request->status = SCSI_BUSY;
		return SATL_ANSWERED;
	}
	if (!unmap_ranges(request, request->payload, &used))
		return refuse(request, sense_invalid_list);
	if (!used)
		return SATL_ANSWERED;
	pages = (uint16_t)((used + ATA_PAGE - 1) / ATA_PAGE);
	request->payload_piece =
		(struct piece){request->payload, (size_t)pages * ATA_PAGE};
	request->drive_transfer = (struct transfer){&request->payload_piece, 1};
	request->ata.command = (struct ata_command){
		.protocol = ATA_DMA,
		.device = ATA_DEVICE_LBA,
		.opcode = ATA_DATA_SET_MANAGEMENT,
		.feature = ATA_TRIM,
		.count = pages,
	};
	return SATL_TO_DRIVE;
}

enum satl_way translate(const struct options *options, bool ncq,
			struct request *request)
{
	switch (request->cdb[0]) {
	case SYNCHRONIZE_CACHE_10:
	case SYNCHRONIZE_CACHE_16:
		return flush(request);
	case UNMAP:
		return unmap(request);
	default:
		return read_or_write(options, ncq, request);
	}
}
