/* SPDX-License-Identifier: GPL-2.0-only */
#include "load/bw_line.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

/* time, value, direction, block size */
#define COLUMNS_MIN 4
/* and a largest value, offset, priority, issue time */
#define COLUMNS_MAX 8
/* 1 PiB/s: above this the file is no bandwidth log */
#define KIB_PER_S_MAX ((uint64_t)1 << 40)
/* an epoch in ms needs 41 bits */
#define TIME_MS_MAX ((uint64_t)1 << 44)

struct field {
	const char *text;
	size_t len;
};

static struct field trimmed(const char *text, size_t len)
{
	while (len && isspace((unsigned char)*text)) {
		text++;
		len--;
	}
	while (len && isspace((unsigned char)text[len - 1]))
		len--;
	return (struct field){text, len};
}

/* Up to COLUMNS_MAX fields; gives how many there are in all. */
static size_t split(const char *text, size_t len, struct field *fields)
{
	size_t count = 0;

	for (;;) {
		const char *comma = memchr(text, ',', len);
		size_t n = comma ? (size_t)(comma - text) : len;

		if (count < COLUMNS_MAX)
			fields[count] = trimmed(text, n);
		count++;
		if (!comma)
			return count;
		text += n + 1;
		len -= n + 1;
	}
}

/* Digits only; the priority may be written as 0x4007. */
static bool number_of(struct field field, uint64_t *value)
{
	bool hex =
		field.len > 2 && field.text[0] == '0' && field.text[1] == 'x';
	uint64_t base = hex ? 16 : 10;

	*value = 0;
	if (!field.len)
		return false;
	for (size_t i = hex ? 2 : 0; i < field.len; i++) {
		unsigned char c = (unsigned char)field.text[i];
		uint64_t digit;

		if (isdigit(c))
			digit = c - (unsigned)'0';
		else if (hex && isxdigit(c))
			digit = (unsigned)tolower(c) - 'a' + 10u;
		else
			return false;
		if (*value > (UINT64_MAX - digit) / base)
			return false;
		*value = *value * base + digit;
	}
	return true;
}

static int refuse_field(size_t column, struct field field, struct rp_err *err)
{
	char *shown =
		rp_utf8_printable(field.text, field.len < 40 ? field.len : 40);
	int ret = rp_err_set(
		err, -EBADMSG,
		"column %zu is \"%s\"; expected a number, as in fio's bandwidth log: time, value, direction, block size",
		column + 1, shown ? shown : "");

	free(shown);
	return ret;
}

static int check_count(size_t count, const struct rp_bw_layout *layout,
		       struct rp_err *err)
{
	if (count < COLUMNS_MIN || count > COLUMNS_MAX)
		return rp_err_set(
			err, -EBADMSG,
			"has %zu columns; expected the %d to %d of fio's bandwidth log",
			count, COLUMNS_MIN, COLUMNS_MAX);
	if (layout->columns && count != layout->columns)
		return rp_err_set(err, -EBADMSG,
				  "has %zu columns; expected %zu as in the "
				  "lines before it",
				  count, layout->columns);
	return 0;
}

/*
 * log_window_value=both puts the largest value before the direction.  A
 * window's block size is 0, so the place of the direction can be told.
 */
static void settle(const uint64_t *values, size_t count,
		   struct rp_bw_layout *layout)
{
	bool both = count > COLUMNS_MIN && values[3] <= 2 && !values[4] &&
		    (values[2] > 2 || values[3]) && values[2] >= values[1];

	layout->columns = count;
	layout->direction = both ? 3 : 2;
}

static int take(const uint64_t *values, const struct rp_bw_layout *layout,
		struct rp_bw_line *line, struct rp_err *err)
{
	uint64_t direction = values[layout->direction];

	if (direction > 2)
		return rp_err_set(
			err, -EBADMSG,
			"column %zu is %llu; expected a direction: 0 read, 1 write, 2 trim",
			layout->direction + 1, (unsigned long long)direction);
	if (values[layout->direction + 1])
		return rp_err_set(
			err, -EBADMSG,
			"is of a single I/O (block size %llu), whose value is no speed over time; run fio with log_avg_msec=1000",
			(unsigned long long)values[layout->direction + 1]);
	if (values[0] > TIME_MS_MAX)
		return rp_err_set(err, -EBADMSG,
				  "the time %llu is no number of milliseconds",
				  (unsigned long long)values[0]);
	if (values[1] > KIB_PER_S_MAX)
		return rp_err_set(err, -EBADMSG, "%llu KiB/s is no bandwidth",
				  (unsigned long long)values[1]);
	line->time_ms = values[0];
	line->kib_per_s = values[1];
	line->direction = (unsigned)direction;
	return 0;
}

int rp_bw_line_parse(const char *text, size_t len, struct rp_bw_layout *layout,
		     struct rp_bw_line *line, struct rp_err *err)
{
	struct field fields[COLUMNS_MAX];
	uint64_t values[COLUMNS_MAX];
	size_t count = split(text, len, fields);

	/* what is no number is told first: it may be another kind of file */
	for (size_t i = 0; i < count && i < COLUMNS_MAX; i++)
		if (!number_of(fields[i], &values[i]))
			return refuse_field(i, fields[i], err);
	if (check_count(count, layout, err))
		return -EBADMSG;
	if (!layout->columns)
		settle(values, count, layout);
	return take(values, layout, line, err);
}
