/* SPDX-License-Identifier: GPL-2.0-only */
#include "log.h"

#include "bytes.h"
#include "identify.h"

#include <string.h>

static void directory(const struct options *options, uint8_t *page)
{
	put_le(page, 2, 1); /* the version */
	put_le(page + 2 * LOG_PHY_EVENTS, 2, 1);
	if (options->no_ncq)
		return;
	put_le(page + 2 * LOG_NCQ_ERROR, 2, 1);
	if (options->send_receive)
		put_le(page + 2 * LOG_SEND_RECEIVE, 2, 1);
}

/* ACS 9.13 */
static void ncq_error(const struct options *options,
		      const struct log_error *error, uint8_t *page)
{
	const struct ata_result *result = &error->result;

	if (!error->valid) {
		page[0] = 0x80; /* NQ: it was no queued command */
	} else {
		page[0] = error->tag;
		page[2] = result->status;
		page[3] = result->error;
		for (unsigned int i = 0; i < 3; i++) {
			page[4 + i] = (uint8_t)(result->lba >> 8 * i);
			page[8 + i] = (uint8_t)(result->lba >> (24 + 8 * i));
		}
		page[7] = result->device;
		put_le(page + 12, 2, result->count);
		if (options->autosense && (result->error & ATA_UNC)) {
			page[14] = 3;
			page[15] = 0x11;
			page[16] = 4;
			put_le(page + 17, 6, result->lba);
		}
	}
	page_checksum(page);
	if (options->wrong_log_checksum)
		page[511] ^= 0x55;
}

/* An identifier, of which bits 14:12 are the length in words, and the value;
 * SATA 13.7.4. */
static uint8_t *counter(uint8_t *at, uint16_t id, unsigned int words,
			uint64_t value)
{
	const uint64_t most =
		words < 4 ? (UINT64_C(1) << 16 * words) - 1 : UINT64_MAX;

	put_le(at, 2, id | words << 12);
	put_le(at + 2, words * 2, value < most ? value : most);
	return at + 2 + (size_t)words * 2;
}

static void phy_events(const struct options *options, uint64_t commands,
		       uint8_t *page)
{
	const uint64_t crc =
		options->crc_errors ? commands / options->crc_errors : 0;
	uint8_t *at = page + 4;

	at = counter(at, 0x001, 1, 0);	  /* commands that failed by CRC */
	at = counter(at, 0x00a, 2, 1);	  /* signatures because of COMRESET */
	at = counter(at, 0x00b, 2, crc);  /* CRC errors from the host */
	at = counter(at, 0x00f, 4, crc);  /* the same, in data */
	counter(at, 0x8001, 3, commands); /* the vendor's own */
	page_checksum(page);
}

/* ACS 9.17: TRIM by SEND FPDMA QUEUED */
static void send_receive(uint8_t *page)
{
	page[0] = 1;
	page[4] = 1;
}

bool log_fill(const struct options *options, uint8_t address,
	      const struct log_error *error, uint64_t commands,
	      uint8_t page[512])
{
	memset(page, 0, 512);
	switch (address) {
	case LOG_DIRECTORY:
		directory(options, page);
		return true;
	case LOG_NCQ_ERROR:
		ncq_error(options, error, page);
		return !options->no_ncq;
	case LOG_PHY_EVENTS:
		phy_events(options, commands, page);
		return true;
	case LOG_SEND_RECEIVE:
		send_receive(page);
		return !options->no_ncq && options->send_receive;
	}
	return false;
}
