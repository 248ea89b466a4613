/* SPDX-License-Identifier: GPL-2.0-only */
#include "status.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Unicode's second set of control characters is C2 80 to C2 9F in UTF-8. */
static bool is_c1(const char *text)
{
	const unsigned char first = (unsigned char)text[0];
	const unsigned char second = first ? (unsigned char)text[1] : 0;

	return first == 0xc2 && second >= 0x80 && second <= 0x9f;
}

static bool is_utf8(const char *text)
{
	json_t *string = json_string(text);

	json_decref(string);
	return string != NULL;
}

/* A copy that no terminal takes for more than text, to be freed. */
static char *cleaned(const char *text)
{
	char *copy = strdup(text);
	bool ascii;

	if (!copy)
		return NULL;
	ascii = !is_utf8(copy);
	for (char *at = copy; *at; at++) {
		const unsigned char byte = (unsigned char)*at;

		if (is_c1(at))
			at[0] = at[1] = '?';
		else if (byte < ' ' || byte == 0x7f || (ascii && byte > 0x7f))
			*at = '?';
	}
	return copy;
}

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
	name = cleaned(job);
	fprintf(out, "nvme_pt: %s: %" PRIu64 " of %" PRIu64 " commands failed",
		name ? name : "?", failed, statuses->commands);
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
	char *name = cleaned(job);
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

static int dump(const json_t *object, int fd)
{
	FILE *file = fdopen(fd, "w");
	bool bad;

	if (!file) {
		const int error = errno;

		close(fd);
		return -error;
	}
	errno = 0;
	bad = json_dumpf(object, file, JSON_INDENT(2)) || fputc('\n', file) < 0;
	if (fclose(file) || bad)
		return errno ? -errno : -EIO;
	return 0;
}

/* Not mkstemp(): the file shall have the mode that umask leaves of 0644. */
static int write_beside(const json_t *object, const char *temporary,
			const char *path)
{
	const int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			    S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH);
	int ret;

	if (fd < 0)
		return -errno;
	ret = dump(object, fd);
	if (!ret && rename(temporary, path))
		ret = -errno;
	if (ret)
		unlink(temporary);
	return ret;
}

int pt_statuses_write(const struct pt_statuses *statuses, const char *job,
		      const char *path, struct pt_error *err)
{
	json_t *object = document(statuses, job);
	char *temporary, *name;
	int ret = -ENOMEM;

	/* A thread's number: of no other job at the same time. */
	if (asprintf(&temporary, "%s.%ld.tmp", path, (long)gettid()) < 0)
		temporary = NULL;
	if (object && temporary)
		ret = write_beside(object, temporary, path);
	if (ret) {
		name = cleaned(path);
		pt_error_set(err, ret, "%s: can't be written: %s",
			     name ? name : "?", strerrordesc_np(-ret));
		free(name);
	}
	free(temporary);
	json_decref(object);
	return ret;
}
