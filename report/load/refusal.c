/* SPDX-License-Identifier: GPL-2.0-only */
#include "load/refusal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

void rp_refusal_note(struct rp_refusal *refusal, unsigned line, unsigned column,
		     const char *text)
{
	if (refusal->count++)
		return;
	refusal->line = line;
	refusal->column = column;
	snprintf(refusal->text, sizeof(refusal->text), "%s", text);
}

/* Files that are often handed over by mistake, by their first bytes. */
static const struct {
	const char *magic;
	size_t len;
	const char *sentence;
} kinds[] = {
	{"\x1f\x8b", 2, "is compressed with gzip; gunzip it first"},
	{"\xfd"
	 "7zXZ",
	 5, "is compressed with xz; unxz it first"},
	{"\x28\xb5\x2f\xfd", 4, "is compressed with zstd; unzstd it first"},
	{"BZh", 3, "is compressed with bzip2; bunzip2 it first"},
	{"PK\x03\x04", 4, "is a zip archive; unzip it first"},
	{"\xff\xfe", 2, "is UTF-16 text; save it as UTF-8"},
	{"\xfe\xff", 2, "is UTF-16 text; save it as UTF-8"},
};

const char *rp_known_kind(const char *text, size_t len)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (len >= kinds[i].len &&
		    !memcmp(text, kinds[i].magic, kinds[i].len))
			return kinds[i].sentence;
	return NULL;
}

static size_t first_visible(const char *text, size_t len)
{
	size_t i = len >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0;

	while (i < len && memchr(" \t\r\n", text[i], 4))
		i++;
	return i;
}

static unsigned line_of(const char *text, size_t pos)
{
	unsigned line = 1;

	for (size_t i = 0; i < pos; i++)
		line += text[i] == '\n';
	return line;
}

static int refuse_text(const char *path, const char *text, size_t len,
		       const struct rp_text_lines *lines, struct rp_err *err)
{
	size_t start = first_visible(text, len);
	unsigned line = 0;

	if (start == len)
		rp_err_set(err, -EBADMSG,
			   len ? "holds nothing but blanks" : "is empty");
	else if (rp_known_kind(text, len))
		rp_err_set(err, -EBADMSG, "%s", rp_known_kind(text, len));
	else if (lines->terse)
		rp_err_set(err, -EBADMSG,
			   "is fio's terse output, which lacks most of the "
			   "result; run fio with --output-format=json");
	else if (lines->normal)
		rp_err_set(err, -EBADMSG,
			   "is fio's human-readable output; run fio with "
			   "--output-format=json");
	else if (memchr(text, '\0', len))
		rp_err_set(err, -EBADMSG, "is binary, no fio JSON");
	else if (text[start] == '[') {
		line = line_of(text, start);
		rp_err_set(err, -EBADMSG,
			   "is no fio JSON: it begins with an array, a fio "
			   "result with {");
	} else if (lines->kept.count) {
		line = lines->kept.at[0].line;
		rp_err_set(err, -EBADMSG, "holds no JSON, only messages: %s",
			   lines->kept.at[0].text);
	} else {
		rp_err_set(err, -EBADMSG, "holds no JSON object");
	}
	return rp_err_at(err, path, line, line ? 1 : 0);
}

int rp_refuse_file(const char *path, const char *text, size_t len,
		   const struct rp_refusal *refusal,
		   const struct rp_text_lines *lines, struct rp_err *err)
{
	struct rp_err ignored = {0};

	if (!err)
		err = &ignored;
	if (!refusal->count || rp_known_kind(text, len))
		return refuse_text(path, text, len, lines, err);
	rp_err_set(err, -EBADMSG, "%s", refusal->text);
	return rp_err_at(err, path, refusal->line, refusal->column);
}
