/* SPDX-License-Identifier: GPL-2.0-only */
#include "status.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "common/json_file.h"

static int by_count(const void *a, const void *b)
{
	const struct pt_status_count *x = a, *y = b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return (x->status > y->status) - (x->status < y->status);
}

static void sort(struct pt_statuses *statuses)
{
	qsort(statuses->rows, statuses->n, sizeof(statuses->rows[0]), by_count);
}

static void print_kinds(const struct pt_statuses *statuses, FILE *out)
{
	const char *mark = ":";

	for (unsigned int i = 0; i < statuses->n; i++) {
		char text[200];

		pt_status_brief(statuses->rows[i].status, text, sizeof(text));
		fprintf(out, "%s %" PRIu64 " x %s", mark,
			statuses->rows[i].count, text);
		mark = ",";
	}
	if (statuses->others)
		fprintf(out, "%s %" PRIu64 " others", mark, statuses->others);
}

void pt_statuses_print(const struct pt_statuses *statuses, const char *job,
		       FILE *out)
{
	struct pt_statuses sorted = *statuses;
	uint64_t failed = statuses->others;
	char *name;

	for (unsigned int i = 0; i < statuses->n; i++)
		failed += statuses->rows[i].count;
	if (!failed && !statuses->retries)
		return;
	sort(&sorted);
	name = fe_clean_text(job);
	fprintf(out, "nvme_pt: %s: %" PRIu64 " of %" PRIu64 " commands failed",
		name ? name : "?", failed,
		statuses->commands + statuses->retries);
	free(name);
	print_kinds(&sorted, out);
	if (statuses->retries)
		fprintf(out, "; %" PRIu64 " %s", statuses->retries,
			statuses->retries == 1 ? "was retried"
					       : "were retried");
	fputc('\n', out);
}

static json_t *row_object(const struct pt_status_count *row)
{
	const unsigned int status =
		row->status > 0 ? (unsigned int)row->status : 0;
	json_t *object = json_object();
	char text[512];
	int bad = 0;

	if (status) {
		bad |= json_object_set_new(object, "sct",
					   json_integer(status >> 8 & 7));
		bad |= json_object_set_new(object, "sc",
					   json_integer(status & 0xff));
		bad |= json_object_set_new(
			object, "dnr", json_boolean(status & PT_STATUS_DNR));
	}
	pt_status_text(row->status, text, sizeof(text));
	bad |= json_object_set_new(object, "errno",
				   json_integer(pt_status_errno(row->status)));
	bad |= json_object_set_new(object, "text", json_string(text));
	bad |= json_object_set_new(object, "count",
				   json_integer((json_int_t)row->count));
	if (bad) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static json_t *document(const struct pt_statuses *statuses, const char *job)
{
	struct pt_statuses sorted = *statuses;
	json_t *object = json_object(), *rows = json_array();
	char *name = fe_clean_text(job);
	int bad = 0;

	sort(&sorted);
	for (unsigned int i = 0; i < sorted.n; i++)
		bad |= json_array_append_new(rows, row_object(&sorted.rows[i]));
	bad |= json_object_set_new(object, "job",
				   name ? json_string(name) : NULL);
	bad |= json_object_set_new(object, "commands",
				   json_integer((json_int_t)sorted.commands));
	bad |= json_object_set_new(object, "retries",
				   json_integer((json_int_t)sorted.retries));
	bad |= json_object_set_new(object, "others",
				   json_integer((json_int_t)sorted.others));
	bad |= json_object_set_new(object, "statuses", rows);
	free(name);
	if (bad) {
		json_decref(object);
		return NULL;
	}
	return object;
}

int pt_statuses_write(const struct pt_statuses *statuses, const char *job,
		      const char *path, struct fe_error *err)
{
	json_t *object = document(statuses, job);
	const int ret = fe_json_write(object, path, err);

	json_decref(object);
	return ret;
}
