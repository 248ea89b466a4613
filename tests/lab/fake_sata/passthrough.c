/* SPDX-License-Identifier: GPL-2.0-only */
#include "passthrough.h"

#include "bytes.h"

#define OPCODE_16 0x85
#define OPCODE_VARIABLE 0x7f
#define SERVICE_ACTION_32 0x1ff0

static void flags(const uint8_t *at, struct passthrough *pt)
{
	pt->command.protocol = at[0] >> 1 & 0xf;
	pt->check_condition = at[1] & 0x20;
	pt->in_blocks = at[1] & 0x10;
	pt->to_host = at[1] & 0x08;
	pt->in_units = at[1] & 0x04;
	pt->length = at[1] & 0x03;
}

static void decode_16(const uint8_t *cdb, struct passthrough *pt)
{
	struct ata_command *command = &pt->command;

	pt->bytes = 16;
	flags(cdb + 1, pt);
	command->feature = (uint16_t)get_be(cdb + 3, 2);
	command->count = (uint16_t)get_be(cdb + 5, 2);
	for (unsigned int i = 0; i < 3; i++) {
		command->lba |= (uint64_t)cdb[7 + 2 * i] << (24 + 8 * i);
		command->lba |= (uint64_t)cdb[8 + 2 * i] << 8 * i;
	}
	command->device = cdb[13];
	command->opcode = cdb[14];
	if (!(cdb[1] & 1)) { /* EXTEND: registers of 8 bits */
		command->feature &= 0xff;
		command->count &= 0xff;
		command->lba &= 0xffffff;
	}
}

static void decode_32(const uint8_t *cdb, struct passthrough *pt)
{
	struct ata_command *command = &pt->command;

	pt->bytes = 32;
	flags(cdb + 10, pt);
	command->lba = get_be(cdb + 14, 6);
	command->feature = (uint16_t)get_be(cdb + 20, 2);
	command->count = (uint16_t)get_be(cdb + 22, 2);
	command->device = cdb[24];
	command->opcode = cdb[25];
	command->icc = cdb[27];
	command->auxiliary = (uint32_t)get_be(cdb + 28, 4);
}

bool passthrough_decode(const uint8_t cdb[CDB_BYTES],
			struct passthrough *passthrough)
{
	*passthrough = (struct passthrough){0};
	if (cdb[0] == OPCODE_16)
		decode_16(cdb, passthrough);
	else if (cdb[0] == OPCODE_VARIABLE && cdb[7] == CDB_BYTES - 8 &&
		 get_be(cdb + 8, 2) == SERVICE_ACTION_32)
		decode_32(cdb, passthrough);
	else
		return false;
	return true;
}

static bool protocol_is(enum ata_protocol is, const struct ata_kind *kind)
{
	if (is == kind->protocol)
		return true;
	if (kind->protocol != ATA_DMA)
		return false;
	return is ==
	       (kind->direction == ATA_TO_HOST ? ATA_UDMA_IN : ATA_UDMA_OUT);
}

/* What the CDB says of its length, in the register that T_LENGTH names. */
static bool length_is(const struct passthrough *pt, const struct ata_kind *kind,
		      uint32_t block_bytes)
{
	const struct ata_command *command = &pt->command;
	const bool by_feature = kind->amount == ATA_FEATURE_BLOCKS ||
				kind->amount == ATA_FEATURE_PAGES;
	uint64_t amount = by_feature ? command->feature : command->count;

	if (pt->length != (by_feature ? 1 : 2))
		return false;
	if (!amount)
		amount = ATA_MOST_BLOCKS;
	if (pt->in_units)
		amount *= pt->in_blocks ? block_bytes : ATA_PAGE;
	return amount == ata_bytes(command, block_bytes);
}

bool passthrough_is_sound(const struct passthrough *passthrough,
			  uint32_t block_bytes, uint64_t room)
{
	const struct ata_command *command = &passthrough->command;
	const struct ata_kind *kind = ata_kind_of(command->opcode);

	if (!kind)
		return true;
	if (!protocol_is(command->protocol, kind))
		return false;
	if (kind->direction == ATA_NO_DATA)
		return passthrough->length == 0;
	return passthrough->to_host == (kind->direction == ATA_TO_HOST) &&
	       length_is(passthrough, kind, block_bytes) &&
	       ata_bytes(command, block_bytes) <= room;
}
