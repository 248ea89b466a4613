/* SPDX-License-Identifier: GPL-2.0-only */
#include "disk.h"

#include "bytes.h"
#include "identify.h"

#include <string.h>

void disk_init(struct disk *disk, const struct options *options, uint8_t *media)
{
	*disk = (struct disk){.options = options, .media = media};
	if (options->stale_log) {
		disk->last_error = (struct log_error){
			.valid = true,
			.tag = ATA_TAGS - 1,
			.result = {.status = ATA_FAILED & ~0x10,
				   .error = ATA_UNC,
				   .device = ATA_DEVICE_LBA,
				   .lba = options->blocks - 1},
		};
	}
}

bool disk_is_silent(const struct disk *disk, const struct ata_command *command)
{
	return lba_list_hits(&disk->options->silent, command->lba,
			     ata_blocks(command), NULL);
}

static void fail(struct ata_result *result, uint8_t error, uint64_t lba)
{
	result->status = ATA_FAILED;
	result->error = error;
	result->lba = lba;
}

static bool in_range(const struct disk *disk, uint64_t lba, uint64_t blocks)
{
	const uint64_t all = disk->options->blocks;

	return lba <= all && blocks <= all - lba;
}

/* False if the blocks are not there, or one of them is bad. */
static bool reach(const struct disk *disk, const struct ata_command *command,
		  struct ata_result *result)
{
	uint64_t bad;

	if (!in_range(disk, command->lba, ata_blocks(command))) {
		fail(result, ATA_IDNF, command->lba);
		return false;
	}
	if (lba_list_hits(&disk->options->bad, command->lba,
			  ata_blocks(command), &bad)) {
		fail(result, ATA_UNC, bad);
		return false;
	}
	return true;
}

static void read_or_write(struct disk *disk, const struct ata_command *command,
			  const struct transfer *transfer,
			  struct ata_result *result)
{
	const uint32_t block = disk->options->block_bytes;
	const size_t bytes = (size_t)ata_blocks(command) * block;
	uint8_t *at;

	if (!reach(disk, command, result))
		return;
	at = disk->media + command->lba * block;
	switch (ata_kind_of(command->opcode)->direction) {
	case ATA_TO_HOST:
		result->bytes = transfer_put(transfer, at, bytes);
		break;
	case ATA_TO_DRIVE:
		transfer_get(transfer, at, bytes);
		break;
	case ATA_NO_DATA:
		break;
	}
}

void disk_ranges(const struct ata_command *command,
		 const struct transfer *transfer, range_fn *fn, void *context)
{
	uint8_t pages[FAKE_TRIM_PAGES * ATA_PAGE];
	const uint64_t wanted = ata_bytes(command, 0);
	const size_t most = wanted < sizeof(pages) ? wanted : sizeof(pages);
	const size_t bytes = transfer_get(transfer, pages, most);

	for (size_t at = 0; at + 8 <= bytes; at += 8) {
		const uint64_t range = get_le(pages + at, 8);
		const uint32_t blocks = (uint32_t)(range >> 48);

		if (blocks && !fn(context, range & 0xffffffffffff, blocks))
			return;
	}
}

struct trim {
	struct disk *disk;
	bool outside;
};

static bool check_range(void *context, uint64_t lba, uint32_t blocks)
{
	struct trim *trim = context;

	trim->outside = !in_range(trim->disk, lba, blocks);
	return !trim->outside;
}

static bool zero_range(void *context, uint64_t lba, uint32_t blocks)
{
	const struct trim *trim = context;
	const uint32_t block = trim->disk->options->block_bytes;

	memset(trim->disk->media + lba * block, 0, (size_t)blocks * block);
	return true;
}

static void trim_blocks(struct disk *disk, const struct ata_command *command,
			const struct transfer *transfer,
			struct ata_result *result)
{
	struct trim trim = {.disk = disk};

	if (!ata_is_trim(command) ||
	    ata_bytes(command, 0) > FAKE_TRIM_PAGES * ATA_PAGE) {
		fail(result, ATA_ABRT, command->lba);
		return;
	}
	disk_ranges(command, transfer, check_range, &trim);
	if (trim.outside)
		fail(result, ATA_IDNF, command->lba);
	else
		disk_ranges(command, transfer, zero_range, &trim);
}

/* ACS 7.24: bits 7:0 of LBA are the log's address, 15:8 and 39:32 the first
 * page.  Each log here has one. */
static void read_log(struct disk *disk, const struct ata_command *command,
		     const struct transfer *transfer, struct ata_result *result)
{
	const uint8_t address = (uint8_t)command->lba;
	const bool first =
		!(command->lba >> 8 & 0xff) && !(command->lba >> 32 & 0xff);
	uint8_t page[ATA_PAGE];

	if (disk->options->no_log || !first ||
	    ata_bytes(command, 0) != ATA_PAGE ||
	    !log_fill(disk->options, address, &disk->last_error, disk->commands,
		      page)) {
		fail(result, ATA_ABRT, command->lba);
		return;
	}
	result->bytes = transfer_put(transfer, page, sizeof(page));
	if (address == LOG_NCQ_ERROR && !disk->options->stale_log)
		disk->last_error.valid = false;
}

static void identify(const struct disk *disk, const struct transfer *transfer,
		     struct ata_result *result)
{
	uint8_t page[ATA_PAGE];

	identify_fill(disk->options, page);
	result->bytes = transfer_put(transfer, page, sizeof(page));
}

static void dispatch(struct disk *disk, const struct ata_command *command,
		     const struct transfer *transfer, struct ata_result *result)
{
	const bool queued = command->protocol == ATA_FPDMA;

	if (queued && disk->options->no_ncq) {
		fail(result, ATA_ABRT, command->lba);
		return;
	}
	switch (command->opcode) {
	case ATA_READ_SECTORS_EXT:
	case ATA_READ_DMA_EXT:
	case ATA_READ_VERIFY_EXT:
	case ATA_READ_FPDMA:
	case ATA_WRITE_SECTORS_EXT:
	case ATA_WRITE_DMA_EXT:
	case ATA_WRITE_DMA_FUA_EXT:
	case ATA_WRITE_FPDMA:
		read_or_write(disk, command, transfer, result);
		return;
	case ATA_SEND_FPDMA:
		if (!disk->options->send_receive)
			break;
		/* fall through */
	case ATA_DATA_SET_MANAGEMENT:
		trim_blocks(disk, command, transfer, result);
		return;
	case ATA_RECEIVE_FPDMA:
		if (!disk->options->send_receive ||
		    (command->count >> 8 & 0x1f) != ATA_RECEIVE_LOG)
			break;
		/* fall through */
	case ATA_READ_LOG_EXT:
	case ATA_READ_LOG_DMA_EXT:
		read_log(disk, command, transfer, result);
		return;
	case ATA_IDENTIFY_DEVICE:
		identify(disk, transfer, result);
		return;
	case ATA_CHECK_POWER_MODE:
		result->count = 0xff; /* active */
		return;
	case ATA_STANDBY_IMMEDIATE:
	case ATA_FLUSH_CACHE:
	case ATA_FLUSH_CACHE_EXT:
		return;
	}
	fail(result, ATA_ABRT, command->lba);
}

void disk_execute(struct disk *disk, const struct ata_command *command,
		  uint8_t tag, const struct transfer *transfer,
		  struct ata_result *result)
{
	*result = (struct ata_result){
		.status = ATA_READY,
		.device = ATA_DEVICE_LBA,
		.lba = command->lba,
	};
	disk->commands++;
	dispatch(disk, command, transfer, result);
	if (!(result->status & 1))
		return;
	disk->errors++;
	if (disk->options->autosense && (result->error & ATA_UNC))
		result->status |= ATA_SENSE_AVAILABLE;
	if (command->protocol != ATA_FPDMA)
		return;
	result->status &= (uint8_t)~0x10; /* as drives do: 41h */
	if (!disk->options->stale_log)
		disk->last_error = (struct log_error){true, tag, *result};
}
