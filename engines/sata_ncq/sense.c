/* SPDX-License-Identifier: GPL-2.0-only */
#include "sense.h"

#include <string.h>

/* RESPONSE CODE, SPC 4.4.1: the odd ones are deferred errors. */
#define FIXED 0x70
#define DESCRIPTORS 0x72

/* Of byte 0 in fixed format and of byte 2 in an information descriptor: the
 * INFORMATION field is what the command's standard says.  SPC 4.4.2.2, 4.4.3 */
#define VALID 0x80

/* ADDITIONAL SENSE LENGTH counts what follows byte 7, SPC 4.4.2 and 4.4.3. */
#define HEADER_BYTES 8

/* DESCRIPTOR TYPE and what follows its two bytes: SPC 4.4.2.2, SAT 12.2.2.7 */
#define INFORMATION_TYPE 0x00
#define INFORMATION_BYTES 0x0a
#define ATA_RETURN_TYPE 0x09
#define ATA_RETURN_BYTES 0x0c
#define ATA_RETURN_EXTEND 0x01

/* First byte of COMMAND-SPECIFIC INFORMATION in SAT's fixed format */
#define FIXED_EXTEND 0x80
#define FIXED_LBA_UPPER_NONZERO 0x20

/* OPERATION CODE, SAT 12.2.2 to 12.2.4 */
#define PASS_THROUGH_12 0xa1
#define PASS_THROUGH_16 0x85
#define VARIABLE_LENGTH 0x7f

/* Of DEVICE in commands of 28 bits: LBA(27:24), ACS 6.2 */
#define DEVICE_LBA 0x0f

#define LBA_OUT_OF_RANGE 0x21

static uint64_t big_endian(const uint8_t *bytes, size_t n)
{
	uint64_t value = 0;

	for (size_t i = 0; i < n; i++)
		value = value << 8 | bytes[i];
	return value;
}

/*
 * Linux has no registers to give after a reset, or when it could not read the
 * drive's log: then they are zero, or DRDY alone, or those of the last command
 * that went well.
 */
static void keep_registers(struct sn_sense *sense, uint8_t error,
			   uint8_t status, uint8_t device, uint16_t count)
{
	const bool failed =
		sense->key != SN_KEY_NONE && sense->key != SN_KEY_RECOVERED;

	if (!status || status & SN_ATA_BSY)
		return;
	if (failed && !(status & (SN_ATA_ERR | SN_ATA_DF)))
		return;
	sense->ata = true;
	sense->error = error;
	sense->status = status;
	sense->device = device;
	sense->count = count;
}

static void name_place(struct sn_sense *sense, uint64_t lba, unsigned int bits)
{
	sense->has_lba = bits == 64;
	sense->lba_bits = bits;
	sense->lba = lba;
}

/* ACS 6.2: of the errors that drives still have, LBA means something only with
 * these.  INFORMATION is the drive's better word, so it is not overruled. */
static void name_place_of_registers(struct sn_sense *sense, uint64_t lba,
				    unsigned int bits)
{
	if (sense->ata && !sense->lba_bits && sense->status & SN_ATA_ERR &&
	    sense->error & (SN_ATA_UNC | SN_ATA_IDNF))
		name_place(sense, lba, bits);
}

/* Linux fills in INFORMATION with whatever errors, from registers that may be
 * another command's. */
static void name_place_of_information(struct sn_sense *sense, uint64_t lba)
{
	if (sense->key == SN_KEY_RECOVERED || sense->key == SN_KEY_MEDIUM ||
	    sense->key == SN_KEY_HARDWARE ||
	    (sense->key == SN_KEY_ILLEGAL && sense->asc == LBA_OUT_OF_RANGE))
		name_place(sense, lba, 64);
}

static uint64_t lba_of_28_bits(uint32_t low, uint8_t device)
{
	return (uint64_t)(device & DEVICE_LBA) << 24 | low;
}

static void parse_ata_return(const uint8_t *at, struct sn_sense *sense)
{
	const bool extend = at[2] & ATA_RETURN_EXTEND;
	const uint32_t low = (uint32_t)at[11] << 16 | at[9] << 8 | at[7];
	const uint32_t high = (uint32_t)at[10] << 16 | at[8] << 8 | at[6];
	const uint16_t count = (uint16_t)((extend ? at[4] << 8 : 0) | at[5]);

	keep_registers(sense, at[3], at[13], at[12], count);
	name_place_of_registers(sense,
				extend ? (uint64_t)high << 24 | low
				       : lba_of_28_bits(low, at[12]),
				64);
}

static void parse_descriptors(const uint8_t *bytes, size_t end,
			      struct sn_sense *sense)
{
	const uint8_t *ata = NULL;

	for (size_t at = HEADER_BYTES; end - at >= 2;) {
		const uint8_t type = bytes[at], length = bytes[at + 1];

		if (length > end - at - 2)
			break;
		if (type == ATA_RETURN_TYPE && length >= ATA_RETURN_BYTES &&
		    !ata)
			ata = bytes + at;
		if (type == INFORMATION_TYPE && length >= INFORMATION_BYTES &&
		    bytes[at + 2] & VALID && !sense->lba_bits)
			name_place_of_information(
				sense, big_endian(bytes + at + 4, 8));
		at += 2 + (size_t)length;
	}
	if (ata)
		parse_ata_return(ata, sense);
}

static void parse_fixed_as_sat(const uint8_t *bytes, struct sn_sense *sense)
{
	const uint8_t flags = bytes[8];
	const uint32_t low =
		(uint32_t)bytes[11] << 16 | bytes[10] << 8 | bytes[9];

	keep_registers(sense, bytes[3], bytes[4], bytes[5], bytes[6]);
	if (!(flags & FIXED_EXTEND))
		name_place_of_registers(sense, lba_of_28_bits(low, bytes[5]),
					64);
	else
		name_place_of_registers(
			sense, low, flags & FIXED_LBA_UPPER_NONZERO ? 24 : 64);
}

static void parse_fixed(const uint8_t *bytes, size_t end, uint8_t opcode,
			struct sn_sense *sense)
{
	const bool pass_through =
		opcode == PASS_THROUGH_12 || opcode == PASS_THROUGH_16;

	if (end < 12)
		return;
	if (bytes[0] & VALID) {
		if (pass_through ||
		    (opcode == VARIABLE_LENGTH && bytes[8] & FIXED_EXTEND))
			parse_fixed_as_sat(bytes, sense);
		else
			name_place_of_information(sense,
						  big_endian(bytes + 3, 4));
	} else if (pass_through && !big_endian(bytes + 3, 4)) {
		keep_registers(sense, bytes[8], bytes[9], bytes[10], bytes[11]);
	}
}

void sn_sense_parse(const uint8_t *bytes, size_t n, uint8_t opcode,
		    struct sn_sense *sense)
{
	size_t end = n;
	uint8_t code;

	memset(sense, 0, sizeof(*sense));
	if (n < 4)
		return;
	code = bytes[0] & 0x7e;
	if (code != FIXED && code != DESCRIPTORS)
		return;
	if (n > HEADER_BYTES && n > HEADER_BYTES + (size_t)bytes[7])
		end = HEADER_BYTES + (size_t)bytes[7];
	sense->valid = true;
	sense->deferred = bytes[0] & 1;
	if (code == DESCRIPTORS) {
		sense->key = bytes[1] & 0x0f;
		sense->asc = bytes[2];
		sense->ascq = bytes[3];
		if (end >= HEADER_BYTES)
			parse_descriptors(bytes, end, sense);
		return;
	}
	sense->key = bytes[2] & 0x0f;
	sense->asc = end > 12 ? bytes[12] : 0;
	sense->ascq = end > 13 ? bytes[13] : 0;
	parse_fixed(bytes, end, opcode, sense);
}

bool sn_sense_place(const struct sn_sense *sense, uint64_t lba, uint32_t blocks,
		    uint64_t *place)
{
	uint64_t distance = sense->lba - lba;

	if (!sense->lba_bits || (sense->lba_bits == 64 && sense->lba < lba))
		return false;
	if (sense->lba_bits < 64)
		distance &= ((uint64_t)1 << sense->lba_bits) - 1;
	if (distance >= blocks || distance > UINT64_MAX - lba)
		return false;
	*place = lba + distance;
	return true;
}
