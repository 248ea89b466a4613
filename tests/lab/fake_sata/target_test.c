/* SPDX-License-Identifier: GPL-2.0-only */
/* The queue: order, tags, what fails together, what is never answered. */
#include "target_fixture.h"

#define SEND 10

static void submit_read(struct bench *bench, uint16_t id, uint64_t lba,
			uint8_t priority)
{
	uint8_t cdb[CDB_BYTES];

	fpdma_read(cdb, lba, priority);
	bench_submit(bench, id, cdb);
}

static void submit_flush(struct bench *bench, uint16_t id)
{
	uint8_t cdb[CDB_BYTES];

	pt16(cdb, ATA_NON_DATA, 0,
	     &(struct ata_command){.opcode = ATA_FLUSH_CACHE_EXT});
	bench_submit(bench, id, cdb);
}

static void answers_come_out_of_order(void **state)
{
	struct bench *bench = bench_new("");
	char order[100];

	(void)state;
	for (uint16_t id = 0; id < 6; id++)
		submit_read(bench, id, id * 8, 0);
	bench_order(bench, 0, order, sizeof(order));
	assert_string_equal(order, "5 0 4 1 3 2");
	bench_free(bench);
}

static void one_command_is_done_each_latency(void **state)
{
	struct bench *bench = bench_new("--latency=100");
	char order[100];

	(void)state;
	bench->us = 1000;
	for (uint16_t id = 0; id < 3; id++)
		submit_read(bench, id, id * 8, 0);
	bench_order(bench, 1000, order, sizeof(order));
	assert_string_equal(order, "");
	assert_int_equal(target_wait_us(&bench->target, 1000), 100);
	bench_order(bench, 1100, order, sizeof(order));
	assert_string_equal(order, "2");
	bench_order(bench, 1199, order, sizeof(order));
	assert_string_equal(order, "");
	bench_order(bench, 1300, order, sizeof(order));
	assert_string_equal(order, "0 1");
	assert_int_equal(target_wait_us(&bench->target, 1300), -1);
	bench_free(bench);
}

static void an_idle_drive_takes_its_time_again(void **state)
{
	struct bench *bench = bench_new("--latency=100");
	char order[100];

	(void)state;
	submit_read(bench, 0, 0, 0);
	bench_order(bench, 0, order, sizeof(order));
	bench_order(bench, 100, order, sizeof(order));
	submit_read(bench, 1, 0, 0);
	bench_order(bench, 5000, order, sizeof(order));
	assert_string_equal(order, "");
	bench_order(bench, 5100, order, sizeof(order));
	assert_string_equal(order, "1");
	bench_free(bench);
}

static void high_priority_comes_first(void **state)
{
	struct bench *bench = bench_new("--priority-first --prio");
	char order[100];

	(void)state;
	for (uint16_t id = 0; id < 6; id++)
		submit_read(bench, id, id * 8, id == 1 || id == 3 ? 2 : 0);
	bench_order(bench, 0, order, sizeof(order));
	assert_string_equal(order, "3 1 5 0 4 2");
	bench_free(bench);
}

static void priority_counts_only_if_it_should(void **state)
{
	struct bench *bench = bench_new("--prio");
	char order[100];

	(void)state;
	for (uint16_t id = 0; id < 3; id++)
		submit_read(bench, id, id * 8, id == 1 ? 2 : 0);
	bench_order(bench, 0, order, sizeof(order));
	assert_string_equal(order, "2 0 1");
	bench_free(bench);
}

static void a_drive_has_32_at_most(void **state)
{
	struct bench *bench = bench_new("--latency=1000");
	char order[400];

	(void)state;
	for (uint16_t id = 0; id < 40; id++)
		submit_read(bench, id, id * 8, 0);
	bench_order(bench, 0, order, sizeof(order));
	assert_int_equal(bench->target.depth, 32);
	bench_order(bench, 40000, order, sizeof(order));
	assert_int_equal(bench->target.depth, 0);
	assert_null(strstr(bench_trace(bench), "outstanding=33"));
	assert_non_null(strstr(bench_trace(bench), " tag=31 "));
	bench_free(bench);
}

static void a_command_that_is_not_queued_is_alone(void **state)
{
	struct bench *bench = bench_new("");
	char order[100];

	(void)state;
	submit_read(bench, 0, 0, 0);
	submit_read(bench, 1, 8, 0);
	submit_flush(bench, 2);
	submit_read(bench, 3, 16, 0);
	submit_read(bench, 4, 24, 0);
	bench_order(bench, 0, order, sizeof(order));
	assert_string_equal(order, "1 0 2 3 4");
	assert_non_null(strstr(bench_trace(bench), "op=ea protocol=3"));
	assert_null(strstr(bench_trace(bench), "outstanding=3"));
	bench_free(bench);
}

static void a_failed_command_fails_alone(void **state)
{
	struct bench *bench = bench_new("--bad-lba=40");
	struct request *request;
	unsigned int bad = 0;

	(void)state;
	for (uint16_t id = 0; id < SEND; id++)
		submit_read(bench, id, id * 8, 0);
	target_run(&bench->target, 0);
	while ((request = target_done(&bench->target))) {
		if (request->status != SCSI_GOOD) {
			assert_int_equal(request->id, 5);
			bad++;
		}
		request_free(request);
	}
	assert_int_equal(bad, 1);
	bench_free(bench);
}

static void a_failed_command_aborts_all_that_are_queued(void **state)
{
	static const uint8_t expected[18] = {0x70, 0,  0xb, 0,	  0,   0,
					     0,	   10, 0,   0x50, 0x40};
	struct bench *bench = bench_new("--bad-lba=40 --ncq-abort");
	struct request *request;
	unsigned int bad = 0;
	uint8_t cdb[CDB_BYTES];

	(void)state;
	/* 9 0 8 1 7 2 6 3 go well, then it is the turn of 5. */
	for (uint16_t id = 0; id < SEND; id++)
		submit_read(bench, id, id * 8, 0);
	target_run(&bench->target, 0);
	while ((request = target_done(&bench->target))) {
		if (request->status != SCSI_GOOD) {
			assert_true(request->id == 4 || request->id == 5);
			assert_memory_equal(request->sense, expected,
					    sizeof(expected));
			bad++;
		}
		request_free(request);
	}
	assert_int_equal(bad, 2);
	read_log(cdb, 0x10);
	assert_int_equal(bench_status(bench, cdb), SCSI_GOOD);
	assert_int_equal(bench->data[0], 5);
	assert_int_equal(bench->data[4], 40);
	assert_non_null(
		strstr(bench_trace(bench), "outstanding=6 result=41/40 at=40"));
	assert_non_null(
		strstr(bench_trace(bench), "outstanding=5 result=aborted"));
	bench_free(bench);
}

static void a_silent_block_is_never_answered(void **state)
{
	struct bench *bench = bench_new("--silent-lba=0");
	char order[100];

	(void)state;
	submit_read(bench, 0, 0, 0);
	submit_read(bench, 1, 8, 0);
	bench_order(bench, 1000000, order, sizeof(order));
	assert_string_equal(order, "1");
	assert_int_equal(target_wait_us(&bench->target, 1000000), -1);
	target_abort(&bench->target, 0, 1000000);
	bench_order(bench, 1000000, order, sizeof(order));
	assert_string_equal(order, "0");
	assert_non_null(strstr(bench_trace(bench), "result=given-up"));
	bench_free(bench);
}

static void who_waits_can_be_given_up(void **state)
{
	struct bench *bench = bench_new("--silent-lba=0");
	char order[100];

	(void)state;
	submit_read(bench, 0, 0, 0);
	submit_flush(bench, 1);
	bench_order(bench, 0, order, sizeof(order));
	target_abort(&bench->target, 1, 0);
	target_abort(&bench->target, 77, 0);
	bench_order(bench, 0, order, sizeof(order));
	assert_string_equal(order, "1");
	bench_free(bench);
}

static void a_vanished_drive_answers_nothing_more(void **state)
{
	struct bench *bench = bench_new("--vanish-after=2");
	struct request *request;
	unsigned int good = 0, gone = 0;

	(void)state;
	for (uint16_t id = 0; id < 4; id++)
		submit_read(bench, id, id * 8, 0);
	submit_flush(bench, 4); /* waits */
	target_run(&bench->target, 0);
	submit_read(bench, 6, 0, 0);
	while ((request = target_done(&bench->target))) {
		good += request->status == SCSI_GOOD;
		gone += request->status == SCSI_CHECK_CONDITION &&
			request->sense[2] == 2;
		request_free(request);
	}
	assert_int_equal(good, 2);
	assert_int_equal(gone, 4);
	assert_true(bench->target.vanished);
	bench_free(bench);
}

static void it_misbehaves_only_from_when_it_begins(void **state)
{
	struct bench *bench =
		bench_new("--vanish-after=2 --latency=100 --silent-lba=0");
	struct options tame;
	char order[100];

	(void)state;
	options_tame(&bench->options, &tame);
	bench->target.disk.options = &tame;
	for (uint16_t id = 0; id < 3; id++)
		submit_read(bench, id, id * 8, 0);
	bench_order(bench, 0, order, sizeof(order));
	assert_string_equal(order, "2 0 1");
	target_begin(&bench->target, &bench->options);
	submit_read(bench, 3, 0, 0);
	submit_read(bench, 4, 8, 0);
	bench_order(bench, 0, order, sizeof(order));
	assert_string_equal(order, "");
	bench_order(bench, 100, order, sizeof(order));
	assert_string_equal(order, "4");
	assert_false(bench->target.vanished);
	submit_read(bench, 5, 8, 0);
	bench_order(bench, 200, order, sizeof(order));
	bench_order(bench, 300, order, sizeof(order));
	assert_true(bench->target.vanished);
	bench_free(bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_come_out_of_order),
		cmocka_unit_test(one_command_is_done_each_latency),
		cmocka_unit_test(an_idle_drive_takes_its_time_again),
		cmocka_unit_test(high_priority_comes_first),
		cmocka_unit_test(priority_counts_only_if_it_should),
		cmocka_unit_test(a_drive_has_32_at_most),
		cmocka_unit_test(a_command_that_is_not_queued_is_alone),
		cmocka_unit_test(a_failed_command_fails_alone),
		cmocka_unit_test(a_failed_command_aborts_all_that_are_queued),
		cmocka_unit_test(a_silent_block_is_never_answered),
		cmocka_unit_test(who_waits_can_be_given_up),
		cmocka_unit_test(a_vanished_drive_answers_nothing_more),
		cmocka_unit_test(it_misbehaves_only_from_when_it_begins),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
