/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_LOAD_TEXT_LINES_H
#define RP_LOAD_TEXT_LINES_H

/*
 * The text that surrounds and interrupts fio's JSON: messages worth keeping,
 * and a count of the rest (human-readable results, ETA lines).
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"

/* Further messages are counted only: a hostile file is all messages. */
#define RP_TEXT_KEPT 64

struct rp_text_line {
	unsigned line; /* 1-based line of the file */
	char *text;    /* printable valid UTF-8, cut to a sane length */
};

struct rp_text_lines {
	RP_VEC(struct rp_text_line) kept;
	size_t skipped;		/* lines that are not in `kept` */
	unsigned skipped_first; /* the first of them */
	bool normal;		/* looks like --output-format=normal */
	bool terse;		/* looks like --output-format=terse */
};

void rp_text_lines_release(struct rp_text_lines *lines);

/* Note one line (without its end); blank ones are ignored.  0 or -ENOMEM. */
int rp_text_lines_add(struct rp_text_lines *lines, unsigned line,
		      const char *text, size_t len);

/* Append what `from` holds to `to`; `from` is empty afterwards. */
int rp_text_lines_move(struct rp_text_lines *to, struct rp_text_lines *from);

#endif
