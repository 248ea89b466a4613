/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_LOAD_EACH_LINE_H
#define RP_LOAD_EACH_LINE_H

#include <stddef.h>

#include "base/err.h"

/* A line without its '\n'; 0, or a negative errno that ends the reading. */
typedef int (*rp_take_line)(void *reader, const char *text, size_t len,
			    unsigned number, struct rp_err *err);

/*
 * Give every line of a text, less a byte order mark, to `take`, numbered from
 * 1.  Returns what it failed with, the place in `name` noted in err.
 */
int rp_each_line(const char *name, const char *text, size_t len,
		 rp_take_line take, void *reader, struct rp_err *err);

#endif
