/* SPDX-License-Identifier: GPL-2.0-only */
#include "recover_fixture.h"

#include <errno.h>

static void the_log_says_where_a_command_failed_that_was_alone(void **state)
{
	const struct sn_ncq_error log = log_of(5), elsewhere = log_of(8);
	struct sn_suspect suspect = ended(SN_ABORTED, 0);

	(void)state;
	suspect.alone = true;
	sn_judge(&suspect, 1, &elsewhere);
	expect(&suspect, SN_FAIL);
	sn_judge(&suspect, 1, &log);
	expect_failed_at(&suspect, 5);
}

static void the_log_has_no_place_for_what_was_not_tried(void **state)
{
	const struct sn_ncq_error log = log_of(5);
	struct sn_suspect refused = ended(SN_REFUSED, 0);
	struct sn_suspect unqueued = ended(SN_ABORTED, 0);

	(void)state;
	refused.alone = true;
	sn_judge(&refused, 1, &log);
	expect(&refused, SN_FAIL);
	unqueued.alone = true;
	unqueued.queued = false;
	sn_judge(&unqueued, 1, &log);
	expect(&unqueued, SN_FAIL);
}

static void the_log_names_the_one_to_blame(void **state)
{
	const struct sn_ncq_error log = log_of(9);
	struct sn_suspect suspects[] = {ended(SN_ABORTED, 0),
					ended(SN_ABORTED, 8),
					ended(SN_RESET, 16)};

	(void)state;
	sn_judge(suspects, COUNT(suspects), &log);
	expect(&suspects[0], SN_AGAIN);
	expect_failed_at(&suspects[1], 9);
	expect(&suspects[2], SN_AGAIN);
}

static void expect_sense(const struct sn_suspect *suspect, uint8_t asc,
			 uint8_t ascq)
{
	const struct sn_outcome *outcome = &suspect->outcome;

	assert_int_equal(outcome->kind, SN_MEDIA);
	assert_int_equal(outcome->sense.key, 3);
	assert_int_equal(outcome->sense.asc, asc);
	assert_int_equal(outcome->sense.ascq, ascq);
	assert_int_equal(sn_outcome_to_errno(outcome), ENODATA);
}

static void what_the_log_names_fails_with_the_error_of_the_log(void **state)
{
	const struct sn_ncq_error log = log_of(9);
	struct sn_suspect suspects[] = {ended(SN_ABORTED, 0),
					ended(SN_ABORTED, 8)};
	struct sn_suspect alone = ended(SN_ABORTED, 8);

	(void)state;
	suspects[1].outcome.host_status = 0x07; /* DID_ERROR */
	sn_judge(suspects, COUNT(suspects), &log);
	expect_sense(&suspects[1], 0x11, 0x04);
	assert_true(suspects[1].outcome.sense.ata);
	assert_int_equal(suspects[1].outcome.sense.status, 0x41);
	assert_int_equal(suspects[1].outcome.sense.error, 0x40);
	assert_int_equal(suspects[0].outcome.kind, SN_ABORTED);
	alone.alone = true;
	sn_judge(&alone, 1, &log);
	expect_sense(&alone, 0x11, 0x04);
}

static void a_block_that_is_not_found_is_an_error_of_the_medium(void **state)
{
	struct sn_ncq_error log = log_of(9);
	struct sn_suspect suspect = ended(SN_ABORTED, 8);

	(void)state;
	log.error = 0x10; /* IDNF */
	sn_judge(&suspect, 1, &log);
	expect_sense(&suspect, 0x14, 0x01);
}

static void the_drives_own_sense_in_the_log_goes_first(void **state)
{
	struct sn_ncq_error log = log_of(9);
	struct sn_suspect suspect = ended(SN_ABORTED, 8);

	(void)state;
	log.asc = 0x13;
	log.ascq = 0x05;
	log.key = 11; /* no error of the medium: of no use */
	sn_judge(&suspect, 1, &log);
	expect_sense(&suspect, 0x11, 0x04);
	suspect = ended(SN_ABORTED, 8);
	log.key = 3;
	sn_judge(&suspect, 1, &log);
	expect_sense(&suspect, 0x13, 0x05);
}

/* It has said already what it was. */
static void an_error_of_its_own_stays_beside_the_log(void **state)
{
	const struct sn_ncq_error log = log_of(9);
	struct sn_suspect suspect = ended(SN_MEDIA, 8);

	(void)state;
	suspect.alone = true;
	suspect.outcome.sense.asc = 0x14;
	sn_judge(&suspect, 1, &log);
	expect_failed_at(&suspect, 9);
	assert_int_equal(suspect.outcome.sense.asc, 0x14);
}

static void the_log_may_name_the_first_block_or_the_last(void **state)
{
	const struct sn_ncq_error first = log_of(8), last = log_of(15);
	struct sn_suspect suspect = ended(SN_ABORTED, 8);

	(void)state;
	sn_judge(&suspect, 1, &first);
	expect_failed_at(&suspect, 8);
	suspect = ended(SN_ABORTED, 8);
	sn_judge(&suspect, 1, &last);
	expect_failed_at(&suspect, 15);
}

static void expect_no_use_of(const struct sn_ncq_error *log)
{
	struct sn_suspect suspects[] = {ended(SN_ABORTED, 0),
					ended(SN_ABORTED, 8)};

	sn_judge(suspects, COUNT(suspects), log);
	expect(&suspects[0], SN_ALONE);
	expect(&suspects[1], SN_ALONE);
}

static void a_log_without_an_lba_is_of_no_use(void **state)
{
	struct sn_ncq_error log = log_of(9);

	(void)state;
	log.queued = false;
	expect_no_use_of(&log);
	log = log_of(9);
	log.unload = true;
	expect_no_use_of(&log);
	log = log_of(9);
	log.status = 0x50;
	expect_no_use_of(&log);
	log = log_of(9);
	log.status = 0xff;
	expect_no_use_of(&log);
	log = log_of(9);
	log.error = 0x04; /* ABRT */
	expect_no_use_of(&log);
}

static void the_logs_sense_key_may_say_that_it_has_an_lba(void **state)
{
	struct sn_ncq_error log = log_of(9);
	struct sn_suspect suspect = ended(SN_ABORTED, 8);

	(void)state;
	log.error = 0x04;
	log.key = 3;
	sn_judge(&suspect, 1, &log);
	expect_failed_at(&suspect, 9);
}

static void a_log_of_no_command_is_of_no_use(void **state)
{
	const struct sn_ncq_error before = log_of(1000), after = log_of(16);

	(void)state;
	expect_no_use_of(&before);
	expect_no_use_of(&after);
}

static void a_log_of_two_commands_is_of_no_use(void **state)
{
	const struct sn_ncq_error log = log_of(5);
	struct sn_suspect suspects[] = {ended(SN_ABORTED, 0),
					ended(SN_ABORTED, 4)};

	(void)state;
	sn_judge(suspects, COUNT(suspects), &log);
	expect(&suspects[0], SN_ALONE);
	expect(&suspects[1], SN_ALONE);
}

static void a_log_that_may_be_of_a_reset_command_is_of_no_use(void **state)
{
	const struct sn_ncq_error log = log_of(5);
	struct sn_suspect suspects[] = {ended(SN_ABORTED, 0),
					ended(SN_RESET, 4)};

	(void)state;
	sn_judge(suspects, COUNT(suspects), &log);
	expect(&suspects[0], SN_ALONE);
	expect(&suspects[1], SN_AGAIN);
}

static void registers_of_another_error_are_against_the_log(void **state)
{
	const struct sn_ncq_error log = log_of(9);
	struct sn_suspect suspects[] = {ended(SN_ABORTED, 0),
					ended(SN_ABORTED, 8)};

	(void)state;
	suspects[1].outcome.sense.ata = true;
	suspects[1].outcome.sense.status = 0x41;
	suspects[1].outcome.sense.error = 0x04;
	sn_judge(suspects, COUNT(suspects), &log);
	expect(&suspects[0], SN_ALONE);
	expect(&suspects[1], SN_ALONE);
	suspects[1].outcome.sense.error = 0x40;
	sn_judge(suspects, COUNT(suspects), &log);
	expect_failed_at(&suspects[1], 9);
}

static void a_log_beside_an_error_that_explains_all_is_doubted(void **state)
{
	const struct sn_ncq_error log = log_of(1);
	struct sn_suspect suspects[] = {ended(SN_ABORTED, 0), ended_at(8, 9),
					ended(SN_ABORTED, 16)};

	(void)state;
	sn_judge(suspects, COUNT(suspects), &log);
	expect(&suspects[0], SN_ALONE);
	expect_failed_at(&suspects[1], 9);
	expect(&suspects[2], SN_AGAIN);
}

static void the_log_of_an_error_that_was_told_blames_nobody_else(void **state)
{
	const struct sn_ncq_error log = log_of(9);
	struct sn_suspect suspects[] = {ended_at(8, 9), ended(SN_ABORTED, 4)};

	(void)state;
	sn_judge(suspects, COUNT(suspects), &log);
	expect_failed_at(&suspects[0], 9);
	expect(&suspects[1], SN_AGAIN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			the_log_says_where_a_command_failed_that_was_alone),
		cmocka_unit_test(the_log_has_no_place_for_what_was_not_tried),
		cmocka_unit_test(the_log_names_the_one_to_blame),
		cmocka_unit_test(
			what_the_log_names_fails_with_the_error_of_the_log),
		cmocka_unit_test(
			a_block_that_is_not_found_is_an_error_of_the_medium),
		cmocka_unit_test(the_drives_own_sense_in_the_log_goes_first),
		cmocka_unit_test(an_error_of_its_own_stays_beside_the_log),
		cmocka_unit_test(the_log_may_name_the_first_block_or_the_last),
		cmocka_unit_test(a_log_without_an_lba_is_of_no_use),
		cmocka_unit_test(the_logs_sense_key_may_say_that_it_has_an_lba),
		cmocka_unit_test(a_log_of_no_command_is_of_no_use),
		cmocka_unit_test(a_log_of_two_commands_is_of_no_use),
		cmocka_unit_test(
			a_log_that_may_be_of_a_reset_command_is_of_no_use),
		cmocka_unit_test(
			registers_of_another_error_are_against_the_log),
		cmocka_unit_test(
			a_log_beside_an_error_that_explains_all_is_doubted),
		cmocka_unit_test(
			the_log_of_an_error_that_was_told_blames_nobody_else),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
