/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/utf8.h"

#include <string.h>

struct range {
	uint32_t first, last;
};

static const struct range combining[] = {
	{0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A},
	{0x064B, 0x065F}, {0x0E34, 0x0E3A}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF},
	{0x200B, 0x200D}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F},
};

static const struct range wide[] = {
	{0x1100, 0x115F},   {0x2E80, 0x303E},	{0x3041, 0xA4CF},
	{0xAC00, 0xD7A3},   {0xF900, 0xFAFF},	{0xFE30, 0xFE6F},
	{0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},	{0x1F300, 0x1F64F},
	{0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD},
};

static const struct range controls[] = {
	{0x0001, 0x001F}, {0x007F, 0x009F}, {0x061C, 0x061C}, {0x200E, 0x200F},
	{0x2028, 0x202E}, {0x2066, 0x2069}, {0xFEFF, 0xFEFF}, {0xFFFE, 0xFFFF},
};

static bool in_ranges(uint32_t code, const struct range *ranges, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (code >= ranges[i].first && code <= ranges[i].last)
			return true;
	return false;
}

#define IN(code, ranges)                                                       \
	in_ranges(code, ranges, sizeof(ranges) / sizeof((ranges)[0]))

unsigned rp_utf8_width(uint32_t code)
{
	if (IN(code, combining))
		return 0;
	return IN(code, wide) ? 2 : 1;
}

bool rp_utf8_is_control(uint32_t code)
{
	return IN(code, controls);
}

/* How many bytes a lead byte promises; 0 = it leads nothing. */
static unsigned sequence_length(unsigned char lead)
{
	if (lead < 0x80)
		return 1;
	if (lead >= 0xC2 && lead <= 0xDF)
		return 2;
	if (lead >= 0xE0 && lead <= 0xEF)
		return 3;
	if (lead >= 0xF0 && lead <= 0xF4)
		return 4;
	return 0;
}

static bool is_valid(uint32_t code, unsigned length)
{
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};

	return code >= smallest[length] && code <= 0x10FFFF &&
	       (code < 0xD800 || code > 0xDFFF);
}

size_t rp_utf8_decode(const char *text, size_t len, uint32_t *code)
{
	const unsigned char *bytes = (const unsigned char *)text;
	unsigned length = len ? sequence_length(bytes[0]) : 0;
	uint32_t value;

	if (!length || length > len)
		return 0;
	value = length == 1 ? bytes[0] : bytes[0] & (0x7Fu >> length);
	for (unsigned i = 1; i < length; i++) {
		if ((bytes[i] & 0xC0) != 0x80)
			return 0;
		value = value << 6 | (bytes[i] & 0x3Fu);
	}
	if (!is_valid(value, length))
		return 0;
	if (code)
		*code = value;
	return length;
}

uint32_t rp_utf8_next(const char **text)
{
	uint32_t code = RP_UTF8_REPLACEMENT;
	size_t length;

	if (!**text)
		return 0;
	length = rp_utf8_decode(*text, strnlen(*text, 4), &code);
	*text += length ? length : 1;
	return code;
}

void rp_utf8_add(struct rp_str *out, uint32_t code)
{
	if (code < 0x80) {
		rp_str_add_char(out, (char)code);
	} else if (code < 0x800) {
		rp_str_add_char(out, (char)(0xC0 | code >> 6));
		rp_str_add_char(out, (char)(0x80 | (code & 0x3F)));
	} else if (code < 0x10000) {
		rp_str_add_char(out, (char)(0xE0 | code >> 12));
		rp_str_add_char(out, (char)(0x80 | (code >> 6 & 0x3F)));
		rp_str_add_char(out, (char)(0x80 | (code & 0x3F)));
	} else {
		rp_str_add_char(out, (char)(0xF0 | code >> 18));
		rp_str_add_char(out, (char)(0x80 | (code >> 12 & 0x3F)));
		rp_str_add_char(out, (char)(0x80 | (code >> 6 & 0x3F)));
		rp_str_add_char(out, (char)(0x80 | (code & 0x3F)));
	}
}

char *rp_utf8_printable(const char *text, size_t len)
{
	struct rp_str out = RP_STR_INIT;

	for (size_t i = 0; i < len;) {
		uint32_t code;
		size_t n = rp_utf8_decode(text + i, len - i, &code);

		if (!n)
			rp_str_add(&out, RP_UTF8_REPLACEMENT_TEXT);
		else if (!code || rp_utf8_is_control(code))
			rp_str_add_char(&out, ' ');
		else
			rp_str_add_n(&out, text + i, n);
		i += n ? n : 1;
	}
	return rp_str_detach(&out);
}
