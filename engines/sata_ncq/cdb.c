/* SPDX-License-Identifier: GPL-2.0-only */
#include "cdb.h"

#include <string.h>

/* SAT, ATA PASS-THROUGH(16) and (32), the latter of SPC's variable length. */
#define ATA_PASS_THROUGH_16 0x85
#define VARIABLE_LENGTH 0x7f
#define ADDITIONAL_LENGTH 0x18 /* of 32 bytes, those after byte 7 */
#define ATA_PASS_THROUGH_32 0x1ff0

/* Bytes 1 and 2 of the one, 10 and 11 of the other. */
#define EXTEND (1u << 0)
#define PROTOCOL_SHIFT 1
#define T_LENGTH_FEATURES 1u
#define T_LENGTH_COUNT 2u
#define BYT_BLOK (1u << 2) /* the length is in blocks */
#define T_DIR (1u << 3)	   /* from the device */
#define T_TYPE (1u << 4)   /* the blocks are logical ones, not 512 bytes */

/* SBC-4 */
#define READ_16 0x88
#define WRITE_16 0x8a
#define SYNCHRONIZE_CACHE_16 0x91
#define UNMAP 0x42
#define UNMAP_LENGTH 10
#define SCSI_FUA (1u << 3) /* of READ(16) and WRITE(16), byte 1 */

static void put_big_endian(uint8_t *bytes, uint64_t value, unsigned int n)
{
	while (n--) {
		bytes[n] = (uint8_t)value;
		value >>= 8;
	}
}

static uint8_t transfer_of(const struct sn_command *command)
{
	unsigned int bits = BYT_BLOK;

	if (command->direction == SN_NO_DATA)
		return 0;
	bits |= command->protocol == SN_FPDMA ? T_LENGTH_FEATURES
					      : T_LENGTH_COUNT;
	if (command->direction == SN_FROM_DEVICE)
		bits |= T_DIR;
	if (command->in_blocks)
		bits |= T_TYPE;
	return (uint8_t)bits;
}

static uint8_t protocol_of(const struct sn_command *command)
{
	const unsigned int protocol = command->protocol;

	return (uint8_t)(protocol << PROTOCOL_SHIFT |
			 (command->extended ? EXTEND : 0));
}

static void make_16(struct sn_cdb *cdb, const struct sn_command *command)
{
	const struct sn_taskfile *taskfile = &command->taskfile;
	uint8_t *bytes = cdb->bytes;
	const bool queued = command->protocol == SN_FPDMA;

	cdb->length = 16;
	cdb->form = queued ? SN_CDB_ATA16_FPDMA : SN_CDB_ATA16_DMA;
	bytes[0] = ATA_PASS_THROUGH_16;
	bytes[1] = protocol_of(command);
	bytes[2] = transfer_of(command);
	/* Writes the field that counts blocks too; the other comes after. */
	sn_cdb_place(bytes, cdb->form, taskfile->lba,
		     queued ? taskfile->feature : taskfile->count);
	if (queued)
		put_big_endian(bytes + 5, taskfile->count, 2);
	else
		put_big_endian(bytes + 3, taskfile->feature, 2);
	bytes[13] = taskfile->device;
	bytes[14] = taskfile->command;
}

static void make_32(struct sn_cdb *cdb, const struct sn_command *command)
{
	const struct sn_taskfile *taskfile = &command->taskfile;
	uint8_t *bytes = cdb->bytes;

	cdb->length = 32;
	cdb->form = SN_CDB_ATA32_FPDMA;
	bytes[0] = VARIABLE_LENGTH;
	bytes[7] = ADDITIONAL_LENGTH;
	put_big_endian(bytes + 8, ATA_PASS_THROUGH_32, 2);
	bytes[10] = protocol_of(command);
	bytes[11] = transfer_of(command);
	sn_cdb_place_wide(bytes, cdb->form, taskfile->lba, taskfile->feature);
	put_big_endian(bytes + 22, taskfile->count, 2);
	bytes[24] = taskfile->device;
	bytes[25] = taskfile->command;
	bytes[27] = taskfile->icc;
	put_big_endian(bytes + 28, taskfile->auxiliary, 4);
}

void sn_cdb_ata(struct sn_cdb *cdb, const struct sn_command *command)
{
	memset(cdb, 0, sizeof(*cdb));
	if (command->taskfile.icc || command->taskfile.auxiliary)
		make_32(cdb, command);
	else
		make_16(cdb, command);
}

void sn_cdb_scsi(struct sn_cdb *cdb, enum sn_op op, bool fua, uint64_t lba,
		 uint32_t blocks)
{
	static const uint8_t opcodes[] = {
		[SN_READ] = READ_16,
		[SN_WRITE] = WRITE_16,
		[SN_TRIM] = UNMAP,
		[SN_FLUSH] = SYNCHRONIZE_CACHE_16,
	};

	memset(cdb, 0, sizeof(*cdb));
	cdb->form = SN_CDB_SCSI16;
	if ((size_t)op >= sizeof(opcodes))
		return;
	cdb->bytes[0] = opcodes[op];
	if (op == SN_TRIM) {
		cdb->length = UNMAP_LENGTH;
		put_big_endian(cdb->bytes + 7, SN_UNMAP_BYTES, 2);
		return;
	}
	cdb->length = 16;
	if (fua && op != SN_FLUSH)
		cdb->bytes[1] = SCSI_FUA;
	sn_cdb_place_wide(cdb->bytes, cdb->form, lba, blocks);
}

void sn_cdb_unmap(uint8_t bytes[SN_UNMAP_BYTES], uint64_t lba, uint32_t blocks)
{
	memset(bytes, 0, SN_UNMAP_BYTES);
	/* Either length is of what comes after it. */
	put_big_endian(bytes, SN_UNMAP_BYTES - 2, 2);
	put_big_endian(bytes + 2, SN_UNMAP_BYTES - 8, 2);
	put_big_endian(bytes + 8, lba, 8);
	put_big_endian(bytes + 16, blocks, 4);
}

void sn_cdb_place_wide(uint8_t *bytes, enum sn_cdb_form form, uint64_t lba,
		       uint32_t blocks)
{
	if (form == SN_CDB_ATA32_FPDMA) {
		put_big_endian(bytes + 14, lba, 6);
		put_big_endian(bytes + 20, blocks, 2);
	} else {
		put_big_endian(bytes + 2, lba, 8);
		put_big_endian(bytes + 10, blocks, 4);
	}
}
