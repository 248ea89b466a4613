/* SPDX-License-Identifier: GPL-2.0-only */
#include "zones.h"

#include <errno.h>

enum descriptor_field {
	DESCRIPTOR_ZT = 0,
	DESCRIPTOR_ZS = 1,
	DESCRIPTOR_ZCAP = 8,
	DESCRIPTOR_ZSLBA = 16,
	DESCRIPTOR_WP = 24,
};

#define SEQUENTIAL_WRITE_REQUIRED 2

static uint64_t le64(const uint8_t *at)
{
	uint64_t value = 0;

	for (unsigned int i = 8; i-- > 0;)
		value = value << 8 | at[i];
	return value;
}

/* How many descriptors are whole in what was transferred. */
static unsigned int count_of(const uint8_t *report, size_t size, size_t step,
			     unsigned int max)
{
	uint64_t n, room;

	if (size < PT_ZONE_REPORT_HEADER)
		return 0;
	n = le64(report);
	room = (size - PT_ZONE_REPORT_HEADER) / step;
	if (n > room)
		n = room;
	return n < max ? (unsigned int)n : max;
}

static bool known(unsigned int state)
{
	return (state >= PT_ZONE_EMPTY && state <= PT_ZONE_CLOSED) ||
	       state >= PT_ZONE_READ_ONLY;
}

/* In blocks.  false: it can't be. */
static bool write_pointer(const uint8_t *descriptor, uint64_t capacity,
			  uint64_t zone_blocks, struct pt_zone *zone)
{
	const uint64_t start = zone->start;

	switch (zone->state) {
	case PT_ZONE_FULL:
		zone->write_pointer = start + capacity;
		return true;
	case PT_ZONE_READ_ONLY:
	case PT_ZONE_OFFLINE:
		zone->write_pointer = start;
		return true;
	default:
		zone->write_pointer = le64(descriptor + DESCRIPTOR_WP);
		return zone->write_pointer >= start &&
		       zone->write_pointer - start <= zone_blocks;
	}
}

static int parse_one(const uint8_t *descriptor, const struct pt_namespace *ns,
		     uint64_t start, struct pt_zone *zone, struct fe_error *err)
{
	const unsigned int type = descriptor[DESCRIPTOR_ZT] & 0xf;
	const unsigned int state = descriptor[DESCRIPTOR_ZS] >> 4;
	const uint64_t capacity = le64(descriptor + DESCRIPTOR_ZCAP);
	const unsigned long long lba = start;

	if (le64(descriptor + DESCRIPTOR_ZSLBA) != start)
		return fe_error_set(
			err, -EINVAL,
			"the report names a zone at LBA %llu where that at %llu is next",
			(unsigned long long)le64(descriptor + DESCRIPTOR_ZSLBA),
			lba);
	if (type != SEQUENTIAL_WRITE_REQUIRED || !known(state))
		return fe_error_set(
			err, -EINVAL,
			"the zone at LBA %llu is of type %u (ZT) in state %u (ZS)",
			lba, type, state);
	if (capacity > ns->zone_blocks)
		return fe_error_set(
			err, -EINVAL,
			"the zone at LBA %llu has a capacity of %llu blocks (ZCAP), of %llu",
			lba, (unsigned long long)capacity,
			(unsigned long long)ns->zone_blocks);
	zone->start = start;
	zone->state = (enum pt_zone_state)state;
	if (!write_pointer(descriptor, capacity, ns->zone_blocks, zone))
		return fe_error_set(
			err, -EINVAL,
			"the zone at LBA %llu has its write pointer at %llu, outside of it",
			lba, (unsigned long long)zone->write_pointer);
	zone->start *= ns->block_bytes;
	zone->write_pointer *= ns->block_bytes;
	zone->capacity = capacity * ns->block_bytes;
	zone->length = ns->zone_blocks * ns->block_bytes;
	return 0;
}

int pt_zones_parse(const uint8_t *report, size_t size, unsigned int extension,
		   const struct pt_namespace *ns, uint64_t from,
		   struct pt_zone *zones, unsigned int max,
		   struct fe_error *err)
{
	const size_t step = PT_ZONE_DESCRIPTOR + (size_t)extension;
	unsigned int n = count_of(report, size, step, max);

	if (n > INT32_MAX)
		n = INT32_MAX;
	for (unsigned int i = 0; i < n; i++) {
		const uint8_t *descriptor =
			report + PT_ZONE_REPORT_HEADER + i * step;
		int ret;

		if (from > ns->blocks || ns->blocks - from < ns->zone_blocks)
			return fe_error_set(
				err, -EINVAL,
				"the report names more zones than the namespace has");
		ret = parse_one(descriptor, ns, from, &zones[i], err);
		if (ret)
			return ret;
		from += ns->zone_blocks;
	}
	return (int)n;
}
