/* SPDX-License-Identifier: GPL-2.0-only */
#include "sg_fixture.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#define SLOTS 40
#define THREADS 20

/* What the disk does with each command, and what it saw. */
static struct disk {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool held; /* none is done before release_all() */
	unsigned int at_once, most_at_once;
	unsigned int on_handle[FAKE_MOST], most_on_handle;
	atomic_uint performed;
	int error;
	uint8_t status;
	uint32_t info;
	int resid;
	struct sg_io_hdr seen;
	int seen_fd;
} disk = {.lock = PTHREAD_MUTEX_INITIALIZER,
	  .changed = PTHREAD_COND_INITIALIZER};

static unsigned int higher(unsigned int a, unsigned int b)
{
	return a > b ? a : b;
}

static int perform(int fd, struct sg_io_hdr *header)
{
	const size_t handle = (size_t)(fake_of(fd) - fake.handles);

	pthread_mutex_lock(&disk.lock);
	disk.seen = *header;
	disk.seen_fd = fd;
	disk.most_at_once = higher(disk.most_at_once, ++disk.at_once);
	disk.most_on_handle =
		higher(disk.most_on_handle, ++disk.on_handle[handle]);
	pthread_cond_broadcast(&disk.changed);
	while (disk.held)
		pthread_cond_wait(&disk.changed, &disk.lock);
	disk.at_once--;
	disk.on_handle[handle]--;
	disk.performed++;
	pthread_mutex_unlock(&disk.lock);
	if (disk.error)
		return fake_fail(disk.error);
	header->status = disk.status;
	header->info = disk.info;
	header->resid = disk.resid;
	return 0;
}

static void wait_until_at_once(unsigned int n)
{
	pthread_mutex_lock(&disk.lock);
	while (disk.at_once < n)
		pthread_cond_wait(&disk.changed, &disk.lock);
	pthread_mutex_unlock(&disk.lock);
}

static void release_all(void)
{
	pthread_mutex_lock(&disk.lock);
	disk.held = false;
	pthread_cond_broadcast(&disk.changed);
	pthread_mutex_unlock(&disk.lock);
}

static struct sn_transport *
new_transport(unsigned int n_devices, unsigned int slots, unsigned int threads)
{
	const struct sn_transport_setup setup = fake_setup(n_devices, slots);
	struct fe_error err = {""};
	struct sn_transport *transport = sn_sync_new(&setup, threads, &err);

	assert_string_equal(err.text, "");
	assert_non_null(transport);
	assert_int_equal(transport->n_slots, slots);
	return transport;
}

static int set_up(void **state)
{
	begin_fake();
	fake.sg_io = perform;
	disk.held = false;
	disk.most_at_once = disk.most_on_handle = 0;
	disk.performed = 0;
	disk.error = disk.resid = 0;
	disk.status = 0;
	disk.info = 0;
	*state = new_transport(2, SLOTS, THREADS);
	return 0;
}

static int tear_down(void **state)
{
	struct sn_transport *transport = *state;

	transport->ops->free(transport);
	end_fake();
	return 0;
}

static void send_slot(struct sn_transport *transport, unsigned int i)
{
	assert_int_equal(transport->ops->send(transport, &transport->slots[i]),
			 0);
}

static int reap(struct sn_transport *transport, unsigned int min,
		unsigned int max, struct sn_slot **done)
{
	return transport->ops->reap(transport, min, max, done);
}

static struct sn_slot *do_one(struct sn_transport *transport, unsigned int i)
{
	struct sn_slot *done;

	send_slot(transport, i);
	assert_int_equal(reap(transport, 1, 1, &done), 1);
	assert_ptr_equal(done, &transport->slots[i]);
	return done;
}

static void a_command_is_performed_as_its_slot_says(void **state)
{
	struct sn_transport *transport = *state;
	struct sn_slot *slot = &transport->slots[3];

	slot->header.cmd_len = 32;
	slot->header.timeout = 1234;
	assert_false(do_one(transport, 3)->failed);
	assert_int_equal(slot->error, 0);
	assert_int_equal(disk.seen.interface_id, 'S');
	assert_ptr_equal(disk.seen.cmdp, slot->cdb);
	assert_int_equal(disk.seen.cmd_len, 32);
	assert_int_equal(disk.seen.timeout, 1234);
	assert_ptr_equal(disk.seen.sbp, slot->sense);
	assert_int_equal(disk.seen.mx_sb_len, SN_SENSE_BYTES);
}

static void commands_wait_their_turn_in_the_queue(void **state)
{
	do_one(*state, 0);
	assert_int_equal(disk.seen.flags, 0x10); /* SG_FLAG_Q_AT_TAIL */
}

static void a_command_goes_to_its_device(void **state)
{
	struct sn_transport *transport = *state;

	for (unsigned int i = 0; i < SLOTS; i++) {
		transport->slots[i].device = i % 3 == 0;
		do_one(transport, i);
		assert_string_equal(fake_of(disk.seen_fd)->path,
				    i % 3 == 0 ? FAKE_NODE "1" : FAKE_NODE "0");
	}
}

static void a_failure_keeps_the_header(void **state)
{
	struct sn_transport *transport = *state;

	disk.status = 2;
	disk.info = SG_INFO_CHECK;
	assert_true(do_one(transport, 0)->failed);
	assert_int_equal(transport->slots[0].error, 0);
	assert_int_equal(transport->slots[0].header.status, 2);
	disk.status = 0;
	disk.info = 0;
	assert_false(do_one(transport, 0)->failed);
}

static void fewer_bytes_than_asked_are_a_failure(void **state)
{
	disk.resid = 512;
	assert_true(do_one(*state, 0)->failed);
	assert_int_equal(((struct sn_transport *)*state)->slots[0].error, 0);
}

static void a_call_that_fails_is_its_errno(void **state)
{
	struct sn_transport *transport = *state;

	disk.error = ENODEV;
	assert_true(do_one(transport, 0)->failed);
	assert_int_equal(transport->slots[0].error, ENODEV);
	disk.error = 0;
	assert_false(do_one(transport, 0)->failed);
	assert_int_equal(transport->slots[0].error, 0);
}

static void so_many_are_with_the_disk_at_once(void **state)
{
	struct sn_transport *transport = *state;
	struct sn_slot *done[SLOTS];

	disk.held = true;
	for (unsigned int i = 0; i < SLOTS; i++)
		send_slot(transport, i);
	assert_int_equal(transport->in_flight, SLOTS);
	wait_until_at_once(THREADS);
	release_all();
	assert_int_equal(reap(transport, SLOTS, SLOTS, done), SLOTS);
	assert_int_equal(disk.most_at_once, THREADS);
	assert_int_equal(transport->in_flight, 0);
}

/* Whichever slots are used. */
static void a_handle_gets_no_more_than_sg_takes(void **state)
{
	struct sn_transport *transport = *state;
	struct sn_slot *done[SLOTS];

	for (unsigned int step = 1; step <= 5; step++) {
		unsigned int n = 0;

		disk.held = true;
		for (unsigned int i = 0; i < SLOTS && n < THREADS; i += step) {
			send_slot(transport, i);
			n++;
		}
		wait_until_at_once(n);
		release_all();
		assert_int_equal(reap(transport, n, n, done), (int)n);
	}
	assert_true(disk.most_on_handle <= SN_HANDLE_COMMANDS);
}

static void one_handle_is_enough_for_few(void **state)
{
	const unsigned int before = fake.n_handles;
	struct sn_transport *transport =
		new_transport(1, SN_HANDLE_COMMANDS, 4);

	(void)state;
	assert_int_equal(fake.n_handles - before, 1);
	transport->ops->free(transport);
}

static void nothing_is_waited_for_unasked(void **state)
{
	struct sn_transport *transport = *state;
	struct sn_slot *done[2];

	assert_int_equal(reap(transport, 2, 2, done), 0);
	disk.held = true;
	send_slot(transport, 0);
	assert_int_equal(reap(transport, 0, 2, done), 0);
	assert_int_equal(transport->in_flight, 1);
	release_all();
	assert_int_equal(reap(transport, 2, 2, done), 1);
}

static void no_more_are_reaped_than_asked(void **state)
{
	struct sn_transport *transport = *state;
	struct sn_slot *done[4] = {NULL};

	for (unsigned int i = 0; i < 4; i++)
		send_slot(transport, i);
	assert_int_equal(reap(transport, 3, 3, done), 3);
	assert_null(done[3]);
	assert_int_equal(transport->in_flight, 1);
	assert_int_equal(reap(transport, 3, 3, done), 1);
	assert_int_equal(transport->in_flight, 0);
}

static void memory_is_not_mapped(void **state)
{
	const struct sn_transport *transport = *state;

	assert_null(transport->ops->map);
}

static void assert_refused(const struct sn_transport_setup *setup,
			   unsigned int threads, const char *sentence)
{
	const unsigned int files = count_open_files(), old = fake.n_handles;
	struct fe_error err = {""};

	assert_null(sn_sync_new(setup, threads, &err));
	assert_string_equal(err.text, sentence);
	for (unsigned int i = old; i < fake.n_handles; i++)
		remove_disk(&fake.handles[i]);
	assert_int_equal(count_open_files(), files);
}

static void another_device_is_refused_and_nothing_left_open(void **state)
{
	static const dev_t numbers[] = {0, 2048};
	struct sn_transport_setup setup = fake_setup(2, 20);

	(void)state;
	setup.numbers = numbers;
	assert_refused(&setup, 2,
		       FAKE_NODE "1 is another device than at the start");
}

static void too_many_open_files_are_said_and_nothing_left_open(void **state)
{
	const struct sn_transport_setup setup = fake_setup(1, 50);

	(void)state;
	fake.open_most = fake.n_handles + 3;
	assert_refused(&setup, 2, FAKE_NODE "0: Too many open files");
}

static void free_waits_for_what_the_disk_does(void **state)
{
	struct sn_transport *transport = new_transport(1, 4, 2);
	const unsigned int before = disk.performed;

	(void)state;
	disk.held = true;
	send_slot(transport, 0);
	send_slot(transport, 1);
	wait_until_at_once(2);
	release_all();
	transport->ops->free(transport);
	assert_int_equal(disk.performed - before, 2);
}

static void free_closes_everything(void **state)
{
	const unsigned int files = count_open_files(), old = fake.n_handles;
	struct sn_transport *transport = new_transport(3, 33, 2);

	(void)state;
	transport->ops->free(transport);
	for (unsigned int i = old; i < fake.n_handles; i++)
		remove_disk(&fake.handles[i]);
	assert_int_equal(count_open_files(), files);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_command_is_performed_as_its_slot_says),
		TEST(commands_wait_their_turn_in_the_queue),
		TEST(a_command_goes_to_its_device),
		TEST(a_failure_keeps_the_header),
		TEST(fewer_bytes_than_asked_are_a_failure),
		TEST(a_call_that_fails_is_its_errno),
		TEST(so_many_are_with_the_disk_at_once),
		TEST(a_handle_gets_no_more_than_sg_takes),
		TEST(one_handle_is_enough_for_few),
		TEST(nothing_is_waited_for_unasked),
		TEST(no_more_are_reaped_than_asked),
		TEST(memory_is_not_mapped),
		TEST(another_device_is_refused_and_nothing_left_open),
		TEST(too_many_open_files_are_said_and_nothing_left_open),
		TEST(free_waits_for_what_the_disk_does),
		TEST(free_closes_everything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
