/* SPDX-License-Identifier: GPL-2.0-only */
#include "stats.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

#include "common/json_file.h"

static const char *const kind_names[] = {
	[SN_GOOD] = "good",	  [SN_MEDIA] = "media",
	[SN_ABORTED] = "aborted", [SN_REFUSED] = "refused",
	[SN_TIMEOUT] = "timeout", [SN_RESET] = "reset",
	[SN_GONE] = "gone",	  [SN_FAILED] = "failed",
};

/* Depths that are told together. */
static const struct {
	unsigned int first, last;
	const char *name;
} depth_ranges[] = {
	{0, 0, "0"},
	{1, 1, "1"},
	{2, 3, "2-3"},
	{4, 7, "4-7"},
	{8, 15, "8-15"},
	{16, 31, "16-31"},
	{32, 32, "32 or more"},
};

/* SATA 3.x 7.2.2.1: Gen1 to Gen3 */
static const char *const link_speeds[] = {NULL, "1.5", "3.0", "6.0"};

static int by_count(const void *a, const void *b)
{
	const struct sn_failure *x = a, *y = b;

	return (x->count < y->count) - (x->count > y->count);
}

static void sort(struct sn_stats *stats)
{
	qsort(stats->failures, stats->n_failures, sizeof(stats->failures[0]),
	      by_count);
}

static uint64_t failed(const struct sn_stats *stats)
{
	uint64_t sum = stats->other_failures;

	for (unsigned int i = 0; i < stats->n_failures; i++)
		sum += stats->failures[i].count;
	return sum;
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void print_kinds(const struct sn_stats *stats, FILE *out)
{
	const char *mark = ":";

	for (unsigned int i = 0; i < stats->n_failures; i++) {
		struct sn_outcome outcome = stats->failures[i].outcome;
		char text[200];

		/* What the drive says in SCSI's words is enough here. */
		if (outcome.sense.asc)
			outcome.sense.ata = false;
		sn_outcome_text(&outcome, text, sizeof(text));
		fprintf(out, "%s %" PRIu64 " x %s", mark,
			stats->failures[i].count, text);
		mark = ",";
	}
	if (stats->other_failures)
		fprintf(out, "%s %" PRIu64 " others", mark,
			stats->other_failures);
}

static void print_failures(const struct sn_stats *stats, const char *name,
			   FILE *out)
{
	struct sn_stats sorted = *stats;
	const uint64_t bad = failed(stats), again = stats->requeued;

	if (!bad && !again && !stats->ncq_lost)
		return;
	sort(&sorted);
	fprintf(out, "sata_ncq: %s: %" PRIu64 " of %" PRIu64 " commands failed",
		name, bad, stats->commands);
	print_kinds(&sorted, out);
	if (again)
		fprintf(out, "; %" PRIu64 " %s aborted%s and sent again", again,
			again == 1 ? "was" : "were", bad ? " with them" : "");
	if (stats->ncq_lost)
		fputs("; NCQ was turned off", out);
	fputc('\n', out);
}

/* A line of parts, none if there are none. */
struct line {
	FILE *out;
	const char *name;
	bool begun;
};

static void begin_part(struct line *line)
{
	if (line->begun)
		fputs("; ", line->out);
	else
		fprintf(line->out, "sata_ncq: %s: ", line->name);
	line->begun = true;
}

static void print_depths(const struct sn_stats *stats, struct line *line)
{
	const size_t n = sizeof(depth_ranges) / sizeof(depth_ranges[0]);
	const char *mark = "time at queue depth ";
	uint64_t all = 0;

	for (unsigned int i = 0; i <= SN_TAGS; i++)
		all += stats->ns_at_depth[i];
	if (!all)
		return;
	begin_part(line);
	for (size_t row = 0; row < n; row++) {
		uint64_t ns = 0;

		for (unsigned int i = depth_ranges[row].first;
		     i <= depth_ranges[row].last; i++)
			ns += stats->ns_at_depth[i];
		if (!ns)
			continue;
		fprintf(line->out, "%s%s: %.1f %%", mark,
			depth_ranges[row].name, percent(ns, all));
		mark = ", ";
	}
}

static void print_events(const struct sn_stats *stats, struct line *line)
{
	for (unsigned int i = 0; i < stats->n_events; i++) {
		const struct sn_phy_counter *event = &stats->events[i];
		const char *name = sn_phy_counter_name(event->id);
		const bool stuck = event->value >= event->most;

		if (!name || !event->value)
			continue;
		begin_part(line);
		fprintf(line->out, "%s: %s%" PRIu64, name,
			stuck ? "stuck at " : "+", event->value);
	}
}

static void print_queue(const struct sn_stats *stats, const char *name,
			FILE *out)
{
	const unsigned int link = stats->link_now;
	struct line line = {.out = out, .name = name};

	if (!stats->watched)
		return;
	print_depths(stats, &line);
	if (stats->completed) {
		begin_part(&line);
		fprintf(out, "%.1f %% completed out of order",
			percent(stats->out_of_order, stats->completed));
	}
	if (link && link < sizeof(link_speeds) / sizeof(link_speeds[0])) {
		begin_part(&line);
		fprintf(out, "link Gen%u (%s Gbit/s)", link, link_speeds[link]);
	}
	print_events(stats, &line);
	if (line.begun)
		fputc('\n', out);
}

void sn_stats_print(const struct sn_stats *stats, const char *job, FILE *out)
{
	char *name = fe_clean_text(job);

	print_failures(stats, name ? name : "?", out);
	print_queue(stats, name ? name : "?", out);
	free(name);
}

/* JSON's numbers end with INT64_MAX here. */
static json_t *number(uint64_t value)
{
	return json_integer(value < INT64_MAX ? (json_int_t)value : INT64_MAX);
}

static json_t *failure_object(const struct sn_failure *failure)
{
	const struct sn_outcome *outcome = &failure->outcome;
	const struct sn_sense *sense = &outcome->sense;
	char text[200];
	json_t *object;
	int bad = 0;

	sn_outcome_text(outcome, text, sizeof(text));
	object = json_pack("{s:s, s:i, s:s, s:i, s:i, s:i}", "kind",
			   kind_names[outcome->kind], "errno",
			   sn_outcome_to_errno(outcome), "text", text,
			   "scsi_status", outcome->status, "host_status",
			   outcome->host_status, "driver_status",
			   outcome->driver_status);
	bad |= json_object_set_new(object, "count", number(failure->count));
	if (sense->valid)
		bad |= json_object_set_new(
			object, "sense",
			json_pack("{s:i, s:i, s:i}", "key", sense->key, "asc",
				  sense->asc, "ascq", sense->ascq));
	if (sense->ata)
		bad |= json_object_set_new(object, "ata",
					   json_pack("{s:i, s:i}", "status",
						     sense->status, "error",
						     sense->error));
	if (bad) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static json_t *failure_array(const struct sn_stats *stats)
{
	struct sn_stats sorted = *stats;
	json_t *array = json_array();
	int bad = 0;

	sort(&sorted);
	for (unsigned int i = 0; i < sorted.n_failures; i++)
		bad |= json_array_append_new(
			array, failure_object(&sorted.failures[i]));
	if (bad) {
		json_decref(array);
		return NULL;
	}
	return array;
}

static json_t *event_array(const struct sn_stats *stats)
{
	json_t *array = json_array();
	int bad = 0;

	for (unsigned int i = 0; i < stats->n_events; i++) {
		const struct sn_phy_counter *event = &stats->events[i];
		json_t *object =
			json_pack("{s:i, s:s?, s:b}", "id", event->id, "name",
				  sn_phy_counter_name(event->id), "stuck",
				  event->value >= event->most);

		bad |= json_object_set_new(object, "count",
					   number(event->value));
		bad |= json_array_append_new(array, object);
	}
	if (bad) {
		json_decref(array);
		return NULL;
	}
	return array;
}

static json_t *queue_object(const struct sn_stats *stats)
{
	json_t *object = json_object(), *depths = json_array();
	int bad = 0;

	for (unsigned int i = 0; i <= SN_TAGS; i++)
		bad |= json_array_append_new(depths,
					     number(stats->ns_at_depth[i]));
	bad |= json_object_set_new(object, "ns_at_depth", depths);
	bad |= json_object_set_new(object, "completed",
				   number(stats->completed));
	bad |= json_object_set_new(object, "out_of_order",
				   number(stats->out_of_order));
	bad |= json_object_set_new(object, "link_events", event_array(stats));
	if (bad) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static json_t *drive_object(const struct sn_identity *id)
{
	json_t *object = json_pack(
		"{s:s, s:s, s:s, s:I, s:I, s:i, s:b, s:i, s:b, s:b}", "model",
		id->model, "serial", id->serial, "firmware", id->firmware,
		"block_bytes", (json_int_t)id->block_bytes, "physical_bytes",
		(json_int_t)id->physical_bytes, "rotation", id->rotation, "ncq",
		id->ncq, "ncq_depth", (int)id->depth, "ncq_priority",
		id->ncq_priority, "write_cache", id->write_cache);

	if (json_object_set_new(object, "blocks", number(id->blocks))) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static json_t *document(const struct sn_stats *stats,
			const struct sn_identity *identity, const char *job)
{
	char *name = fe_clean_text(job);
	json_t *object =
		json_pack("{s:s, s:b, s:b, s:i}", "job", name ? name : "?",
			  "ncq", stats->ncq_on, "ncq_lost", stats->ncq_lost,
			  "link", (int)stats->link_now);
	const struct {
		const char *key;
		uint64_t value;
	} counts[] = {
		{"commands", stats->commands},
		{"failed", failed(stats)},
		{"other_failures", stats->other_failures},
		{"requeued", stats->requeued},
		{"errors_judged", stats->errors_judged},
		{"high_priority", stats->high_priority},
	};
	int bad = 0;

	free(name);
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		bad |= json_object_set_new(object, counts[i].key,
					   number(counts[i].value));
	bad |= json_object_set_new(object, "failures", failure_array(stats));
	if (identity)
		bad |= json_object_set_new(object, "drive",
					   drive_object(identity));
	if (stats->watched)
		bad |= json_object_set_new(object, "queue",
					   queue_object(stats));
	if (bad) {
		json_decref(object);
		return NULL;
	}
	return object;
}

int sn_stats_write(const struct sn_stats *stats,
		   const struct sn_identity *identity, const char *job,
		   const char *path, struct fe_error *err)
{
	json_t *object = document(stats, identity, job);
	const int ret = fe_json_write(object, path, err);

	json_decref(object);
	return ret;
}
