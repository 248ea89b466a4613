/* SPDX-License-Identifier: GPL-2.0-only */
#include "status.h"

#include "unit.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_ERROR 0x281
#define WRITE_FAULT 0x280

struct fixture {
	char folder[32];
	char path[64];
	struct pt_statuses statuses;
	struct fe_error err;
};

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	snprintf(f->folder, sizeof(f->folder), "/tmp/status-test-XXXXXX");
	assert_non_null(mkdtemp(f->folder));
	snprintf(f->path, sizeof(f->path), "%s/job.json", f->folder);
	pt_status_count(&f->statuses, WRITE_FAULT);
	pt_status_count(&f->statuses, READ_ERROR | PT_STATUS_DNR);
	pt_status_count(&f->statuses, READ_ERROR | PT_STATUS_DNR);
	f->statuses.commands = 1000;
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	unlink(f->path);
	assert_int_equal(rmdir(f->folder), 0);
	free(f);
	return 0;
}

static void assert_prints(const struct pt_statuses *statuses, const char *job,
			  const char *expected)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	pt_statuses_print(statuses, job, out);
	fclose(out);
	assert_string_equal(text, expected);
	free(text);
}

static json_t *written(struct fixture *f, const char *job)
{
	json_t *object;

	assert_int_equal(pt_statuses_write(&f->statuses, job, f->path, &f->err),
			 0);
	object = json_load_file(f->path, 0, NULL);
	assert_non_null(object);
	return object;
}

static void nothing_is_said_if_all_went_well(void **state)
{
	const struct pt_statuses good = {.commands = 1000};

	(void)state;
	assert_prints(&good, "job", "");
}

static void failures_are_told_most_frequent_first(void **state)
{
	struct fixture *f = *state;

	assert_prints(&f->statuses, "job",
		      "nvme_pt: job: 3 of 1000 commands failed: "
		      "2 x Unrecovered Read Error (SCT 2h, SC 81h, DNR), "
		      "1 x Write Fault (SCT 2h, SC 80h)\n");
}

static void retries_and_other_kinds_are_told(void **state)
{
	struct fixture *f = *state;

	f->statuses.retries = 4;
	f->statuses.others = 5;
	assert_prints(&f->statuses, "job",
		      "nvme_pt: job: 8 of 1004 commands failed: "
		      "2 x Unrecovered Read Error (SCT 2h, SC 81h, DNR), "
		      "1 x Write Fault (SCT 2h, SC 80h), 5 others; "
		      "4 were retried\n");
}

static void retries_that_helped_are_told(void **state)
{
	const struct pt_statuses retried = {.commands = 9, .retries = 1};

	(void)state;
	assert_prints(&retried, "job",
		      "nvme_pt: job: 0 of 10 commands failed; "
		      "1 was retried\n");
}

static void a_hostile_job_name_stays_text(void **state)
{
	const struct pt_statuses retried = {.commands = 9, .retries = 2};
	const char *rest = " commands failed; 2 were retried\n";
	static const struct {
		const char *name, *shown;
	} cases[] = {
		{"%s%n", "%s%n"},
		{"a\033[2J\n\tb\x7f", "a?[2J??b?"},
		{"K\xc3\xb6ln", "K\xc3\xb6ln"}, /* o with dots */
		{"csi\xc2\x9b"
		 "2J",
		 "csi??2J"},
		{"bad\xff\xc3\xb6", "bad???"},
		{"cut\xc2", "cut?"},
		{"", ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char expected[100];

		snprintf(expected, sizeof(expected), "nvme_pt: %s: 0 of 11%s",
			 cases[i].shown, rest);
		assert_prints(&retried, cases[i].name, expected);
	}
}

static void the_document_has_all_counts(void **state)
{
	struct fixture *f = *state;
	json_t *object;
	const char *job;
	json_int_t commands, retries, others;

	f->statuses.retries = 7;
	f->statuses.others = 5;
	object = written(f, "job");
	assert_int_equal(json_unpack(object, "{s:s, s:I, s:I, s:I}", "job",
				     &job, "commands", &commands, "retries",
				     &retries, "others", &others),
			 0);
	assert_string_equal(job, "job");
	assert_int_equal(commands, 1000);
	assert_int_equal(retries, 7);
	assert_int_equal(others, 5);
	json_decref(object);
}

static void a_row_describes_a_status(void **state)
{
	struct fixture *f = *state;
	json_t *object = written(f, "job");
	json_t *rows = json_object_get(object, "statuses");
	int sct, sc, dnr, error, count;
	const char *text;

	assert_int_equal(json_array_size(rows), 2);
	assert_int_equal(json_unpack(json_array_get(rows, 0),
				     "{s:i, s:i, s:b, s:i, s:i, s:s !}", "sct",
				     &sct, "sc", &sc, "dnr", &dnr, "errno",
				     &error, "count", &count, "text", &text),
			 0);
	assert_int_equal(sct, 2);
	assert_int_equal(sc, 0x81);
	assert_true(dnr);
	assert_int_equal(error, ENODATA);
	assert_int_equal(count, 2);
	assert_non_null(strstr(text, "Unrecovered Read Error: "));
	assert_int_equal(json_unpack(json_array_get(rows, 1), "{s:b, s:i}",
				     "dnr", &dnr, "count", &count),
			 0);
	assert_false(dnr);
	assert_int_equal(count, 1);
	json_decref(object);
}

static void a_row_of_an_errno_has_no_device_status(void **state)
{
	struct fixture *f = *state;
	json_t *object;
	const char *text;
	int error, count;

	f->statuses = (struct pt_statuses){.commands = 1};
	pt_status_count(&f->statuses, -ENODEV);
	object = written(f, "job");
	assert_int_equal(json_unpack(object, "{s:[{s:i, s:s, s:i !}]}",
				     "statuses", "errno", &error, "text", &text,
				     "count", &count),
			 0);
	assert_int_equal(error, ENODEV);
	assert_string_equal(text, "No such device");
	assert_int_equal(count, 1);
	json_decref(object);
}

static void the_document_is_json_whatever_the_name(void **state)
{
	struct fixture *f = *state;
	json_t *object = written(f, "\xff\"\\\n{%s");

	assert_string_equal(json_string_value(json_object_get(object, "job")),
			    "?\"\\?{%s");
	json_decref(object);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_said_if_all_went_well),
		TEST(failures_are_told_most_frequent_first),
		TEST(retries_and_other_kinds_are_told),
		cmocka_unit_test(retries_that_helped_are_told),
		cmocka_unit_test(a_hostile_job_name_stays_text),
		TEST(the_document_has_all_counts),
		TEST(a_row_describes_a_status),
		TEST(a_row_of_an_errno_has_no_device_status),
		TEST(the_document_is_json_whatever_the_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
