/* SPDX-License-Identifier: GPL-2.0-only */
#include "stats.h"

#include "unit.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct fixture {
	char folder[32];
	char path[64];
	struct sn_stats stats;
	struct fe_error err;
};

/* CHECK CONDITION with a sense of ATA's registers */
static struct sn_outcome outcome_of(enum sn_kind kind, uint8_t key, uint8_t asc,
				    uint8_t ascq, uint8_t error)
{
	return (struct sn_outcome){
		.kind = kind,
		.status = 2,
		.driver_status = 8,
		.sense = {.valid = true,
			  .key = key,
			  .asc = asc,
			  .ascq = ascq,
			  .ata = true,
			  .status = 0x41,
			  .error = error},
	};
}

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	const struct sn_outcome read_error =
		outcome_of(SN_MEDIA, 3, 0x11, 4, 0x40);
	const struct sn_outcome write_error =
		outcome_of(SN_MEDIA, 3, 0x0c, 2, 0x10);

	assert_non_null(f);
	snprintf(f->folder, sizeof(f->folder), "/tmp/stats-test-XXXXXX");
	assert_non_null(mkdtemp(f->folder));
	snprintf(f->path, sizeof(f->path), "%s/job.json", f->folder);
	sn_stats_failure(&f->stats, &write_error);
	sn_stats_failure(&f->stats, &read_error);
	sn_stats_failure(&f->stats, &read_error);
	f->stats.commands = 1000;
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

static void assert_prints(const struct sn_stats *stats, const char *job,
			  const char *expected)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	sn_stats_print(stats, job, out);
	fclose(out);
	assert_string_equal(text, expected);
	free(text);
}

static void nothing_is_said_if_all_went_well(void **state)
{
	const struct sn_stats good = {.commands = 1000,
				      .errors_judged = 0,
				      .link_now = 3,
				      .completed = 5};

	(void)state;
	assert_prints(&good, "job", "");
}

static void failures_are_told_most_frequent_first(void **state)
{
	struct fixture *f = *state;

	assert_prints(&f->stats, "job",
		      "sata_ncq: job: 3 of 1000 commands failed: "
		      "2 x Unrecovered read error (3/11/04h), "
		      "1 x Write error, reallocation failed (3/0C/02h)\n");
}

static void registers_are_told_where_the_sense_says_little(void **state)
{
	struct sn_stats stats = {.commands = 9};
	const struct sn_outcome aborted =
		outcome_of(SN_ABORTED, 11, 0, 0, 0x10);

	(void)state;
	sn_stats_failure(&stats, &aborted);
	assert_prints(&stats, "job",
		      "sata_ncq: job: 1 of 9 commands failed: "
		      "1 x Command aborted (B/00/00h), "
		      "ATA status 41h error 10h\n");
}

static void neighbours_and_other_ways_are_told(void **state)
{
	struct fixture *f = *state;

	f->stats.other_failures = 5;
	f->stats.requeued = 31;
	assert_prints(&f->stats, "job",
		      "sata_ncq: job: 8 of 1000 commands failed: "
		      "2 x Unrecovered read error (3/11/04h), "
		      "1 x Write error, reallocation failed (3/0C/02h), "
		      "5 others; 31 were aborted with them and sent again\n");
}

static void neighbours_of_what_did_not_fail_are_told(void **state)
{
	const struct sn_stats again = {.commands = 9, .requeued = 1};

	(void)state;
	assert_prints(&again, "job",
		      "sata_ncq: job: 0 of 9 commands failed; "
		      "1 was aborted and sent again\n");
}

static void a_loss_of_ncq_is_told(void **state)
{
	const struct sn_stats lost = {.commands = 9, .ncq_lost = true};

	(void)state;
	assert_prints(&lost, "job",
		      "sata_ncq: job: 0 of 9 commands failed; "
		      "NCQ was turned off\n");
}

static void a_watched_queue_is_told(void **state)
{
	struct sn_stats stats = {.commands = 1000,
				 .watched = true,
				 .link_now = 3,
				 .completed = 1000,
				 .out_of_order = 124};

	(void)state;
	stats.ns_at_depth[1] = 120;
	stats.ns_at_depth[2] = 40;
	stats.ns_at_depth[3] = 39;
	stats.ns_at_depth[32] = 801;
	assert_prints(
		&stats, "job",
		"sata_ncq: job: time at queue depth 1: 12.0 %, 2-3: 7.9 %, "
		"32 or more: 80.1 %; 12.4 % completed out of order; "
		"link Gen3 (6.0 Gbit/s)\n");
}

/* 33 depths of the same time: each is in one range. */
static void depths_are_told_in_ranges(void **state)
{
	struct sn_stats stats = {.watched = true};

	(void)state;
	for (size_t i = 0; i <= SN_TAGS; i++)
		stats.ns_at_depth[i] = 1000;
	assert_prints(&stats, "job",
		      "sata_ncq: job: time at queue depth 0: 3.0 %, 1: 3.0 %, "
		      "2-3: 6.1 %, 4-7: 12.1 %, 8-15: 24.2 %, 16-31: 48.5 %, "
		      "32 or more: 3.0 %\n");
}

static void a_queue_without_commands_is_not_told(void **state)
{
	const struct sn_stats stats = {.watched = true};

	(void)state;
	assert_prints(&stats, "job", "");
}

static void generations_have_speeds(void **state)
{
	struct sn_stats stats = {.watched = true, .link_now = 1};

	(void)state;
	assert_prints(&stats, "job", "sata_ncq: job: link Gen1 (1.5 Gbit/s)\n");
	stats.link_now = 2;
	assert_prints(&stats, "job", "sata_ncq: job: link Gen2 (3.0 Gbit/s)\n");
	stats.link_now = 4;
	assert_prints(&stats, "job", "");
}

static void events_of_the_link_are_told(void **state)
{
	struct sn_stats stats = {
		.watched = true,
		.n_events = 4,
		.events = {{0x00b, 3, 0xffff},
			   {0x001, 0, 0xffff},
			   {0x8001, 77, 0xffff}, /* the vendor's */
			   {0x00f, 0xffff, 0xffff}},
	};

	(void)state;
	assert_prints(&stats, "job",
		      "sata_ncq: job: CRC errors in FIS, host to device: +3; "
		      "CRC errors in data FIS, host to device: stuck at "
		      "65535\n");
}

static void failures_and_queue_are_lines(void **state)
{
	struct fixture *f = *state;

	f->stats.watched = true;
	f->stats.completed = 3;
	f->stats.n_failures = 1;
	assert_prints(&f->stats, "job",
		      "sata_ncq: job: 1 of 1000 commands failed: "
		      "1 x Write error, reallocation failed (3/0C/02h)\n"
		      "sata_ncq: job: 0.0 % completed out of order\n");
}

static void a_hostile_job_name_stays_text(void **state)
{
	const struct sn_stats stats = {
		.commands = 9, .requeued = 2, .watched = true, .completed = 1};

	(void)state;
	assert_prints(&stats, "a\033[2J\n%s",
		      "sata_ncq: a?[2J?%s: 0 of 9 commands failed; "
		      "2 were aborted and sent again\n"
		      "sata_ncq: a?[2J?%s: 0.0 % completed out of order\n");
}

static json_t *written(struct fixture *f, const struct sn_identity *identity)
{
	json_t *object;

	assert_int_equal(sn_stats_write(&f->stats, identity, "\xff\"job",
					f->path, &f->err),
			 0);
	assert_string_equal(f->err.text, "");
	object = json_load_file(f->path, 0, NULL);
	assert_non_null(object);
	return object;
}

static void the_document_has_all_counts(void **state)
{
	struct fixture *f = *state;
	json_t *object, *rows;
	const char *job;
	json_int_t commands, failed, others, requeued, judged, high;
	int ncq, lost, link;

	f->stats.other_failures = 5;
	f->stats.requeued = 31;
	f->stats.errors_judged = 2;
	f->stats.high_priority = 250;
	f->stats.ncq_on = true;
	f->stats.link_now = 3;
	object = written(f, NULL);
	assert_int_equal(
		json_unpack(object,
			    "{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:b, s:b, "
			    "s:i, s:o !}",
			    "job", &job, "commands", &commands, "failed",
			    &failed, "other_failures", &others, "requeued",
			    &requeued, "errors_judged", &judged,
			    "high_priority", &high, "ncq", &ncq, "ncq_lost",
			    &lost, "link", &link, "failures", &rows),
		0);
	assert_string_equal(job, "?\"job");
	assert_int_equal(commands, 1000);
	assert_int_equal(failed, 8);
	assert_int_equal(others, 5);
	assert_int_equal(requeued, 31);
	assert_int_equal(judged, 2);
	assert_int_equal(high, 250);
	assert_true(ncq);
	assert_false(lost);
	assert_int_equal(link, 3);
	json_decref(object);
}

static void a_row_describes_a_failure(void **state)
{
	struct fixture *f = *state;
	json_t *object = written(f, NULL);
	json_t *rows = json_object_get(object, "failures");
	const char *kind, *text;
	int error, scsi, host, driver, count, key, asc, ascq, ata, registers;

	assert_int_equal(json_array_size(rows), 2);
	assert_int_equal(json_unpack(json_array_get(rows, 0),
				     "{s:s, s:i, s:s, s:i, s:i, s:i, s:i, "
				     "s:{s:i, s:i, s:i !}, s:{s:i, s:i !} !}",
				     "kind", &kind, "errno", &error, "text",
				     &text, "scsi_status", &scsi, "host_status",
				     &host, "driver_status", &driver, "count",
				     &count, "sense", "key", &key, "asc", &asc,
				     "ascq", &ascq, "ata", "status", &ata,
				     "error", &registers),
			 0);
	assert_string_equal(kind, "media");
	assert_int_equal(error, ENODATA);
	assert_string_equal(text, "Unrecovered read error (3/11/04h), "
				  "ATA status 41h error 40h");
	assert_int_equal(scsi, 2);
	assert_int_equal(host, 0);
	assert_int_equal(driver, 8);
	assert_int_equal(count, 2);
	assert_int_equal(key, 3);
	assert_int_equal(asc, 0x11);
	assert_int_equal(ascq, 4);
	assert_int_equal(ata, 0x41);
	assert_int_equal(registers, 0x40);
	json_decref(object);
}

static void a_row_of_an_errno_has_no_sense(void **state)
{
	struct fixture *f = *state;
	struct sn_outcome gone;
	json_t *object, *row;
	const char *kind;
	int error;

	sn_outcome_errno(ENODEV, &gone);
	f->stats = (struct sn_stats){.commands = 1};
	sn_stats_failure(&f->stats, &gone);
	object = written(f, NULL);
	row = json_array_get(json_object_get(object, "failures"), 0);
	assert_int_equal(
		json_unpack(row, "{s:s, s:i}", "kind", &kind, "errno", &error),
		0);
	assert_string_equal(kind, "gone");
	assert_int_equal(error, ENODEV);
	assert_null(json_object_get(row, "sense"));
	assert_null(json_object_get(row, "ata"));
	json_decref(object);
}

static void the_document_has_the_whole_distribution(void **state)
{
	struct fixture *f = *state;
	json_t *object, *queue, *depths;
	json_int_t completed, out_of_order;

	f->stats.watched = true;
	f->stats.completed = 1000;
	f->stats.out_of_order = 124;
	for (size_t i = 0; i <= SN_TAGS; i++)
		f->stats.ns_at_depth[i] = 100 + i;
	object = written(f, NULL);
	queue = json_object_get(object, "queue");
	assert_int_equal(json_unpack(queue, "{s:I, s:I, s:o, s:[] !}",
				     "completed", &completed, "out_of_order",
				     &out_of_order, "ns_at_depth", &depths,
				     "link_events"),
			 0);
	assert_int_equal(completed, 1000);
	assert_int_equal(out_of_order, 124);
	assert_int_equal(json_array_size(depths), SN_TAGS + 1);
	for (size_t i = 0; i <= SN_TAGS; i++)
		assert_int_equal(json_integer_value(json_array_get(depths, i)),
				 100 + i);
	json_decref(object);
}

static void the_document_has_all_events_of_the_link(void **state)
{
	struct fixture *f = *state;
	json_t *object, *events;
	const char *name;
	json_int_t count;
	int id, stuck;

	f->stats.watched = true;
	f->stats.n_events = 2;
	f->stats.events[0] = (struct sn_phy_counter){0x00b, 0, 0xffff};
	f->stats.events[1] =
		(struct sn_phy_counter){0x8001, UINT64_MAX, UINT64_MAX};
	object = written(f, NULL);
	events = json_object_get(json_object_get(object, "queue"),
				 "link_events");
	assert_int_equal(json_unpack(events,
				     "[{s:i, s:s, s:I, s:b !}, {s:i, s:n, "
				     "s:I, s:b !} !]",
				     "id", &id, "name", &name, "count", &count,
				     "stuck", &stuck, "id", &id, "name",
				     "count", &count, "stuck", &stuck),
			 0);
	assert_string_equal(name, "CRC errors in FIS, host to device");
	assert_int_equal(id, 0x8001);
	assert_int_equal(count, INT64_MAX);
	assert_true(stuck);
	json_decref(object);
}

static void what_was_not_watched_is_not_written(void **state)
{
	json_t *object = written(*state, NULL);

	assert_null(json_object_get(object, "queue"));
	assert_null(json_object_get(object, "drive"));
	json_decref(object);
}

static void the_document_names_the_drive(void **state)
{
	const struct sn_identity id = {.model = "A drive",
				       .serial = "S1",
				       .firmware = "F1",
				       .blocks = UINT64_C(1) << 40,
				       .block_bytes = 512,
				       .physical_bytes = UINT32_C(1) << 31,
				       .rotation = 7200,
				       .ncq = true,
				       .depth = 32,
				       .write_cache = true};
	json_t *object = written(*state, &id);
	const char *model, *serial, *firmware;
	json_int_t blocks, block, physical;
	int rotation, ncq, depth, priority, cache;

	assert_int_equal(
		json_unpack(json_object_get(object, "drive"),
			    "{s:s, s:s, s:s, s:I, s:I, s:I, s:i, s:b, s:i, "
			    "s:b, s:b !}",
			    "model", &model, "serial", &serial, "firmware",
			    &firmware, "blocks", &blocks, "block_bytes", &block,
			    "physical_bytes", &physical, "rotation", &rotation,
			    "ncq", &ncq, "ncq_depth", &depth, "ncq_priority",
			    &priority, "write_cache", &cache),
		0);
	assert_string_equal(model, "A drive");
	assert_string_equal(serial, "S1");
	assert_string_equal(firmware, "F1");
	assert_int_equal(blocks, UINT64_C(1) << 40);
	assert_int_equal(block, 512);
	assert_int_equal(physical, UINT32_C(1) << 31);
	assert_int_equal(rotation, 7200);
	assert_true(ncq);
	assert_int_equal(depth, 32);
	assert_false(priority);
	assert_true(cache);
	json_decref(object);
}

static void a_file_that_can_not_be_written_is_told(void **state)
{
	struct fixture *f = *state;

	snprintf(f->path, sizeof(f->path), "%s/no/job.json", f->folder);
	assert_int_equal(
		sn_stats_write(&f->stats, NULL, "job", f->path, &f->err),
		-ENOENT);
	assert_non_null(strstr(f->err.text, "can't be written"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_said_if_all_went_well),
		TEST(failures_are_told_most_frequent_first),
		cmocka_unit_test(
			registers_are_told_where_the_sense_says_little),
		TEST(neighbours_and_other_ways_are_told),
		cmocka_unit_test(neighbours_of_what_did_not_fail_are_told),
		cmocka_unit_test(a_loss_of_ncq_is_told),
		cmocka_unit_test(a_watched_queue_is_told),
		cmocka_unit_test(depths_are_told_in_ranges),
		cmocka_unit_test(a_queue_without_commands_is_not_told),
		cmocka_unit_test(generations_have_speeds),
		cmocka_unit_test(events_of_the_link_are_told),
		TEST(failures_and_queue_are_lines),
		cmocka_unit_test(a_hostile_job_name_stays_text),
		TEST(the_document_has_all_counts),
		TEST(a_row_describes_a_failure),
		TEST(a_row_of_an_errno_has_no_sense),
		TEST(the_document_has_the_whole_distribution),
		TEST(the_document_has_all_events_of_the_link),
		TEST(what_was_not_watched_is_not_written),
		TEST(the_document_names_the_drive),
		TEST(a_file_that_can_not_be_written_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
