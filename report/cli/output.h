/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_CLI_OUTPUT_H
#define RP_CLI_OUTPUT_H

#include "base/err.h"
#include "base/str.h"
#include "cli/command.h"
#include "doc/doc.h"
#include "render/render.h"

/* Text to standard output as it is.  0 or -EIO. */
int rp_output_text(const struct rp_str *text);

/* The format asked for; tty if none was. */
const struct rp_format *rp_output_format(const struct rp_values *values);

/* The document in that format to standard output. */
int rp_output_doc(const struct rp_doc *doc, const struct rp_values *values,
		  struct rp_err *err);

/* Render and write to `path`. */
int rp_output_file(const struct rp_doc *doc, const char *format,
		   const char *dir, const char *name, struct rp_err *err);

/* One line on standard error; control characters are shown, not sent. */
void rp_output_error(const struct rp_err *err);
void rp_output_complaint(const char *fmt, ...)
	__attribute__((format(printf, 1, 2)));

#endif
