/* SPDX-License-Identifier: GPL-2.0-only */
#include "sense.h"

#include <stdio.h>

#define ANY 0x100

/*
 * SPC annex "Additional sense code and qualifier assignments": those that SAT
 * 11.7 (translation of ATA errors) and Linux's libata give, and those that
 * drives give themselves (SENSE DATA EXT, NCQ autosense).  The first row that
 * fits counts.
 */
static const struct {
	unsigned int key, asc, ascq;
	const char *words;
} meanings[] = {
	{ANY, 0x00, 0x1d, "ATA pass-through information available"},
	{SN_KEY_ABORTED, 0x00, 0x00, "Command aborted"},
	{SN_KEY_HARDWARE, 0x00, 0x00, "Hardware error"},
	{ANY, 0x04, 0x01, "Not ready, becoming ready"},
	{ANY, 0x04, 0x02, "Not ready, to be started first"},
	{ANY, 0x04, 0x03, "Not ready, needs a person"},
	{ANY, 0x04, 0x04, "Not ready, format in progress"},
	{ANY, 0x04, 0x09, "Not ready, self-test in progress"},
	{ANY, 0x04, 0x1b, "Not ready, sanitize in progress"},
	{ANY, 0x04, 0x21, "Not ready, hard reset required"},
	{ANY, 0x04, ANY, "Not ready"},
	{ANY, 0x0b, 0x01, "Warning, temperature exceeded"},
	{ANY, 0x0b, ANY, "Warning"},
	{ANY, 0x0c, 0x02, "Write error, reallocation failed"},
	{ANY, 0x0c, ANY, "Write error"},
	{ANY, 0x10, ANY, "Protection information does not match"},
	{ANY, 0x11, ANY, "Unrecovered read error"},
	{ANY, 0x13, 0x00, "Address mark not found"},
	{ANY, 0x14, ANY, "Record not found"},
	{ANY, 0x17, ANY, "Recovered with retries"},
	{ANY, 0x18, ANY, "Recovered with error correction"},
	{ANY, 0x1a, 0x00, "Parameter list length error"},
	{ANY, 0x20, 0x00, "Invalid command"},
	{ANY, 0x21, 0x00, "LBA out of range or not found"},
	{ANY, 0x21, 0x04, "Unaligned write command"},
	{ANY, 0x24, ANY, "Invalid field in CDB"},
	{ANY, 0x25, 0x00, "No such logical unit"},
	{ANY, 0x26, ANY, "Invalid field in parameter list"},
	{ANY, 0x27, ANY, "Write protected"},
	{ANY, 0x28, ANY, "Medium may have changed"},
	{ANY, 0x29, ANY, "Power on or reset occurred"},
	{ANY, 0x2a, ANY, "Parameters changed"},
	{ANY, 0x2c, ANY, "Command sequence error"},
	{ANY, 0x2f, ANY, "Commands cleared"},
	{ANY, 0x31, ANY, "Medium format corrupted"},
	{ANY, 0x32, ANY, "No spare location left"},
	{ANY, 0x35, ANY, "Enclosure failure"},
	{ANY, 0x3a, ANY, "Medium not present"},
	{ANY, 0x3e, ANY, "Logical unit failure"},
	{ANY, 0x44, ANY, "Internal target failure"},
	{ANY, 0x47, ANY, "CRC or parity error on the link"},
	{ANY, 0x4b, ANY, "Data phase error"},
	{ANY, 0x53, ANY, "Media load or eject failed"},
	{ANY, 0x55, ANY, "Out of resources"},
	{ANY, 0x5d, ANY, "Failure predicted"},
	{ANY, 0x67, 0x0b, "ATA feature not enabled"},
	{ANY, 0x74, ANY, "Security error"},
	/* By the key alone, SPC 4.4.8 */
	{SN_KEY_RECOVERED, ANY, ANY, "Recovered error"},
	{SN_KEY_NOT_READY, ANY, ANY, "Not ready"},
	{SN_KEY_MEDIUM, ANY, ANY, "Medium error"},
	{SN_KEY_HARDWARE, ANY, ANY, "Hardware error"},
	{SN_KEY_ILLEGAL, ANY, ANY, "Illegal request"},
	{SN_KEY_ATTENTION, ANY, ANY, "Unit attention"},
	{SN_KEY_PROTECT, ANY, ANY, "Data protected"},
	{SN_KEY_ABORTED, ANY, ANY, "Command aborted"},
	{ANY, ANY, ANY, "Sense"},
};

static bool fits(unsigned int wanted, unsigned int value)
{
	return wanted == ANY || wanted == value;
}

static const char *words_of(const struct sn_sense *sense)
{
	size_t i = 0;

	/* The last row fits all. */
	while (!fits(meanings[i].key, sense->key) ||
	       !fits(meanings[i].asc, sense->asc) ||
	       !fits(meanings[i].ascq, sense->ascq))
		i++;
	return meanings[i].words;
}

void sn_sense_text(const struct sn_sense *sense, char *text, size_t size)
{
	char registers[40] = "", place[32] = "";

	if (!sense->valid) {
		snprintf(text, size, "No sense data");
		return;
	}
	if (sense->ata)
		snprintf(registers, sizeof(registers),
			 ", ATA status %02Xh error %02Xh", sense->status,
			 sense->error);
	if (sense->has_lba)
		snprintf(place, sizeof(place), ", LBA %llu",
			 (unsigned long long)sense->lba);
	snprintf(text, size, "%s (%X/%02X/%02Xh%s)%s%s", words_of(sense),
		 sense->key, sense->asc, sense->ascq,
		 sense->deferred ? ", deferred" : "", registers, place);
}
