/* SPDX-License-Identifier: GPL-2.0-only */
#include "render/base64.h"

#include <stdint.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			     "abcdefghijklmnopqrstuvwxyz0123456789+/";

void rp_base64_add(struct rp_str *out, const char *bytes, size_t n)
{
	const unsigned char *p = (const unsigned char *)bytes;

	for (size_t i = 0; i < n; i += 3) {
		size_t left = n - i;
		uint32_t group = (uint32_t)p[i] << 16;
		char text[4];

		if (left > 1)
			group |= (uint32_t)p[i + 1] << 8;
		if (left > 2)
			group |= p[i + 2];
		text[0] = digits[group >> 18];
		text[1] = digits[group >> 12 & 63];
		text[2] = left > 1 ? digits[group >> 6 & 63] : '=';
		text[3] = left > 2 ? digits[group & 63] : '=';
		rp_str_add_n(out, text, sizeof(text));
	}
}
