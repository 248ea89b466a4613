/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The recorded disk, to be changed by tests.  Words are those of ACS 7.13.7, 75
 * to 78 also of Serial ATA 3.x 13.2.1.
 */
#ifndef SN_IDENTIFY_FIXTURE_H
#define SN_IDENTIFY_FIXTURE_H

#include "identify.h"

#include "unit.h"

#include <string.h>

#include "identify_recorded.h"

static uint8_t data[512];

static uint8_t digit(char c)
{
	return (uint8_t)(c <= '9' ? c - '0' : c - 'a' + 10);
}

static int load_disk(void **state)
{
	(void)state;
	memset(data, 0, sizeof(data));
	for (const struct recorded_run *run = qemu_disk; run->hex; run++) {
		for (size_t i = 0; run->hex[2 * i]; i++)
			data[run->at + i] =
				(uint8_t)(digit(run->hex[2 * i]) << 4 |
					  digit(run->hex[2 * i + 1]));
	}
	return 0;
}

static inline void set_word(unsigned int n, uint16_t value)
{
	data[2 * n] = (uint8_t)value;
	data[2 * n + 1] = (uint8_t)(value >> 8);
}

static inline void set_bits(unsigned int n, uint16_t bits)
{
	const unsigned int old = data[2 * n] | data[2 * n + 1] << 8;

	set_word(n, (uint16_t)(old | bits));
}

static inline void set_words(unsigned int n, unsigned int count, uint64_t value)
{
	for (unsigned int i = 0; i < count; i++)
		set_word(n + i, (uint16_t)(value >> 16 * i));
}

static inline struct sn_identity parsed(void)
{
	struct sn_identity id;
	struct fe_error err = {""};
	const int ret = sn_identity_parse(data, &id, &err);

	assert_string_equal(err.text, "");
	assert_int_equal(ret, 0);
	return id;
}

static inline void assert_refused(int code, const char *sentence)
{
	struct sn_identity id;
	struct fe_error err = {""};

	assert_int_equal(sn_identity_parse(data, &id, &err), code);
	assert_string_equal(err.text, sentence);
}

#define TEST(name) cmocka_unit_test_setup(name, load_disk)

#endif
