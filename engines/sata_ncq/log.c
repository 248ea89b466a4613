/* SPDX-License-Identifier: GPL-2.0-only */
#include "log.h"

#include <errno.h>
#include <string.h>

#define LOG_BYTES 512
#define CHECKSUM_AT 511 /* makes the sum of all bytes 0 */

/* NCQ Command Error log, ACS 9.13 */
enum {
	NCQ_TAG = 0, /* NQ 7, UNL 6, tag 4:0 */
	NCQ_STATUS = 2,
	NCQ_ERROR = 3,
	NCQ_DEVICE = 7,
	NCQ_COUNT = 12,
	NCQ_KEY = 14,
	NCQ_ASC = 15,
	NCQ_ASCQ = 16,
};

/* LBA 7:0 first */
static const uint8_t ncq_lba[] = {4, 5, 6, 8, 9, 10};

/* SATA PHY Event Counters log, ACS 9.16 */
#define PHY_FIRST 4
#define PHY_VENDOR 0x8000
#define PHY_NUMBER 0x0fff
#define PHY_MOST_WORDS 4 /* 5 to 7 are reserved */

static const struct {
	uint16_t id;
	const char *name;
} phy_names[] = {
	/* SATA 13.7.4 */
	{0x001, "commands that ended with an interface CRC error"},
	{0x002, "R_ERR to data FIS"},
	{0x003, "R_ERR to data FIS, device to host"},
	{0x004, "R_ERR to data FIS, host to device"},
	{0x005, "R_ERR to non-data FIS"},
	{0x006, "R_ERR to non-data FIS, device to host"},
	{0x007, "R_ERR to non-data FIS, host to device"},
	{0x008, "retries of non-data FIS, device to host"},
	{0x009, "transitions from PhyRdy to PhyRdyn"},
	{0x00a, "signatures sent after COMRESET"},
	{0x00b, "CRC errors in FIS, host to device"},
	{0x00d, "errors other than CRC in FIS, host to device"},
	{0x00f, "CRC errors in data FIS, host to device"},
	{0x010, "errors other than CRC in data FIS, host to device"},
	{0x012, "CRC errors in non-data FIS, host to device"},
	{0x013, "errors other than CRC in non-data FIS, host to device"},
};

static uint64_t little_endian(const uint8_t *bytes, size_t n)
{
	uint64_t value = 0;

	while (n--)
		value = value << 8 | bytes[n];
	return value;
}

static bool checksum_is_wrong(const uint8_t *log)
{
	uint8_t sum = 0;

	for (size_t i = 0; i < LOG_BYTES; i++)
		sum = (uint8_t)(sum + log[i]);
	return sum;
}

uint16_t sn_log_pages(const uint8_t directory[512], uint8_t address)
{
	return (uint16_t)little_endian(directory + (size_t)2 * address, 2);
}

int sn_ncq_error_parse(const uint8_t log[512], struct sn_ncq_error *error)
{
	memset(error, 0, sizeof(*error));
	if (checksum_is_wrong(log))
		return -EBADMSG;
	/* The sum of nothing is right, too. */
	if (!log[NCQ_STATUS] && !log[NCQ_ERROR])
		return -ENODATA;
	error->queued = !(log[NCQ_TAG] & 0x80);
	error->unload = log[NCQ_TAG] & 0x40;
	error->tag = log[NCQ_TAG] & 0x1f;
	error->status = log[NCQ_STATUS];
	error->error = log[NCQ_ERROR];
	error->device = log[NCQ_DEVICE];
	for (size_t i = 0; i < sizeof(ncq_lba); i++)
		error->lba |= (uint64_t)log[ncq_lba[i]] << 8 * i;
	error->count = (uint16_t)little_endian(log + NCQ_COUNT, 2);
	error->key = log[NCQ_KEY] & 0xf;
	error->asc = log[NCQ_ASC];
	error->ascq = log[NCQ_ASCQ];
	return 0;
}

int sn_phy_counters_parse(const uint8_t log[512],
			  struct sn_phy_counter counters[SN_PHY_COUNTERS])
{
	size_t at = PHY_FIRST;
	int n = 0;

	if (checksum_is_wrong(log))
		return -EBADMSG;
	while (n < SN_PHY_COUNTERS && at + 2 <= CHECKSUM_AT) {
		const uint16_t id = (uint16_t)little_endian(log + at, 2);
		const size_t bytes = (size_t)2 * (id >> 12 & 7);

		at += 2;
		if (!id || at + bytes > CHECKSUM_AT)
			break;
		if (bytes && bytes <= 2 * PHY_MOST_WORDS)
			counters[n++] = (struct sn_phy_counter){
				.id = id & (PHY_VENDOR | PHY_NUMBER),
				.value = little_endian(log + at, bytes),
				.most = UINT64_MAX >> (64 - 8 * bytes),
			};
		at += bytes;
	}
	return n;
}

const char *sn_phy_counter_name(uint16_t id)
{
	for (size_t i = 0; i < sizeof(phy_names) / sizeof(phy_names[0]); i++) {
		if (phy_names[i].id == id)
			return phy_names[i].name;
	}
	return NULL;
}
