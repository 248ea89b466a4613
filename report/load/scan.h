/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_LOAD_SCAN_H
#define RP_LOAD_SCAN_H

/*
 * Finds JSON objects in text and makes strict JSON of them.  One pass, no
 * recursion: a file of nothing but brackets costs its length and no more.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"
#include "load/text_lines.h"

/* fio's own documents are seven levels deep. */
#define RP_SCAN_DEPTH 256

/* What may come next inside an object or an array. */
enum rp_scan_expect {
	RP_SCAN_KEY_OR_END,
	RP_SCAN_KEY,
	RP_SCAN_COLON,
	RP_SCAN_VALUE,
	RP_SCAN_VALUE_OR_END,
	RP_SCAN_COMMA_OR_END,
};

/* Where a cut-off document could be closed and lose only what is partial. */
struct rp_scan_safe {
	size_t out_len; /* of the strict text; 0 = nowhere yet */
	unsigned depth; /* 1 or 2 */
	char inner;	/* the second container, '{' or '[' */
};

struct rp_scan {
	const char *text;
	size_t len, pos;
	unsigned line;		    /* of `pos`, 1-based */
	size_t line_start;	    /* for columns */
	struct rp_text_lines lines; /* text met so far; the user moves it */

	/* the document being read */
	unsigned start_line;
	bool cut;		/* ended before its last brace */
	size_t repaired;	/* values that were no JSON: now null */
	unsigned repaired_line; /* the first of them */
	struct rp_str out;	/* strict JSON up to text[flushed] */
	size_t flushed;
	unsigned depth;
	char stack[RP_SCAN_DEPTH];
	enum rp_scan_expect expect;
	struct rp_scan_safe safe;
};

/* `text` is borrowed; a UTF-8 byte order mark is skipped. */
void rp_scan_init(struct rp_scan *scan, const char *text, size_t len);
void rp_scan_release(struct rp_scan *scan);

/*
 * Go to the end of the next object: 1 and its strict JSON in `out` (closed
 * where it was cut off; empty if nothing of it is whole), or 0 at the end of
 * the text.  -EBADMSG at `pos` if it is nested absurdly deep.
 */
int rp_scan_next(struct rp_scan *scan, struct rp_err *err);

/* For the token readers in scan_token.c. */

/* Pass `n` bytes of text, giving `bytes` instead of them. */
void rp_scan_replace(struct rp_scan *scan, size_t n, const char *bytes);
/* A fio document starts here, so the one before was cut off. */
bool rp_scan_at_boundary(const struct rp_scan *scan, size_t pos);
/* Pass a string; false if the text or the document ends before it does. */
bool rp_scan_string(struct rp_scan *scan);
/*
 * Pass a number or literal, making it valid; false (and nothing passed) if
 * the word is none.
 */
bool rp_scan_word(struct rp_scan *scan);
/* Bytes of the word that begins here. */
size_t rp_scan_word_length(const struct rp_scan *scan);

#endif
