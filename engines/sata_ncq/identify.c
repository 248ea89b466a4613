/* SPDX-License-Identifier: GPL-2.0-only */
#include "identify.h"

#include <errno.h>
#include <string.h>

#define WORDS 256
#define LEAST_BLOCK 512u  /* ACS 7.13.7, words 117-118: 256 words or more */
#define MOST_BLOCK 65536u /* more than Linux or any drive has */
#define MOST_BLOCKS (UINT64_C(1) << 48)	 /* LBAs have 48 bits, ACS 4.1.2 */
#define MOST_BYTES ((uint64_t)INT64_MAX) /* an offset can be no larger */

/* ACS 7.13.7.  What says that other words, or itself, are reported is named. */
enum {
	W_GENERAL = 0,
	W_SERIAL = 10,
	W_FIRMWARE = 23,
	W_MODEL = 27,
	W_BLOCKS_28 = 60,
	W_ADDITIONAL = 69,
	W_QUEUE_DEPTH = 75,
	W_SATA = 76, /* also says whether 77 and 78 are reported */
	W_SATA_2 = 77,
	W_SATA_FEATURES = 78,
	W_COMMANDS_2 = 83,
	W_COMMANDS_3 = 84,
	W_ENABLED_1 = 85,
	W_ENABLED_3 = 87, /* also says whether 85 and 86 are reported */
	W_BLOCKS_48 = 100,
	W_TRIM_UNITS = 105,
	W_SECTORS = 106,
	W_BLOCK_WORDS = 117,
	W_DSM = 169,
	W_SCT = 206,
	W_ALIGNMENT = 209,
	W_ROTATION = 217,
	W_TRANSPORT = 222,
	W_BLOCKS_EXTENDED = 230,
	W_INTEGRITY = 255,
};

#define INTEGRITY_SIGNATURE 0xa5 /* word 255 bits 7:0 */

static uint16_t word(const uint8_t *bytes, unsigned int n)
{
	return (uint16_t)(bytes[2 * n] | bytes[2 * n + 1] << 8);
}

static bool bit(uint16_t value, unsigned int n)
{
	return value >> n & 1;
}

static uint64_t words(const uint8_t *bytes, unsigned int n, unsigned int count)
{
	uint64_t value = 0;

	while (count--)
		value = value << 16 | word(bytes, n + count);
	return value;
}

/* Of words whose bits 15:14 are 01b where they are reported; else 0. */
static uint16_t marked(const uint8_t *bytes, unsigned int n)
{
	const uint16_t value = word(bytes, n);

	return value >> 14 == 1 ? value : 0;
}

/* Of words that are reported if the word `by` is. */
static uint16_t marked_by(const uint8_t *bytes, unsigned int n, unsigned int by)
{
	return marked(bytes, by) ? word(bytes, n) : 0;
}

/* Of words that are FFFFh where they are not reported. */
static uint16_t reported(const uint8_t *bytes, unsigned int n)
{
	const uint16_t value = word(bytes, n);

	return value == 0xffff ? 0 : value;
}

/* Of 76 to 78; those after 76 go by it. */
static uint16_t sata_word(const uint8_t *bytes, unsigned int n)
{
	return reported(bytes, W_SATA) ? reported(bytes, n) : 0;
}

/* ACS 3.4.9: the first character is the high byte of the first word. */
static void text_of(const uint8_t *bytes, unsigned int n, unsigned int count,
		    char *text)
{
	const char *from = text;
	size_t length = (size_t)2 * count;

	for (size_t i = 0; i < length; i++) {
		const uint8_t c = bytes[2 * n + (i ^ 1)];

		if (!c)
			text[i] = ' ';
		else
			text[i] = c >= ' ' && c <= '~' ? (char)c : '?';
	}
	while (length && from[length - 1] == ' ')
		length--;
	while (length && *from == ' ') {
		from++;
		length--;
	}
	memmove(text, from, length);
	text[length] = '\0';
}

static bool empty(const uint8_t *bytes)
{
	for (unsigned int i = 0; i < 2 * WORDS; i++) {
		if (bytes[i])
			return false;
	}
	return true;
}

static bool checksum_is_wrong(const uint8_t *bytes)
{
	uint8_t sum = 0;

	if ((word(bytes, W_INTEGRITY) & 0xff) != INTEGRITY_SIGNATURE)
		return false;
	for (unsigned int i = 0; i < 2 * WORDS; i++)
		sum = (uint8_t)(sum + bytes[i]);
	return sum;
}

static int check_answer(const uint8_t *bytes, struct fe_error *err)
{
	if (empty(bytes))
		return fe_error_set(
			err, -ENODEV,
			"IDENTIFY DEVICE: all bytes are 0, this is no ATA drive");
	if (bit(word(bytes, W_GENERAL), 15))
		return fe_error_set(
			err, -ENODEV,
			"IDENTIFY DEVICE: word 0 is %04xh, this is no ATA drive (bit 15)",
			word(bytes, W_GENERAL));
	if (checksum_is_wrong(bytes))
		return fe_error_set(
			err, -EBADMSG,
			"IDENTIFY DEVICE: the checksum in word 255 is wrong");
	return 0;
}

static int parse_block_size(const uint8_t *bytes, struct sn_identity *id,
			    struct fe_error *err)
{
	const uint16_t sectors = marked(bytes, W_SECTORS);
	uint64_t size = LEAST_BLOCK;

	if (bit(sectors, 12))
		size = 2 * words(bytes, W_BLOCK_WORDS, 2);
	if (size < LEAST_BLOCK || size > MOST_BLOCK || size & (size - 1))
		return fe_error_set(
			err, -EINVAL,
			"IDENTIFY DEVICE: logical blocks of %llu bytes (words 117-118) can't be",
			(unsigned long long)size);
	id->block_bytes = (uint32_t)size;
	id->physical_bytes = id->block_bytes;
	/* At most 2^16 << 15 bytes. */
	if (bit(sectors, 13))
		id->physical_bytes <<= sectors & 15;
	return 0;
}

/* Word 209 says where in a physical block the first logical one is. */
static int parse_alignment(const uint8_t *bytes, struct sn_identity *id,
			   struct fe_error *err)
{
	const uint32_t ratio = id->physical_bytes / id->block_bytes;
	const uint32_t offset = marked(bytes, W_ALIGNMENT) & 0x3fff;

	if (offset >= ratio && offset)
		return fe_error_set(
			err, -EINVAL,
			"IDENTIFY DEVICE: the first block is %u blocks into a physical one (word 209), which has %u (word 106)",
			offset, ratio);
	id->alignment = offset ? ratio - offset : 0;
	return 0;
}

static int parse_blocks(const uint8_t *bytes, struct sn_identity *id,
			struct fe_error *err)
{
	const char *where = "words 60-61";

	id->lba48 = bit(marked(bytes, W_COMMANDS_2), 10);
	id->blocks = words(bytes, W_BLOCKS_28, 2);
	if (id->lba48) {
		where = "words 100-103";
		id->blocks = words(bytes, W_BLOCKS_48, 4);
		if (bit(reported(bytes, W_ADDITIONAL), 3)) {
			where = "words 230-233";
			id->blocks = words(bytes, W_BLOCKS_EXTENDED, 4);
		}
	}
	if (id->blocks && id->blocks <= MOST_BLOCKS &&
	    id->blocks <= MOST_BYTES / id->block_bytes)
		return 0;
	return fe_error_set(
		err, -EINVAL,
		"IDENTIFY DEVICE: %llu blocks (%s) of %u bytes can't be",
		(unsigned long long)id->blocks, where, id->block_bytes);
}

static unsigned int highest_link(uint16_t sata)
{
	for (unsigned int generation = 3; generation; generation--) {
		if (bit(sata, generation))
			return generation;
	}
	return 0;
}

static void parse_sata(const uint8_t *bytes, struct sn_identity *id)
{
	const uint16_t sata = sata_word(bytes, W_SATA);
	const uint16_t more = sata_word(bytes, W_SATA_2);
	const uint16_t features = sata_word(bytes, W_SATA_FEATURES);
	const unsigned int link = more >> 1 & 7;

	id->ncq = bit(sata, 8);
	id->depth = id->ncq ? (word(bytes, W_QUEUE_DEPTH) & 0x1fu) + 1 : 1;
	id->ncq_priority = id->ncq && bit(sata, 12);
	id->ncq_streaming = id->ncq && bit(more, 4);
	id->ncq_non_data = id->ncq && bit(more, 5);
	id->ncq_send_receive = id->ncq && bit(more, 6);
	id->ncq_autosense = id->ncq && bit(features, 7);
	id->in_order = bit(features, 4);
	id->phy_events = bit(sata, 10);
	id->link_now = link <= 3 ? link : 0;
	id->link_max = highest_link(sata);
}

static void parse_features(const uint8_t *bytes, struct sn_identity *id)
{
	const uint16_t enabled = marked_by(bytes, W_ENABLED_1, W_ENABLED_3);
	const uint16_t additional = reported(bytes, W_ADDITIONAL);

	id->logs = bit(marked(bytes, W_COMMANDS_3), 5) ||
		   bit(marked(bytes, W_ENABLED_3), 5);
	id->smart = bit(enabled, 0);
	id->write_cache = bit(enabled, 5);
	id->read_lookahead = bit(enabled, 6);
	id->flush_ext = bit(marked(bytes, W_COMMANDS_2), 13);
	id->fua_ext = bit(marked(bytes, W_COMMANDS_3), 6);
	id->trim = bit(reported(bytes, W_DSM), 0);
	if (id->trim) {
		id->trim_units = reported(bytes, W_TRIM_UNITS);
		id->trim_zeroes = bit(additional, 14) && bit(additional, 5);
	}
	id->sct = bit(reported(bytes, W_SCT), 0);
	id->transport = reported(bytes, W_TRANSPORT);
}

static void parse_rotation(const uint8_t *bytes, struct sn_identity *id)
{
	const uint16_t rotation = reported(bytes, W_ROTATION);

	/* 2 to 400h are reserved. */
	if (rotation == 1 || rotation > 0x400)
		id->rotation = rotation;
	id->solid_state = rotation == 1;
}

int sn_identity_parse(const uint8_t bytes[512], struct sn_identity *identity,
		      struct fe_error *err)
{
	int ret;

	memset(identity, 0, sizeof(*identity));
	ret = check_answer(bytes, err);
	if (!ret)
		ret = parse_block_size(bytes, identity, err);
	if (!ret)
		ret = parse_alignment(bytes, identity, err);
	if (!ret)
		ret = parse_blocks(bytes, identity, err);
	if (ret)
		return ret;
	text_of(bytes, W_MODEL, 20, identity->model);
	text_of(bytes, W_SERIAL, 10, identity->serial);
	text_of(bytes, W_FIRMWARE, 4, identity->firmware);
	parse_sata(bytes, identity);
	parse_features(bytes, identity);
	parse_rotation(bytes, identity);
	return 0;
}
