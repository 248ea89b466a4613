/* SPDX-License-Identifier: GPL-2.0-only */
#include "load/utf8.h"

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* The smallest code point that may be written with so many bytes. */
static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};

static size_t announced(unsigned char lead)
{
	if (lead < 0x80)
		return 1;
	if (lead >= 0xc2 && lead <= 0xdf)
		return 2;
	if (lead >= 0xe0 && lead <= 0xef)
		return 3;
	if (lead >= 0xf0 && lead <= 0xf4)
		return 4;
	return 0;
}

size_t rp_utf8_length(const char *text, size_t len)
{
	const unsigned char *byte = (const unsigned char *)text;
	size_t n = len ? announced(byte[0]) : 0;
	uint32_t point;

	if (n <= 1)
		return n;
	if (n > len)
		return 0;
	point = byte[0] & (0x7fu >> n);
	for (size_t i = 1; i < n; i++) {
		if ((byte[i] & 0xc0) != 0x80)
			return 0;
		point = point << 6 | (byte[i] & 0x3f);
	}
	if (point < smallest[n] || point > 0x10ffff ||
	    (point >= 0xd800 && point <= 0xdfff))
		return 0;
	return n;
}

/* U+0080..U+009F: terminals take some of them as escape sequences. */
static bool is_c1(const char *text, size_t n)
{
	return n == 2 && (unsigned char)text[0] == 0xc2 &&
	       (unsigned char)text[1] < 0xa0;
}

char *rp_utf8_printable(const char *text, size_t len)
{
	struct rp_str out = RP_STR_INIT;

	for (size_t i = 0; i < len;) {
		size_t n = rp_utf8_length(text + i, len - i);
		unsigned char c = (unsigned char)text[i];

		if (!n)
			rp_str_add(&out, RP_UTF8_REPLACEMENT);
		else if (c < 0x20 || c == 0x7f || is_c1(text + i, n))
			rp_str_add_char(&out, ' ');
		else
			rp_str_add_n(&out, text + i, n);
		i += n ? n : 1;
	}
	return rp_str_detach(&out);
}
