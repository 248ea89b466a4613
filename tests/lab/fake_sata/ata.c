/* SPDX-License-Identifier: GPL-2.0-only */
#include "ata.h"

static const struct ata_kind kinds[] = {
	{ATA_DATA_SET_MANAGEMENT, ATA_DMA, ATA_TO_DRIVE, ATA_COUNT_PAGES},
	{ATA_READ_SECTORS_EXT, ATA_PIO_IN, ATA_TO_HOST, ATA_COUNT_BLOCKS},
	{ATA_READ_DMA_EXT, ATA_DMA, ATA_TO_HOST, ATA_COUNT_BLOCKS},
	{ATA_READ_LOG_EXT, ATA_PIO_IN, ATA_TO_HOST, ATA_COUNT_PAGES},
	{ATA_WRITE_SECTORS_EXT, ATA_PIO_OUT, ATA_TO_DRIVE, ATA_COUNT_BLOCKS},
	{ATA_WRITE_DMA_EXT, ATA_DMA, ATA_TO_DRIVE, ATA_COUNT_BLOCKS},
	{ATA_WRITE_DMA_FUA_EXT, ATA_DMA, ATA_TO_DRIVE, ATA_COUNT_BLOCKS},
	{ATA_READ_VERIFY_EXT, ATA_NON_DATA, ATA_NO_DATA, ATA_COUNT_BLOCKS},
	{ATA_READ_LOG_DMA_EXT, ATA_DMA, ATA_TO_HOST, ATA_COUNT_PAGES},
	{ATA_READ_FPDMA, ATA_FPDMA, ATA_TO_HOST, ATA_FEATURE_BLOCKS},
	{ATA_WRITE_FPDMA, ATA_FPDMA, ATA_TO_DRIVE, ATA_FEATURE_BLOCKS},
	{ATA_SEND_FPDMA, ATA_FPDMA, ATA_TO_DRIVE, ATA_FEATURE_PAGES},
	{ATA_RECEIVE_FPDMA, ATA_FPDMA, ATA_TO_HOST, ATA_FEATURE_PAGES},
	{ATA_STANDBY_IMMEDIATE, ATA_NON_DATA, ATA_NO_DATA, ATA_NOTHING},
	{ATA_CHECK_POWER_MODE, ATA_NON_DATA, ATA_NO_DATA, ATA_NOTHING},
	{ATA_FLUSH_CACHE, ATA_NON_DATA, ATA_NO_DATA, ATA_NOTHING},
	{ATA_FLUSH_CACHE_EXT, ATA_NON_DATA, ATA_NO_DATA, ATA_NOTHING},
	{ATA_IDENTIFY_DEVICE, ATA_PIO_IN, ATA_TO_HOST, ATA_ONE_PAGE},
};

const struct ata_kind *ata_kind_of(uint8_t opcode)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (kinds[i].opcode == opcode)
			return &kinds[i];
	}
	return NULL;
}

static uint32_t or_most(uint16_t amount)
{
	return amount ? amount : ATA_MOST_BLOCKS;
}

static enum ata_amount amount_of(const struct ata_command *command)
{
	const struct ata_kind *kind = ata_kind_of(command->opcode);

	return kind ? kind->amount : ATA_NOTHING;
}

uint32_t ata_blocks(const struct ata_command *command)
{
	switch (amount_of(command)) {
	case ATA_COUNT_BLOCKS:
		return or_most(command->count);
	case ATA_FEATURE_BLOCKS:
		return or_most(command->feature);
	default:
		return 0;
	}
}

uint64_t ata_bytes(const struct ata_command *command, uint32_t block_bytes)
{
	const struct ata_kind *kind = ata_kind_of(command->opcode);

	if (!kind || kind->direction == ATA_NO_DATA)
		return 0;
	switch (kind->amount) {
	case ATA_ONE_PAGE:
		return ATA_PAGE;
	case ATA_COUNT_PAGES:
		return (uint64_t)or_most(command->count) * ATA_PAGE;
	case ATA_FEATURE_PAGES:
		return (uint64_t)or_most(command->feature) * ATA_PAGE;
	default:
		return (uint64_t)ata_blocks(command) * block_bytes;
	}
}

uint8_t ata_tag_field(const struct ata_command *command)
{
	return command->protocol == ATA_FPDMA ? command->count >> 3 & 0x1f : 0;
}

uint8_t ata_priority(const struct ata_command *command)
{
	return command->protocol == ATA_FPDMA ? command->count >> 14 : 0;
}

bool ata_fua(const struct ata_command *command)
{
	if (command->opcode == ATA_WRITE_DMA_FUA_EXT)
		return true;
	return amount_of(command) == ATA_FEATURE_BLOCKS &&
	       (command->device & ATA_DEVICE_FUA);
}

bool ata_is_trim(const struct ata_command *command)
{
	if (command->opcode == ATA_DATA_SET_MANAGEMENT)
		return command->feature & ATA_TRIM;
	return command->opcode == ATA_SEND_FPDMA &&
	       (command->count >> 8 & 0x1f) == ATA_SEND_DSM &&
	       (command->auxiliary & ATA_TRIM);
}
