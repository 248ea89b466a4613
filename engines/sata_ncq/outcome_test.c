/* SPDX-License-Identifier: GPL-2.0-only */
#include "outcome.h"

#include "unit.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#define CHECK_CONDITION 0x02
#define DRIVER_SENSE 0x08

static struct sn_outcome outcome_of(uint8_t status, uint16_t host,
				    uint16_t driver)
{
	const struct sg_io_hdr header = {
		.status = status, .host_status = host, .driver_status = driver};
	struct sn_outcome outcome;

	memset(&outcome, 0xff, sizeof(outcome));
	sn_outcome_of(&header, &outcome);
	return outcome;
}

/* As of a READ FPDMA QUEUED. */
static struct sn_outcome outcome_with(const uint8_t *sense, size_t n,
				      uint16_t host)
{
	uint8_t cdb[16] = {0x85}, copy[64] = {0};
	const struct sg_io_hdr header = {.status = CHECK_CONDITION,
					 .host_status = host,
					 .driver_status = DRIVER_SENSE,
					 .cmdp = cdb,
					 .cmd_len = sizeof(cdb),
					 .sbp = copy,
					 .mx_sb_len = sizeof(copy),
					 .sb_len_wr = (uint8_t)n};
	struct sn_outcome outcome;

	memcpy(copy, sense, n);
	sn_outcome_of(&header, &outcome);
	return outcome;
}

static struct sn_outcome outcome_of_code(uint8_t key, uint8_t asc, uint8_t ascq)
{
	const uint8_t sense[] = {0x72, key, asc, ascq, 0, 0, 0, 0};

	return outcome_with(sense, sizeof(sense), 0);
}

static void expect(struct sn_outcome outcome, enum sn_kind kind, int error)
{
	assert_int_equal(outcome.kind, kind);
	assert_int_equal(sn_outcome_to_errno(&outcome), error);
}

/* Whatever length the driver tells. */
static void sense_ends_with_its_memory(void **state)
{
	uint8_t memory[20] = {0x72, 3, 0x11, [7] = 12, [9] = 10, [10] = 0x80};
	const struct sg_io_hdr header = {.status = CHECK_CONDITION,
					 .sbp = memory,
					 .mx_sb_len = 4,
					 .sb_len_wr = 255};
	struct sn_outcome outcome;

	(void)state;
	sn_outcome_of(&header, &outcome);
	assert_int_equal(outcome.sense.asc, 0x11);
	assert_false(outcome.sense.has_lba);
}

static void nothing_said_is_success(void **state)
{
	(void)state;
	expect(outcome_of(0, 0, 0), SN_GOOD, 0);
	expect(outcome_of(0x04, 0, 0), SN_GOOD, 0); /* CONDITION MET */
}

static void registers_on_request_are_success(void **state)
{
	(void)state;
	expect(outcome_of_code(1, 0x00, 0x1d), SN_GOOD, 0);
	expect(outcome_of_code(0, 0x00, 0x1d), SN_GOOD, 0);
}

static void a_recovered_error_is_success(void **state)
{
	(void)state;
	expect(outcome_of_code(1, 0x17, 0x01), SN_GOOD, 0);
}

static void success_with_an_error_in_the_registers_is_none(void **state)
{
	static const uint8_t sense[] = {0x72, 0x01, 0x00, 0x1d, 0x00, 0x00,
					0x00, 0x0e, 0x09, 0x0c, 0x01, 0x04,
					0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
					0x00, 0x00, 0x40, 0x51};

	(void)state;
	expect(outcome_with(sense, sizeof(sense), 0), SN_ABORTED, EIO);
}

static void no_sense_is_no_success(void **state)
{
	(void)state;
	expect(outcome_of_code(0, 0, 0), SN_FAILED, EIO);
	expect(outcome_of(CHECK_CONDITION, 0, DRIVER_SENSE), SN_FAILED, EIO);
}

static void a_medium_error_is_the_commands_own(void **state)
{
	(void)state;
	expect(outcome_of_code(3, 0x11, 0x04), SN_MEDIA, ENODATA);
	expect(outcome_of_code(3, 0x13, 0x00), SN_MEDIA, ENODATA);
	expect(outcome_of_code(3, 0x14, 0x01), SN_MEDIA, ENODATA);
	expect(outcome_of_code(3, 0x0c, 0x00), SN_MEDIA, EIO);
}

static void a_sector_not_found_is_a_medium_error(void **state)
{
	(void)state;
	expect(outcome_of_code(5, 0x21, 0x00), SN_MEDIA, EREMOTEIO);
}

/* Recorded: two kernels, one error that ended what was queued beside it. */
static void an_aborted_command_may_be_the_victim_of_another(void **state)
{
	static const uint8_t linux61[] = {0x70, 0x00, 0x0b, 0x00, 0x00, 0x00,
					  0x00, 0x0a, 0x04, 0x41, 0xa0, 0x01,
					  0x00, 0x00, 0x00, 0x00, 0x80, 0x10};
	static const uint8_t linux612[] = {0xf0, 0x00, 0x0b, 0x04, 0x50, 0x00,
					   0x00, 0x0a, 0x80, 0x00, 0x00, 0x00,
					   0x00, 0x00, 0x00, 0x00, 0x00, 0x00};

	(void)state;
	expect(outcome_with(linux61, sizeof(linux61), 0), SN_ABORTED, EIO);
	expect(outcome_with(linux612, sizeof(linux612), 0), SN_ABORTED, EIO);
	expect(outcome_of_code(11, 0x47, 0x00), SN_ABORTED, EIO);
	expect(outcome_of_code(11, 0x10, 0x01), SN_ABORTED, EILSEQ);
}

/* What Linux makes of ABRT up to 6.16. */
static void unaligned_write_is_an_aborted_command(void **state)
{
	(void)state;
	expect(outcome_of_code(5, 0x21, 0x04), SN_ABORTED, EREMOTEIO);
}

static void what_the_drive_does_not_know_is_refused(void **state)
{
	(void)state;
	expect(outcome_of_code(5, 0x20, 0x00), SN_REFUSED, EREMOTEIO);
	expect(outcome_of_code(5, 0x24, 0x00), SN_REFUSED, EREMOTEIO);
	expect(outcome_of_code(5, 0x26, 0x00), SN_REFUSED, EREMOTEIO);
	expect(outcome_of_code(5, 0x2c, 0x00), SN_REFUSED, EIO);
	expect(outcome_of_code(5, 0x10, 0x00), SN_REFUSED, EILSEQ);
}

static void after_a_reset_it_may_be_sent_again(void **state)
{
	(void)state;
	expect(outcome_of_code(6, 0x29, 0x00), SN_RESET, EIO);
	expect(outcome_of_code(6, 0x2a, 0x01), SN_RESET, EIO);
	expect(outcome_of_code(2, 0x04, 0x01), SN_RESET, EIO);
}

static void an_error_of_an_earlier_command_is_not_this_ones(void **state)
{
	static const uint8_t sense[] = {0x73, 0x03, 0x0c, 0x02, 0, 0, 0, 0};

	(void)state;
	expect(outcome_with(sense, sizeof(sense), 0), SN_RESET, EIO);
}

static void a_drive_that_linux_gave_up_is_gone(void **state)
{
	(void)state;
	expect(outcome_of_code(2, 0x04, 0x21), SN_GONE, ENODEV);
}

static void other_sense_keys_are_failures(void **state)
{
	(void)state;
	expect(outcome_of_code(2, 0x04, 0x00), SN_FAILED, EIO);
	expect(outcome_of_code(2, 0x3a, 0x21), SN_FAILED, EIO);
	expect(outcome_of_code(4, 0x44, 0x00), SN_FAILED, EREMOTEIO);
	expect(outcome_of_code(7, 0x27, 0x00), SN_FAILED, EREMOTEIO);
	expect(outcome_of_code(7, 0x27, 0x07), SN_FAILED, ENOSPC);
	expect(outcome_of_code(14, 0x1d, 0x00), SN_FAILED, EREMOTEIO);
	expect(outcome_of_code(9, 0x80, 0x00), SN_FAILED, EIO);
}

static void host_statuses_have_their_kinds(void **state)
{
	static const struct {
		uint16_t host;
		enum sn_kind kind;
		int error;
	} cases[] = {
		{0x01, SN_GONE, ENODEV}, /* DID_NO_CONNECT */
		{0x02, SN_RESET, EIO},	 /* DID_BUS_BUSY */
		{0x03, SN_TIMEOUT, ETIMEDOUT} /* DID_TIME_OUT */,
		{0x04, SN_GONE, ENODEV},    /* DID_BAD_TARGET */
		{0x05, SN_ABORTED, EIO},    /* DID_ABORT */
		{0x07, SN_ABORTED, EIO},    /* DID_ERROR */
		{0x08, SN_RESET, EIO},	    /* DID_RESET */
		{0x0b, SN_ABORTED, EIO},    /* DID_SOFT_ERROR */
		{0x0c, SN_RESET, EIO},	    /* DID_IMM_RETRY */
		{0x0d, SN_RESET, EIO},	    /* DID_REQUEUE */
		{0x0e, SN_RESET, EIO},	    /* DID_TRANSPORT_DISRUPTED */
		{0x0f, SN_FAILED, ENOLINK}, /* DID_TRANSPORT_FAILFAST */
		{0x13, SN_MEDIA, ENODATA},  /* DID_MEDIUM_ERROR */
		{0x14, SN_FAILED, ENOLINK}, /* DID_TRANSPORT_MARGINAL */
		{0x99, SN_FAILED, EIO},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect(outcome_of(0, cases[i].host, 0), cases[i].kind,
		       cases[i].error);
}

/* Recorded: Linux 6.1 and 6.12, which were given 3000 ms. */
static void an_aborted_command_that_took_its_time_has_timed_out(void **state)
{
	uint8_t linux61[] = {0x70, 0x00, 0x0b, 0x00, 0x00, 0x00,
			     0x00, 0x0a, 0x00, 0x40, 0x00, 0x00,
			     0x00, 0x00, 0x00, 0x00, 0x00, 0x00};
	uint8_t cdb[16] = {0x85};
	struct sg_io_hdr header = {.status = CHECK_CONDITION,
				   .driver_status = DRIVER_SENSE,
				   .cmdp = cdb,
				   .cmd_len = sizeof(cdb),
				   .sbp = linux61,
				   .mx_sb_len = sizeof(linux61),
				   .sb_len_wr = sizeof(linux61),
				   .timeout = 3000,
				   .duration = 3000};
	struct sn_outcome outcome;
	char text[80];

	(void)state;
	sn_outcome_of(&header, &outcome);
	expect(outcome, SN_TIMEOUT, ETIMEDOUT);
	sn_outcome_text(&outcome, text, sizeof(text));
	assert_string_equal(text, "Timed out: Command aborted (B/00/00h)");
	header.duration = 2999;
	sn_outcome_of(&header, &outcome);
	expect(outcome, SN_ABORTED, EIO);
	header.timeout = 0;
	sn_outcome_of(&header, &outcome);
	expect(outcome, SN_ABORTED, EIO);
	/* The drive has answered. */
	header.timeout = 1;
	linux61[8] = 0x04;
	linux61[9] = 0x41;
	sn_outcome_of(&header, &outcome);
	expect(outcome, SN_ABORTED, EIO);
}

static void the_host_is_right_against_the_drive(void **state)
{
	static const uint8_t sense[] = {0x72, 0x03, 0x11, 0x04, 0, 0, 0, 0};

	(void)state;
	expect(outcome_with(sense, sizeof(sense), 0x03), SN_TIMEOUT, ETIMEDOUT);
}

/* Linux before 6.1 marks sense data by a host status of its own. */
static void a_host_status_that_goes_with_sense_data_is_no_more(void **state)
{
	static const uint8_t sense[] = {0x72, 0x05, 0x24, 0x00, 0, 0, 0, 0};

	(void)state;
	expect(outcome_with(sense, sizeof(sense), 0x10), SN_REFUSED, EREMOTEIO);
	expect(outcome_with(sense, sizeof(sense), 0x13), SN_REFUSED, EREMOTEIO);
}

static void scsi_statuses_have_their_kinds(void **state)
{
	(void)state;
	expect(outcome_of(0x08, 0, 0), SN_RESET, EIO);	  /* BUSY */
	expect(outcome_of(0x18, 0, 0), SN_FAILED, EBADE); /* RESERVATION
							     CONFLICT */
	expect(outcome_of(0x28, 0, 0), SN_RESET, EIO);	  /* TASK SET FULL */
	expect(outcome_of(0x40, 0, 0), SN_ABORTED, EIO);  /* TASK ABORTED */
	expect(outcome_of(0x22, 0, 0), SN_FAILED, EIO);
}

static void driver_statuses_have_their_kinds(void **state)
{
	(void)state;
	expect(outcome_of(0, 0, 0x06), SN_TIMEOUT, ETIMEDOUT);
	expect(outcome_of(0, 0, 0x04), SN_FAILED, EIO);
}

/* Recorded of READ FPDMA QUEUED with CK_COND. */
static void registers_without_an_error_are_success(void **state)
{
	static const uint8_t sense[] = {0x72, 0x01, 0x00, 0x1d, 0x00, 0x00,
					0x00, 0x0e, 0x09, 0x0c, 0x01, 0x00,
					0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
					0x00, 0x00, 0xa0, 0x50};

	(void)state;
	expect(outcome_with(sense, sizeof(sense), 0), SN_GOOD, 0);
}

static struct sn_outcome medium_error_with(uint8_t status, uint16_t driver)
{
	uint8_t sense[] = {0x72, 0x03, 0x11, 0x00, 0, 0, 0, 0};
	const struct sg_io_hdr header = {.status = status,
					 .driver_status = driver,
					 .cmd_len = 16,
					 .sbp = sense,
					 .mx_sb_len = sizeof(sense),
					 .sb_len_wr = sizeof(sense)};
	struct sn_outcome outcome;

	sn_outcome_of(&header, &outcome);
	return outcome;
}

static void status_or_driver_say_that_sense_data_count(void **state)
{
	(void)state;
	expect(medium_error_with(CHECK_CONDITION, 0), SN_MEDIA, ENODATA);
	expect(medium_error_with(0, DRIVER_SENSE), SN_MEDIA, ENODATA);
	expect(medium_error_with(0, 0), SN_GOOD, 0);
}

static void bits_that_once_had_a_meaning_are_passed_over(void **state)
{
	(void)state;
	expect(medium_error_with(CHECK_CONDITION | 0x81, 0x10), SN_MEDIA,
	       ENODATA);
	expect(outcome_of(0x81, 0, 0x10), SN_GOOD, 0);
	expect(outcome_of(0, 0, 0x01), SN_FAILED, EIO);
}

static void a_system_call_that_failed_is_its_errno(void **state)
{
	static const struct {
		int error;
		enum sn_kind kind;
	} cases[] = {{ENODEV, SN_GONE},	  {ENXIO, SN_GONE},
		     {EAGAIN, SN_RESET},  {EBUSY, SN_RESET},
		     {EDOM, SN_RESET},	  {ETIMEDOUT, SN_TIMEOUT},
		     {ENOMEM, SN_FAILED}, {EINVAL, SN_FAILED}};
	struct sn_outcome outcome;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		sn_outcome_errno(cases[i].error, &outcome);
		expect(outcome, cases[i].kind, cases[i].error);
	}
	sn_outcome_errno(-ENODEV, &outcome);
	expect(outcome, SN_FAILED, EIO);
	sn_outcome_errno(0, &outcome);
	expect(outcome, SN_FAILED, EIO);
}

static void a_failure_always_has_an_errno(void **state)
{
	const struct sn_outcome outcome = {.kind = SN_ABORTED};

	(void)state;
	assert_int_equal(sn_outcome_to_errno(&outcome), EIO);
}

/* Whether more is read is the sanitizer's to say. */
static void success_with_fewer_bytes_is_a_failure(void **state)
{
	struct sg_io_hdr header = {.resid = 512};
	struct sn_outcome outcome;
	char text[64];

	(void)state;
	sn_outcome_of(&header, &outcome);
	expect(outcome, SN_FAILED, EREMOTEIO);
	sn_outcome_text(&outcome, text, sizeof(text));
	assert_string_equal(text, "Remote I/O error");
	/* What failed anyway says why. */
	header.host_status = 1;
	sn_outcome_of(&header, &outcome);
	expect(outcome, SN_GONE, ENODEV);
}

static void more_sense_than_room_is_not_believed(void **state)
{
	uint8_t *sense = test_calloc(1, 18);
	const struct sg_io_hdr header = {.status = CHECK_CONDITION,
					 .sbp = sense,
					 .mx_sb_len = 18,
					 .sb_len_wr = 255};
	struct sn_outcome outcome;

	(void)state;
	sense[0] = 0x72;
	sense[7] = 0xff;
	sn_outcome_of(&header, &outcome);
	test_free(sense);
	assert_true(outcome.sense.valid);
}

static void expect_text(struct sn_outcome outcome, const char *expected)
{
	char text[120];

	sn_outcome_text(&outcome, text, sizeof(text));
	assert_string_equal(text, expected);
}

static void a_text_names_where_it_is_from(void **state)
{
	(void)state;
	expect_text(outcome_of(0, 0, 0), "Success");
	expect_text(outcome_of(0, 0x03, 0), "Timed out (host status 03h)");
	expect_text(outcome_of(0x28, 0, 0), "Task set full (SCSI status 28h)");
	expect_text(outcome_of(CHECK_CONDITION, 0, 0),
		    "No sense data (SCSI status 02h)");
	expect_text(outcome_of(0, 0, 0x06), "Timed out (driver status 06h)");
	expect_text(outcome_of_code(3, 0x11, 0x04),
		    "Unrecovered read error (3/11/04h)");
}

static void the_text_of_an_errno_is_that_of_the_system(void **state)
{
	struct sn_outcome outcome;

	(void)state;
	sn_outcome_errno(ENODEV, &outcome);
	expect_text(outcome, "No such device");
	sn_outcome_errno(4000, &outcome);
	expect_text(outcome, "Unknown error");
}

static void all_statuses_have_a_printable_text(void **state)
{
	char text[120];

	(void)state;
	for (unsigned int code = 0; code < 0x10000; code++) {
		const struct sn_outcome outcome =
			outcome_of((uint8_t)code, (uint16_t)(code >> 8),
				   (uint16_t)(code >> 4));

		sn_outcome_text(&outcome, text, sizeof(text));
		assert_true(text[0] && strlen(text) < sizeof(text) - 1);
		for (const char *at = text; *at; at++)
			assert_true(isprint((unsigned char)*at));
		assert_true((outcome.kind == SN_GOOD) ==
			    !sn_outcome_to_errno(&outcome));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_said_is_success),
		cmocka_unit_test(sense_ends_with_its_memory),
		cmocka_unit_test(registers_on_request_are_success),
		cmocka_unit_test(a_recovered_error_is_success),
		cmocka_unit_test(
			success_with_an_error_in_the_registers_is_none),
		cmocka_unit_test(no_sense_is_no_success),
		cmocka_unit_test(a_medium_error_is_the_commands_own),
		cmocka_unit_test(a_sector_not_found_is_a_medium_error),
		cmocka_unit_test(
			an_aborted_command_may_be_the_victim_of_another),
		cmocka_unit_test(unaligned_write_is_an_aborted_command),
		cmocka_unit_test(what_the_drive_does_not_know_is_refused),
		cmocka_unit_test(after_a_reset_it_may_be_sent_again),
		cmocka_unit_test(
			an_error_of_an_earlier_command_is_not_this_ones),
		cmocka_unit_test(a_drive_that_linux_gave_up_is_gone),
		cmocka_unit_test(other_sense_keys_are_failures),
		cmocka_unit_test(host_statuses_have_their_kinds),
		cmocka_unit_test(
			an_aborted_command_that_took_its_time_has_timed_out),
		cmocka_unit_test(the_host_is_right_against_the_drive),
		cmocka_unit_test(
			a_host_status_that_goes_with_sense_data_is_no_more),
		cmocka_unit_test(scsi_statuses_have_their_kinds),
		cmocka_unit_test(driver_statuses_have_their_kinds),
		cmocka_unit_test(registers_without_an_error_are_success),
		cmocka_unit_test(status_or_driver_say_that_sense_data_count),
		cmocka_unit_test(bits_that_once_had_a_meaning_are_passed_over),
		cmocka_unit_test(a_system_call_that_failed_is_its_errno),
		cmocka_unit_test(a_failure_always_has_an_errno),
		cmocka_unit_test(success_with_fewer_bytes_is_a_failure),
		cmocka_unit_test(more_sense_than_room_is_not_believed),
		cmocka_unit_test(a_text_names_where_it_is_from),
		cmocka_unit_test(the_text_of_an_errno_is_that_of_the_system),
		cmocka_unit_test(all_statuses_have_a_printable_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
