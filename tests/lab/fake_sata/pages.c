/* SPDX-License-Identifier: GPL-2.0-only */
#include "pages.h"

#include "bytes.h"
#include "identify.h"

#include <string.h>

enum {
	TEST_UNIT_READY = 0x00,
	REQUEST_SENSE = 0x03,
	INQUIRY = 0x12,
	MODE_SENSE_6 = 0x1a,
	START_STOP_UNIT = 0x1b,
	READ_CAPACITY_10 = 0x25,
	MODE_SENSE_10 = 0x5a,
	SERVICE_ACTION_IN_16 = 0x9e,
};

#define READ_CAPACITY_16 0x10 /* the service action */
#define ATA_INFORMATION_BYTES 572

static void text(uint8_t *at, size_t n, const char *string)
{
	const size_t length = strlen(string);

	for (size_t i = 0; i < n; i++)
		at[i] = i < length ? (uint8_t)string[i] : ' ';
}

/* SAT 10.3.2 */
static size_t standard_inquiry(uint8_t *page)
{
	page[2] = 6; /* SPC-4 */
	page[3] = 2;
	page[4] = 96 - 5;
	page[7] = 2; /* CMDQUE */
	text(page + 8, 8, "ATA");
	text(page + 16, 16, FAKE_MODEL);
	text(page + 32, 4, FAKE_FIRMWARE);
	return 96;
}

/* Designators: the serial, and a world wide name. */
static size_t identification(const struct options *options, uint8_t *page)
{
	page[4] = 2; /* ASCII */
	page[7] = 20;
	text(page + 8, 20, options->serial);
	page[28] = 1;
	page[29] = 3; /* NAA */
	page[31] = 8;
	put_be(page + 32, 8, UINT64_C(0x5001000000000001));
	return 40;
}

/* SAT 12.4.2 */
static size_t ata_information(const struct options *options, uint8_t *page)
{
	text(page + 8, 8, "FAKE");
	text(page + 16, 16, "SATL");
	text(page + 32, 4, FAKE_FIRMWARE);
	page[36] = 0x34; /* the FIS of the signature */
	page[38] = 0x50;
	page[40] = 1;
	page[48] = 1;
	page[56] = 0xec;
	identify_fill(options, page + 60);
	return ATA_INFORMATION_BYTES;
}

/* SBC-4 6.6.4: UNMAP, as much as the ranges of TRIM can name */
static size_t block_limits(uint8_t *page)
{
	const uint32_t most = FAKE_TRIM_PAGES * 64u * 65535u;

	put_be(page + 20, 4, most);
	put_be(page + 24, 4, 1); /* descriptor */
	put_be(page + 28, 4, 1); /* granularity */
	return 64;
}

/* The bytes of a page of vital product data, 0: there is none. */
static size_t vital_product_data(const struct options *options, uint8_t *page,
				 uint8_t code)
{
	static const uint8_t all[] = {0x00, 0x80, 0x83, 0x89, 0xb0, 0xb1, 0xb2};

	page[1] = code;
	switch (code) {
	case 0x00:
		memcpy(page + 4, all, sizeof(all));
		return 4 + sizeof(all);
	case 0x80:
		text(page + 4, 20, options->serial);
		return 24;
	case 0x83:
		return identification(options, page);
	case 0x89:
		return ata_information(options, page);
	case 0xb0:
		return block_limits(page);
	case 0xb1:
		page[5] = 1; /* no rotation */
		return 64;
	case 0xb2:
		page[5] = 0x84; /* UNMAP, and zeros after it */
		return 8;
	}
	return 0;
}

static void inquiry(const struct options *options, struct request *request)
{
	const uint8_t *cdb = request->cdb;
	uint8_t page[ATA_INFORMATION_BYTES] = {0};
	size_t n;

	if (cdb[1] & 1) {
		n = vital_product_data(options, page, cdb[2]);
		if (n)
			put_be(page + 2, 2, n - 4);
	} else {
		n = cdb[2] ? 0 : standard_inquiry(page);
	}
	if (n)
		request_give(request, page, n, get_be(cdb + 3, 2));
	else
		request_check(request, sense_invalid_field);
}

static void read_capacity_10(const struct options *options,
			     struct request *request)
{
	const uint64_t last = options->blocks - 1;
	uint8_t data[8];

	put_be(data, 4, last < UINT32_MAX ? last : UINT32_MAX);
	put_be(data + 4, 4, options->block_bytes);
	request_give(request, data, sizeof(data), sizeof(data));
}

static void read_capacity_16(const struct options *options,
			     struct request *request)
{
	uint8_t data[32] = {0};

	if ((request->cdb[1] & 0x1f) != READ_CAPACITY_16) {
		request_check(request, sense_invalid_field);
		return;
	}
	put_be(data, 8, options->blocks - 1);
	put_be(data + 8, 4, options->block_bytes);
	data[14] = 0xc0; /* thin, and zeros after UNMAP */
	request_give(request, data, sizeof(data), get_be(request->cdb + 10, 4));
}

/* Caching and control mode pages; SAT 10.1 */
static size_t mode_pages(uint8_t *at, uint8_t code)
{
	size_t n = 0;

	if (code == 0x08 || code == 0x3f) {
		at[0] = 0x08;
		at[1] = 18;
		at[2] = 0x04; /* WCE */
		n = 20;
	}
	if (code == 0x0a || code == 0x3f) {
		at[n] = 0x0a;
		at[n + 1] = 10;
		n += 12;
	}
	return n;
}

static void mode_sense(struct request *request)
{
	const uint8_t *cdb = request->cdb;
	const bool wide = cdb[0] == MODE_SENSE_10;
	const size_t head = wide ? 8 : 4;
	uint8_t data[64] = {0};
	const size_t n = mode_pages(data + head, cdb[2] & 0x3f);

	if (!n) {
		request_check(request, sense_invalid_field);
		return;
	}
	if (wide)
		put_be(data, 2, head + n - 2);
	else
		data[0] = (uint8_t)(head + n - 1);
	data[wide ? 3 : 2] = 0x10; /* DPO and FUA */
	request_give(request, data, head + n,
		     wide ? get_be(cdb + 7, 2) : cdb[4]);
}

void pages_answer(const struct options *options, struct request *request)
{
	uint8_t no_sense[18] = {0x70, [7] = 10};

	switch (request->cdb[0]) {
	case TEST_UNIT_READY:
	case START_STOP_UNIT:
		return;
	case REQUEST_SENSE:
		request_give(request, no_sense, sizeof(no_sense),
			     request->cdb[4]);
		return;
	case INQUIRY:
		inquiry(options, request);
		return;
	case MODE_SENSE_6:
	case MODE_SENSE_10:
		mode_sense(request);
		return;
	case READ_CAPACITY_10:
		read_capacity_10(options, request);
		return;
	case SERVICE_ACTION_IN_16:
		read_capacity_16(options, request);
		return;
	}
	request_check(request, sense_no_such_command);
}
