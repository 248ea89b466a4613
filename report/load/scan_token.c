/* SPDX-License-Identifier: GPL-2.0-only */
#include "load/scan.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/utf8.h"

/* ---- strings ---- */

/* Four hex digits at `pos`, or -1. */
static int hex4(const struct rp_scan *scan, size_t pos)
{
	int value = 0;

	if (scan->len - pos < 4)
		return -1;
	for (size_t i = pos; i < pos + 4; i++) {
		unsigned char c = (unsigned char)scan->text[i];

		if (!isxdigit(c))
			return -1;
		value = value * 16 +
			(isdigit(c) ? c - '0' : tolower(c) - 'a' + 10);
	}
	return value;
}

/* "\uXXXX" at pos: NUL and lone surrogates are what readers refuse. */
static void pass_unicode_escape(struct rp_scan *scan)
{
	int high = hex4(scan, scan->pos + 2);
	bool pair = scan->len - scan->pos >= 12 &&
		    !memcmp(scan->text + scan->pos + 6, "\\u", 2);
	int low = pair ? hex4(scan, scan->pos + 8) : -1;

	if (high < 0)
		rp_scan_replace(scan, 1, "\\\\");
	else if (high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 &&
		 low <= 0xdfff)
		scan->pos += 12;
	else if (!high || (high >= 0xd800 && high <= 0xdfff))
		rp_scan_replace(scan, 6, RP_UTF8_REPLACEMENT_TEXT);
	else
		scan->pos += 6;
}

static void pass_escape(struct rp_scan *scan)
{
	char next = scan->text[scan->pos + 1];

	if (next == 'u' && scan->len - scan->pos > 2)
		pass_unicode_escape(scan);
	else if (next && strchr("\"\\/bfnrt", next))
		scan->pos += 2;
	else
		rp_scan_replace(scan, 1, "\\\\");
}

static void pass_odd_byte(struct rp_scan *scan)
{
	unsigned char c = (unsigned char)scan->text[scan->pos];
	size_t n;

	if (!c) {
		rp_scan_replace(scan, 1, RP_UTF8_REPLACEMENT_TEXT);
	} else if (c < 0x20) {
		char escape[8];

		snprintf(escape, sizeof(escape), "\\u%04x", c);
		rp_scan_replace(scan, 1, escape);
	} else if ((n = rp_utf8_decode(scan->text + scan->pos,
				       scan->len - scan->pos, NULL))) {
		scan->pos += n;
	} else {
		rp_scan_replace(scan, 1, RP_UTF8_REPLACEMENT_TEXT);
	}
	if (c == '\n') {
		scan->line++;
		scan->line_start = scan->pos;
	}
}

bool rp_scan_string(struct rp_scan *scan)
{
	scan->pos++;
	while (scan->pos < scan->len) {
		unsigned char c = (unsigned char)scan->text[scan->pos];

		if (c == '"') {
			scan->pos++;
			return true;
		}
		if (c == '{' && rp_scan_at_boundary(scan, scan->pos))
			return false;
		if (c == '\\' && scan->pos + 1 < scan->len)
			pass_escape(scan);
		else if (c < 0x20 || c >= 0x80)
			pass_odd_byte(scan);
		else
			scan->pos++;
	}
	return false;
}

/* ---- numbers and literals ---- */

size_t rp_scan_word_length(const struct rp_scan *scan)
{
	size_t end = scan->pos;

	while (end < scan->len &&
	       (isalnum((unsigned char)scan->text[end]) ||
		(scan->text[end] && strchr("+-._%", scan->text[end]))))
		end++;
	return end - scan->pos;
}

static size_t digits(const char *text, size_t n)
{
	size_t i = 0;

	while (i < n && isdigit((unsigned char)text[i]))
		i++;
	return i;
}

struct number {
	size_t whole, fraction, exponent; /* digits of each part */
};

static bool parse_number(const char *text, size_t n, struct number *number)
{
	size_t i = n && text[0] == '-';

	*number = (struct number){0};
	number->whole = digits(text + i, n - i);
	if (!number->whole || (number->whole > 1 && text[i] == '0'))
		return false;
	i += number->whole;
	if (i < n && text[i] == '.') {
		number->fraction = digits(text + i + 1, n - i - 1);
		if (!number->fraction)
			return false;
		i += 1 + number->fraction;
	}
	if (i < n && (text[i] == 'e' || text[i] == 'E')) {
		i++;
		if (i < n && (text[i] == '+' || text[i] == '-'))
			i++;
		number->exponent = digits(text + i, n - i);
		if (!number->exponent)
			return false;
		i += number->exponent;
	}
	return i == n;
}

static bool is_not_finite(const char *text, size_t n)
{
	static const char *const words[] = {"nan", "inf", "infinity"};

	if (n && (text[0] == '-' || text[0] == '+')) {
		text++;
		n--;
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (n == strlen(words[i]) && !strncasecmp(text, words[i], n))
			return true;
	return false;
}

static bool is_literal(const char *text, size_t n)
{
	return (n == 4 &&
		(!memcmp(text, "true", 4) || !memcmp(text, "null", 4))) ||
	       (n == 5 && !memcmp(text, "false", 5));
}

/*
 * `"mean" : 12,5` of a locale with decimal commas: in an object no digit can
 * follow a comma.
 */
static size_t decimal_comma(const struct rp_scan *scan, size_t end)
{
	if (scan->stack[scan->depth - 1] != '{' || scan->len - end < 2 ||
	    scan->text[end] != ',')
		return 0;
	return digits(scan->text + end + 1, scan->len - end - 1);
}

/* Does an integer of so many digits leave 64 bits with a sign? */
static bool overflows(const char *text, size_t whole)
{
	const char *limit = "9223372036854775807";

	if (*text == '-') {
		limit = "9223372036854775808";
		text++;
	}
	return whole > 19 || (whole == 19 && memcmp(text, limit, 19) > 0);
}

static void pass_number(struct rp_scan *scan, size_t n,
			const struct number *number)
{
	bool whole = !number->fraction && !number->exponent;
	size_t fraction = whole ? decimal_comma(scan, scan->pos + n) : 0;

	if (number->whole > 300 || number->exponent > 2) {
		rp_scan_replace(scan, n, "null");
	} else if (fraction) {
		scan->pos += n;
		rp_scan_replace(scan, 1, ".");
		scan->pos += fraction;
	} else if (whole && overflows(scan->text + scan->pos, number->whole)) {
		/* a JSON reader would give up: let it be a real */
		scan->pos += n;
		rp_scan_replace(scan, 0, ".0");
	} else {
		scan->pos += n;
	}
}

bool rp_scan_word(struct rp_scan *scan)
{
	const char *text = scan->text + scan->pos;
	size_t n = rp_scan_word_length(scan);
	struct number number;

	if (is_not_finite(text, n))
		rp_scan_replace(scan, n, "null");
	else if (is_literal(text, n))
		scan->pos += n;
	else if (parse_number(text, n, &number))
		pass_number(scan, n, &number);
	else
		return false;
	return true;
}
