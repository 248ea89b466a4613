/* SPDX-License-Identifier: GPL-2.0-only */
#include "chart/text.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "base/utf8.h"

#define ELLIPSIS "\u2026"

static void add_clean(struct rp_str *out, uint32_t code)
{
	if (rp_utf8_is_control(code))
		rp_str_add_char(out, ' ');
	else if (code == '"')
		rp_str_add(out, "\u201D");
	else if (code == '\'' || code == '`')
		rp_str_add(out, "\u2019");
	else if (code == '\\')
		rp_str_add_char(out, '/');
	else
		rp_utf8_add(out, code);
}

void rp_chart_text_add(struct rp_str *out, const char *text)
{
	rp_chart_text_add_short(out, text, SIZE_MAX);
}

void rp_chart_text_add_short(struct rp_str *out, const char *text, size_t max)
{
	size_t length = 0;

	for (const char *p = text; rp_utf8_next(&p);)
		length++;
	for (size_t i = 0; i < length; i++) {
		if (length > max && i + 1 >= max) {
			rp_str_add(out, ELLIPSIS);
			return;
		}
		add_clean(out, rp_utf8_next(&text));
	}
}

/* Measured on a wide sans-serif, so that narrower ones fit as well. */
static double character_width(uint32_t code)
{
	if (rp_utf8_width(code) != 1)
		return rp_utf8_width(code) * 0.55;
	if (code < 0x80 && strchr("iljtfrI.,:;|!()[]/ -", (int)code))
		return 0.39;
	if (code < 0x80 && strchr("mwMW%@", (int)code))
		return 0.97;
	return code >= 'A' && code <= 'Z' ? 0.71 : 0.63;
}

double rp_chart_text_width(const char *text, double size)
{
	double width = 0;
	uint32_t code;

	while ((code = rp_utf8_next(&text)))
		width += character_width(code);
	return width * size;
}

/* The longest piece that fits, ended at a space if there is one. */
static size_t fitting_bytes(const char *text, double size, double width)
{
	const char *p = text, *space = NULL;
	double used = 0;

	while (*p) {
		const char *before = p;
		uint32_t code = rp_utf8_next(&p);

		if (code == ' ')
			space = before;
		used += character_width(code) * size;
		if (used > width)
			return (size_t)((space ? space : before) - text);
	}
	return (size_t)(p - text);
}

int rp_chart_text_wrap(rp_strings *lines, const char *text, double size,
		       double width, size_t max)
{
	const double ellipsis = rp_chart_text_width(ELLIPSIS, size);

	for (size_t i = 0; i < max; i++) {
		bool last = i + 1 == max;
		size_t n;
		int ret;

		text += strspn(text, " ");
		n = fitting_bytes(text, size, width);
		if (!n)
			return 0;
		if (last && text[n])
			n = fitting_bytes(text, size, width - ellipsis);
		ret = rp_strings_addf(lines, "%.*s%s", (int)n, text,
				      last && text[n] ? ELLIPSIS : "");
		if (ret)
			return ret;
		text += n;
	}
	return 0;
}
