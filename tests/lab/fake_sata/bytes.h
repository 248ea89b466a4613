/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers in bytes: SCSI's begin with the high byte, ATA's with the low one. */
#ifndef FAKE_SATA_BYTES_H
#define FAKE_SATA_BYTES_H

#include <stdint.h>

static inline uint64_t get_be(const uint8_t *bytes, unsigned int n)
{
	uint64_t value = 0;

	for (unsigned int i = 0; i < n; i++)
		value = value << 8 | bytes[i];
	return value;
}

static inline void put_be(uint8_t *bytes, unsigned int n, uint64_t value)
{
	while (n--) {
		bytes[n] = (uint8_t)value;
		value >>= 8;
	}
}

static inline uint64_t get_le(const uint8_t *bytes, unsigned int n)
{
	uint64_t value = 0;

	while (n--)
		value = value << 8 | bytes[n];
	return value;
}

static inline void put_le(uint8_t *bytes, unsigned int n, uint64_t value)
{
	for (unsigned int i = 0; i < n; i++) {
		bytes[i] = (uint8_t)value;
		value >>= 8;
	}
}

#endif
