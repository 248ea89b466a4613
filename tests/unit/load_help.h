/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LOAD_HELP_H
#define LOAD_HELP_H

/* What the tests of load/ share. */

#include "unit.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/file.h"
#include "load/fio_json.h"

#define FIO(name) FIXTURES "/fio/" name

static inline bool near(double a, double b)
{
	double diff = a > b ? a - b : b - a;

	return diff <= 1e-9 * (b > 0 ? b : -b) + 1e-9;
}

/* unit.h's assert_near() has the precision of a float only. */
#define assert_number(a, b) assert_true(near(a, b))

/* Load a file that must be good. */
static inline void load_file(const char *path, rp_results *results)
{
	struct rp_err err = {0};

	if (rp_load_fio_json(path, results, &err))
		fail_msg("%s:%u:%u: %s", err.where, err.line, err.column,
			 err.message);
}

static inline void load_text(const char *text, size_t len, rp_results *results)
{
	struct rp_err err = {0};

	if (rp_load_fio_text("text", text, len, results, &err))
		fail_msg("%u:%u: %s", err.line, err.column, err.message);
}

/* A text that must be refused, with a sentence that says `word`. */
static inline void refuse_text(const char *text, size_t len, const char *word,
			       struct rp_err *err)
{
	rp_results results = {0};

	*err = (struct rp_err){0};
	assert_int_equal(rp_load_fio_text("text", text, len, &results, err),
			 -EBADMSG);
	assert_int_equal(results.count, 0);
	assert_string_equal(err->where, "text");
	if (!strstr(err->message, word))
		fail_msg("\"%s\" does not say \"%s\"", err->message, word);
	rp_results_release(&results);
}

static inline bool has_warning(const rp_strings *warnings, const char *word)
{
	for (size_t i = 0; i < warnings->count; i++)
		if (strstr(warnings->at[i], word))
			return true;
	return false;
}

static inline void read_fixture(const char *path, struct rp_str *text)
{
	struct rp_err err = {0};

	assert_int_equal(rp_file_read(path, 1 << 20, text, &err), 0);
}

/* The value at a percentile, or -1. */
static inline double percentile(const struct rp_latency *lat, double percent)
{
	for (size_t i = 0; i < lat->percentiles.count; i++)
		if (near(lat->percentiles.at[i].percent, percent))
			return lat->percentiles.at[i].ns;
	return -1;
}

#endif
