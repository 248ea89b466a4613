/* SPDX-License-Identifier: GPL-2.0-only */
#include "sense.h"

#include "bytes.h"

#include <string.h>

void sense_fixed(uint8_t sense[SENSE_BYTES], struct sense_code code,
		 const uint64_t *lba)
{
	memset(sense, 0, SENSE_BYTES);
	sense[0] = 0x70;
	if (lba && *lba <= UINT32_MAX) {
		sense[0] |= 0x80;
		put_be(sense + 3, 4, *lba);
	}
	sense[2] = code.key;
	sense[7] = 10;
	sense[12] = code.asc;
	sense[13] = code.ascq;
}

void sense_fixed_hollow(uint8_t sense[SENSE_BYTES])
{
	sense_fixed(sense, sense_aborted, NULL);
	sense[9] = ATA_READY;
	sense[10] = ATA_DEVICE_LBA;
}

void sense_ata(uint8_t sense[SENSE_BYTES], struct sense_code code,
	       const struct ata_result *result)
{
	uint8_t *d = sense + 8;

	memset(sense, 0, SENSE_BYTES);
	sense[0] = 0x72;
	sense[1] = code.key;
	sense[2] = code.asc;
	sense[3] = code.ascq;
	sense[7] = 14;
	d[0] = 0x09;
	d[1] = 12;
	d[2] = 1; /* EXTEND */
	d[3] = result->error;
	put_be(d + 4, 2, result->count);
	for (unsigned int i = 0; i < 3; i++) {
		d[6 + 2 * i] = (uint8_t)(result->lba >> (24 + 8 * i));
		d[7 + 2 * i] = (uint8_t)(result->lba >> 8 * i);
	}
	d[12] = result->device;
	d[13] = result->status;
}

struct sense_code sense_of_error(uint8_t error)
{
	if (error & ATA_UNC)
		return sense_medium;
	if (error & ATA_IDNF)
		return sense_out_of_range;
	return sense_aborted;
}
