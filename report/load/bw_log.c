/* SPDX-License-Identifier: GPL-2.0-only */
#include "load/bw_log.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "load/bw_line.h"
#include "load/each_line.h"
#include "load/refusal.h"

/* 40 bytes a line: a month of seconds is 100 MiB */
#define FILE_MAX_BYTES ((size_t)512 << 20)
/* Windows of all jobs, with those that fio left out. */
#define WINDOWS_MAX 4000000.0
/* From this many periods without a line on, some windows had no I/O. */
#define GAP_PERIODS 1.9

#define WRITE 1

struct entry {
	unsigned line;
	double end_s, bytes_per_s;
};

typedef RP_VEC(struct entry) entries;

static int out_of_memory(struct rp_err *err)
{
	return rp_err_set(err, -ENOMEM, "out of memory");
}

static int by_value(const void *one, const void *other)
{
	double a = *(const double *)one, b = *(const double *)other;

	return (a > b) - (a < b);
}

/* The median distance of the lines; a job of one line tells its own. */
static int find_period(const entries *job, double *period)
{
	size_t count = job->count - 1;
	double *steps;

	if (!count) {
		*period = job->at[0].end_s;
		return 0;
	}
	steps = calloc(count, sizeof(*steps));
	if (!steps)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		steps[i] = job->at[i + 1].end_s - job->at[i].end_s;
	qsort(steps, count, sizeof(*steps), by_value);
	*period = steps[count / 2];
	free(steps);
	return 0;
}

static int add_window(struct rp_bw_logs *logs, double begin, double end,
		      double bytes_per_s)
{
	struct rp_bw_log *log = &logs->jobs.at[logs->jobs.count - 1];
	struct rp_bw_window *window = rp_vec_push(&log->windows);

	if (!window)
		return -ENOMEM;
	*window = (struct rp_bw_window){begin, end, bytes_per_s};
	logs->windows++;
	return 0;
}

/*
 * What lies between two lines: one window, or some without I/O before it.
 * The job is the last of `logs`.
 */
static int add_step(struct rp_bw_logs *logs, const char *name, double begin,
		    const struct entry *entry, struct rp_err *err)
{
	double period = logs->jobs.at[logs->jobs.count - 1].period_s;
	double periods = (entry->end_s - begin) / period;
	double silent = periods < GAP_PERIODS ? 0 : round(periods) - 1;
	double step = silent > 0 ? (entry->end_s - begin) / (silent + 1) : 0;
	int ret = 0;

	if ((double)logs->windows + silent > WINDOWS_MAX) {
		rp_err_set(
			err, -EBADMSG,
			"its time is %.0f ms after that of the line before: too long for a job with a line each %.0f ms",
			(entry->end_s - begin) * 1e3, period * 1e3);
		return err ? rp_err_at(err, name, entry->line, 0) : -EBADMSG;
	}
	for (double i = 0; i < silent && !ret; i++)
		ret = add_window(logs, begin + i * step, begin + (i + 1) * step,
				 0);
	return ret ? ret
		   : add_window(logs, begin + silent * step, entry->end_s,
				entry->bytes_per_s);
}

/* The first window began with the job, unless a ramp or an epoch is before. */
static double first_begin(const struct rp_bw_log *log,
			  const struct entry *first)
{
	return first->end_s < GAP_PERIODS * log->period_s
		       ? 0
		       : first->end_s - log->period_s;
}

static int finish_job(const char *name, entries *job, struct rp_bw_logs *logs,
		      struct rp_err *err)
{
	struct rp_bw_log *log = rp_vec_push(&logs->jobs);
	double begin;
	int ret;

	if (!log)
		return out_of_memory(err);
	log->path = strdup(name);
	ret = log->path ? find_period(job, &log->period_s) : -ENOMEM;
	begin = first_begin(log, &job->at[0]);
	for (size_t i = 0; i < job->count && !ret; i++) {
		ret = add_step(logs, name, begin, &job->at[i], err);
		begin = job->at[i].end_s;
	}
	job->count = 0;
	return ret == -ENOMEM ? out_of_memory(err) : ret;
}

/* per_job_logs=0: the next job begins where the one before it began. */
static bool begins_a_job(const entries *job, double end_s)
{
	return job->count > 1 && end_s < job->at[job->count - 1].end_s &&
	       end_s <= job->at[1].end_s;
}

static int check_order(const entries *job, double end_s, struct rp_err *err)
{
	double before = job->count ? job->at[job->count - 1].end_s : 0;

	if (end_s > before)
		return 0;
	if (!job->count)
		return rp_err_set(err, -EBADMSG,
				  "its time is 0; expected the end of a "
				  "window, as log_avg_msec gives it");
	return rp_err_set(err, -EBADMSG,
			  "its time of %.0f ms is not after the %.0f ms of the "
			  "write before it",
			  end_s * 1e3, before * 1e3);
}

struct reader {
	const char *name;
	struct rp_bw_logs *logs;
	struct rp_bw_layout layout;
	entries job;
	size_t others; /* lines of reads and trims */
};

static bool is_blank(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!memchr(" \t\r", text[i], 3))
			return false;
	return true;
}

static int take_line(void *context, const char *text, size_t len,
		     unsigned number, struct rp_err *err)
{
	struct reader *reader = context;
	struct rp_bw_line line;
	struct entry *entry;
	double end_s;
	int ret;

	if (is_blank(text, len))
		return 0;
	ret = rp_bw_line_parse(text, len, &reader->layout, &line, err);
	if (ret)
		return ret;
	if (line.direction != WRITE) {
		reader->others++;
		return 0;
	}
	end_s = (double)line.time_ms / 1e3;
	if (begins_a_job(&reader->job, end_s))
		ret = finish_job(reader->name, &reader->job, reader->logs, err);
	if (!ret)
		ret = check_order(&reader->job, end_s, err);
	if (ret)
		return ret;
	entry = rp_vec_push(&reader->job);
	if (!entry)
		return out_of_memory(err);
	*entry = (struct entry){number, end_s, (double)line.kib_per_s * 1024};
	return 0;
}

static int finish(struct reader *reader, size_t jobs_before, struct rp_err *err)
{
	int ret = 0;

	if (reader->job.count)
		ret = finish_job(reader->name, &reader->job, reader->logs, err);
	if (!ret && reader->logs->jobs.count == jobs_before)
		ret = rp_err_set(
			err, -EBADMSG, "%s",
			reader->others
				? "holds no write, only reads or trims; expected the bandwidth log of a linear write"
				: "is empty; expected a bandwidth log of fio");
	if (!ret && reader->others &&
	    rp_strings_addf(&reader->logs->warnings,
			    "%s: %zu lines of reads or trims are not counted",
			    reader->name, reader->others))
		ret = out_of_memory(err);
	if (ret && err)
		rp_err_at(err, reader->name, 0, 0);
	return ret;
}

int rp_load_bw_text(const char *name, const char *text, size_t len,
		    struct rp_bw_logs *logs, struct rp_err *err)
{
	struct reader reader = {.name = name, .logs = logs};
	const char *kind = rp_known_kind(text, len);
	size_t before = logs->jobs.count;
	int ret;

	if (kind) {
		rp_err_set(err, -EBADMSG, "%s", kind);
		return err ? rp_err_at(err, name, 0, 0) : -EBADMSG;
	}
	ret = rp_each_line(name, text, len, take_line, &reader, err);
	if (!ret)
		ret = finish(&reader, before, err);
	rp_vec_release(&reader.job);
	return ret;
}

/* fio's own names for the logs of something else: P_iops.1.log */
static const char *other_log(const char *path)
{
	static const char *const kinds[] = {"_iops", "_lat", "_clat", "_slat",
					    "_clat_hist"};
	const char *name = strrchr(path, '/');
	size_t n;

	name = name ? name + 1 : path;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		const char *at = strstr(name, kinds[i]);

		n = strlen(kinds[i]);
		/* the kind, then only .1.log or .log */
		if (at && at[n] == '.' &&
		    !at[n + strspn(at + n, ".0123456789log")])
			return kinds[i] + 1;
	}
	return NULL;
}

int rp_load_bw_log(const char *path, struct rp_bw_logs *logs,
		   struct rp_err *err)
{
	const char *other = other_log(path);
	struct rp_str text = RP_STR_INIT;
	int ret;

	if (other) {
		ret = rp_err_set(err, -EBADMSG,
				 "is fio's log of %s by its name; expected "
				 "that of bandwidth, NAME_bw.1.log",
				 other);
		return err ? rp_err_at(err, path, 0, 0) : ret;
	}
	ret = rp_file_read(path, FILE_MAX_BYTES, &text, err);
	if (!ret)
		ret = rp_load_bw_text(path, rp_str_text(&text), text.len, logs,
				      err);
	rp_str_release(&text);
	return ret;
}
