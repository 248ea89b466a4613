/* SPDX-License-Identifier: GPL-2.0-only */
#include "identify.h"

#include "ata.h"
#include "bytes.h"

#include <string.h>

static void word(uint8_t *page, unsigned int n, uint16_t value)
{
	put_le(page + (size_t)n * 2, 2, value);
}

static void capacity(uint8_t *page, unsigned int n, unsigned int words,
		     uint64_t blocks)
{
	put_le(page + (size_t)n * 2, words * 2, blocks);
}

/* Two characters a word, the first one in the high byte; ACS 3.4.9. */
static void string(uint8_t *page, unsigned int n, unsigned int words,
		   const char *text)
{
	const size_t length = strlen(text);

	for (size_t i = 0; i < (size_t)words * 2; i++)
		page[((size_t)n * 2 + i) ^ 1] =
			i < length ? (uint8_t)text[i] : ' ';
}

void page_checksum(uint8_t page[512])
{
	uint8_t sum = 0;

	for (size_t i = 0; i < 511; i++)
		sum += page[i];
	page[511] = (uint8_t)-sum;
}

static void identify_sata(const struct options *options, uint8_t *page)
{
	/* Generations 1 to 3, phy event counters */
	uint16_t word_76 = 0x040e;
	/* now at generation 3 */
	uint16_t word_77 = 3 << 1;
	uint16_t word_78 = 0;

	if (!options->no_ncq) {
		word_76 |= 1 << 8;
		if (options->priority)
			word_76 |= 1 << 12;
		if (options->send_receive)
			word_77 |= 1 << 6;
		if (options->autosense)
			word_78 |= 1 << 7;
	}
	word(page, 75, ATA_TAGS - 1);
	word(page, 76, word_76);
	word(page, 77, word_77);
	word(page, 78, word_78);
	word(page, 222, 0x10ff); /* serial, SATA 3.x */
}

static void identify_features(const struct options *options, uint8_t *page)
{
	/* FUA EXT, world wide name; logging is a choice */
	const uint16_t extra = 0x4140 | (options->no_log ? 0 : 1 << 5);

	word(page, 82, 0x0060); /* write cache, look-ahead */
	word(page, 83, 0x7400); /* 48 bits, FLUSH CACHE and EXT */
	word(page, 84, extra);
	word(page, 85, 0x0060);
	word(page, 86, 0xb400); /* and words 119 and 120 are valid */
	word(page, 87, extra);
	word(page, 108, 0x5001);
	word(page, 111, 0x0001);
	word(page, 119, 0x4000);
	word(page, 120, 0x4000);
}

static void identify_blocks(const struct options *options, uint8_t *page)
{
	const uint64_t most_28 = 0x0fffffff;

	capacity(page, 60, 2,
		 options->blocks < most_28 ? options->blocks : most_28);
	capacity(page, 100, 4, options->blocks);
	if (options->block_bytes == 512) {
		word(page, 106, 0x4000);
	} else {
		word(page, 106, 0x5000);
		capacity(page, 117, 2, options->block_bytes / 2);
	}
	word(page, 209, 0x4000);
}

void identify_fill(const struct options *options, uint8_t page[512])
{
	memset(page, 0, 512);
	word(page, 0, 0x0040);
	string(page, 10, 10, options->serial);
	string(page, 23, 4, FAKE_FIRMWARE);
	string(page, 27, 20, FAKE_MODEL);
	word(page, 47, 0x8001);
	word(page, 49, 0x0f00); /* LBA and DMA */
	word(page, 50, 0x4000);
	word(page, 53, 0x0006);
	word(page, 63, 0x0007);
	word(page, 64, 0x0003);
	for (unsigned int n = 65; n < 69; n++)
		word(page, n, 120);
	word(page, 69, 0x4020); /* trimmed blocks read as zeros */
	word(page, 80, 0x0ff0);
	word(page, 88, 0x407f);
	word(page, 105, FAKE_TRIM_PAGES);
	word(page, 169, 1); /* TRIM */
	word(page, 217, 1); /* solid state */
	identify_features(options, page);
	identify_blocks(options, page);
	identify_sata(options, page);
	page[510] = 0xa5;
	page_checksum(page);
}
