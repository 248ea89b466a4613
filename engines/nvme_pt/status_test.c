/* SPDX-License-Identifier: GPL-2.0-only */
#include "status.h"

#include "unit.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <string.h>

#define READ_ERROR 0x281
#define ROWS 32

static void success_is_no_error(void **state)
{
	(void)state;
	assert_int_equal(pt_status_errno(0), 0);
	assert_int_equal(pt_status_errno(PT_STATUS_MORE), 0);
	assert_false(pt_status_retryable(0));
	assert_false(pt_status_retryable(PT_STATUS_MORE));
}

static void a_status_becomes_a_sentence_and_an_errno(void **state)
{
	struct fe_error err = {""};

	(void)state;
	assert_int_equal(pt_status_check(0, "report", &err), 0);
	assert_int_equal(pt_status_check(PT_STATUS_MORE, "report", &err), 0);
	assert_string_equal(err.text, "");
	assert_int_equal(pt_status_check(-ENODEV, "report", &err), -ENODEV);
	assert_string_equal(err.text, "report: No such device");
}

static void a_refusal_of_the_device_has_an_errno_too(void **state)
{
	struct fe_error err = {""};

	(void)state;
	assert_int_equal(pt_status_check(0x002 | PT_STATUS_DNR, "report", &err),
			 -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "report: Invalid Field in Command"));
}

static void device_errors_are_those_of_the_block_layer(void **state)
{
	static const struct {
		int status, error;
	} cases[] = {
		{0x001, EOPNOTSUPP},   /* Invalid Command Opcode */
		{0x002, EOPNOTSUPP},   /* Invalid Field in Command */
		{0x006, EIO},	       /* Internal Error */
		{0x00b, EOPNOTSUPP},   /* Invalid Namespace or Format */
		{0x021, EREMOTEIO},    /* Command Interrupted */
		{0x080, EREMOTEIO},    /* LBA Out of Range */
		{0x081, ENOSPC},       /* Capacity Exceeded */
		{0x082, EREMOTEIO},    /* Namespace Not Ready */
		{0x083, EBADE},	       /* Reservation Conflict */
		{0x180, EOPNOTSUPP},   /* Conflicting Attributes */
		{0x181, EILSEQ},       /* Invalid Protection Information */
		{0x182, ENODATA},      /* Attempted Write to Read Only Range */
		{0x1bc, EIO},	       /* Zone Invalid Write */
		{0x1bd, EOVERFLOW},    /* Too Many Active Zones */
		{0x1be, ETOOMANYREFS}, /* Too Many Open Zones */
		{0x280, ENODATA},      /* Write Fault */
		{0x281, ENODATA},      /* Unrecovered Read Error */
		{0x282, EILSEQ},       /* Guard Check Error */
		{0x283, EILSEQ},       /* Application Tag Check Error */
		{0x284, EILSEQ},       /* Reference Tag Check Error */
		{0x285, ENODATA},      /* Compare Failure */
		{0x286, ENODATA},      /* Access Denied */
		{0x287, ENODATA},      /* Deallocated Logical Block */
		{0x370, ENOLINK},      /* Host Pathing Error */
		{0x371, EIO},	       /* Command Aborted By Host */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(pt_status_errno(cases[i].status),
				 cases[i].error);
}

static void flags_do_not_change_the_errno(void **state)
{
	const int flags = PT_STATUS_DNR | PT_STATUS_MORE | PT_STATUS_CRD;

	(void)state;
	assert_int_equal(pt_status_errno(READ_ERROR | flags), ENODATA);
}

static void unknown_statuses_are_io_errors(void **state)
{
	(void)state;
	assert_int_equal(pt_status_errno(0x7c3), EIO);
	assert_int_equal(pt_status_errno(0x4ff), EIO);
}

static void a_negative_status_is_an_errno(void **state)
{
	(void)state;
	assert_int_equal(pt_status_errno(-ENODEV), ENODEV);
	assert_int_equal(pt_status_errno(INT_MIN), EIO);
	assert_int_equal(pt_status_errno(-4096), EIO);
	assert_int_equal(pt_status_errno(-4095), 4095);
}

static void a_command_that_the_driver_cancelled_may_be_repeated(void **state)
{
	char text[80];

	(void)state;
	pt_status_text(-EINTR, text, sizeof(text));
	assert_string_equal(text, "Command cancelled by the driver");
	assert_int_equal(pt_status_errno(-EINTR), EIO);
	assert_true(pt_status_retryable(-EINTR));
}

static void what_the_device_does_not_forbid_may_be_repeated(void **state)
{
	static const int cases[] = {
		0x004, 0x082,	0x180,	0x281,
		0x371, -EAGAIN, -EBUSY, 0x082 | PT_STATUS_MORE};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_true(pt_status_retryable(cases[i]));
}

static void do_not_retry_is_obeyed(void **state)
{
	static const int cases[] = {0x004, 0x082, 0x281, 0x371};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_false(pt_status_retryable(cases[i] | PT_STATUS_DNR));
}

static void errors_that_stay_are_not_worth_a_retry(void **state)
{
	static const int errors[] = {ENODEV, ENOTTY, EINVAL, EFAULT, ENXIO,
				     EBADF,  EPERM,  EACCES, ENOMEM};

	(void)state;
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		assert_false(pt_status_retryable(-errors[i]));
}

static void the_text_names_the_status(void **state)
{
	char text[200];

	(void)state;
	pt_status_text(READ_ERROR | PT_STATUS_DNR | PT_STATUS_MORE, text,
		       sizeof(text));
	assert_string_equal(text, "Unrecovered Read Error: The read data could "
				  "not be recovered from the media "
				  "(SCT 2h, SC 81h, DNR)");
	pt_status_brief(READ_ERROR, text, sizeof(text));
	assert_string_equal(text, "Unrecovered Read Error (SCT 2h, SC 81h)");
}

static void the_text_of_an_errno_is_that_of_the_system(void **state)
{
	char text[80];

	(void)state;
	errno = EPERM;
	pt_status_text(-ENODEV, text, sizeof(text));
	assert_string_equal(text, "No such device");
	pt_status_text(-4000, text, sizeof(text));
	assert_string_equal(text, "Unknown error");
	pt_status_text(INT_MIN, text, sizeof(text));
	assert_string_equal(text, "Unknown error");
}

static void no_status_has_control_characters(void **state)
{
	char text[512];

	(void)state;
	for (int status = -200; status <= 0x7fff; status++) {
		pt_status_text(status, text, sizeof(text));
		assert_true(text[0] && strlen(text) < sizeof(text) - 1);
		for (const char *at = text; *at; at++)
			assert_true(isprint((unsigned char)*at));
	}
}

static void a_long_text_is_cut(void **state)
{
	char text[12];

	(void)state;
	pt_status_text(READ_ERROR, text, sizeof(text));
	assert_string_equal(text, "Unrecovered");
}

static void equal_failures_are_counted_together(void **state)
{
	struct pt_statuses statuses = {.n = 0};

	(void)state;
	pt_status_count(&statuses, READ_ERROR);
	pt_status_count(&statuses, READ_ERROR | PT_STATUS_MORE | PT_STATUS_CRD);
	pt_status_count(&statuses, READ_ERROR | PT_STATUS_DNR);
	assert_int_equal(statuses.n, 2);
	assert_int_equal(statuses.rows[0].status, READ_ERROR);
	assert_int_equal(statuses.rows[0].count, 2);
	assert_int_equal(statuses.rows[1].status, READ_ERROR | PT_STATUS_DNR);
}

static void errnos_are_counted_whole(void **state)
{
	struct pt_statuses statuses = {.n = 0};

	(void)state;
	pt_status_count(&statuses, -ENODEV);
	assert_int_equal(statuses.rows[0].status, -ENODEV);
}

static void success_is_not_counted(void **state)
{
	struct pt_statuses statuses = {.n = 0};

	(void)state;
	pt_status_count(&statuses, 0);
	pt_status_count(&statuses, PT_STATUS_DNR);
	assert_int_equal(statuses.n, 0);
}

static void more_kinds_than_rows_are_counted_as_others(void **state)
{
	struct pt_statuses statuses = {.n = 0};

	(void)state;
	for (int i = 0; i < ROWS + 3; i++)
		pt_status_count(&statuses, 0x701 + i);
	pt_status_count(&statuses, 0x701);
	assert_int_equal(statuses.n, ROWS);
	assert_int_equal(statuses.others, 3);
	assert_int_equal(statuses.rows[0].count, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(success_is_no_error),
		cmocka_unit_test(a_status_becomes_a_sentence_and_an_errno),
		cmocka_unit_test(a_refusal_of_the_device_has_an_errno_too),
		cmocka_unit_test(device_errors_are_those_of_the_block_layer),
		cmocka_unit_test(flags_do_not_change_the_errno),
		cmocka_unit_test(unknown_statuses_are_io_errors),
		cmocka_unit_test(a_negative_status_is_an_errno),
		cmocka_unit_test(
			a_command_that_the_driver_cancelled_may_be_repeated),
		cmocka_unit_test(
			what_the_device_does_not_forbid_may_be_repeated),
		cmocka_unit_test(do_not_retry_is_obeyed),
		cmocka_unit_test(errors_that_stay_are_not_worth_a_retry),
		cmocka_unit_test(the_text_names_the_status),
		cmocka_unit_test(the_text_of_an_errno_is_that_of_the_system),
		cmocka_unit_test(no_status_has_control_characters),
		cmocka_unit_test(a_long_text_is_cut),
		cmocka_unit_test(equal_failures_are_counted_together),
		cmocka_unit_test(errnos_are_counted_whole),
		cmocka_unit_test(success_is_not_counted),
		cmocka_unit_test(more_kinds_than_rows_are_counted_as_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
