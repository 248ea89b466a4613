/* SPDX-License-Identifier: GPL-2.0-only */
#include "render/escape.h"

#include <stdint.h>
#include <string.h>

#include "base/utf8.h"

typedef void add_code(struct rp_str *out, uint32_t code);

static void each_code(struct rp_str *out, const char *text, add_code *add)
{
	uint32_t code;

	while ((code = rp_utf8_next(&text)))
		add(out, code);
}

static bool is_one_of(uint32_t code, const char *set)
{
	return code < 0x80 && strchr(set, (int)code);
}

static void add_tty(struct rp_str *out, uint32_t code)
{
	if (!rp_utf8_is_control(code))
		rp_utf8_add(out, code);
	else
		rp_str_addf(out, code < 0x100 ? "\\x%02x" : "\\u%04x", code);
}

void rp_escape_tty(struct rp_str *out, const char *text)
{
	each_code(out, text, add_tty);
}

/* White space stays white space; other controls are shown to be there. */
static void add_visible(struct rp_str *out, uint32_t code)
{
	if (is_one_of(code, "\t\n\r"))
		rp_str_add_char(out, ' ');
	else
		rp_utf8_add(out, rp_utf8_is_control(code) ? RP_UTF8_REPLACEMENT
							  : code);
}

static void add_md(struct rp_str *out, uint32_t code)
{
	if (is_one_of(code, "\\`*_<>[]#|~&$"))
		rp_str_add_char(out, '\\');
	add_visible(out, code);
}

/* What starts a list or a heading's underline only at a line's begin. */
static void escape_line_start(struct rp_str *out, const char **text)
{
	size_t digits = strspn(*text, "0123456789");
	const char *behind = *text + digits;

	if (**text == '-' || **text == '+' || **text == '=') {
		rp_str_add_char(out, '\\');
	} else if (digits && (*behind == '.' || *behind == ')') &&
		   strchr(" \t\r\n", behind[1])) {
		rp_str_add_n(out, *text, digits);
		rp_str_add_char(out, '\\');
		*text += digits;
	}
}

void rp_escape_md(struct rp_str *out, const char *text)
{
	text += strspn(text, " \t\r\n");
	escape_line_start(out, &text);
	each_code(out, text, add_md);
}

static void add_html(struct rp_str *out, uint32_t code)
{
	switch (code) {
	case '&':
		rp_str_add(out, "&amp;");
		break;
	case '<':
		rp_str_add(out, "&lt;");
		break;
	case '>':
		rp_str_add(out, "&gt;");
		break;
	case '"':
		rp_str_add(out, "&quot;");
		break;
	case '\'':
		rp_str_add(out, "&#39;");
		break;
	default:
		add_visible(out, code);
	}
}

void rp_escape_html(struct rp_str *out, const char *text)
{
	each_code(out, text, add_html);
}

static void add_json(struct rp_str *out, uint32_t code)
{
	if (code == '"' || code == '\\') {
		rp_str_add_char(out, '\\');
		rp_str_add_char(out, (char)code);
	} else if (rp_utf8_is_control(code)) {
		rp_str_addf(out, "\\u%04x", code);
	} else {
		rp_utf8_add(out, code);
	}
}

void rp_escape_json(struct rp_str *out, const char *text)
{
	each_code(out, text, add_json);
}

static void add_csv(struct rp_str *out, uint32_t code)
{
	if (code == '"')
		rp_str_add(out, "\"\"");
	else if (code == '\n')
		rp_str_add_char(out, '\n');
	else
		add_visible(out, code);
}

void rp_escape_csv(struct rp_str *out, const char *text)
{
	/* the semicolon separates fields where commas are decimal */
	bool quoted = strpbrk(text, ",;\"\n") || *text == ' ' || *text == '#';

	if (quoted)
		rp_str_add_char(out, '"');
	if (*text && strchr("=+-@\t\r", *text))
		rp_str_add_char(out, '\'');
	each_code(out, text, add_csv);
	if (quoted)
		rp_str_add_char(out, '"');
}

static void add_url(struct rp_str *out, uint32_t code)
{
	struct rp_str bytes = RP_STR_INIT;

	if (is_one_of(code, "/._-") || (code >= '0' && code <= '9') ||
	    (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z')) {
		rp_str_add_char(out, (char)code);
		return;
	}
	rp_utf8_add(&bytes, code);
	for (size_t i = 0; i < bytes.len; i++)
		rp_str_addf(out, "%%%02X", (unsigned char)bytes.buf[i]);
	rp_str_release(&bytes);
}

void rp_escape_url(struct rp_str *out, const char *text)
{
	each_code(out, text, add_url);
}
