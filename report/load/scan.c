/* SPDX-License-Identifier: GPL-2.0-only */
#include "load/scan.h"

#include <errno.h>
#include <string.h>

void rp_scan_init(struct rp_scan *scan, const char *text, size_t len)
{
	*scan = (struct rp_scan){.text = text, .len = len, .line = 1};
	if (len >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
		scan->pos = scan->line_start = 3;
}

void rp_scan_release(struct rp_scan *scan)
{
	rp_str_release(&scan->out);
	rp_text_lines_release(&scan->lines);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void flush(struct rp_scan *scan)
{
	rp_str_add_n(&scan->out, scan->text + scan->flushed,
		     scan->pos - scan->flushed);
	scan->flushed = scan->pos;
}

void rp_scan_replace(struct rp_scan *scan, size_t n, const char *bytes)
{
	flush(scan);
	rp_str_add(&scan->out, bytes);
	scan->pos += n;
	scan->flushed = scan->pos;
}

bool rp_scan_at_boundary(const struct rp_scan *scan, size_t pos)
{
	static const char first_key[] = "\"fio version\"";
	const size_t key = sizeof(first_key) - 1;

	if (pos >= scan->len || scan->text[pos] != '{')
		return false;
	if (pos && scan->text[pos - 1] != '\n' && scan->text[pos - 1] != '\r')
		return false;
	do
		pos++;
	while (pos < scan->len && is_blank(scan->text[pos]));
	return scan->len - pos >= key &&
	       !memcmp(scan->text + pos, first_key, key);
}

static void pass_newline(struct rp_scan *scan)
{
	scan->pos++;
	scan->line++;
	scan->line_start = scan->pos;
}

/* ETA lines end in a carriage return only. */
static size_t line_end(const struct rp_scan *scan)
{
	size_t end = scan->pos;

	while (end < scan->len && scan->text[end] != '\n' &&
	       scan->text[end] != '\r')
		end++;
	return end;
}

/* ---- between documents ---- */

static bool opens_document(const struct rp_scan *scan, size_t pos)
{
	do
		pos++;
	while (pos < scan->len && is_blank(scan->text[pos]));
	return pos < scan->len &&
	       (scan->text[pos] == '"' || scan->text[pos] == '}');
}

/* Where the text before the next document ends, at the line's end at most. */
static size_t text_end(const struct rp_scan *scan)
{
	size_t pos = scan->pos;

	while (pos < scan->len && scan->text[pos] != '\n' &&
	       scan->text[pos] != '\r') {
		if (scan->text[pos] == '{' && opens_document(scan, pos))
			break;
		pos++;
	}
	return pos;
}

/* Pass text up to the next document; 1, or 0 if there is none. */
static int seek_document(struct rp_scan *scan)
{
	while (scan->pos < scan->len) {
		size_t end = text_end(scan);

		if (rp_text_lines_add(&scan->lines, scan->line,
				      scan->text + scan->pos, end - scan->pos))
			return -ENOMEM;
		scan->pos = end;
		if (end == scan->len)
			return 0;
		if (scan->text[end] == '{')
			return 1;
		if (scan->text[end] == '\n')
			pass_newline(scan);
		else
			scan->pos++;
	}
	return 0;
}

/* ---- inside a document ---- */

static char container(const struct rp_scan *scan)
{
	return scan->stack[scan->depth - 1];
}

static void value_done(struct rp_scan *scan)
{
	scan->expect = RP_SCAN_COMMA_OR_END;
	if (scan->depth < 1 || scan->depth > 2)
		return;
	scan->safe.out_len = scan->out.len + (scan->pos - scan->flushed);
	scan->safe.depth = scan->depth;
	scan->safe.inner = scan->stack[1];
}

static bool wants_value(const struct rp_scan *scan)
{
	return scan->expect == RP_SCAN_VALUE ||
	       scan->expect == RP_SCAN_VALUE_OR_END;
}

static int noise(struct rp_scan *scan)
{
	size_t n = line_end(scan) - scan->pos;

	if (rp_text_lines_add(&scan->lines, scan->line, scan->text + scan->pos,
			      n))
		return -ENOMEM;
	rp_scan_replace(scan, n, "");
	return 0;
}

static int open_container(struct rp_scan *scan, struct rp_err *err)
{
	char c = scan->text[scan->pos];

	if (!wants_value(scan))
		return noise(scan);
	if (scan->depth == RP_SCAN_DEPTH)
		return rp_err_set(err, -EBADMSG,
				  "is nested more than %d levels deep",
				  RP_SCAN_DEPTH);
	scan->stack[scan->depth++] = c;
	scan->expect = c == '{' ? RP_SCAN_KEY_OR_END : RP_SCAN_VALUE_OR_END;
	scan->pos++;
	return 0;
}

static int close_container(struct rp_scan *scan)
{
	char opener = scan->text[scan->pos] == '}' ? '{' : '[';

	if (container(scan) != opener ||
	    (scan->expect != RP_SCAN_COMMA_OR_END &&
	     scan->expect != RP_SCAN_KEY_OR_END &&
	     scan->expect != RP_SCAN_VALUE_OR_END))
		return noise(scan);
	scan->pos++;
	scan->depth--;
	value_done(scan);
	return 0;
}

static int pass_string(struct rp_scan *scan)
{
	bool key = scan->expect == RP_SCAN_KEY ||
		   scan->expect == RP_SCAN_KEY_OR_END;

	if (!key && !wants_value(scan))
		return noise(scan);
	if (!rp_scan_string(scan))
		scan->cut = true;
	else if (key)
		scan->expect = RP_SCAN_COLON;
	else
		value_done(scan);
	return 0;
}

/* Is there only blank space between the colon and here? */
static bool follows_colon(const struct rp_scan *scan)
{
	size_t pos = scan->pos;

	while (pos > scan->line_start && is_blank(scan->text[pos - 1]))
		pos--;
	return pos > scan->line_start && scan->text[pos - 1] == ':';
}

static int pass_word(struct rp_scan *scan)
{
	size_t n = rp_scan_word_length(scan);

	if (!wants_value(scan))
		return noise(scan);
	if (rp_scan_word(scan)) {
		value_done(scan);
		return 0;
	}
	if (!n || !follows_colon(scan))
		return noise(scan);
	if (!scan->repaired++)
		scan->repaired_line = scan->line;
	rp_scan_replace(scan, n, "null");
	value_done(scan);
	return 0;
}

static int pass_mark(struct rp_scan *scan)
{
	char c = scan->text[scan->pos];

	if (c == ':' && scan->expect == RP_SCAN_COLON)
		scan->expect = RP_SCAN_VALUE;
	else if (c == ',' && scan->expect == RP_SCAN_COMMA_OR_END)
		scan->expect =
			container(scan) == '{' ? RP_SCAN_KEY : RP_SCAN_VALUE;
	else
		return noise(scan);
	scan->pos++;
	return 0;
}

static int step(struct rp_scan *scan, struct rp_err *err)
{
	switch (scan->text[scan->pos]) {
	case '\n':
		pass_newline(scan);
		return 0;
	case ' ':
	case '\t':
	case '\r':
		scan->pos++;
		return 0;
	case '{':
	case '[':
		return open_container(scan, err);
	case '}':
	case ']':
		return close_container(scan);
	case '"':
		return pass_string(scan);
	case ':':
	case ',':
		return pass_mark(scan);
	default:
		return pass_word(scan);
	}
}

/* Keep what is whole; a document of which nothing is becomes empty. */
static void close_cut(struct rp_scan *scan)
{
	if (!scan->safe.out_len) {
		rp_str_clear(&scan->out);
		return;
	}
	scan->out.len = scan->safe.out_len;
	scan->out.buf[scan->out.len] = '\0';
	if (scan->safe.depth == 2)
		rp_str_add_char(&scan->out,
				scan->safe.inner == '{' ? '}' : ']');
	rp_str_add_char(&scan->out, '}');
}

static int read_document(struct rp_scan *scan, struct rp_err *err)
{
	rp_str_clear(&scan->out);
	scan->flushed = scan->pos;
	scan->start_line = scan->line;
	scan->repaired = 0;
	scan->cut = false;
	scan->safe = (struct rp_scan_safe){0};
	scan->stack[0] = '{';
	scan->depth = 1;
	scan->expect = RP_SCAN_KEY_OR_END;
	scan->pos++;
	while (scan->depth && !scan->cut) {
		int ret = 0;

		if (scan->pos >= scan->len ||
		    rp_scan_at_boundary(scan, scan->pos))
			scan->cut = true;
		else
			ret = step(scan, err);
		if (ret)
			return ret;
	}
	flush(scan);
	if (rp_str_failed(&scan->out))
		return -ENOMEM;
	if (scan->cut)
		close_cut(scan);
	return rp_str_failed(&scan->out) ? -ENOMEM : 1;
}

int rp_scan_next(struct rp_scan *scan, struct rp_err *err)
{
	int ret = seek_document(scan);

	if (ret == 1)
		ret = read_document(scan, err);
	if (ret == -ENOMEM)
		rp_err_set(err, ret, "out of memory");
	return ret;
}
