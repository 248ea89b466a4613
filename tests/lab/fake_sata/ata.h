/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ATA commands as a drive takes them.  ACS: ATA/ATAPI Command Set 4 (INCITS
 * 529).  SAT: SCSI/ATA Translation 4 (INCITS 491).
 */
#ifndef FAKE_SATA_ATA_H
#define FAKE_SATA_ATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ATA_PAGE 512u
#define ATA_MOST_BLOCKS 65536u
#define ATA_TAGS 32

enum ata_opcode {
	ATA_DATA_SET_MANAGEMENT = 0x06,
	ATA_READ_SECTORS_EXT = 0x24,
	ATA_READ_DMA_EXT = 0x25,
	ATA_READ_LOG_EXT = 0x2f,
	ATA_WRITE_SECTORS_EXT = 0x34,
	ATA_WRITE_DMA_EXT = 0x35,
	ATA_WRITE_DMA_FUA_EXT = 0x3d,
	ATA_READ_VERIFY_EXT = 0x42,
	ATA_READ_LOG_DMA_EXT = 0x47,
	ATA_READ_FPDMA = 0x60,
	ATA_WRITE_FPDMA = 0x61,
	ATA_SEND_FPDMA = 0x64,
	ATA_RECEIVE_FPDMA = 0x65,
	ATA_STANDBY_IMMEDIATE = 0xe0,
	ATA_CHECK_POWER_MODE = 0xe5,
	ATA_FLUSH_CACHE = 0xe7,
	ATA_FLUSH_CACHE_EXT = 0xea,
	ATA_IDENTIFY_DEVICE = 0xec,
};

/* PROTOCOL of ATA PASS-THROUGH, SAT 12.2.2.2 */
enum ata_protocol {
	ATA_NON_DATA = 3,
	ATA_PIO_IN = 4,
	ATA_PIO_OUT = 5,
	ATA_DMA = 6,
	ATA_UDMA_IN = 10,
	ATA_UDMA_OUT = 11,
	ATA_FPDMA = 12,
};

enum ata_direction {
	ATA_NO_DATA,
	ATA_TO_HOST,
	ATA_TO_DRIVE,
};

/* STATUS and ERROR, ACS 6.2 and 6.3 */
#define ATA_READY 0x50
#define ATA_FAILED 0x51
#define ATA_SENSE_AVAILABLE 0x02
#define ATA_UNC 0x40
#define ATA_IDNF 0x10
#define ATA_ABRT 0x04

#define ATA_DEVICE_LBA 0x40
#define ATA_DEVICE_FUA 0x80 /* of the queued commands */

/* DATA SET MANAGEMENT and SEND FPDMA QUEUED with it, ACS 7.6 and 7.27 */
#define ATA_TRIM 0x1
#define ATA_SEND_DSM 0x00
#define ATA_RECEIVE_LOG 0x01

struct ata_command {
	enum ata_protocol protocol;
	uint16_t feature, count;
	uint64_t lba; /* 48 bits */
	uint8_t device, opcode;
	uint8_t icc;
	uint32_t auxiliary;
};

struct ata_result {
	uint8_t status, error, device;
	uint16_t count;
	uint64_t lba;
	size_t bytes; /* that the host was given */
};

/* Where a command has its amount, and in which unit. */
enum ata_amount {
	ATA_NOTHING,
	ATA_ONE_PAGE, /* of 512 bytes */
	ATA_COUNT_PAGES,
	ATA_FEATURE_PAGES,
	ATA_COUNT_BLOCKS,
	ATA_FEATURE_BLOCKS,
};

struct ata_kind {
	enum ata_opcode opcode;
	enum ata_protocol protocol;
	enum ata_direction direction;
	enum ata_amount amount;
};

/* NULL for a command that the drive does not have. */
const struct ata_kind *ata_kind_of(uint8_t opcode);

/* Logical blocks that a read, write or verify is about; 0 for others. */
uint32_t ata_blocks(const struct ata_command *command);

/* Bytes that the command transfers. */
uint64_t ata_bytes(const struct ata_command *command, uint32_t block_bytes);

/* The fields of queued commands, ACS 7.22; 0 for others. */
uint8_t ata_tag_field(const struct ata_command *command);
uint8_t ata_priority(const struct ata_command *command);

bool ata_fua(const struct ata_command *command);

/* TRIM by either command. */
bool ata_is_trim(const struct ata_command *command);

#endif
