/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_DOC_DOC_H
#define RP_DOC_DOC_H

/*
 * A document as blocks, without any format: doc/ builds it, render/ writes
 * it.  All text is plain UTF-8 and may hold anything a file's author chose:
 * each renderer escapes for its own format.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"

enum rp_block_kind {
	RP_BLOCK_HEADING,
	RP_BLOCK_PARAGRAPH,
	RP_BLOCK_TABLE,
	RP_BLOCK_FIGURE,
	RP_BLOCK_NOTE, /* a warning: something the reader must know */
};

enum rp_align { RP_ALIGN_LEFT, RP_ALIGN_RIGHT };

struct rp_column {
	char *name;  /* for machines: "lat_p99_ns" */
	char *title; /* for people: "p99" */
	char *unit;  /* for people, in the head: "MB/s"; "" = none */
	enum rp_align align;
};

/* How a cell stands out; renderers say it in words where colour can't. */
enum rp_mark { RP_MARK_NONE, RP_MARK_BEST, RP_MARK_BAD };

struct rp_cell {
	char *text; /* for people; "" = nothing to say */
	bool is_number;
	double number; /* for machines, in the unit of column.name */
	enum rp_mark mark;
};

struct rp_doc;

struct rp_table {
	struct rp_doc *doc; /* the one that it stands in */
	char *name;	    /* for machines: key in JSON, CSV file name */
	char *caption;	    /* "" = none */
	RP_VEC(struct rp_column) columns;
	RP_VEC(struct rp_cell) cells; /* row by row; count = rows x columns */
};

/* A picture that lies beside the document, made by chart/. */
struct rp_figure {
	char *stem; /* "charts/four-corners-4k-random-read" (+ .svg, .png) */
	char *alt;  /* what it shows, for those who can't see it */
	char *caption;
};

struct rp_block {
	enum rp_block_kind kind;
	int level;  /* headings: 1 = title, 2, 3 */
	char *text; /* heading, paragraph, note */
	struct rp_table table;
	struct rp_figure figure;
};

struct rp_doc {
	char *title;
	RP_VEC(struct rp_block) blocks;
	bool failed; /* memory ran out while building: sticky */
};

void rp_doc_release(struct rp_doc *doc);

/* What the document is about; renderers may show it or not. */
void rp_doc_title(struct rp_doc *doc, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

void rp_doc_heading(struct rp_doc *doc, int level, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void rp_doc_paragraph(struct rp_doc *doc, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void rp_doc_note(struct rp_doc *doc, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void rp_doc_figure(struct rp_doc *doc, const char *stem, const char *alt,
		   const char *caption);

/*
 * Start a table.  The pointer is good until the next block is added.
 * NULL if memory is out; the functions below take NULL.
 */
struct rp_table *rp_doc_table(struct rp_doc *doc, const char *name,
			      const char *caption);
void rp_table_column(struct rp_table *table, const char *name,
		     const char *title, const char *unit, enum rp_align align);
void rp_table_text(struct rp_table *table, const char *text);
void rp_table_number(struct rp_table *table, double number, const char *text,
		     enum rp_mark mark);

size_t rp_table_rows(const struct rp_table *table);
const struct rp_cell *rp_table_cell(const struct rp_table *table, size_t row,
				    size_t column);

#endif
