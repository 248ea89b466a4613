/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_RENDER_RENDER_H
#define RP_RENDER_RENDER_H

#include "base/err.h"
#include "base/str.h"
#include "doc/doc.h"

struct rp_render_context {
	bool colour;	 /* tty: ANSI colours are welcome */
	unsigned width;	 /* tty: columns; 0 = do not care */
	const char *dir; /* where figures' stems start; NULL = "." */
};

/* Adding an output format is one file and one row of this table. */
struct rp_format {
	const char *name;  /* the value of --format */
	bool for_machines; /* wants one wide table, not several to read */
	int (*render)(const struct rp_doc *doc,
		      const struct rp_render_context *context,
		      struct rp_str *out, struct rp_err *err);
};

extern const struct rp_format rp_formats[];
extern const size_t rp_format_count;

const struct rp_format *rp_format_find(const char *name); /* or NULL */

#endif
