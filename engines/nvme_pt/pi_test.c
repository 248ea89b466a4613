/* SPDX-License-Identifier: GPL-2.0-only */
#include "pi.h"

#include "unit.h"

#include <pthread.h>
#include <string.h>

#include "command.h"

static struct pt_namespace format(uint8_t type, uint8_t guard_bits,
				  uint32_t block_bytes)
{
	const uint8_t bytes = guard_bits == 16 ? 8 : 16;

	return (struct pt_namespace){
		.block_bytes = block_bytes,
		.metadata_bytes = bytes,
		.pi = {.type = type, .guard_bits = guard_bits, .bytes = bytes},
	};
}

/* Blocks in a row, and their metadata in another. */
static struct pt_blocks separate(const struct pt_namespace *ns, void *data,
				 void *metadata, uint32_t count, uint64_t slba)
{
	return (struct pt_blocks){
		.data = data,
		.data_stride = ns->block_bytes,
		.metadata = metadata,
		.metadata_stride = ns->metadata_bytes,
		.count = count,
		.slba = slba,
	};
}

static uint64_t guard_of(uint8_t bits, const void *data, uint32_t bytes)
{
	const struct pt_namespace ns = format(1, bits, bytes);
	uint8_t copy[4096], metadata[16];
	const struct pt_blocks block = separate(&ns, copy, metadata, 1, 0);
	uint64_t guard = 0;

	memcpy(copy, data, bytes);
	pt_pi_generate(&ns, &block, 0);
	for (unsigned int i = 0; i < bits / 8u; i++)
		guard = guard << 8 | metadata[i];
	return guard;
}

static void fill(uint8_t *data, size_t bytes, unsigned int first, int step)
{
	for (size_t i = 0; i < bytes; i++, first += (unsigned int)step)
		data[i] = (uint8_t)first;
}

/* The code words that T10 published with the polynomial (SBC-3, "CRC test
 * cases"), and the catalogue's check value. */
static void guards_of_16_bits_are_t10_dif(void **state)
{
	uint8_t data[32];

	(void)state;
	fill(data, 32, 0, 0);
	assert_int_equal(guard_of(16, data, 32), 0x0000);
	fill(data, 32, 0xff, 0);
	assert_int_equal(guard_of(16, data, 32), 0xa293);
	fill(data, 32, 0, 1);
	assert_int_equal(guard_of(16, data, 32), 0x0224);
	fill(data, 32, 0xff, -1);
	assert_int_equal(guard_of(16, data, 32), 0xa0b7);
	fill(data, 32, 0, 0);
	fill(data, 2, 0xff, 0);
	assert_int_equal(guard_of(16, data, 32), 0x21b8);
	assert_int_equal(guard_of(16, "123456789", 9), 0xd0db);
}

/* NVM Command Set figure 117, and the catalogue's check value. */
static void guards_of_32_bits_are_crc32c(void **state)
{
	uint8_t data[4096];

	(void)state;
	fill(data, sizeof(data), 0, 0);
	assert_int_equal(guard_of(32, data, sizeof(data)), 0x98f94189);
	fill(data, sizeof(data), 0xff, 0);
	assert_int_equal(guard_of(32, data, sizeof(data)), 0x25c1fe13);
	fill(data, sizeof(data), 0, 1);
	assert_int_equal(guard_of(32, data, sizeof(data)), 0x9c71fe32);
	fill(data, sizeof(data), 0xff, -1);
	assert_int_equal(guard_of(32, data, sizeof(data)), 0x214941a8);
	assert_int_equal(guard_of(32, "123456789", 9), 0xe3069283);
}

/* NVM Command Set figure 121.  The check value is the catalogue's: that of
 * section 5.2.1.3.4 is not what its parameters give. */
static void guards_of_64_bits_are_crc64_nvme(void **state)
{
	uint8_t data[4096];

	(void)state;
	fill(data, sizeof(data), 0, 0);
	assert_true(guard_of(64, data, sizeof(data)) == 0x6482d367eb22b64e);
	fill(data, sizeof(data), 0xff, 0);
	assert_true(guard_of(64, data, sizeof(data)) == 0xc0ddba7302eca3ac);
	fill(data, sizeof(data), 0, 1);
	assert_true(guard_of(64, data, sizeof(data)) == 0x3e729f5f6750449c);
	fill(data, sizeof(data), 0xff, -1);
	assert_true(guard_of(64, data, sizeof(data)) == 0x9a2df64b8e9e517e);
	assert_true(guard_of(64, "123456789", 9) == 0xae8b14860a799888);
}

static uint8_t nine[9] = {'1', '2', '3', '4', '5', '6', '7', '8', '9'};

#define LBA UINT64_C(0x0123456789abcdef)

struct layout {
	uint8_t type, guard_bits, storage_bits;
	uint8_t expected[16];
};

/* Figures 114 to 118, separated as in figures 122 and 123. */
static void fields_lie_where_the_format_has_them(void **state)
{
	static const struct layout layouts[] = {
		/* guard, application tag, reference tag */
		{1, 16, 0, {0xd0, 0xdb, 0x12, 0x34, 0x89, 0xab, 0xcd, 0xef}},
		{2, 16, 0, {0xd0, 0xdb, 0x12, 0x34, 0x89, 0xab, 0xcd, 0xef}},
		{3, 16, 0, {0xd0, 0xdb, 0x12, 0x34, 0, 0, 0, 0}},
		{1, 16, 12, {0xd0, 0xdb, 0x12, 0x34, 0x00, 0x0b, 0xcd, 0xef}},
		{1, 16, 32, {0xd0, 0xdb, 0x12, 0x34, 0, 0, 0, 0}},
		{1,
		 32,
		 16,
		 {0xe3, 0x06, 0x92, 0x83, 0x12, 0x34, 0, 0, 0x01, 0x23, 0x45,
		  0x67, 0x89, 0xab, 0xcd, 0xef}},
		{2,
		 32,
		 32,
		 {0xe3, 0x06, 0x92, 0x83, 0x12, 0x34, 0, 0, 0, 0, 0x45, 0x67,
		  0x89, 0xab, 0xcd, 0xef}},
		{1,
		 32,
		 64,
		 {0xe3, 0x06, 0x92, 0x83, 0x12, 0x34, 0, 0, 0, 0, 0, 0, 0, 0,
		  0xcd, 0xef}},
		{1,
		 64,
		 0,
		 {0xae, 0x8b, 0x14, 0x86, 0x0a, 0x79, 0x98, 0x88, 0x12, 0x34,
		  0x45, 0x67, 0x89, 0xab, 0xcd, 0xef}},
		{1,
		 64,
		 18,
		 {0xae, 0x8b, 0x14, 0x86, 0x0a, 0x79, 0x98, 0x88, 0x12, 0x34, 0,
		  0, 0x09, 0xab, 0xcd, 0xef}},
		{2,
		 64,
		 48,
		 {0xae, 0x8b, 0x14, 0x86, 0x0a, 0x79, 0x98, 0x88, 0x12, 0x34, 0,
		  0, 0, 0, 0, 0}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
		struct pt_namespace ns = format(
			layouts[i].type, layouts[i].guard_bits, sizeof(nine));
		uint8_t metadata[16];
		const struct pt_blocks block =
			separate(&ns, nine, metadata, 1, LBA);

		ns.pi.storage_bits = layouts[i].storage_bits;
		memset(metadata, 0xee, sizeof(metadata));
		pt_pi_generate(&ns, &block, 0x1234);
		assert_memory_equal(metadata, layouts[i].expected, ns.pi.bytes);
	}
}

static void each_block_has_the_next_reference_tag(void **state)
{
	const struct pt_namespace ns = format(1, 16, 2);
	uint8_t data[6] = {0};
	static const uint8_t expected[24] = {
		0, 0, 0x55, 0xaa, 0xff, 0xff, 0xff, 0xfe,
		0, 0, 0x55, 0xaa, 0xff, 0xff, 0xff, 0xff,
		0, 0, 0x55, 0xaa, 0,	0,    0,    0,
	};
	uint8_t metadata[24];
	const struct pt_blocks blocks =
		separate(&ns, data, metadata, 3, 0x7fffffffe);

	(void)state;
	pt_pi_generate(&ns, &blocks, 0x55aa);
	assert_memory_equal(metadata, expected, sizeof(expected));
}

/* 5.2.1: the guard covers the metadata before protection information that is
 * last, and none if it is first. */
static void last_in_the_metadata_it_guards_what_is_before(void **state)
{
	struct pt_namespace ns = format(1, 32, 5);
	static const uint8_t expected[20] = {
		'6', '7', '8', '9', 0xe3, 0x06, 0x92, 0x83, 0, 1,
		0,   0,	  0,   0,   0,	  0,	0,    0,    0, 5,
	};
	uint8_t metadata[20] = {'6', '7', '8', '9'};
	const struct pt_blocks block = separate(&ns, nine, metadata, 1, 5);

	(void)state;
	ns.metadata_bytes = sizeof(metadata);
	pt_pi_generate(&ns, &block, 1);
	assert_memory_equal(metadata, expected, sizeof(expected));
}

static void last_in_the_metadata_all_guards_are_alike(void **state)
{
	static const struct {
		uint8_t bits, bytes, guard[8];
	} guards[] = {
		{16, 2, {0xd0, 0xdb}},
		{64, 8, {0xae, 0x8b, 0x14, 0x86, 0x0a, 0x79, 0x98, 0x88}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(guards) / sizeof(guards[0]); i++) {
		struct pt_namespace ns = format(1, guards[i].bits, 5);
		uint8_t metadata[20] = {'6', '7', '8', '9'};
		const struct pt_blocks block =
			separate(&ns, nine, metadata, 1, 5);

		ns.metadata_bytes = ns.pi.bytes + 4;
		pt_pi_generate(&ns, &block, 1);
		assert_memory_equal(metadata + 4, guards[i].guard,
				    guards[i].bytes);
	}
}

static void first_in_the_metadata_it_leaves_the_rest(void **state)
{
	struct pt_namespace ns = format(1, 16, sizeof(nine));
	static const uint8_t expected[12] = {0xd0, 0xdb, 0,    1,    0,	  0, 0,
					     5,	   0xee, 0xee, 0xee, 0xee};
	uint8_t metadata[12];
	const struct pt_blocks block = separate(&ns, nine, metadata, 1, 5);

	(void)state;
	ns.metadata_bytes = sizeof(metadata);
	ns.pi.first = true;
	memset(metadata, 0xee, sizeof(metadata));
	pt_pi_generate(&ns, &block, 1);
	assert_memory_equal(metadata, expected, sizeof(expected));
}

static void extended_blocks_hold_both(void **state)
{
	const struct pt_namespace ns = format(1, 16, 3);
	static const uint8_t expected[22] = {
		'a', 'b', 'c', 0x44, 0x3b, 0, 9, 0, 0, 0, 7,
		'd', 'e', 'f', 0xb0, 0x59, 0, 9, 0, 0, 0, 8,
	};
	uint8_t buffer[22], back[6] = {0};
	const struct pt_blocks blocks = {
		.data = buffer,
		.data_stride = 11,
		.metadata = buffer + 3,
		.metadata_stride = 11,
		.count = 2,
		.slba = 7,
	};

	(void)state;
	memset(buffer, 0xee, sizeof(buffer));
	pt_blocks_spread(&ns, &blocks, "abcdef");
	assert_memory_equal(buffer, "abc\xee", 4);
	pt_pi_generate(&ns, &blocks, 9);
	assert_memory_equal(buffer, expected, sizeof(expected));
	pt_blocks_gather(&ns, &blocks, back);
	assert_memory_equal(back, "abcdef", 6);
}

static void a_type_without_tags_has_reference_0(void **state)
{
	struct pt_protection pi = {.type = 1, .guard_bits = 16, .bytes = 8};

	(void)state;
	assert_true(pt_pi_reference(&pi, LBA) == 0x89abcdef);
	pi.type = 3;
	assert_true(pt_pi_reference(&pi, LBA) == 0);
	pi.type = 0;
	assert_true(pt_pi_reference(&pi, LBA) == 0);
}

static void *first_use(void *guard)
{
	*(uint64_t *)guard = guard_of(64, nine, sizeof(nine));
	return NULL;
}

/* The first of the tests: the tables are built once in a program. */
static void threads_may_begin_together(void **state)
{
	enum { N = 8 };
	pthread_t threads[N];
	uint64_t guards[N];

	(void)state;
	for (int i = 0; i < N; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, first_use,
						&guards[i]),
				 0);
	for (int i = 0; i < N; i++) {
		pthread_join(threads[i], NULL);
		assert_true(guards[i] == 0xae8b14860a799888);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_may_begin_together),
		cmocka_unit_test(guards_of_16_bits_are_t10_dif),
		cmocka_unit_test(guards_of_32_bits_are_crc32c),
		cmocka_unit_test(guards_of_64_bits_are_crc64_nvme),
		cmocka_unit_test(fields_lie_where_the_format_has_them),
		cmocka_unit_test(each_block_has_the_next_reference_tag),
		cmocka_unit_test(last_in_the_metadata_it_guards_what_is_before),
		cmocka_unit_test(last_in_the_metadata_all_guards_are_alike),
		cmocka_unit_test(first_in_the_metadata_it_leaves_the_rest),
		cmocka_unit_test(extended_blocks_hold_both),
		cmocka_unit_test(a_type_without_tags_has_reference_0),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
