/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ATA commands as a host builds them, before they are put into a CDB.  Knows
 * nothing of fio.  ACS: ATA/ATAPI Command Set 4 (INCITS 529).  SAT: SCSI/ATA
 * Translation 4 (INCITS 491).
 */
#ifndef SN_COMMAND_H
#define SN_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

enum sn_op {
	SN_READ,
	SN_WRITE,
	SN_TRIM,
	SN_FLUSH,
	SN_IDENTIFY, /* IDENTIFY DEVICE, ACS 7.13 */
	SN_READ_LOG, /* READ LOG EXT, ACS 7.24 */
};

/* PROTOCOL of ATA PASS-THROUGH, SAT 12.2.2.2 */
enum sn_protocol {
	SN_NON_DATA = 3,
	SN_PIO_IN = 4,
	SN_DMA = 6,
	SN_FPDMA = 12,
};

enum sn_direction {
	SN_NO_DATA,
	SN_FROM_DEVICE,
	SN_TO_DEVICE,
};

/* PRIO of the queued commands, ACS 7.22 (READ FPDMA QUEUED) */
enum sn_priority {
	SN_PRIO_NORMAL = 0,
	SN_PRIO_ISOCHRONOUS = 1, /* by a deadline, in icc */
	SN_PRIO_HIGH = 2,
};

struct sn_taskfile {
	uint16_t feature, count;
	uint64_t lba; /* 48 bits */
	uint8_t device, command;
	uint8_t icc;	    /* isochronous command completion, ACS 7.22 */
	uint32_t auxiliary; /* ACS 6.1 */
};

struct sn_command {
	struct sn_taskfile taskfile;
	enum sn_protocol protocol;
	enum sn_direction direction;
	/* What FEATURE (NCQ) or COUNT counts: logical blocks, or units of 512
	 * bytes. */
	bool in_blocks;
};

struct sn_modifiers {
	bool queued; /* FPDMA, else DMA EXT */
	bool fua;    /* force unit access; of reads only where queued */
	enum sn_priority priority; /* only where queued */
	uint8_t icc;
};

/* READ or WRITE; 1 to 65536 logical blocks. */
void sn_command_rw(struct sn_command *command, enum sn_op op,
		   const struct sn_modifiers *modifiers, uint64_t lba,
		   uint32_t blocks);

/*
 * DATA SET MANAGEMENT with TRIM (ACS 7.6), or SEND FPDMA QUEUED with the same
 * (ACS 7.27), whose ranges are in so many units of 512 bytes: sn_trim_ranges()
 */
void sn_command_trim(struct sn_command *command, bool queued, uint16_t units);

void sn_command_flush(struct sn_command *command); /* FLUSH CACHE EXT */
void sn_command_identify(struct sn_command *command);
/* `units` of 512 bytes from page `page` of log `address` on */
void sn_command_read_log(struct sn_command *command, uint8_t address,
			 uint16_t page, uint16_t units);

/* Most blocks that a range of TRIM, and ranges that 512 bytes, hold; ACS
 * 7.6.3. */
#define SN_TRIM_RANGE_BLOCKS 65535
#define SN_TRIM_RANGES 64

/*
 * Writes `units` x 512 bytes that name `blocks` from `lba` on, zeros after
 * them.  0, or -EMSGSIZE if they are too many for so many units.
 */
int sn_trim_ranges(uint8_t *bytes, unsigned int units, uint64_t lba,
		   uint64_t blocks);

#endif
