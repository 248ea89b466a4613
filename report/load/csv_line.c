/* SPDX-License-Identifier: GPL-2.0-only */
#include "load/csv_line.h"

#include <errno.h>
#include <stdbool.h>

#include "base/str.h"

int rp_csv_line_split(const char *text, size_t len, rp_strings *cells)
{
	struct rp_str cell = RP_STR_INIT;
	bool quoted = false;
	int ret = 0;

	for (size_t i = 0; i <= len && !ret; i++) {
		bool at_end = i == len;

		if (at_end && quoted) {
			ret = -EBADMSG;
		} else if (at_end || (text[i] == ',' && !quoted)) {
			ret = rp_str_failed(&cell)
				      ? -ENOMEM
				      : rp_strings_add(cells,
						       rp_str_text(&cell));
			rp_str_clear(&cell);
		} else if (text[i] != '"') {
			rp_str_add_char(&cell, text[i]);
		} else if (quoted && i + 1 < len && text[i + 1] == '"') {
			rp_str_add_char(&cell, text[++i]);
		} else {
			quoted = !quoted;
		}
	}
	rp_str_release(&cell);
	return ret;
}
