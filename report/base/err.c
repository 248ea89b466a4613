/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>

int rp_err_set(struct rp_err *err, int code, const char *fmt, ...)
{
	va_list args;

	if (!err)
		return code;
	if (err->code)
		return err->code;
	err->code = code;
	va_start(args, fmt);
	vsnprintf(err->message, sizeof(err->message), fmt, args);
	va_end(args);
	return code;
}

int rp_err_at(struct rp_err *err, const char *where, unsigned line,
	      unsigned column)
{
	if (!err->where[0]) {
		snprintf(err->where, sizeof(err->where), "%s", where);
		err->line = line;
		err->column = column;
	}
	return err->code;
}
