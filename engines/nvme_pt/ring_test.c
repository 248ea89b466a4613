/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A real ring on a device that takes any passthrough command: /dev/null does
 * (Linux 6.16), and before that fails each, which is a completion as well.
 */
#include "transport_fixture.h"

#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SLOTS 8u

struct fixture {
	int fd;
	struct pt_transport *ring;
	struct pt_slot *done[SLOTS];
};

static struct pt_transport *new_ring(const struct fixture *f,
				     struct pt_transport_setup wishes)
{
	struct fe_error err = {""};
	struct pt_transport *ring;

	wishes.devices = &f->fd;
	wishes.n_devices = 1;
	wishes.slots = SLOTS;
	ring = pt_ring_new(&wishes, &err);
	if (!ring)
		fail_msg("%s", err.text);
	for (unsigned int i = 0; i < SLOTS; i++)
		ring->ops->bind(ring, &ring->slots[i]);
	return ring;
}

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	f->fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	assert_true(f->fd >= 0);
	f->ring = new_ring(f, (struct pt_transport_setup){
				      .fixed_buffers = true,
				      .fixed_files = true,
			      });
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	f->ring->ops->free(f->ring);
	close(f->fd);
	free(f);
	return 0;
}

static void stage(struct fixture *f, unsigned int from, unsigned int to)
{
	for (unsigned int i = from; i < to; i++) {
		f->ring->slots[i].status = 1;
		pt_stage(f->ring, i);
	}
}

static int exchange(struct fixture *f, unsigned int max, unsigned int wait)
{
	return exchange_and_take(f->ring, f->done, max, wait);
}

/* Each of the slots once, with the device's verdict. */
static void expect_done(const struct fixture *f, int n, unsigned int slots)
{
	unsigned int seen = 0;

	for (int i = 0; i < n; i++) {
		const struct pt_slot *slot = f->done[i];

		assert_true(slot->status == 0 || slot->status == -EOPNOTSUPP);
		seen |= 1u << (slot - f->ring->slots);
	}
	assert_int_equal(seen, slots);
}

static void each_staged_command_is_done_once(void **state)
{
	struct fixture *f = *state;

	stage(f, 0, 5);
	expect_done(f, exchange(f, SLOTS, 5), 0x1f);
	assert_int_equal(exchange(f, SLOTS, 0), 0);
}

static void nothing_is_done_before_it_is_staged(void **state)
{
	assert_int_equal(exchange(*state, SLOTS, 0), 0);
}

static void what_was_sent_before_can_be_waited_for(void **state)
{
	struct fixture *f = *state;

	stage(f, 2, 3);
	assert_int_equal(exchange(f, 0, 0), 0);
	expect_done(f, exchange(f, SLOTS, 1), 0x4);
}

static void no_more_are_taken_than_asked_for(void **state)
{
	struct fixture *f = *state;

	stage(f, 0, SLOTS);
	expect_done(f, exchange(f, 3, SLOTS), 0x07);
	expect_done(f, exchange(f, SLOTS, 0), 0xf8);
}

static void slots_are_used_again_in_any_order(void **state)
{
	struct fixture *f = *state;

	for (unsigned int round = 0; round < 1000; round++) {
		const unsigned int from = round % SLOTS;

		stage(f, from, SLOTS);
		expect_done(f, exchange(f, SLOTS, SLOTS - from),
			    0xffu & (0xffu << from));
	}
}

static void a_command_stays_as_it_is_when_it_is_sent_again(void **state)
{
	struct fixture *f = *state;
	struct nvme_uring_cmd before, *command = f->ring->slots[3].command;

	command->opcode = 2;
	command->nsid = 1;
	command->cdw10 = 0x12345678;
	command->cdw15 = 0x9abcdef0;
	before = *command;
	for (int i = 0; i < 3; i++) {
		stage(f, 3, 4);
		expect_done(f, exchange(f, SLOTS, 1), 0x8);
	}
	assert_memory_equal(command, &before, sizeof(before));
}

static void commands_of_slots_do_not_overlap(void **state)
{
	struct fixture *f = *state;

	for (unsigned int i = 0; i < SLOTS; i++)
		memset(f->ring->slots[i].command, (int)i + 1,
		       sizeof(struct nvme_uring_cmd));
	for (unsigned int i = 0; i < SLOTS; i++) {
		const uint8_t *bytes = (uint8_t *)f->ring->slots[i].command;

		for (size_t at = 0; at < sizeof(struct nvme_uring_cmd); at++)
			assert_int_equal(bytes[at], i + 1);
	}
}

static void buffers_and_files_are_registered(void **state)
{
	struct fixture *f = *state;
	struct iovec buffer = {NULL, 4096};
	int ret;

	buffer.iov_base = aligned_alloc(4096, 4096);
	assert_non_null(buffer.iov_base);
	ret = f->ring->ops->register_buffers(f->ring, &buffer, 1);
	assert_true(f->ring->fixed_files);
	if (f->ring->fixed_buffers) {
		assert_int_equal(ret, 0);
		f->ring->slots[0].buffer = 0;
		f->ring->ops->bind(f->ring, &f->ring->slots[0]);
		stage(f, 0, 1);
		assert_int_equal(exchange(f, SLOTS, 1), 1);
	}
	free(buffer.iov_base);
}

static const struct io_uring_sqe *entry_of(const struct pt_slot *slot)
{
	return (const void *)((const char *)slot->command -
			      offsetof(struct io_uring_sqe, cmd));
}

/* Else the kernel maps an address of another buffer. */
static void an_entry_names_its_buffer_or_none(void **state)
{
	struct fixture *f = *state;
	struct pt_slot *slot = &f->ring->slots[1];

	if (!f->ring->fixed_buffers)
		skip();
	slot->buffer = 7;
	f->ring->ops->bind(f->ring, slot);
	assert_int_equal(entry_of(slot)->uring_cmd_flags,
			 IORING_URING_CMD_FIXED);
	assert_int_equal(entry_of(slot)->buf_index, 7);
	slot->buffer = -1;
	f->ring->ops->bind(f->ring, slot);
	assert_int_equal(entry_of(slot)->uring_cmd_flags, 0);
	assert_int_equal(entry_of(slot)->buf_index, 0);
}

static void buffers_that_cannot_be_mapped_are_left_unfixed(void **state)
{
	struct fixture *f = *state;
	const struct iovec nowhere = {(void *)8192, 4096};

	if (!f->ring->fixed_buffers)
		skip();
	assert_int_equal(f->ring->ops->register_buffers(f->ring, &nowhere, 1),
			 -EFAULT);
	assert_false(f->ring->fixed_buffers);
}

static void a_thread_of_the_kernel_may_submit(void **state)
{
	struct fixture *f = *state;
	struct pt_transport *ordinary = f->ring;

	f->ring = new_ring(f, (struct pt_transport_setup){
				      .submit_thread = true,
				      .submit_cpu = -1,
			      });
	for (int round = 0; round < 100; round++) {
		int n = 0;

		stage(f, 0, SLOTS);
		while (n < (int)SLOTS)
			n += exchange_and_take(f->ring, &f->done[n],
					       SLOTS - (unsigned int)n, 1);
		expect_done(f, n, 0xff);
	}
	f->ring->ops->free(f->ring);
	f->ring = ordinary;
}

static void more_slots_than_a_ring_can_have_are_refused(void **state)
{
	struct fixture *f = *state;
	const struct pt_transport_setup setup = {
		.devices = &f->fd, .n_devices = 1, .slots = 1u << 20};
	struct fe_error err = {""};

	assert_null(pt_ring_new(&setup, &err));
	assert_string_equal(
		err.text,
		"a ring for 1048576 commands could not be made: Invalid argument (at most 32768; and sqthread_poll_cpu, where given, a CPU that is there)");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(each_staged_command_is_done_once),
		TEST(nothing_is_done_before_it_is_staged),
		TEST(what_was_sent_before_can_be_waited_for),
		TEST(no_more_are_taken_than_asked_for),
		TEST(slots_are_used_again_in_any_order),
		TEST(a_command_stays_as_it_is_when_it_is_sent_again),
		TEST(commands_of_slots_do_not_overlap),
		TEST(buffers_and_files_are_registered),
		TEST(an_entry_names_its_buffer_or_none),
		TEST(buffers_that_cannot_be_mapped_are_left_unfixed),
		TEST(a_thread_of_the_kernel_may_submit),
		TEST(more_slots_than_a_ring_can_have_are_refused),
	};
	struct fe_error err = {""};

	if (!pt_ring_available(&err)) {
		printf("skipped: %s\n", err.text);
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
