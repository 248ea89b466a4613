/* SPDX-License-Identifier: GPL-2.0-only */
#include "stats.h"

#include "unit.h"

#include <string.h>

static struct sn_stats stats;

static int clear(void **state)
{
	(void)state;
	memset(&stats, 0, sizeof(stats));
	return 0;
}

static uint64_t watched_ns(void)
{
	uint64_t sum = 0;

	for (size_t i = 0; i <= SN_TAGS; i++)
		sum += stats.ns_at_depth[i];
	return sum;
}

static void time_counts_for_the_depth_that_it_was_spent_at(void **state)
{
	(void)state;
	sn_stats_depth(&stats, 1, 1000);
	sn_stats_depth(&stats, 2, 1010);
	sn_stats_depth(&stats, 1, 1030);
	sn_stats_depth(&stats, 0, 1100);
	sn_stats_depth(&stats, 1, 1500);
	assert_int_equal(stats.ns_at_depth[0], 400);
	assert_int_equal(stats.ns_at_depth[1], 80);
	assert_int_equal(stats.ns_at_depth[2], 20);
	assert_int_equal(watched_ns(), 500);
}

static void time_before_the_first_command_does_not_count(void **state)
{
	(void)state;
	sn_stats_depth(&stats, 1, 123456789);
	assert_int_equal(watched_ns(), 0);
}

static void more_than_all_tags_counts_as_all_tags(void **state)
{
	(void)state;
	sn_stats_depth(&stats, 31, 100);
	sn_stats_depth(&stats, 32, 101);
	sn_stats_depth(&stats, 33, 103);
	sn_stats_depth(&stats, UINT32_MAX, 107);
	sn_stats_depth(&stats, 0, 115);
	assert_int_equal(stats.ns_at_depth[31], 1);
	assert_int_equal(stats.ns_at_depth[32], 14);
}

static void a_clock_that_stands_adds_nothing(void **state)
{
	(void)state;
	sn_stats_depth(&stats, 1, 100);
	sn_stats_depth(&stats, 2, 100);
	assert_int_equal(watched_ns(), 0);
	sn_stats_depth(&stats, 3, 105);
	assert_int_equal(stats.ns_at_depth[2], 5);
}

/* "Unrecovered read error" of the command for LBA 1000 */
static const struct sn_outcome read_error = {
	.kind = SN_MEDIA,
	.status = 2,
	.driver_status = 8,
	.sense = {.valid = true,
		  .key = 3,
		  .asc = 0x11,
		  .ascq = 4,
		  .ata = true,
		  .error = 0x40,
		  .status = 0x41,
		  .device = 0x40,
		  .count = 8,
		  .has_lba = true,
		  .lba_bits = 48,
		  .lba = 1000},
};

static void failures_of_the_same_way_are_one_row(void **state)
{
	struct sn_outcome other = read_error;

	(void)state;
	other.sense.lba = 2000;
	other.sense.count = 16;
	other.sense.device = 0x41;
	sn_stats_failure(&stats, &read_error);
	sn_stats_failure(&stats, &other);
	other.sense.has_lba = false;
	other.sense.lba_bits = 0;
	sn_stats_failure(&stats, &other);
	assert_int_equal(stats.n_failures, 1);
	assert_int_equal(stats.failures[0].count, 3);
}

static void a_row_is_of_no_place(void **state)
{
	const struct sn_outcome *row = &stats.failures[0].outcome;

	(void)state;
	sn_stats_failure(&stats, &read_error);
	assert_int_equal(row->kind, SN_MEDIA);
	assert_int_equal(row->sense.asc, 0x11);
	assert_int_equal(row->sense.error, 0x40);
	assert_false(row->sense.has_lba);
	assert_int_equal(row->sense.lba_bits, 0);
	assert_int_equal(row->sense.lba, 0);
	assert_int_equal(row->sense.count, 0);
	assert_int_equal(row->sense.device, 0);
}

static void each_other_way_is_a_row(void **state)
{
	struct sn_outcome ways[14];
	const size_t n = sizeof(ways) / sizeof(ways[0]);

	(void)state;
	for (size_t i = 0; i < n; i++)
		ways[i] = read_error;
	ways[1].kind = SN_ABORTED;
	ways[2].error = 5;
	ways[3].status = 8;
	ways[4].host_status = 3;
	ways[5].driver_status = 0;
	ways[6].sense.valid = false;
	ways[7].sense.key = 4;
	ways[8].sense.asc = 0x12;
	ways[9].sense.ascq = 5;
	ways[10].sense.error = 0x10;
	ways[11].sense.status = 0x51;
	ways[12].sense.deferred = true;
	ways[13].sense.ata = false;
	for (size_t i = 0; i < 2 * n; i++)
		sn_stats_failure(&stats, &ways[i % n]);
	assert_int_equal(stats.n_failures, n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(stats.failures[i].count, 2);
}

static void more_ways_than_rows_are_counted_together(void **state)
{
	struct sn_outcome outcome = read_error;

	(void)state;
	for (unsigned int i = 0; i < 40; i++) {
		outcome.sense.ascq = (uint8_t)i;
		sn_stats_failure(&stats, &outcome);
	}
	assert_int_equal(stats.n_failures, 32);
	assert_int_equal(stats.other_failures, 8);
	outcome.sense.ascq = 31;
	sn_stats_failure(&stats, &outcome);
	assert_int_equal(stats.failures[31].count, 2);
	assert_int_equal(stats.other_failures, 8);
}

static void events_are_what_was_added(void **state)
{
	static const struct sn_phy_counter before[] = {{0x1, 5, 0xffff},
						       {0xa, 7, 0xffff}};
	/* in another order */
	static const struct sn_phy_counter after[] = {{0xa, 9, 0xffff},
						      {0x1, 5, 0xffff}};

	(void)state;
	sn_stats_events(&stats, before, 2, after, 2);
	assert_int_equal(stats.n_events, 2);
	assert_int_equal(stats.events[0].id, 0xa);
	assert_int_equal(stats.events[0].value, 2);
	assert_int_equal(stats.events[0].most, 0xffff);
	assert_int_equal(stats.events[1].value, 0);
}

static void a_counter_that_was_not_there_is_left_out(void **state)
{
	static const struct sn_phy_counter before[] = {{0x1, 5, 0xffff}};
	static const struct sn_phy_counter after[] = {{0xa, 5, 0xffff},
						      {0x1, 6, 0xffff}};

	(void)state;
	sn_stats_events(&stats, before, 1, after, 2);
	assert_int_equal(stats.n_events, 1);
	assert_int_equal(stats.events[0].id, 0x1);
	assert_int_equal(stats.events[0].value, 1);
	sn_stats_events(&stats, NULL, 0, after, 2);
	assert_int_equal(stats.n_events, 0);
}

static void a_counter_that_went_back_counts_from_0(void **state)
{
	static const struct sn_phy_counter before[] = {{0x1, 5, 0xffff}};
	static const struct sn_phy_counter after[] = {{0x1, 4, 0xffff}};

	(void)state;
	sn_stats_events(&stats, before, 1, after, 1);
	assert_int_equal(stats.events[0].value, 4);
}

static void a_counter_that_stuck_stays_at_its_most(void **state)
{
	static const struct sn_phy_counter before[] = {{0x1, 0xfff0, 0xffff}};
	static const struct sn_phy_counter after[] = {{0x1, 0xffff, 0xffff}};

	(void)state;
	sn_stats_events(&stats, before, 1, after, 1);
	assert_int_equal(stats.events[0].value, 0xffff);
}

static void more_counters_than_there_is_room_for_are_left_out(void **state)
{
	static struct sn_phy_counter both[SN_PHY_COUNTERS + 1];

	(void)state;
	sn_stats_events(&stats, both, 1, both, SN_PHY_COUNTERS + 1);
	assert_int_equal(stats.n_events, SN_PHY_COUNTERS);
}

#define TEST(name) cmocka_unit_test_setup(name, clear)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(time_counts_for_the_depth_that_it_was_spent_at),
		TEST(time_before_the_first_command_does_not_count),
		TEST(more_than_all_tags_counts_as_all_tags),
		TEST(a_clock_that_stands_adds_nothing),
		TEST(failures_of_the_same_way_are_one_row),
		TEST(a_row_is_of_no_place),
		TEST(each_other_way_is_a_row),
		TEST(more_ways_than_rows_are_counted_together),
		TEST(events_are_what_was_added),
		TEST(a_counter_that_was_not_there_is_left_out),
		TEST(a_counter_that_went_back_counts_from_0),
		TEST(a_counter_that_stuck_stays_at_its_most),
		TEST(more_counters_than_there_is_room_for_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
