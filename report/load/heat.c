/* SPDX-License-Identifier: GPL-2.0-only */
#include "load/heat.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/utf8.h"
#include "load/csv_line.h"
#include "load/each_line.h"
#include "load/refusal.h"

#define FILE_MAX_BYTES ((size_t)256 << 20)
#define LINE_MAX_BYTES 4096
/* What a sensor of a drive can say, with room. */
#define COLDEST (-100.0)
#define HOTTEST 300.0
#define SECONDS_MAX 1e9

#define NO_COLUMN ((size_t)-1)

struct reader {
	const char *name;
	const char *point; /* the one asked for, or NULL */
	struct rp_heat *heat;
	size_t cells; /* in the head line; 0 = not read yet */
	size_t seconds, celsius, points;
};

static size_t column_of(const rp_strings *cells, const char *name)
{
	for (size_t i = 0; i < cells->count; i++)
		if (!strcmp(cells->at[i], name))
			return i;
	return NO_COLUMN;
}

static int take_head(struct reader *reader, const rp_strings *cells,
		     struct rp_err *err)
{
	reader->cells = cells->count;
	reader->seconds = column_of(cells, "seconds");
	reader->celsius = column_of(cells, "celsius");
	reader->points = column_of(cells, "point");
	if (reader->seconds == NO_COLUMN || reader->celsius == NO_COLUMN)
		return rp_err_set(
			err, -EBADMSG,
			"names no column \"%s\"; expected a head such as: time,seconds,point,celsius",
			reader->seconds == NO_COLUMN ? "seconds" : "celsius");
	if (reader->point && reader->points == NO_COLUMN)
		return rp_err_set(err, -EBADMSG,
				  "names no column \"point\", so no point can "
				  "be picked");
	return 0;
}

static int number_of(const char *text, const char *column, double least,
		     double most, double *value, struct rp_err *err)
{
	char *end;
	char *shown;
	int ret = 0;

	*value = strtod(text, &end);
	if (end != text && !*end && *value >= least && *value <= most)
		return 0;
	shown = rp_utf8_printable(text, strnlen(text, 40));
	ret = rp_err_set(err, -EBADMSG,
			 "%s is \"%s\"; expected a number from %g to %g",
			 column, shown ? shown : "", least, most);
	free(shown);
	return ret;
}

static int refuse_points(const char *one, const char *other, struct rp_err *err)
{
	char *shown_one = rp_utf8_printable(one, strnlen(one, 200));
	char *shown_other = rp_utf8_printable(other, strnlen(other, 200));
	int ret = rp_err_set(err, -EINVAL,
			     "holds several points, \"%s\" and \"%s\" among "
			     "them; pick one with --point NAME",
			     shown_one ? shown_one : "",
			     shown_other ? shown_other : "");

	free(shown_one);
	free(shown_other);
	return ret;
}

/* Is the row of the point that is wanted?  Sets it if none was named. */
static int is_wanted(struct reader *reader, const rp_strings *cells,
		     bool *wanted, struct rp_err *err)
{
	const char *point =
		reader->points == NO_COLUMN ? "" : cells->at[reader->points];

	*wanted = true;
	if (reader->point) {
		*wanted = !strcmp(point, reader->point);
	} else if (!reader->heat->point) {
		reader->heat->point = strdup(point);
		if (!reader->heat->point)
			return rp_err_set(err, -ENOMEM, "out of memory");
	} else if (strcmp(point, reader->heat->point)) {
		return refuse_points(reader->heat->point, point, err);
	}
	return 0;
}

static int add_reading(struct rp_heat *heat, double seconds, double celsius,
		       struct rp_err *err)
{
	struct rp_heat_reading *reading;
	size_t count = heat->readings.count;

	/* time went back: the point was begun again */
	if (count && seconds <= heat->readings.at[count - 1].seconds)
		heat->readings.count = 0;
	reading = rp_vec_push(&heat->readings);
	if (!reading)
		return rp_err_set(err, -ENOMEM, "out of memory");
	*reading = (struct rp_heat_reading){seconds, celsius};
	return 0;
}

static int take_row(struct reader *reader, const rp_strings *cells,
		    struct rp_err *err)
{
	double seconds, celsius;
	bool wanted;
	int ret;

	if (cells->count != reader->cells)
		return rp_err_set(err, -EBADMSG,
				  "has %zu cells; expected %zu as in the head",
				  cells->count, reader->cells);
	ret = number_of(cells->at[reader->seconds], "seconds", 0, SECONDS_MAX,
			&seconds, err);
	if (!ret)
		ret = number_of(cells->at[reader->celsius], "celsius", COLDEST,
				HOTTEST, &celsius, err);
	if (!ret)
		ret = is_wanted(reader, cells, &wanted, err);
	if (ret || !wanted)
		return ret;
	return add_reading(reader->heat, seconds, celsius, err);
}

static int take_line(void *context, const char *text, size_t len,
		     unsigned number, struct rp_err *err)
{
	struct reader *reader = context;
	rp_strings cells = {0};
	int ret;

	(void)number;
	if (len && text[len - 1] == '\r')
		len--;
	if (!len)
		return 0;
	if (len > LINE_MAX_BYTES)
		return rp_err_set(err, -EBADMSG,
				  "is longer than %d bytes; expected a row of "
				  "a temperature table",
				  LINE_MAX_BYTES);
	ret = rp_csv_line_split(text, len, &cells);
	if (ret == -EBADMSG)
		rp_err_set(err, ret, "a quote is not closed");
	else if (ret)
		rp_err_set(err, ret, "out of memory");
	else if (!reader->cells)
		ret = take_head(reader, &cells, err);
	else
		ret = take_row(reader, &cells, err);
	rp_strings_release(&cells);
	return ret;
}

static int refuse_empty(const struct reader *reader, struct rp_err *err)
{
	char *shown = reader->point
			      ? rp_utf8_printable(reader->point,
						  strnlen(reader->point, 200))
			      : NULL;
	int ret;

	if (reader->point)
		ret = rp_err_set(err, -EBADMSG,
				 "holds no temperature of the point \"%s\"",
				 shown ? shown : "");
	else
		ret = rp_err_set(err, -EBADMSG, "holds no temperature");
	free(shown);
	return ret;
}

int rp_load_heat_text(const char *name, const char *text, size_t len,
		      const char *point, struct rp_heat *heat,
		      struct rp_err *err)
{
	struct reader reader = {.name = name, .point = point, .heat = heat};
	const char *kind = rp_known_kind(text, len);
	int ret;

	if (kind)
		ret = rp_err_set(err, -EBADMSG, "%s", kind);
	else
		ret = rp_each_line(name, text, len, take_line, &reader, err);
	if (!ret && !heat->point && point) {
		heat->point = strdup(point);
		if (!heat->point)
			ret = rp_err_set(err, -ENOMEM, "out of memory");
	}
	if (!ret && !heat->readings.count)
		ret = refuse_empty(&reader, err);
	if (ret && err)
		rp_err_at(err, name, 0, 0);
	return ret;
}

int rp_load_heat(const char *path, const char *point, struct rp_heat *heat,
		 struct rp_err *err)
{
	struct rp_str text = RP_STR_INIT;
	int ret = rp_file_read(path, FILE_MAX_BYTES, &text, err);

	if (!ret)
		ret = rp_load_heat_text(path, rp_str_text(&text), text.len,
					point, heat, err);
	rp_str_release(&text);
	return ret;
}
