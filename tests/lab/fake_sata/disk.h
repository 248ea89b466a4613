/* SPDX-License-Identifier: GPL-2.0-only */
/* The drive: what it does with one ATA command. */
#ifndef FAKE_SATA_DISK_H
#define FAKE_SATA_DISK_H

#include "ata.h"
#include "log.h"
#include "options.h"
#include "transfer.h"

struct disk {
	const struct options *options;
	uint8_t *media; /* blocks x block_bytes */
	uint64_t commands, errors;
	struct log_error last_error;
};

void disk_init(struct disk *disk, const struct options *options,
	       uint8_t *media);

/* Whether the drive never answers this command. */
bool disk_is_silent(const struct disk *disk, const struct ata_command *command);

/* `tag` is what it has in the drive's queue.  *result says how it ended; bit 0
 * of its status is that it failed. */
void disk_execute(struct disk *disk, const struct ata_command *command,
		  uint8_t tag, const struct transfer *transfer,
		  struct ata_result *result);

/* Calls back for each range of a TRIM, until it returns false. */
typedef bool range_fn(void *context, uint64_t lba, uint32_t blocks);
void disk_ranges(const struct ata_command *command,
		 const struct transfer *transfer, range_fn *fn, void *context);

#endif
