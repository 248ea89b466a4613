/* SPDX-License-Identifier: GPL-2.0-only */
#include "load/fio_json.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "load/fio_doc.h"
#include "load/fio_snapshot.h"
#include "load/fio_verdict.h"
#include "load/refusal.h"
#include "load/scan.h"

#define FILE_MAX_BYTES ((size_t)1 << 30)
/* More runs than anybody puts into one file; each costs its memory. */
#define RUNS_MAX 4096

/* A document in the making: its verdict needs all text, also what follows. */
struct loaded {
	struct rp_result result;
	struct rp_fio_clock clock;
	struct rp_text_lines lines;
	unsigned line;	  /* where it begins */
	bool cut;	  /* its last jobs may be missing */
	size_t snapshots; /* earlier states of it that were dropped */
};

typedef RP_VEC(struct loaded) loaded_list;

static void loaded_release(struct loaded *loaded)
{
	rp_result_release(&loaded->result);
	rp_text_lines_release(&loaded->lines);
}

static int warn_of_repairs(struct rp_result *result, const struct rp_scan *scan)
{
	int ret = 0;

	if (scan->repaired)
		ret = rp_strings_addf(
			&result->warnings,
			"line %u: %zu value%s that %s no JSON left out",
			scan->repaired_line, scan->repaired,
			scan->repaired == 1 ? "" : "s",
			scan->repaired == 1 ? "is" : "are");
	if (!ret && scan->cut)
		ret = rp_strings_addf(&result->warnings,
				      "line %u: document is cut off; %zu whole "
				      "job%s kept, the rest is lost",
				      scan->line, result->jobs.count,
				      result->jobs.count == 1 ? "" : "s");
	return ret;
}

static int read_result(const json_t *root, const char *path,
		       const struct rp_scan *scan, struct loaded *loaded)
{
	int ret;

	loaded->line = scan->start_line;
	loaded->cut = scan->cut;
	loaded->result.path = strdup(path);
	if (!loaded->result.path)
		return -ENOMEM;
	ret = rp_fio_doc_read(root, &loaded->result, &loaded->clock);
	return ret ? ret : warn_of_repairs(&loaded->result, scan);
}

static bool is_later_state(const struct loaded *last, const struct loaded *next)
{
	if (last->result.jobs.count != next->result.jobs.count && !last->cut &&
	    !next->cut)
		return false;
	return rp_fio_same_run(&last->result, &last->clock, &next->result,
			       &next->clock);
}

/* Put a document after the others, or in place of its earlier state. */
static int keep(loaded_list *list, struct loaded *next)
{
	struct loaded *last = list->count ? &list->at[list->count - 1] : NULL;
	int ret;

	if (!last || !is_later_state(last, next)) {
		if (list->count == RUNS_MAX)
			return -EFBIG;
		last = rp_vec_push(list);
		if (!last)
			return -ENOMEM;
		*last = *next;
		*next = (struct loaded){0};
		return 0;
	}
	ret = rp_text_lines_move(&last->lines, &next->lines);
	if (next->result.jobs.count >= last->result.jobs.count) {
		struct rp_result older = last->result;

		last->result = next->result;
		last->clock = next->clock;
		last->line = next->line;
		last->cut = next->cut;
		next->result = older;
	} else if (!ret) {
		ret = rp_strings_addf(&last->result.warnings,
				      "line %u: the last state of the run is "
				      "cut off, the one before is shown",
				      next->line);
	}
	last->snapshots++;
	return ret;
}

static const char cut_off[] = "is cut off before its first job is whole";

/* Take a parsed object; `reason` is set if it is no result. */
static int take_object(const json_t *root, struct rp_scan *scan,
		       const char *path, loaded_list *list, const char **reason)
{
	struct loaded next = {0};
	int ret = 0;

	if (!rp_fio_doc_is_result(root)) {
		*reason = "is JSON, but no fio result: it has no \"jobs\"";
		return 0;
	}
	ret = read_result(root, path, scan, &next);
	if (!ret && !next.result.jobs.count) {
		*reason = "is a fio result without any job";
	} else if (!ret) {
		ret = rp_text_lines_move(&next.lines, &scan->lines);
		if (!ret)
			ret = keep(list, &next);
	}
	loaded_release(&next);
	return ret;
}

static int take_document(struct rp_scan *scan, const char *path,
			 loaded_list *list, struct rp_refusal *refusal)
{
	const char *reason = NULL;
	json_error_t bad;
	json_t *root;
	int ret;

	if (!scan->out.len) {
		rp_refusal_note(refusal, scan->line, 0, cut_off);
		return 0;
	}
	root = json_loadb(scan->out.buf, scan->out.len, 0, &bad);
	if (!root) {
		rp_refusal_note(refusal,
				scan->start_line + (unsigned)bad.line - 1,
				(unsigned)bad.column, bad.text);
		return 0;
	}
	ret = take_object(root, scan, path, list, &reason);
	json_decref(root);
	if (reason && scan->cut)
		rp_refusal_note(refusal, scan->line, 0, cut_off);
	else if (reason)
		rp_refusal_note(refusal, scan->start_line, 0, reason);
	return ret;
}

static int scan_all(struct rp_scan *scan, const char *path, loaded_list *list,
		    struct rp_refusal *refusal, struct rp_err *err)
{
	int ret;

	while ((ret = rp_scan_next(scan, err)) == 1) {
		ret = take_document(scan, path, list, refusal);
		if (ret)
			return ret;
	}
	if (ret == -EBADMSG && err)
		rp_err_at(err, path, scan->line,
			  (unsigned)(scan->pos - scan->line_start + 1));
	return ret;
}

static int warn_of_file(struct loaded *loaded, size_t runs,
			const struct rp_refusal *refusal)
{
	rp_strings *warnings = &loaded->result.warnings;
	int ret = 0;

	if (loaded->snapshots)
		ret = rp_strings_addf(warnings,
				      "%zu earlier state%s of the same run "
				      "(--status-interval) skipped",
				      loaded->snapshots,
				      loaded->snapshots == 1 ? "" : "s");
	if (!ret && runs > 1)
		ret = rp_strings_addf(
			warnings,
			"the file holds %zu runs, this is the one at line %u",
			runs, loaded->line);
	if (!ret && refusal->count)
		ret = rp_strings_addf(
			warnings, "line %u: %zu object%s skipped, the first %s",
			refusal->line, refusal->count,
			refusal->count == 1 ? "" : "s", refusal->text);
	return ret;
}

static int finish(loaded_list *list, const struct rp_refusal *refusal,
		  rp_results *out)
{
	for (size_t i = 0; i < list->count; i++) {
		struct loaded *loaded = &list->at[i];
		struct rp_result *result;

		if (rp_fio_judge(&loaded->result, &loaded->lines) ||
		    warn_of_file(loaded, list->count, refusal))
			return -ENOMEM;
		result = rp_vec_push(out);
		if (!result)
			return -ENOMEM;
		*result = loaded->result;
		loaded->result = (struct rp_result){0};
	}
	return 0;
}

int rp_load_fio_text(const char *path, const char *text, size_t len,
		     rp_results *out, struct rp_err *err)
{
	loaded_list list = {0};
	struct rp_refusal refusal = {0};
	struct rp_scan scan;
	int ret;

	rp_scan_init(&scan, text, len);
	ret = scan_all(&scan, path, &list, &refusal, err);
	if (!ret && !list.count)
		ret = rp_refuse_file(path, text, len, &refusal, &scan.lines,
				     err);
	/* what follows the last document speaks of it */
	if (!ret)
		ret = rp_text_lines_move(&list.at[list.count - 1].lines,
					 &scan.lines);
	if (!ret)
		ret = finish(&list, &refusal, out);
	if (ret == -EFBIG)
		rp_err_set(err, ret, "holds more than %d runs", RUNS_MAX);
	if (ret == -ENOMEM)
		rp_err_set(err, ret, "out of memory");
	if (ret && err)
		rp_err_at(err, path, 0, 0);
	for (size_t i = 0; i < list.count; i++)
		loaded_release(&list.at[i]);
	rp_vec_release(&list);
	rp_scan_release(&scan);
	return ret;
}

int rp_load_fio_json(const char *path, rp_results *out, struct rp_err *err)
{
	struct rp_str text = RP_STR_INIT;
	int ret = rp_file_read(path, FILE_MAX_BYTES, &text, err);

	if (!ret)
		ret = rp_load_fio_text(path, rp_str_text(&text), text.len, out,
				       err);
	rp_str_release(&text);
	return ret;
}
