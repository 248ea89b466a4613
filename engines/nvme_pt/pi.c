/* SPDX-License-Identifier: GPL-2.0-only */
#include "pi.h"

#include <pthread.h>
#include <string.h>

#include "command.h"

/* Generator polynomials: the first as in NVM Command Set 5.2.1.1, the others,
 * of 5.2.1.2 and 5.2.1.3, with their bits reversed. */
#define T10_DIF 0x8bb7u
#define CRC32C_REVERSED 0x82f63b78u
#define CRC64_REVERSED 0x9a6c9329ac4bc9b5u

#define NOT_CHECKED 0xffffu

static uint16_t t10_dif_table[256];
static uint64_t crc32c_table[256], crc64_table[256];

static void build_reversed(uint64_t table[256], uint64_t polynomial)
{
	for (unsigned int byte = 0; byte < 256; byte++) {
		uint64_t crc = byte;

		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? polynomial : 0);
		table[byte] = crc;
	}
}

static void build_tables(void)
{
	for (unsigned int byte = 0; byte < 256; byte++) {
		unsigned int crc = byte << 8;

		for (int bit = 0; bit < 8; bit++)
			crc = crc << 1 ^ (crc & 0x8000 ? T10_DIF : 0);
		t10_dif_table[byte] = (uint16_t)crc;
	}
	build_reversed(crc32c_table, CRC32C_REVERSED);
	build_reversed(crc64_table, CRC64_REVERSED);
}

static uint64_t crc_t10_dif(uint64_t crc, const uint8_t *data, size_t bytes)
{
	uint16_t value = (uint16_t)crc;

	for (size_t i = 0; i < bytes; i++)
		value = (uint16_t)(value << 8) ^
			t10_dif_table[value >> 8 ^ data[i]];
	return value;
}

static uint64_t crc_reversed(const uint64_t table[256], uint64_t crc,
			     const uint8_t *data, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		crc = crc >> 8 ^ table[(crc ^ data[i]) & 0xff];
	return crc;
}

/* The guard of data and then of `more`. */
static uint64_t guard_of(unsigned int bits, const uint8_t *data, size_t bytes,
			 const uint8_t *more, size_t more_bytes)
{
	const uint64_t inverted = bits == 64 ? UINT64_MAX : UINT32_MAX;
	const uint64_t *table = bits == 64 ? crc64_table : crc32c_table;
	uint64_t crc;

	if (bits == 16)
		return crc_t10_dif(crc_t10_dif(0, data, bytes), more,
				   more_bytes);
	crc = crc_reversed(table, inverted, data, bytes);
	return crc_reversed(table, crc, more, more_bytes) ^ inverted;
}

/* Figures 114, 116 and 118: guard, application tag, and the space that storage
 * and reference tag share; the first byte of each counts most. */
struct layout {
	unsigned int guard_bytes;
	unsigned int offset; /* of all of it in the metadata */
	unsigned int size;
	uint64_t reference_mask;
};

/* Bits of the space, figure 123. */
static unsigned int tag_space(const struct pt_protection *pi)
{
	switch (pi->guard_bits) {
	case 64:
		return 48;
	case 32:
		return 80;
	default:
		return 32;
	}
}

static uint64_t reference_mask(const struct pt_protection *pi)
{
	const unsigned int space = tag_space(pi);
	const unsigned int bits =
		pi->storage_bits < space ? space - pi->storage_bits : 0;

	return bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
}

uint64_t pt_pi_reference(const struct pt_protection *pi, uint64_t lba)
{
	if (!pi->type || pi->type == 3)
		return 0;
	return lba & reference_mask(pi);
}

static struct layout layout_of(const struct pt_namespace *ns)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, build_tables);
	return (struct layout){
		.guard_bytes = ns->pi.guard_bits / 8u,
		.offset = ns->pi.first ? 0 : ns->metadata_bytes - ns->pi.bytes,
		.size = ns->pi.bytes,
		.reference_mask = reference_mask(&ns->pi),
	};
}

static void put_big_endian(uint8_t *to, unsigned int bytes, uint64_t value)
{
	while (bytes--) {
		to[bytes] = (uint8_t)value;
		value >>= 8;
	}
}

/* The last 64 bits, if there are more. */
static uint64_t get_big_endian(const uint8_t *from, unsigned int bytes)
{
	uint64_t value = 0;

	while (bytes--)
		value = value << 8 | *from++;
	return value;
}

/* 5.2.1: the guard covers what lies before the protection information. */
static uint64_t guard_of_block(const struct pt_namespace *ns,
			       const struct layout *layout, const uint8_t *data,
			       const uint8_t *metadata)
{
	return guard_of(ns->pi.guard_bits, data, ns->block_bytes, metadata,
			layout->offset);
}

void pt_pi_generate(const struct pt_namespace *ns,
		    const struct pt_blocks *blocks, uint16_t apptag)
{
	const struct layout layout = layout_of(ns);
	const unsigned int tags = layout.guard_bytes + 2;

	for (uint32_t i = 0; i < blocks->count; i++) {
		uint8_t *metadata =
			blocks->metadata + i * blocks->metadata_stride;
		uint8_t *pi = metadata + layout.offset;

		put_big_endian(
			pi, layout.guard_bytes,
			guard_of_block(ns, &layout,
				       blocks->data + i * blocks->data_stride,
				       metadata));
		put_big_endian(pi + layout.guard_bytes, 2, apptag);
		put_big_endian(pi + tags, layout.size - tags,
			       pt_pi_reference(&ns->pi, blocks->slba + i));
	}
}

struct expected {
	unsigned int check;
	uint16_t apptag, apptag_mask;
	uint64_t reference;
};

static enum pt_pi_fault check_block(const struct pt_namespace *ns,
				    const struct layout *layout,
				    const uint8_t *data,
				    const uint8_t *metadata,
				    const struct expected *expected)
{
	const uint8_t *pi = metadata + layout->offset;
	const unsigned int tags = layout->guard_bytes + 2;
	const uint64_t apptag = get_big_endian(pi + layout->guard_bytes, 2);
	const uint64_t reference =
		get_big_endian(pi + tags, layout->size - tags) &
		layout->reference_mask;

	if (apptag == NOT_CHECKED &&
	    (ns->pi.type != 3 || reference == layout->reference_mask))
		return PT_PI_GOOD;
	if (expected->check & PT_CHECK_GUARD &&
	    get_big_endian(pi, layout->guard_bytes) !=
		    guard_of_block(ns, layout, data, metadata))
		return PT_PI_GUARD;
	if (expected->check & PT_CHECK_APPLICATION &&
	    (apptag ^ expected->apptag) & expected->apptag_mask)
		return PT_PI_APPLICATION;
	if (expected->check & PT_CHECK_REFERENCE && ns->pi.type != 3 &&
	    reference != expected->reference)
		return PT_PI_REFERENCE;
	return PT_PI_GOOD;
}

enum pt_pi_fault pt_pi_check(const struct pt_namespace *ns,
			     const struct pt_blocks *blocks, unsigned int check,
			     uint16_t apptag, uint16_t apptag_mask,
			     uint32_t *bad)
{
	const struct layout layout = layout_of(ns);
	struct expected expected = {
		.check = check,
		.apptag = apptag,
		.apptag_mask = apptag_mask,
	};

	for (uint32_t i = 0; i < blocks->count; i++) {
		enum pt_pi_fault fault;

		expected.reference = pt_pi_reference(&ns->pi, blocks->slba + i);
		fault = check_block(
			ns, &layout, blocks->data + i * blocks->data_stride,
			blocks->metadata + i * blocks->metadata_stride,
			&expected);
		if (fault != PT_PI_GOOD) {
			*bad = i;
			return fault;
		}
	}
	return PT_PI_GOOD;
}

const char *pt_pi_fault_name(enum pt_pi_fault fault)
{
	switch (fault) {
	case PT_PI_GUARD:
		return "guard";
	case PT_PI_APPLICATION:
		return "application tag";
	case PT_PI_REFERENCE:
		return "reference tag";
	default:
		return "none";
	}
}

void pt_blocks_spread(const struct pt_namespace *ns, const struct pt_blocks *to,
		      const void *data)
{
	const uint8_t *from = data;

	for (uint32_t i = 0; i < to->count; i++, from += ns->block_bytes)
		memcpy(to->data + i * to->data_stride, from, ns->block_bytes);
}

void pt_blocks_gather(const struct pt_namespace *ns,
		      const struct pt_blocks *from, void *data)
{
	uint8_t *to = data;

	for (uint32_t i = 0; i < from->count; i++, to += ns->block_bytes)
		memcpy(to, from->data + i * from->data_stride, ns->block_bytes);
}
