/* SPDX-License-Identifier: GPL-2.0-only */
#include "handles_fixture.h"

#define AT_TAIL 0x10 /* of linux/include/scsi/sg.h */

static void a_slot_has_a_handle_to_itself(void **state)
{
	struct sn_transport *transport = new_transport(1, 8);

	(void)state;
	assert_int_equal(fake.n_handles, 8);
	send_all(transport);
	for (unsigned int i = 0; i < 8; i++) {
		assert_ptr_equal(received(i).cmdp, transport->slots[i].cdb);
		assert_true(receives_nothing(i));
		remove_disk(&fake.handles[i]);
	}
	free_transport(transport);
}

static void a_slot_has_a_handle_on_each_device(void **state)
{
	struct sn_transport *transport = new_transport(2, 3);

	(void)state;
	assert_int_equal(fake.n_handles, 6);
	assert_string_equal(fake.handles[2].path, FAKE_NODE "0");
	assert_string_equal(fake.handles[3].path, FAKE_NODE "1");
	transport->slots[1].device = 1;
	send_all(transport);
	assert_ptr_equal(received(0).cmdp, transport->slots[0].cdb);
	assert_ptr_equal(received(4).cmdp, transport->slots[1].cdb);
	assert_ptr_equal(received(2).cmdp, transport->slots[2].cdb);
	end_fake();
	free_transport(transport);
}

static void a_command_is_sent_as_its_slot_says(void **state)
{
	struct sn_transport *transport = new_transport(1, 1);
	struct sn_slot *slot = &transport->slots[0];
	struct sg_io_hdr header;

	(void)state;
	slot->header.cmd_len = 16;
	slot->header.timeout = 1234;
	assert_int_equal(send_slot(transport, 0), 0);
	header = received(0);
	assert_int_equal(header.interface_id, 'S');
	assert_int_equal(header.cmd_len, 16);
	assert_int_equal(header.timeout, 1234);
	assert_ptr_equal(header.sbp, slot->sense);
	assert_int_equal(header.mx_sb_len, SN_SENSE_BYTES);
	assert_int_equal(header.flags, AT_TAIL);
	end_fake();
	free_transport(transport);
}

static void assert_shared(unsigned int n_devices, unsigned int slots,
			  unsigned int most)
{
	struct sn_transport *transport = new_transport(n_devices, slots);

	assert_true(fake.n_handles <= SN_MAX_HANDLES);
	for (unsigned int i = 0; i < slots; i++)
		transport->slots[i].device = n_devices - 1;
	send_all(transport);
	for (unsigned int i = 0; i < fake.n_handles; i++) {
		unsigned int n = 0;

		while (!receives_nothing(i))
			n++;
		assert_true(n <= most);
		remove_disk(&fake.handles[i]);
	}
	free_transport(transport);
	end_fake();
}

static void above_the_most_handles_are_shared_evenly(void **state)
{
	(void)state;
	assert_shared(1, SN_MAX_HANDLES, 1);
	assert_shared(1, SN_MAX_HANDLES + 1, 2);
	assert_shared(3, SN_MAX_HANDLES, 4);
}

static void a_handle_holds_no_more_than_sg_takes(void **state)
{
	(void)state;
	assert_shared(1, SN_MAX_HANDLES * 16, 16);
	assert_shared(2, SN_MAX_HANDLES * 8, 16);
}

static void assert_refused(const struct sn_transport_setup *setup,
			   const char *sentence)
{
	const unsigned int files = count_open_files();
	struct fe_error err = {""};

	assert_null(sn_handles_new(setup, &err));
	assert_string_equal(err.text, sentence);
	for (unsigned int i = 0; i < fake.n_handles; i++)
		remove_disk(&fake.handles[i]);
	assert_int_equal(count_open_files(), files);
}

static void more_than_all_handles_hold_is_refused(void **state)
{
	struct sn_transport_setup setup =
		fake_setup(1, SN_MAX_HANDLES * 16 + 1);

	(void)state;
	assert_refused(
		&setup,
		"8193 commands at once are more than a disk's handles of /dev/sg hold (8192): use a smaller iodepth, larger transfers or fewer disks");
	setup = fake_setup(2, SN_MAX_HANDLES * 8 + 1);
	assert_refused(
		&setup,
		"4097 commands at once are more than a disk's handles of /dev/sg hold (4096): use a smaller iodepth, larger transfers or fewer disks");
	setup.n_devices = SN_MAX_HANDLES + 1;
	setup.slots = 1;
	assert_refused(
		&setup,
		"1 commands at once are more than a disk's handles of /dev/sg hold (0): use a smaller iodepth, larger transfers or fewer disks");
}

static void another_device_is_refused_and_nothing_left_open(void **state)
{
	static const dev_t numbers[] = {0, 5376};
	struct sn_transport_setup setup = fake_setup(2, 4);

	(void)state;
	setup.numbers = numbers;
	assert_refused(&setup,
		       FAKE_NODE "1 is another device than at the start");
	assert_int_equal(fake.n_handles, 5);
}

static void too_many_open_files_are_said_and_nothing_left_open(void **state)
{
	const struct sn_transport_setup setup = fake_setup(1, 4);

	(void)state;
	fake.open_most = 3;
	assert_refused(&setup, FAKE_NODE "0: Too many open files");
}

static void free_closes_everything(void **state)
{
	const unsigned int files = count_open_files();

	(void)state;
	free_transport(new_transport(2, 5));
	end_fake();
	assert_int_equal(count_open_files(), files);
}

static void assert_not_sent(struct sn_transport *transport, int error)
{
	fake.write_error = error;
	assert_int_equal(send_slot(transport, 0), -error);
	assert_int_equal(transport->in_flight, 0);
	assert_false(transport->slots[0].sent);
	fake.write_error = 0;
}

static void what_is_not_sent_is_not_in_flight(void **state)
{
	struct sn_transport *transport = new_transport(1, 2);
	struct sn_slot *done[2];

	(void)state;
	assert_not_sent(transport, ENODEV);
	assert_not_sent(transport, EDOM);
	assert_not_sent(transport, ENOMEM);
	assert_int_equal(reap(transport, 2, 2, done), 0);
	/* It was not the handle's fault. */
	assert_int_equal(send_slot(transport, 0), 0);
	complete(0);
	assert_int_equal(reap(transport, 1, 2, done), 1);
	assert_false(done[0]->failed);
	free_transport(transport);
}

static void a_signal_disturbs_no_call(void **state)
{
	struct sn_transport *transport = new_transport(1, 2);
	struct sn_slot *done[2];

	(void)state;
	fake.interrupts = 3;
	assert_int_equal(send_slot(transport, 0), 0);
	complete(0);
	/* Half of them in epoll_wait(). */
	for (unsigned int n = 1; n <= 2; n++) {
		fake.interrupts = n;
		assert_int_equal(reap(transport, 1, 2, done), 1);
		assert_int_equal(fake.interrupts, 0);
		assert_false(done[0]->failed);
		assert_int_equal(send_slot(transport, 0), 0);
		complete(0);
	}
	assert_int_equal(reap(transport, 1, 1, done), 1);
	free_transport(transport);
}

static void a_signal_disturbs_no_read(void **state)
{
	struct sn_transport *transport = new_transport(1, 1);
	struct sn_slot *done;

	(void)state;
	assert_int_equal(send_slot(transport, 0), 0);
	complete(0);
	fake.interrupts = 3;
	assert_int_equal(reap(transport, 1, 1, &done), 1);
	assert_false(done->failed);
	free_transport(transport);
}

static void commands_are_done_in_any_order(void **state)
{
	struct sn_transport *transport = new_transport(1, 4);
	struct sn_slot *done[4];

	(void)state;
	send_all(transport);
	for (unsigned int i = 4; i-- > 0;) {
		complete(i);
		assert_int_equal(reap(transport, 1, 4, done), 1);
		assert_ptr_equal(done[0], &transport->slots[i]);
		assert_false(done[0]->failed);
		assert_false(done[0]->sent);
		assert_int_equal(transport->in_flight, i);
	}
	free_transport(transport);
}

static void those_of_a_shared_handle_too(void **state)
{
	struct sn_transport *transport = new_transport(1, SN_MAX_HANDLES + 1);
	struct sn_slot *done[2];
	struct sg_io_hdr first, second;

	(void)state;
	assert_int_equal(send_slot(transport, 0), 0);
	assert_int_equal(send_slot(transport, SN_MAX_HANDLES), 0);
	first = received(0);
	second = received(0);
	answer(0, &second);
	answer(0, &first);
	assert_int_equal(reap(transport, 2, 2, done), 2);
	assert_ptr_equal(done[0], &transport->slots[SN_MAX_HANDLES]);
	assert_ptr_equal(done[1], &transport->slots[0]);
	free_transport(transport);
}

static void several_are_reaped_at_once(void **state)
{
	struct sn_transport *transport = new_transport(1, 5);
	struct sn_slot *done[5];

	(void)state;
	send_all(transport);
	for (unsigned int i = 0; i < 5; i++)
		complete(i);
	assert_int_equal(reap(transport, 1, 5, done), 5);
	for (unsigned int i = 0; i < 5; i++)
		assert_true(done[i] >= transport->slots &&
			    done[i] < transport->slots + 5 && !done[i]->sent);
	assert_int_equal(transport->in_flight, 0);
	free_transport(transport);
}

static void no_more_are_reaped_than_asked(void **state)
{
	struct sn_transport *transport = new_transport(1, 5);
	struct sn_slot *done[5] = {NULL};

	(void)state;
	send_all(transport);
	for (unsigned int i = 0; i < 5; i++)
		complete(i);
	assert_int_equal(reap(transport, 0, 2, done), 2);
	assert_null(done[2]);
	assert_int_equal(reap(transport, 2, 2, done), 2);
	assert_null(done[2]);
	assert_int_equal(reap(transport, 2, 2, done), 1);
	assert_null(done[2]);
	free_transport(transport);
}

static void nothing_is_waited_for_unasked(void **state)
{
	struct sn_transport *transport = new_transport(1, 1);
	struct sn_slot *done;

	(void)state;
	assert_int_equal(reap(transport, 1, 1, &done), 0);
	assert_int_equal(send_slot(transport, 0), 0);
	assert_int_equal(reap(transport, 0, 1, &done), 0);
	complete(0);
	assert_int_equal(reap(transport, 0, 1, &done), 1);
	free_transport(transport);
}

static void a_single_command_needs_no_epoll(void **state)
{
	struct sn_transport *transport = new_transport(1, 1);
	struct sn_slot *done;

	(void)state;
	assert_int_equal(send_slot(transport, 0), 0);
	complete(0);
	assert_int_equal(reap(transport, 1, 1, &done), 1);
	assert_ptr_equal(done, &transport->slots[0]);
	assert_int_equal(fake.polls, 0);
	free_transport(transport);
}

static void so_many_are_waited_for(void **state)
{
	struct sn_transport *transport = new_transport(1, 4);
	struct slow slow = {.n = 4};
	struct sn_slot *done[4];

	(void)state;
	send_all(transport);
	begin_slowly(&slow);
	assert_int_equal(reap(transport, 3, 3, done), 3);
	/* More than are in flight can't be. */
	assert_int_equal(reap(transport, 4, 4, done), 1);
	end_slowly(&slow);
	free_transport(transport);
}

static void a_failure_keeps_header_and_sense(void **state)
{
	struct sn_transport *transport = new_transport(1, 2);
	struct sn_slot *slot = &transport->slots[0], *done[2];
	struct sg_io_hdr header;

	(void)state;
	slot->error = EDOM; /* of a call before */
	assert_int_equal(send_slot(transport, 0), 0);
	header = received(0);
	header.status = 2;
	header.host_status = 7;
	header.info = SG_INFO_CHECK;
	header.sb_len_wr = 22;
	memset(slot->sense, 0x72, 22); /* the kernel does, into sbp */
	answer(0, &header);
	assert_int_equal(reap(transport, 1, 2, done), 1);
	assert_true(slot->failed);
	assert_int_equal(slot->error, 0);
	assert_int_equal(slot->header.status, 2);
	assert_int_equal(slot->header.host_status, 7);
	assert_int_equal(slot->header.sb_len_wr, 22);
	assert_ptr_equal(slot->header.sbp, slot->sense);
	assert_int_equal(slot->sense[21], 0x72);
	/* And does not hurt the next one. */
	assert_int_equal(send_slot(transport, 0), 0);
	header = received(0);
	header.info = 0;
	answer(0, &header);
	assert_int_equal(reap(transport, 1, 2, done), 1);
	assert_false(slot->failed);
	free_transport(transport);
}

static void fewer_bytes_than_asked_are_a_failure(void **state)
{
	struct sn_transport *transport = new_transport(1, 2);
	struct sn_slot *done[2];
	struct sg_io_hdr header;

	(void)state;
	assert_int_equal(send_slot(transport, 0), 0);
	header = received(0);
	header.resid = 512;
	answer(0, &header);
	assert_int_equal(reap(transport, 1, 2, done), 1);
	assert_true(done[0]->failed);
	assert_int_equal(done[0]->header.resid, 512);
	free_transport(transport);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_slot_has_a_handle_to_itself),
		TEST(a_slot_has_a_handle_on_each_device),
		TEST(a_command_is_sent_as_its_slot_says),
		TEST(above_the_most_handles_are_shared_evenly),
		TEST(a_handle_holds_no_more_than_sg_takes),
		TEST(more_than_all_handles_hold_is_refused),
		TEST(another_device_is_refused_and_nothing_left_open),
		TEST(too_many_open_files_are_said_and_nothing_left_open),
		TEST(free_closes_everything),
		TEST(what_is_not_sent_is_not_in_flight),
		TEST(a_signal_disturbs_no_call),
		TEST(a_signal_disturbs_no_read),
		TEST(commands_are_done_in_any_order),
		TEST(those_of_a_shared_handle_too),
		TEST(several_are_reaped_at_once),
		TEST(no_more_are_reaped_than_asked),
		TEST(nothing_is_waited_for_unasked),
		TEST(a_single_command_needs_no_epoll),
		TEST(so_many_are_waited_for),
		TEST(a_failure_keeps_header_and_sense),
		TEST(fewer_bytes_than_asked_are_a_failure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
