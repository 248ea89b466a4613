/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_LOAD_REFUSAL_H
#define RP_LOAD_REFUSAL_H

#include <stddef.h>

#include "base/err.h"
#include "load/text_lines.h"

/* Why an object of a file was not taken.  Zero-initialised is none. */
struct rp_refusal {
	size_t count;
	unsigned line, column; /* of the first; 0 = not known */
	char text[256];	       /* of the first; "" if there was none */
};

void rp_refusal_note(struct rp_refusal *refusal, unsigned line, unsigned column,
		     const char *text);

/*
 * A sentence for files that are often handed over by mistake (compressed
 * ones, UTF-16), by their first bytes; NULL = none of them.
 */
const char *rp_known_kind(const char *text, size_t len);

/*
 * One sentence for a file of which no document was taken: what it is
 * instead, as far as that can be told.  Returns -EBADMSG.
 */
int rp_refuse_file(const char *path, const char *text, size_t len,
		   const struct rp_refusal *refusal,
		   const struct rp_text_lines *lines, struct rp_err *err);

#endif
