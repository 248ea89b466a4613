/* SPDX-License-Identifier: GPL-2.0-only */
#include "recover_fixture.h"

static void errors_of_its_own_fail(void **state)
{
	static const enum sn_kind kinds[] = {SN_MEDIA, SN_REFUSED, SN_TIMEOUT,
					     SN_GONE, SN_FAILED};

	(void)state;
	for (size_t i = 0; i < COUNT(kinds); i++) {
		struct sn_suspect suspect = ended(kinds[i], 0);

		sn_judge(&suspect, 1, NULL);
		expect(&suspect, SN_FAIL);
	}
}

static void a_command_without_a_queue_fails_itself(void **state)
{
	struct sn_suspect suspects[] = {ended(SN_ABORTED, 0),
					ended(SN_ABORTED, 8)};

	(void)state;
	suspects[0].queued = false;
	sn_judge(suspects, COUNT(suspects), NULL);
	expect(&suspects[0], SN_FAIL);
	expect(&suspects[1], SN_ALONE);
}

static void a_command_that_was_alone_fails_itself(void **state)
{
	struct sn_suspect suspect = ended(SN_ABORTED, 0);

	(void)state;
	suspect.alone = true;
	sn_judge(&suspect, 1, NULL);
	expect(&suspect, SN_FAIL);
}

static void one_that_was_alone_on_a_shared_drive_is_sent_again(void **state)
{
	const struct sn_ncq_error strangers = log_of(1000), own = log_of(3);
	struct sn_suspect suspect = ended(SN_ABORTED, 0);

	(void)state;
	suspect.alone = true;
	suspect.shared = true;
	sn_judge(&suspect, 1, NULL);
	expect(&suspect, SN_ALONE);
	sn_judge(&suspect, 1, &strangers);
	expect(&suspect, SN_ALONE);
	sn_judge(&suspect, 1, &own);
	expect_failed_at(&suspect, 3);

	suspect = ended(SN_ABORTED, 0);
	suspect.alone = true;
	suspect.shared = true;
	suspect.sent = SN_MOST_SENT;
	sn_judge(&suspect, 1, NULL);
	expect(&suspect, SN_FAIL);
}

/* The registers of a stranger's command are passed on to all. */
static void a_place_elsewhere_on_a_shared_drive_is_a_strangers(void **state)
{
	struct sn_suspect suspect = ended_at(8, 1000);

	(void)state;
	suspect.shared = true;
	sn_judge(&suspect, 1, NULL);
	expect(&suspect, SN_ALONE);
	suspect.alone = true;
	sn_judge(&suspect, 1, NULL);
	expect(&suspect, SN_ALONE);

	suspect = ended_at(8, 11);
	suspect.shared = true;
	sn_judge(&suspect, 1, NULL);
	expect_failed_at(&suspect, 11);

	suspect = ended(SN_MEDIA, 8);
	suspect.shared = true;
	sn_judge(&suspect, 1, NULL);
	expect(&suspect, SN_ALONE);
	suspect.alone = true;
	sn_judge(&suspect, 1, NULL);
	expect(&suspect, SN_FAIL);
}

static void a_medium_error_names_the_one_to_blame(void **state)
{
	struct sn_suspect suspects[] = {ended(SN_ABORTED, 0), ended_at(8, 11),
					ended(SN_ABORTED, 16)};

	(void)state;
	sn_judge(suspects, COUNT(suspects), NULL);
	expect(&suspects[0], SN_AGAIN);
	expect_failed_at(&suspects[1], 11);
	expect(&suspects[2], SN_AGAIN);
}

static void a_medium_error_without_a_place_names_as_well(void **state)
{
	struct sn_suspect suspects[] = {ended(SN_ABORTED, 0),
					ended(SN_MEDIA, 8)};

	(void)state;
	sn_judge(suspects, COUNT(suspects), NULL);
	expect(&suspects[0], SN_AGAIN);
	expect(&suspects[1], SN_FAIL);
}

static void a_place_in_no_command_is_not_told(void **state)
{
	struct sn_suspect suspects[] = {ended(SN_ABORTED, 0),
					ended_at(8, 1000)};

	(void)state;
	sn_judge(suspects, COUNT(suspects), NULL);
	expect(&suspects[0], SN_AGAIN);
	expect(&suspects[1], SN_FAIL);
}

static void low_bits_of_a_place_are_completed(void **state)
{
	struct sn_suspect suspect = ended_at(0x12fffffe, 0);

	(void)state;
	suspect.outcome.sense.has_lba = false;
	suspect.outcome.sense.lba_bits = 24;
	sn_judge(&suspect, 1, NULL);
	expect_failed_at(&suspect, 0x13000000);
}

static void two_medium_errors_both_fail(void **state)
{
	struct sn_suspect suspects[] = {ended_at(0, 1), ended_at(8, 9),
					ended(SN_ABORTED, 16)};

	(void)state;
	sn_judge(suspects, COUNT(suspects), NULL);
	expect_failed_at(&suspects[0], 1);
	expect_failed_at(&suspects[1], 9);
	expect(&suspects[2], SN_AGAIN);
}

static void one_error_passed_on_to_all_is_of_the_one_that_holds_it(void **state)
{
	struct sn_suspect suspects[] = {ended_at(0, 9), ended_at(8, 9),
					ended_at(16, 9)};

	(void)state;
	sn_judge(suspects, COUNT(suspects), NULL);
	expect(&suspects[0], SN_AGAIN);
	expect_failed_at(&suspects[1], 9);
	expect(&suspects[2], SN_AGAIN);
}

/* A read and a write of the same block, say. */
static void one_error_in_two_commands_is_found_alone(void **state)
{
	struct sn_suspect suspects[] = {ended_at(0, 5), ended_at(4, 5)};

	(void)state;
	sn_judge(suspects, COUNT(suspects), NULL);
	expect(&suspects[0], SN_ALONE);
	expect(&suspects[1], SN_ALONE);
}

static void medium_errors_without_a_place_are_found_alone(void **state)
{
	struct sn_suspect suspects[] = {ended(SN_MEDIA, 0), ended(SN_MEDIA, 8)};

	(void)state;
	sn_judge(suspects, COUNT(suspects), NULL);
	expect(&suspects[0], SN_ALONE);
	expect(&suspects[1], SN_ALONE);
}

static void a_place_in_another_command_is_no_error_of_its_own(void **state)
{
	struct sn_suspect suspects[] = {ended_at(0, 9), ended(SN_ABORTED, 8)};

	(void)state;
	sn_judge(suspects, COUNT(suspects), NULL);
	expect(&suspects[0], SN_ALONE);
	expect(&suspects[1], SN_ALONE);
}

/* That was not there when the drive stopped. */
static void a_place_in_a_command_of_another_time_is_nobodys(void **state)
{
	struct sn_suspect suspects[] = {ended_at(0, 9), ended(SN_ABORTED, 8)};

	(void)state;
	suspects[1].alone = true;
	sn_judge(suspects, COUNT(suspects), NULL);
	expect(&suspects[0], SN_FAIL);
	expect(&suspects[1], SN_FAIL);
}

static void a_timeout_ends_its_neighbours(void **state)
{
	struct sn_suspect suspects[] = {ended(SN_ABORTED, 0),
					ended(SN_TIMEOUT, 8),
					ended(SN_RESET, 16)};

	(void)state;
	sn_judge(suspects, COUNT(suspects), NULL);
	expect(&suspects[0], SN_AGAIN);
	expect(&suspects[1], SN_FAIL);
	expect(&suspects[2], SN_AGAIN);
}

/* It never got to the drive. */
static void a_refused_command_ends_no_others(void **state)
{
	struct sn_suspect suspects[] = {ended(SN_ABORTED, 0),
					ended(SN_REFUSED, 8)};

	(void)state;
	sn_judge(suspects, COUNT(suspects), NULL);
	expect(&suspects[0], SN_ALONE);
	expect(&suspects[1], SN_FAIL);
}

static void without_a_log_each_is_sent_alone(void **state)
{
	struct sn_suspect suspects[] = {ended(SN_ABORTED, 0),
					ended(SN_ABORTED, 8)};

	(void)state;
	sn_judge(suspects, COUNT(suspects), NULL);
	expect(&suspects[0], SN_ALONE);
	expect(&suspects[1], SN_ALONE);
}

static void a_reset_is_not_the_fault_of_any(void **state)
{
	struct sn_suspect suspects[] = {ended(SN_RESET, 0), ended(SN_RESET, 8)};

	(void)state;
	suspects[1].alone = true;
	sn_judge(suspects, COUNT(suspects), NULL);
	expect(&suspects[0], SN_AGAIN);
	expect(&suspects[1], SN_AGAIN);
}

static void nothing_is_sent_for_ever(void **state)
{
	struct sn_suspect suspects[] = {ended(SN_RESET, 0),
					ended(SN_ABORTED, 8), ended_at(16, 17),
					ended(SN_RESET, 24)};

	(void)state;
	suspects[0].sent = SN_MOST_SENT;
	suspects[1].sent = SN_MOST_SENT;
	suspects[3].sent = SN_MOST_SENT - 1;
	sn_judge(suspects, COUNT(suspects), NULL);
	expect(&suspects[0], SN_FAIL);
	expect(&suspects[1], SN_FAIL);
	expect_failed_at(&suspects[2], 17);
	expect(&suspects[3], SN_AGAIN);
}

static void at_the_end_of_the_numbers_nothing_wraps(void **state)
{
	const struct sn_ncq_error log = log_of(3);
	struct sn_suspect suspects[] = {ended(SN_ABORTED, UINT64_MAX - 3),
					ended_at(UINT64_MAX, UINT64_MAX)};

	(void)state;
	sn_judge(suspects, COUNT(suspects), &log);
	expect(&suspects[0], SN_AGAIN);
	expect_failed_at(&suspects[1], UINT64_MAX);
}

static void nobody_is_no_one(void **state)
{
	const struct sn_ncq_error log = log_of(3);

	(void)state;
	sn_judge(NULL, 0, &log);
}

#define MANY 12

static uint32_t next(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

static void make_up(struct sn_suspect *suspects, size_t n, uint32_t *seed)
{
	static const unsigned int bits[] = {0, 0, 24, 64};

	for (size_t i = 0; i < n; i++) {
		struct sn_suspect *suspect = &suspects[i];
		struct sn_sense *sense = &suspect->outcome.sense;

		*suspect = ended((enum sn_kind)(1 + next(seed) % 7),
				 next(seed) % 64);
		suspect->blocks = next(seed) % 16;
		suspect->queued = next(seed) % 8;
		suspect->alone = next(seed) % 8 == 0;
		suspect->sent = next(seed) % (SN_MOST_SENT + 2);
		sense->lba_bits = bits[next(seed) % 4];
		sense->lba = next(seed) % 64;
		sense->ata = next(seed) % 2;
		sense->error = next(seed) % 2 ? 0x40 : 0x04;
	}
}

/* One verdict, as the rules that hold whatever else there is. */
static void check(const struct sn_suspect *suspect)
{
	const enum sn_kind kind = suspect->outcome.kind;

	assert_in_range(suspect->verdict, SN_FAIL, SN_ALONE);
	if (suspect->sent >= SN_MOST_SENT)
		assert_int_equal(suspect->verdict, SN_FAIL);
	else if (kind == SN_RESET)
		assert_int_equal(suspect->verdict, SN_AGAIN);
	else if ((kind != SN_ABORTED && kind != SN_MEDIA) || !suspect->queued ||
		 suspect->alone)
		assert_int_equal(suspect->verdict, SN_FAIL);
	if (suspect->has_lba) {
		assert_int_equal(suspect->verdict, SN_FAIL);
		assert_true(suspect->bad_lba >= suspect->lba);
		assert_true(suspect->bad_lba - suspect->lba < suspect->blocks);
	}
}

static void whatever_comes_it_comes_to_an_end(void **state)
{
	struct sn_suspect suspects[MANY], reversed[MANY];
	uint32_t seed = 1;

	(void)state;
	for (unsigned int turn = 0; turn < 20000; turn++) {
		const size_t n = next(&seed) % (MANY + 1);
		bool blamed = false, blameless = true;
		struct sn_ncq_error log = log_of(next(&seed) % 64);

		log.error = next(&seed) % 4 ? 0x40 : 0x04;
		make_up(suspects, n, &seed);
		for (size_t i = 0; i < n; i++)
			reversed[n - 1 - i] = suspects[i];
		sn_judge(suspects, n, turn % 3 ? &log : NULL);
		sn_judge(reversed, n, turn % 3 ? &log : NULL);
		for (size_t i = 0; i < n; i++) {
			check(&suspects[i]);
			assert_int_equal(suspects[i].verdict,
					 reversed[n - 1 - i].verdict);
			blamed |= suspects[i].verdict != SN_AGAIN;
			blameless &= suspects[i].outcome.kind == SN_RESET;
		}
		assert_true(blamed || blameless);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(errors_of_its_own_fail),
		cmocka_unit_test(a_command_without_a_queue_fails_itself),
		cmocka_unit_test(a_command_that_was_alone_fails_itself),
		cmocka_unit_test(
			one_that_was_alone_on_a_shared_drive_is_sent_again),
		cmocka_unit_test(
			a_place_elsewhere_on_a_shared_drive_is_a_strangers),
		cmocka_unit_test(a_medium_error_names_the_one_to_blame),
		cmocka_unit_test(a_medium_error_without_a_place_names_as_well),
		cmocka_unit_test(a_place_in_no_command_is_not_told),
		cmocka_unit_test(low_bits_of_a_place_are_completed),
		cmocka_unit_test(two_medium_errors_both_fail),
		cmocka_unit_test(
			one_error_passed_on_to_all_is_of_the_one_that_holds_it),
		cmocka_unit_test(one_error_in_two_commands_is_found_alone),
		cmocka_unit_test(medium_errors_without_a_place_are_found_alone),
		cmocka_unit_test(
			a_place_in_another_command_is_no_error_of_its_own),
		cmocka_unit_test(
			a_place_in_a_command_of_another_time_is_nobodys),
		cmocka_unit_test(a_timeout_ends_its_neighbours),
		cmocka_unit_test(a_refused_command_ends_no_others),
		cmocka_unit_test(without_a_log_each_is_sent_alone),
		cmocka_unit_test(a_reset_is_not_the_fault_of_any),
		cmocka_unit_test(nothing_is_sent_for_ever),
		cmocka_unit_test(at_the_end_of_the_numbers_nothing_wraps),
		cmocka_unit_test(nobody_is_no_one),
		cmocka_unit_test(whatever_comes_it_comes_to_an_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
