/* SPDX-License-Identifier: GPL-2.0-only */
#include "ioctl.h"

#include "transport_fixture.h"
#include "unit.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SLOTS 60 /* no power of two */
#define THREADS 8

/* The device: does what the command itself says in these dwords. */
#define cmd_error cdw13	 /* fails with this errno */
#define cmd_status cdw14 /* or ends with this status */
#define cmd_hold cdw15	 /* only when the gate is as far open */

static struct device {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned int open;
	unsigned int begun, ended;
	int fd;
	struct nvme_passthru_cmd seen; /* the last one */
} device = {.lock = PTHREAD_MUTEX_INITIALIZER,
	    .changed = PTHREAD_COND_INITIALIZER};

static int issue(int fd, struct nvme_passthru_cmd *command, __u32 *result)
{
	(void)result;
	pthread_mutex_lock(&device.lock);
	device.begun++;
	pthread_cond_broadcast(&device.changed);
	while (device.open < command->cmd_hold)
		pthread_cond_wait(&device.changed, &device.lock);
	device.ended++;
	device.fd = fd;
	device.seen = *command;
	pthread_mutex_unlock(&device.lock);
	command->result = 0xdeadbeef; /* as the kernel may */
	errno = (int)command->cmd_error;
	return command->cmd_error ? -1 : (int)command->cmd_status;
}

static const int devices[] = {30, 31};

static struct pt_transport *new_transport(unsigned int threads)
{
	const struct pt_transport_setup setup = {
		.devices = devices, .n_devices = 2, .slots = SLOTS};
	struct fe_error err = {""};
	struct pt_transport *transport =
		pt_ioctl_new_with(issue, &setup, threads, &err);

	assert_string_equal(err.text, "");
	assert_non_null(transport);
	return transport;
}

static int set_up(void **state)
{
	device.open = 0;
	device.begun = device.ended = 0;
	*state = new_transport(THREADS);
	return 0;
}

static int tear_down(void **state)
{
	struct pt_transport *transport = *state;

	transport->ops->free(transport);
	return 0;
}

static void open_gate(unsigned int width)
{
	pthread_mutex_lock(&device.lock);
	device.open = width;
	pthread_cond_broadcast(&device.changed);
	pthread_mutex_unlock(&device.lock);
}

static void wait_until_begun(unsigned int n)
{
	pthread_mutex_lock(&device.lock);
	while (device.begun < n)
		pthread_cond_wait(&device.changed, &device.lock);
	pthread_mutex_unlock(&device.lock);
}

static struct pt_slot *stage(struct pt_transport *transport, unsigned int i)
{
	struct pt_slot *slot = &transport->slots[i];

	transport->ops->bind(transport, slot);
	pt_stage(transport, i);
	return slot;
}

static void submit(struct pt_transport *transport)
{
	assert_int_equal(exchange_and_take(transport, NULL, 0, 1), 0);
}

static struct pt_slot *do_one(struct pt_transport *transport)
{
	struct pt_slot *done = NULL;

	stage(transport, 0);
	submit(transport);
	assert_int_equal(exchange_and_take(transport, &done, 1, 1), 1);
	assert_ptr_equal(done, &transport->slots[0]);
	return done;
}

static void what_is_staged_is_sent_with_the_next_exchange(void **state)
{
	struct pt_transport *transport = *state;
	struct pt_slot *done[2];

	stage(transport, 0);
	stage(transport, 1);
	usleep(2000);
	pthread_mutex_lock(&device.lock);
	assert_int_equal(device.begun, 0);
	pthread_mutex_unlock(&device.lock);
	assert_int_equal(exchange_and_take(transport, done, 2, 2), 2);
	assert_int_equal(device.begun, 2);
}

static void the_command_reaches_the_device_whole(void **state)
{
	struct pt_transport *transport = *state;
	struct nvme_uring_cmd command;

	for (size_t i = 0; i < sizeof(command); i++)
		((unsigned char *)&command)[i] = (unsigned char)(i + 1);
	command.cmd_error = 0;
	command.cmd_status = 0;
	command.cmd_hold = 0;
	*transport->slots[0].command = command;
	assert_int_equal(do_one(transport)->status, 0);
	assert_memory_equal(&device.seen, &command, sizeof(command));
}

static void the_command_goes_to_the_slots_device(void **state)
{
	struct pt_transport *transport = *state;

	do_one(transport);
	assert_int_equal(device.fd, 30);
	transport->slots[0].device = 1;
	do_one(transport);
	assert_int_equal(device.fd, 31);
}

static void the_status_of_the_device_is_positive(void **state)
{
	struct pt_transport *transport = *state;

	transport->slots[0].command->cmd_status = 0x4281;
	assert_int_equal(do_one(transport)->status, 0x4281);
	transport->slots[0].command->cmd_status = 0;
	assert_int_equal(do_one(transport)->status, 0);
}

static void an_error_of_the_system_is_negative(void **state)
{
	struct pt_transport *transport = *state;

	transport->slots[0].command->cmd_error = ENODEV;
	assert_int_equal(do_one(transport)->status, -ENODEV);
}

/* What was cancelled may have been done: an append must not be done twice. */
static void a_cancelled_command_is_not_sent_again(void **state)
{
	struct pt_transport *transport = *state;

	transport->slots[0].command->cmd_error = EINTR;
	assert_int_equal(do_one(transport)->status, -EINTR);
	assert_int_equal(device.begun, 1);
}

static void commands_overtake_each_other(void **state)
{
	struct pt_transport *transport = *state;
	struct pt_slot *done;

	transport->slots[0].command->cmd_hold = 1;
	stage(transport, 0);
	stage(transport, 1);
	submit(transport);
	assert_int_equal(exchange_and_take(transport, &done, 1, 1), 1);
	assert_ptr_equal(done, &transport->slots[1]);
	open_gate(1);
	assert_int_equal(exchange_and_take(transport, &done, 1, 1), 1);
	assert_ptr_equal(done, &transport->slots[0]);
}

static void as_many_are_on_their_way_as_there_are_threads(void **state)
{
	struct pt_transport *transport = *state;
	struct pt_slot *done[SLOTS];

	for (unsigned int i = 0; i < SLOTS; i++) {
		transport->slots[i].command->cmd_hold = 1;
		stage(transport, i);
	}
	submit(transport);
	wait_until_begun(THREADS);
	usleep(2000); /* for one too many, which must not begin */
	pthread_mutex_lock(&device.lock);
	assert_int_equal(device.begun, THREADS);
	pthread_mutex_unlock(&device.lock);
	open_gate(1);
	for (int n = 0; n < SLOTS;) {
		const int got = exchange_and_take(transport, done, SLOTS, 1);

		assert_true(got > 0);
		n += got;
	}
}

static void every_command_has_its_own_outcome(void **state)
{
	struct pt_transport *transport = *state;
	struct pt_slot *done[SLOTS];
	unsigned int seen[SLOTS] = {0};

	for (unsigned int round = 1; round <= 50; round++) {
		int n = 0;

		for (unsigned int i = 0; i < SLOTS; i++) {
			struct pt_slot *slot = stage(transport, i);

			slot->owner = &seen[i];
			slot->command->cmd_status = i * round;
		}
		submit(transport);
		while (n < SLOTS)
			n += exchange_and_take(transport, done + n, 5, 1);
		for (unsigned int i = 0; i < SLOTS; i++) {
			const unsigned int at =
				(unsigned int)(done[i] - transport->slots);

			assert_int_equal(done[i]->status, at * round);
			++*(unsigned int *)done[i]->owner;
		}
	}
	for (unsigned int i = 0; i < SLOTS; i++)
		assert_int_equal(seen[i], 50);
}

static void nothing_in_flight_is_not_waited_for(void **state)
{
	struct pt_transport *transport = *state;
	struct pt_slot *done;

	assert_int_equal(exchange_and_take(transport, &done, 1, 1), 0);
}

static void without_a_wish_to_wait_nothing_is_waited_for(void **state)
{
	struct pt_transport *transport = *state;
	struct pt_slot *done;

	transport->slots[0].command->cmd_hold = 1;
	stage(transport, 0);
	submit(transport);
	assert_int_equal(exchange_and_take(transport, &done, 1, 0), 0);
	open_gate(1);
	assert_int_equal(exchange_and_take(transport, &done, 1, 1), 1);
}

static void what_has_no_room_comes_with_the_next_exchange(void **state)
{
	struct pt_transport *transport = *state;
	struct pt_slot *done[3];

	for (unsigned int i = 0; i < 3; i++)
		stage(transport, i);
	assert_int_equal(exchange_and_take(transport, done, 1, 3), 1);
	assert_int_equal(exchange_and_take(transport, done, 3, 0), 2);
}

static void no_more_are_waited_for_than_are_in_flight(void **state)
{
	struct pt_transport *transport = *state;
	struct pt_slot *done[3];

	stage(transport, 0);
	stage(transport, 1);
	assert_int_equal(exchange_and_take(transport, done, 3, 3), 2);
}

static void what_was_done_before_is_not_waited_for_again(void **state)
{
	struct pt_transport *transport = *state;
	struct pt_slot *done[2];

	stage(transport, 0);
	assert_int_equal(transport->ops->exchange(transport, 1, true), 0);
	transport->slots[1].command->cmd_hold = 1;
	stage(transport, 1);
	alarm(30); /* if this waits, then for ever */
	assert_int_equal(transport->ops->exchange(transport, 1, true), 0);
	alarm(0);
	assert_int_equal(pt_done_count(transport), 1);
	open_gate(1);
	assert_int_equal(exchange_and_take(transport, done, 2, 2), 2);
}

static void *open_slowly(void *unused)
{
	(void)unused;
	for (unsigned int width = 1; width <= 2; width++) {
		usleep(5000);
		open_gate(width);
	}
	return NULL;
}

static void as_many_are_waited_for_as_asked(void **state)
{
	struct pt_transport *transport = *state;
	struct pt_slot *done[2];
	pthread_t opener;

	for (unsigned int i = 0; i < 2; i++) {
		transport->slots[i].command->cmd_hold = i + 1;
		stage(transport, i);
	}
	assert_int_equal(pthread_create(&opener, NULL, open_slowly, NULL), 0);
	assert_int_equal(exchange_and_take(transport, done, 2, 2), 2);
	pthread_join(opener, NULL);
}

static void the_end_waits_for_what_is_on_its_way(void **state)
{
	struct pt_transport *transport = new_transport(1);
	pthread_t opener;

	(void)state;
	transport->slots[0].command->cmd_hold = 1;
	stage(transport, 0);
	submit(transport);
	wait_until_begun(1);
	assert_int_equal(pthread_create(&opener, NULL, open_slowly, NULL), 0);
	transport->ops->free(transport);
	assert_int_equal(device.ended, 1);
	pthread_join(opener, NULL);
}

static void buffers_need_no_registration(void **state)
{
	struct pt_transport *transport = *state;

	assert_null(transport->ops->register_buffers);
	assert_false(transport->fixed_buffers);
	assert_false(transport->fixed_files);
}

static void the_kernel_refuses_what_is_no_device(void **state)
{
	const int nothing = -1;
	const struct pt_transport_setup setup = {
		.devices = &nothing, .n_devices = 1, .slots = 1};
	struct fe_error err = {""};
	struct pt_transport *transport = pt_ioctl_new(&setup, 1, &err);

	(void)state;
	assert_non_null(transport);
	assert_int_equal(do_one(transport)->status, -EBADF);
	transport->ops->free(transport);
}

static void a_single_command_tells_its_error_too(void **state)
{
	const struct nvme_uring_cmd command = {.opcode = 0x00};

	(void)state;
	assert_int_equal(pt_ioctl_once(-1, &command), -EBADF);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_is_staged_is_sent_with_the_next_exchange),
		TEST(the_command_reaches_the_device_whole),
		TEST(the_command_goes_to_the_slots_device),
		TEST(the_status_of_the_device_is_positive),
		TEST(an_error_of_the_system_is_negative),
		TEST(a_cancelled_command_is_not_sent_again),
		TEST(commands_overtake_each_other),
		TEST(as_many_are_on_their_way_as_there_are_threads),
		TEST(every_command_has_its_own_outcome),
		TEST(nothing_in_flight_is_not_waited_for),
		TEST(without_a_wish_to_wait_nothing_is_waited_for),
		TEST(what_has_no_room_comes_with_the_next_exchange),
		TEST(no_more_are_waited_for_than_are_in_flight),
		TEST(what_was_done_before_is_not_waited_for_again),
		TEST(as_many_are_waited_for_as_asked),
		TEST(the_end_waits_for_what_is_on_its_way),
		TEST(buffers_need_no_registration),
		TEST(the_kernel_refuses_what_is_no_device),
		TEST(a_single_command_tells_its_error_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
