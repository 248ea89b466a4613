/* SPDX-License-Identifier: GPL-2.0-only */
#include "handles_fixture.h"

static void assert_all_fail(struct sn_slot **done, int n, int error)
{
	for (int i = 0; i < n; i++) {
		assert_true(done[i]->failed);
		assert_int_equal(done[i]->error, error);
		for (int j = 0; j < i; j++)
			assert_ptr_not_equal(done[i], done[j]);
	}
}

static void all_in_flight_fail_when_the_disk_is_gone(void **state)
{
	struct sn_transport *transport = new_transport(1, 4);
	struct sn_slot *done[4];

	(void)state;
	send_all(transport);
	for (unsigned int i = 0; i < 4; i++)
		remove_disk(&fake.handles[i]);
	assert_int_equal(reap(transport, 4, 4, done), 4);
	assert_all_fail(done, 4, ENODEV);
	assert_int_equal(transport->in_flight, 0);
	free_transport(transport);
}

static void the_errno_of_what_is_gone_is_kept(void **state)
{
	struct sn_transport *transport = new_transport(1, 2);
	struct sn_slot *done[2];

	(void)state;
	send_all(transport);
	complete(1);
	fake.read_error = ENODEV;
	assert_int_equal(reap(transport, 1, 2, done), 1);
	assert_all_fail(done, 1, ENODEV);
	assert_ptr_equal(done[0], &transport->slots[1]);
	fake.read_error = 0;
	complete(0);
	assert_int_equal(reap(transport, 1, 2, done), 1);
	assert_false(done[0]->failed);
	assert_int_equal(done[0]->error, 0);
	free_transport(transport);
}

static void a_single_command_fails_when_the_disk_is_gone(void **state)
{
	struct sn_transport *transport = new_transport(1, 1);
	struct slow slow = {.removed = true};
	struct sn_slot *done;

	(void)state;
	assert_int_equal(send_slot(transport, 0), 0);
	begin_slowly(&slow);
	assert_int_equal(reap(transport, 1, 1, &done), 1);
	assert_all_fail(&done, 1, ENODEV);
	assert_int_equal(reap(transport, 1, 1, &done), 0);
	end_slowly(&slow);
	free_transport(transport);
}

static void all_of_a_shared_handle_fail_however_few_are_asked(void **state)
{
	struct sn_transport *transport =
		new_transport(1, 2 * SN_MAX_HANDLES + 1);
	struct sn_slot *done[3];

	(void)state;
	for (unsigned int i = 0; i < 3; i++)
		assert_int_equal(send_slot(transport, i * SN_MAX_HANDLES), 0);
	remove_disk(&fake.handles[0]);
	assert_int_equal(reap(transport, 1, 1, done), 1);
	assert_int_equal(reap(transport, 0, 1, done + 1), 1);
	assert_int_equal(reap(transport, 3, 3, done + 2), 1);
	assert_all_fail(done, 3, ENODEV);
	assert_int_equal(transport->in_flight, 0);
	assert_int_equal(reap(transport, 1, 1, done), 0);
	free_transport(transport);
}

static void what_was_done_before_the_disk_went_is_done(void **state)
{
	struct sn_transport *transport = new_transport(1, SN_MAX_HANDLES + 1);
	struct sn_slot *done[2];

	(void)state;
	assert_int_equal(send_slot(transport, SN_MAX_HANDLES), 0);
	assert_int_equal(send_slot(transport, 0), 0);
	complete(0);
	remove_disk(&fake.handles[0]);
	assert_int_equal(reap(transport, 2, 2, done), 2);
	assert_ptr_equal(done[0], &transport->slots[SN_MAX_HANDLES]);
	assert_false(done[0]->failed);
	assert_ptr_equal(done[1], &transport->slots[0]);
	assert_true(done[1]->failed);
	free_transport(transport);
}

static void another_disk_is_not_gone(void **state)
{
	struct sn_transport *transport = new_transport(2, 2);
	struct slow slow = {.first = 3, .n = 1};
	struct sn_slot *done[2];

	(void)state;
	transport->slots[1].device = 1;
	transport->slots[1].error = 77;
	send_all(transport);
	remove_disk(&fake.handles[0]);
	remove_disk(&fake.handles[1]);
	assert_int_equal(reap(transport, 1, 2, done), 1);
	assert_ptr_equal(done[0], &transport->slots[0]);
	assert_int_equal(transport->slots[1].error, 77);
	begin_slowly(&slow);
	assert_int_equal(reap(transport, 1, 2, done), 1);
	assert_ptr_equal(done[0], &transport->slots[1]);
	assert_false(done[0]->failed);
	end_slowly(&slow);
	free_transport(transport);
}

static void who_waits_is_not_kept_awake_by_what_is_gone(void **state)
{
	struct sn_transport *transport = new_transport(1, 3);
	struct slow slow = {.first = 1, .n = 1};
	struct sn_slot *done[3];

	(void)state;
	assert_int_equal(send_slot(transport, 0), 0);
	assert_int_equal(send_slot(transport, 1), 0);
	remove_disk(&fake.handles[0]);
	remove_disk(&fake.handles[2]);
	begin_slowly(&slow);
	assert_int_equal(reap(transport, 2, 3, done), 2);
	/* One for each that is gone, and the wait. */
	assert_true(fake.polls <= 3);
	end_slowly(&slow);
	free_transport(transport);
}

static void nothing_is_sent_through_a_handle_that_failed(void **state)
{
	struct sn_transport *transport = new_transport(1, 2);
	struct sn_slot *done[2];

	(void)state;
	assert_int_equal(send_slot(transport, 0), 0);
	complete(0);
	fake.read_error = ENOMEM;
	assert_int_equal(reap(transport, 1, 2, done), 1);
	assert_all_fail(done, 1, ENOMEM);
	fake.read_error = 0;
	assert_int_equal(send_slot(transport, 0), -ENOMEM);
	assert_int_equal(transport->in_flight, 0);
	assert_true(receives_nothing(0));
	free_transport(transport);
}

static void nothing_is_sent_after_an_idle_disk_went(void **state)
{
	struct sn_transport *transport = new_transport(1, 2);
	struct sn_slot *done[2];

	(void)state;
	remove_disk(&fake.handles[0]);
	remove_disk(&fake.handles[1]);
	assert_int_equal(reap(transport, 0, 2, done), 0);
	assert_int_equal(send_slot(transport, 0), -ENODEV);
	assert_int_equal(reap(transport, 1, 2, done), 0);
	free_transport(transport);
}

static void an_answer_that_is_cut_off_is_a_failure(void **state)
{
	struct sn_transport *transport = new_transport(1, 2);
	struct sn_slot *done[2];

	(void)state;
	assert_int_equal(send_slot(transport, 0), 0);
	assert_int_equal(send(fake.handles[0].disk, "short", 5, 0), 5);
	assert_int_equal(reap(transport, 1, 2, done), 1);
	assert_all_fail(done, 1, EIO);
	free_transport(transport);
}

static void free_waits_for_what_is_in_flight(void **state)
{
	struct sn_transport *transport = new_transport(1, 2);
	struct slow slow = {.n = 2};

	(void)state;
	send_all(transport);
	begin_slowly(&slow);
	free_transport(transport);
	assert_int_equal(slow.completed, 2);
	end_slowly(&slow);
}

static void free_does_not_wait_for_a_disk_that_is_gone(void **state)
{
	struct sn_transport *transport = new_transport(1, SN_MAX_HANDLES + 2);

	(void)state;
	for (unsigned int i = 0; i < 2; i++) {
		assert_int_equal(send_slot(transport, i), 0);
		assert_int_equal(send_slot(transport, i + SN_MAX_HANDLES), 0);
		remove_disk(&fake.handles[i]);
	}
	free_transport(transport);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(all_in_flight_fail_when_the_disk_is_gone),
		TEST(the_errno_of_what_is_gone_is_kept),
		TEST(a_single_command_fails_when_the_disk_is_gone),
		TEST(all_of_a_shared_handle_fail_however_few_are_asked),
		TEST(what_was_done_before_the_disk_went_is_done),
		TEST(another_disk_is_not_gone),
		TEST(who_waits_is_not_kept_awake_by_what_is_gone),
		TEST(nothing_is_sent_through_a_handle_that_failed),
		TEST(nothing_is_sent_after_an_idle_disk_went),
		TEST(an_answer_that_is_cut_off_is_a_failure),
		TEST(free_waits_for_what_is_in_flight),
		TEST(free_does_not_wait_for_a_disk_that_is_gone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
