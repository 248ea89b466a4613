/* SPDX-License-Identifier: GPL-2.0-only */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>

int fe_error_set(struct fe_error *err, int code, const char *format, ...)
{
	va_list arguments;

	if (err->text[0])
		return code;
	va_start(arguments, format);
	vsnprintf(err->text, sizeof(err->text), format, arguments);
	va_end(arguments);
	return code;
}
