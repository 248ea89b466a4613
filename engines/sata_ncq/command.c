/* SPDX-License-Identifier: GPL-2.0-only */
#include "command.h"

#include <endian.h>
#include <errno.h>
#include <string.h>

/* ACS-4, the sections of these names. */
enum {
	DATA_SET_MANAGEMENT = 0x06,
	READ_DMA_EXT = 0x25,
	READ_LOG_EXT = 0x2f,
	WRITE_DMA_EXT = 0x35,
	WRITE_DMA_FUA_EXT = 0x3d,
	READ_FPDMA_QUEUED = 0x60,
	WRITE_FPDMA_QUEUED = 0x61,
	SEND_FPDMA_QUEUED = 0x64,
	FLUSH_CACHE_EXT = 0xea,
	IDENTIFY_DEVICE = 0xec,
};

/* DEVICE of READ and WRITE FPDMA QUEUED; in READ DMA EXT and the like, and in
 * SEND FPDMA QUEUED, bit 6 alone "shall be set to one". */
#define DEVICE_LBA (1u << 6)
#define DEVICE_FUA (1u << 7)

/* COUNT of READ and WRITE FPDMA QUEUED: 7:3 is the tag, which Linux fills in.
 */
#define PRIO_SHIFT 14
#define PRIO_MASK 3u

/* COUNT 12:8 of SEND FPDMA QUEUED */
#define SUBCOMMAND_DATA_SET_MANAGEMENT 0x00u
#define SUBCOMMAND_SHIFT 8

/* FEATURE of DATA SET MANAGEMENT, and AUXILIARY where it is a subcommand */
#define TRIM 1u

#define LBA_LIMIT (UINT64_C(1) << 48)

static void set_queued(struct sn_command *command, enum sn_op op,
		       const struct sn_modifiers *modifiers, uint32_t blocks)
{
	struct sn_taskfile *taskfile = &command->taskfile;
	const unsigned int priority = modifiers->priority & PRIO_MASK;

	command->protocol = SN_FPDMA;
	taskfile->command =
		op == SN_READ ? READ_FPDMA_QUEUED : WRITE_FPDMA_QUEUED;
	taskfile->feature = (uint16_t)blocks;
	taskfile->count = (uint16_t)(priority << PRIO_SHIFT);
	if (modifiers->fua)
		taskfile->device |= DEVICE_FUA;
	/* Reserved but with this priority. */
	if (priority == SN_PRIO_ISOCHRONOUS)
		taskfile->icc = modifiers->icc;
}

static void set_dma(struct sn_command *command, enum sn_op op,
		    const struct sn_modifiers *modifiers, uint32_t blocks)
{
	struct sn_taskfile *taskfile = &command->taskfile;

	command->protocol = SN_DMA;
	if (op == SN_READ)
		taskfile->command = READ_DMA_EXT;
	else
		taskfile->command =
			modifiers->fua ? WRITE_DMA_FUA_EXT : WRITE_DMA_EXT;
	taskfile->count = (uint16_t)blocks;
}

void sn_command_rw(struct sn_command *command, enum sn_op op,
		   const struct sn_modifiers *modifiers, uint64_t lba,
		   uint32_t blocks)
{
	*command = (struct sn_command){
		.taskfile = {.lba = lba, .device = DEVICE_LBA},
		.direction = op == SN_READ ? SN_FROM_DEVICE : SN_TO_DEVICE,
		.extended = true,
		.in_blocks = true,
	};
	/* In either of the fields 0 stands for 65536. */
	if (modifiers->queued)
		set_queued(command, op, modifiers, blocks);
	else
		set_dma(command, op, modifiers, blocks);
}

void sn_command_trim(struct sn_command *command, bool queued, uint16_t units)
{
	*command = (struct sn_command){
		.direction = SN_TO_DEVICE,
		.extended = true,
	};
	if (queued) {
		command->protocol = SN_FPDMA;
		command->taskfile = (struct sn_taskfile){
			.command = SEND_FPDMA_QUEUED,
			.feature = units,
			.count = SUBCOMMAND_DATA_SET_MANAGEMENT
				 << SUBCOMMAND_SHIFT,
			.device = DEVICE_LBA,
			.auxiliary = TRIM,
		};
	} else {
		command->protocol = SN_DMA;
		command->taskfile = (struct sn_taskfile){
			.command = DATA_SET_MANAGEMENT,
			.feature = TRIM,
			.count = units,
		};
	}
}

void sn_command_flush(struct sn_command *command)
{
	*command = (struct sn_command){
		.taskfile = {.command = FLUSH_CACHE_EXT},
		.protocol = SN_NON_DATA,
		.direction = SN_NO_DATA,
		.extended = true,
	};
}

void sn_command_identify(struct sn_command *command)
{
	/* COUNT means nothing to the drive; the translation layer has the
	 * length of the transfer from it. */
	*command = (struct sn_command){
		.taskfile = {.command = IDENTIFY_DEVICE, .count = 1},
		.protocol = SN_PIO_IN,
		.direction = SN_FROM_DEVICE,
	};
}

void sn_command_read_log(struct sn_command *command, uint8_t address,
			 uint16_t page, uint16_t units)
{
	/* LBA 7:0 is the address, 15:8 and 39:32 are the page. */
	const uint64_t lba = (uint64_t)(page >> 8) << 32 |
			     (uint64_t)(page & 0xff) << 8 | address;

	*command = (struct sn_command){
		.taskfile = {.command = READ_LOG_EXT,
			     .count = units,
			     .lba = lba},
		.protocol = SN_PIO_IN,
		.direction = SN_FROM_DEVICE,
		.extended = true,
	};
}

int sn_trim_ranges(uint8_t *bytes, unsigned int units, uint64_t lba,
		   uint64_t blocks)
{
	const uint64_t most =
		(uint64_t)units * SN_TRIM_RANGES * SN_TRIM_RANGE_BLOCKS;

	if (lba > LBA_LIMIT || blocks > LBA_LIMIT - lba)
		return -EINVAL;
	if (blocks > most)
		return -EMSGSIZE;
	memset(bytes, 0, (size_t)units * SN_TRIM_UNIT);
	for (; blocks; bytes += sizeof(uint64_t)) {
		const uint64_t now = blocks < SN_TRIM_RANGE_BLOCKS
					     ? blocks
					     : SN_TRIM_RANGE_BLOCKS;
		/* 47:0 the first block, 63:48 how many. */
		const uint64_t range = htole64(now << 48 | lba);

		memcpy(bytes, &range, sizeof(range));
		lba += now;
		blocks -= now;
	}
	return 0;
}
