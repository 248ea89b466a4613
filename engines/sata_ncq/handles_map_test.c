/* SPDX-License-Identifier: GPL-2.0-only */
#include "handles_fixture.h"

#define MMAP_IO 4 /* of linux/include/scsi/sg.h */
#define BYTES 8192

static void a_handle_gets_a_buffer_for_the_largest_transfer(void **state)
{
	struct sn_transport_setup setup = fake_setup(1, 2);
	struct sn_transport *transport;

	(void)state;
	setup.bytes = 12345 * 512;
	transport = sn_handles_new(&setup, NULL);
	assert_non_null(transport);
	free_transport(transport);
	assert_int_equal(fake.handles[0].reserved, 1 << 20);
	setup.bytes = 24576;
	transport = sn_handles_new(&setup, NULL);
	assert_non_null(transport);
	assert_int_equal(fake.handles[3].reserved, 24576);
	free_transport(transport);
}

static void a_handle_may_be_without_buffer(void **state)
{
	struct sn_transport_setup setup = fake_setup(1, 2);
	struct sn_transport *transport;

	(void)state;
	setup.bytes = (size_t)1 << 32 | 4096; /* no int */
	transport = sn_handles_new(&setup, NULL);
	assert_non_null(transport);
	assert_int_equal(fake.handles[0].reserved, 0);
	free_transport(transport);
	fake.reserve_most = -1;
	free_transport(new_transport(1, 2));
}

static uint8_t *new_memory(void)
{
	uint8_t *memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(memory, MAP_FAILED);
	for (size_t i = 0; i < BYTES; i++)
		memory[i] = (uint8_t)(i * 7);
	return memory;
}

/* Frees it, too. */
static void assert_contents_kept(uint8_t *memory)
{
	for (size_t i = 0; i < BYTES; i++)
		assert_int_equal(memory[i], (uint8_t)(i * 7));
	memory[BYTES - 1] = 1; /* it can be written to */
	assert_int_equal(munmap(memory, BYTES), 0);
}

static void *map(struct sn_transport *transport, unsigned int i, void *memory,
		 size_t bytes)
{
	transport->ops->map(transport, &transport->slots[i], memory, bytes);
	return transport->slots[i].mapped;
}

static void memory_becomes_the_handles_buffer(void **state)
{
	struct sn_transport *transport = new_transport(1, 3);
	uint8_t *memory = new_memory();
	uint8_t there[2] = {0};

	(void)state;
	assert_ptr_equal(map(transport, 1, memory, BYTES), memory);
	assert_null(transport->slots[0].mapped);
	memory[1] = 99;
	assert_int_equal(pread(fake.handles[1].memory, there, 2, 0), 2);
	assert_int_equal(there[1], 99);
	memory[1] = 7;
	assert_contents_kept(memory);
	free_transport(transport);
}

static void assert_mapped(struct sn_transport *transport, void *data, bool is)
{
	struct sg_io_hdr header;
	struct sn_slot *done;

	transport->slots[0].header.dxferp = data;
	assert_int_equal(send_slot(transport, 0), 0);
	header = received(0);
	assert_int_equal(!!(header.flags & MMAP_IO), is);
	/* Where there is an address, sg copies. */
	assert_ptr_equal(header.dxferp, is ? NULL : data);
	answer(0, &header);
	assert_int_equal(reap(transport, 1, 1, &done), 1);
}

static void only_the_mapped_memory_is_not_copied(void **state)
{
	struct sn_transport *transport = new_transport(1, 1);
	uint8_t *memory = new_memory();

	(void)state;
	assert_mapped(transport, NULL, false);
	assert_ptr_equal(map(transport, 0, memory, BYTES), memory);
	assert_mapped(transport, memory, true);
	assert_mapped(transport, memory + 4096, false);
	assert_mapped(transport, memory, true);
	assert_contents_kept(memory);
	free_transport(transport);
}

static void a_buffer_that_is_too_small_is_not_mapped(void **state)
{
	struct sn_transport *transport = new_transport(1, 2);
	uint8_t *memory = new_memory();

	(void)state;
	fake.reserve_most = BYTES - 1;
	assert_null(map(transport, 0, memory, BYTES));
	assert_int_equal(fake.handles[0].memory, -1);
	fake.reserve_most = -1;
	assert_null(map(transport, 0, memory, BYTES));
	assert_contents_kept(memory);
	free_transport(transport);
}

static void what_can_not_be_mapped_is_memory_as_before(void **state)
{
	struct sn_transport *transport = new_transport(1, 2);
	uint8_t *memory = new_memory();

	(void)state;
	fake.mmap_error = ENODEV;
	assert_null(map(transport, 0, memory, BYTES));
	assert_contents_kept(memory);
	free_transport(transport);
}

static void only_whole_pages_are_mapped(void **state)
{
	struct sn_transport *transport = new_transport(1, 2);
	uint8_t *memory = new_memory();

	(void)state;
	assert_null(map(transport, 0, memory + 512, 4096));
	assert_null(map(transport, 0, memory, 512));
	assert_null(map(transport, 0, memory, 0));
	assert_null(map(transport, 0, memory, (size_t)1 << 32));
	assert_contents_kept(memory);
	free_transport(transport);
}

static void shared_handles_are_not_mapped(void **state)
{
	struct sn_transport *transport = new_transport(1, SN_MAX_HANDLES + 1);
	uint8_t *memory = new_memory();

	(void)state;
	assert_null(map(transport, 0, memory, BYTES));
	assert_contents_kept(memory);
	free_transport(transport);
}

/* The data of the one would be read from the buffer of the other. */
static void memory_for_several_devices_is_not_mapped(void **state)
{
	struct sn_transport *transport = new_transport(2, 2);
	uint8_t *memory = new_memory();

	(void)state;
	assert_null(map(transport, 0, memory, BYTES));
	assert_contents_kept(memory);
	free_transport(transport);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_handle_gets_a_buffer_for_the_largest_transfer),
		TEST(a_handle_may_be_without_buffer),
		TEST(memory_becomes_the_handles_buffer),
		TEST(only_the_mapped_memory_is_not_copied),
		TEST(a_buffer_that_is_too_small_is_not_mapped),
		TEST(what_can_not_be_mapped_is_memory_as_before),
		TEST(only_whole_pages_are_mapped),
		TEST(shared_handles_are_not_mapped),
		TEST(memory_for_several_devices_is_not_mapped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
