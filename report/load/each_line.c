/* SPDX-License-Identifier: GPL-2.0-only */
#include "load/each_line.h"

#include <string.h>

int rp_each_line(const char *name, const char *text, size_t len,
		 rp_take_line take, void *reader, struct rp_err *err)
{
	const char *end = text + len;
	int ret = 0;

	if (len >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
		text += 3;
	for (unsigned number = 1; text < end && !ret; number++) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		size_t n = (size_t)((stop ? stop : end) - text);

		ret = take(reader, text, n, number, err);
		if (ret && err)
			rp_err_at(err, name, number, 0);
		text += n + 1;
	}
	return ret;
}
