/* SPDX-License-Identifier: GPL-2.0-only */
#include "load/fio_verdict.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"

static bool did_io(const struct rp_job *job)
{
	for (int ddir = 0; ddir < RP_DDIR_COUNT; ddir++)
		if (job->flow[ddir].present)
			return true;
	return false;
}

/* The first line with `word`, or NULL. */
static const char *find_line(const struct rp_text_lines *lines,
			     const char *word)
{
	for (size_t i = 0; i < lines->kept.count; i++)
		if (strstr(lines->kept.at[i].text, word))
			return lines->kept.at[i].text;
	return NULL;
}

/* What fio said of this job: "full: failed to get file size of /dev/full" */
static const char *find_job_line(const struct rp_text_lines *lines,
				 const struct rp_job *job)
{
	size_t n = strlen(job->name);

	for (size_t i = 0; i < lines->kept.count; i++) {
		const char *text = lines->kept.at[i].text;

		if (n && !strncmp(text, job->name, n) && text[n] == ':')
			return text;
	}
	return NULL;
}

static char *error_text(const struct rp_job *job,
			const struct rp_text_lines *lines)
{
	struct rp_str text = RP_STR_INIT;
	const char *line;
	char word[32];

	snprintf(word, sizeof(word), " err=%d/", job->error);
	line = find_line(lines, word);
	rp_str_addf(&text, "error %d", job->error);
	if (job->error > 0)
		rp_str_addf(&text, " (%s)", strerror(job->error));
	if (line)
		rp_str_addf(&text, ": %s", line);
	return rp_str_detach(&text);
}

static char *idle_text(const struct rp_job *job,
		       const struct rp_text_lines *lines)
{
	const char *line = find_job_line(lines, job);

	return line ? rp_strf("did no I/O: %s", line) : strdup("did no I/O");
}

struct signal_line {
	const char *text; /* NULL = nobody was killed */
	bool all;	  /* no job without I/O: it may be any */
};

static struct signal_line find_signal(const struct rp_result *result,
				      const struct rp_text_lines *lines)
{
	struct signal_line found = {find_line(lines, "got signal="), true};

	for (size_t i = 0; i < result->jobs.count; i++)
		if (!did_io(&result->jobs.at[i]))
			found.all = false;
	return found;
}

static int judge_job(struct rp_job *job, const struct rp_text_lines *lines,
		     const struct signal_line *killed)
{
	if (job->error)
		job->failure = error_text(job, lines);
	else if (killed->text && !did_io(job))
		job->failure = rp_strf("died: %s", killed->text);
	else if (killed->text && killed->all)
		job->failure =
			rp_strf("this or another job of the file died: %s",
				killed->text);
	else if (!did_io(job))
		job->failure = idle_text(job, lines);
	else
		return 0;
	return job->failure ? 0 : -ENOMEM;
}

static int warn_of_line(struct rp_result *result,
			const struct rp_text_line *line)
{
	if (strstr(line->text, "terminating on signal"))
		return rp_strings_addf(&result->warnings,
				       "line %u: interrupted, the numbers are "
				       "of a shorter time (%s)",
				       line->line, line->text);
	return rp_strings_addf(&result->warnings, "line %u: %s", line->line,
			       line->text);
}

int rp_fio_judge(struct rp_result *result, const struct rp_text_lines *lines)
{
	struct signal_line killed = find_signal(result, lines);
	int ret = 0;

	for (size_t i = 0; i < result->jobs.count && !ret; i++)
		ret = judge_job(&result->jobs.at[i], lines, &killed);
	for (size_t i = 0; i < lines->kept.count && !ret; i++)
		ret = warn_of_line(result, &lines->kept.at[i]);
	if (!ret && lines->skipped)
		ret = rp_strings_addf(&result->warnings,
				      "%zu line%s of other text skipped, the "
				      "first is line %u",
				      lines->skipped,
				      lines->skipped == 1 ? "" : "s",
				      lines->skipped_first);
	return ret;
}
