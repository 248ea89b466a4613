/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyse/bandwidth.h"

#include <errno.h>
#include <math.h>

/* No job runs that long: the time is that of day (log_unix_epoch). */
#define EPOCH_S 1e9
/* Jobs that end this many windows apart did not end together. */
#define TOGETHER_WINDOWS 3.0
/* What is less than this share of a window makes no window of its own. */
#define LEAST_SHARE 0.5
#define WINDOWS_MAX 8e6

static double begin_of(const struct rp_bw_log *log)
{
	return log->windows.at[0].begin_s;
}

static double end_of(const struct rp_bw_log *log)
{
	return log->windows.at[log->windows.count - 1].end_s;
}

static const struct rp_bw_log *longest_of(const struct rp_bw_logs *logs)
{
	const struct rp_bw_log *longest = &logs->jobs.at[0];

	for (size_t i = 1; i < logs->jobs.count; i++)
		if (logs->jobs.at[i].windows.count > longest->windows.count)
			longest = &logs->jobs.at[i];
	return longest;
}

struct span {
	double begin, end;
};

static struct span span_of(const struct rp_bw_logs *logs)
{
	struct span span = {INFINITY, -INFINITY};

	for (size_t i = 0; i < logs->jobs.count; i++) {
		span.begin = fmin(span.begin, begin_of(&logs->jobs.at[i]));
		span.end = fmax(span.end, end_of(&logs->jobs.at[i]));
	}
	return span;
}

static int add_window(rp_bw_windows *windows, double begin, double end)
{
	struct rp_bw_window *window = rp_vec_push(windows);

	if (!window)
		return -ENOMEM;
	*window = (struct rp_bw_window){begin, end, 0};
	return 0;
}

/* The longest job's windows, and more of them to both sides as needed. */
static int make_windows(const struct rp_bw_log *longest, struct span span,
			rp_bw_windows *windows)
{
	double period = longest->period_s;
	double before = (begin_of(longest) - span.begin) / period;
	double after = (span.end - end_of(longest)) / period;
	int ret = 0;

	before = before > LEAST_SHARE ? ceil(before) : 0;
	after = after > LEAST_SHARE ? ceil(after) : 0;
	for (double i = before; i > 0 && !ret; i--)
		ret = add_window(windows, begin_of(longest) - i * period,
				 begin_of(longest) - (i - 1) * period);
	for (size_t i = 0; i < longest->windows.count && !ret; i++)
		ret = add_window(windows, longest->windows.at[i].begin_s,
				 longest->windows.at[i].end_s);
	for (double i = 0; i < after && !ret; i++)
		ret = add_window(windows, end_of(longest) + i * period,
				 end_of(longest) + (i + 1) * period);
	if (ret)
		return ret;
	/* no byte of another job falls beside them */
	windows->at[0].begin_s = span.begin;
	windows->at[windows->count - 1].end_s = span.end;
	return 0;
}

/* Add the bytes of a job; the speeds of `windows` hold bytes meanwhile. */
static void add_bytes(rp_bw_windows *windows, const struct rp_bw_log *log)
{
	size_t to = 0;

	for (size_t from = 0; from < log->windows.count; from++) {
		const struct rp_bw_window *source = &log->windows.at[from];

		while (to < windows->count &&
		       windows->at[to].end_s <= source->begin_s)
			to++;
		for (size_t i = to; i < windows->count &&
				    windows->at[i].begin_s < source->end_s;
		     i++)
			windows->at[i].bytes_per_s +=
				source->bytes_per_s *
				(fmin(windows->at[i].end_s, source->end_s) -
				 fmax(windows->at[i].begin_s, source->begin_s));
	}
}

static int check_span(const struct rp_bw_logs *logs, struct span span,
		      struct rp_err *err)
{
	const struct rp_bw_log *longest = longest_of(logs);

	for (size_t i = 0; i < logs->jobs.count; i++) {
		const struct rp_bw_log *log = &logs->jobs.at[i];

		if (begin_of(log) < end_of(longest) &&
		    end_of(log) > begin_of(longest))
			continue;
		rp_err_set(
			err, -EBADMSG,
			"its job ran from %.0f to %.0f s, another from %.0f to %.0f s; expected jobs that ran at the same time",
			begin_of(log), end_of(log), begin_of(longest),
			end_of(longest));
		return err ? rp_err_at(err, log->path, 0, 0) : -EBADMSG;
	}
	if ((span.end - span.begin) / longest->period_s > WINDOWS_MAX)
		return rp_err_set(err, -EBADMSG,
				  "the jobs together are too long for windows "
				  "of %.3f s",
				  longest->period_s);
	return 0;
}

static int warn_of_ends(const struct rp_bw_logs *logs, struct span span,
			rp_strings *warnings)
{
	double first = span.end;

	for (size_t i = 0; i < logs->jobs.count; i++)
		first = fmin(first, end_of(&logs->jobs.at[i]));
	if (span.end - first <= TOGETHER_WINDOWS * longest_of(logs)->period_s)
		return 0;
	return rp_strings_addf(
		warnings,
		"the first of %zu jobs ended %.0f s before the last: from then on the speed is that of fewer jobs",
		logs->jobs.count, span.end - first);
}

int rp_bandwidth_join(const struct rp_bw_logs *logs, rp_bw_windows *windows,
		      rp_strings *warnings, struct rp_err *err)
{
	struct span span = span_of(logs);
	double zero = span.begin > EPOCH_S ? span.begin : 0;
	int ret;

	if (!logs->jobs.count)
		return rp_err_set(err, -EINVAL, "no bandwidth log was named");
	ret = check_span(logs, span, err);
	if (ret)
		return ret;
	ret = make_windows(longest_of(logs), span, windows);
	if (!ret)
		ret = warn_of_ends(logs, span, warnings);
	if (ret)
		return rp_err_set(err, ret, "out of memory");
	for (size_t i = 0; i < logs->jobs.count; i++)
		add_bytes(windows, &logs->jobs.at[i]);
	for (size_t i = 0; i < windows->count; i++) {
		struct rp_bw_window *window = &windows->at[i];

		window->bytes_per_s /= window->end_s - window->begin_s;
		window->begin_s -= zero;
		window->end_s -= zero;
	}
	return 0;
}
