/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ATA commands as a host builds them, before they are put into a CDB.  Knows
 * nothing of fio.  ACS: ATA/ATAPI Command Set 4 (INCITS 529).  SAT: SCSI/ATA
 * Translation 4 (INCITS 491).  Commands are those of the sections that have
 * their names, as their numbers change between revisions.
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
	SN_IDENTIFY, /* IDENTIFY DEVICE */
	SN_READ_LOG, /* READ LOG EXT */
};

/* PROTOCOL of ATA PASS-THROUGH, SAT 12.2.2 */
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

/* PRIO, bits 15:14 of COUNT: ACS, READ FPDMA QUEUED */
enum sn_priority {
	SN_PRIO_NORMAL = 0,
	SN_PRIO_ISOCHRONOUS = 1, /* by a deadline, in icc */
	SN_PRIO_HIGH = 2,
};

struct sn_taskfile {
	uint16_t feature, count;
	uint64_t lba; /* 48 bits */
	uint8_t device, command;
	uint8_t icc;	    /* isochronous command completion */
	uint32_t auxiliary; /* of 48-bit commands */
};

struct sn_command {
	struct sn_taskfile taskfile;
	enum sn_protocol protocol;
	enum sn_direction direction;
	bool extended; /* a 48-bit command; else the high bytes of its fields
			* do not count */
	/* What FEATURE (NCQ) or COUNT counts: logical blocks, or units of 512
	 * bytes. */
	bool in_blocks;
};

struct sn_modifiers {
	bool queued; /* FPDMA, else DMA EXT */
	bool fua;    /* force unit access; of reads only where queued */
	enum sn_priority priority; /* only where queued */
	uint8_t icc;		   /* only with SN_PRIO_ISOCHRONOUS */
};

/* SN_READ or SN_WRITE; 1 to 65536 logical blocks below 2^48.  The tag is left
 * 0: Linux fills in its own. */
void sn_command_rw(struct sn_command *command, enum sn_op op,
		   const struct sn_modifiers *modifiers, uint64_t lba,
		   uint32_t blocks);

/*
 * DATA SET MANAGEMENT with TRIM, or SEND FPDMA QUEUED with the same as its
 * subcommand, whose ranges are in so many units of 512 bytes: sn_trim_ranges().
 */
void sn_command_trim(struct sn_command *command, bool queued, uint16_t units);

void sn_command_flush(struct sn_command *command); /* FLUSH CACHE EXT */
void sn_command_identify(struct sn_command *command);
/* `units` of 512 bytes from page `page` of log `address` on */
void sn_command_read_log(struct sn_command *command, uint8_t address,
			 uint16_t page, uint16_t units);

/* Most blocks that a range of TRIM, and ranges that a unit, hold: ACS, DATA SET
 * MANAGEMENT, LBA Range Entries. */
#define SN_TRIM_RANGE_BLOCKS 65535
#define SN_TRIM_RANGES 64
#define SN_TRIM_UNIT 512

/*
 * Writes `units` x 512 bytes that name `blocks` from `lba` on, zeros after
 * them.  0, or with nothing written -EMSGSIZE if they are too many for so many
 * units, -EINVAL if they pass 2^48.
 */
int sn_trim_ranges(uint8_t *bytes, unsigned int units, uint64_t lba,
		   uint64_t blocks);

#endif
