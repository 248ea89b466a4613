/* SPDX-License-Identifier: GPL-2.0-only */
#include "doc/doc.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

static void table_release(struct rp_table *table)
{
	free(table->name);
	free(table->caption);
	for (size_t i = 0; i < table->columns.count; i++) {
		free(table->columns.at[i].name);
		free(table->columns.at[i].title);
		free(table->columns.at[i].unit);
	}
	rp_vec_release(&table->columns);
	for (size_t i = 0; i < table->cells.count; i++)
		free(table->cells.at[i].text);
	rp_vec_release(&table->cells);
}

void rp_doc_release(struct rp_doc *doc)
{
	for (size_t i = 0; i < doc->blocks.count; i++) {
		struct rp_block *block = &doc->blocks.at[i];

		free(block->text);
		table_release(&block->table);
		free(block->figure.stem);
		free(block->figure.alt);
		free(block->figure.caption);
	}
	rp_vec_release(&doc->blocks);
	free(doc->title);
	*doc = (struct rp_doc){0};
}

/* A copy that is never NULL once the document is sound. */
static char *copy(struct rp_doc *doc, const char *text)
{
	char *s = strdup(text ? text : "");

	if (!s)
		doc->failed = true;
	return s;
}

static struct rp_block *block_add(struct rp_doc *doc, enum rp_block_kind kind)
{
	struct rp_block *block = doc->failed ? NULL : rp_vec_push(&doc->blocks);

	if (!block)
		doc->failed = true;
	else
		block->kind = kind;
	return block;
}

static void text_add(struct rp_doc *doc, enum rp_block_kind kind, int level,
		     const char *fmt, va_list args)
{
	struct rp_block *block = block_add(doc, kind);
	struct rp_str s = RP_STR_INIT;

	if (!block)
		return;
	rp_str_vaddf(&s, fmt, args);
	block->level = level;
	block->text = rp_str_detach(&s);
	if (!block->text)
		doc->failed = true;
}

void rp_doc_title(struct rp_doc *doc, const char *fmt, ...)
{
	struct rp_str s = RP_STR_INIT;
	va_list args;

	va_start(args, fmt);
	rp_str_vaddf(&s, fmt, args);
	va_end(args);
	free(doc->title);
	doc->title = rp_str_detach(&s);
	if (!doc->title)
		doc->failed = true;
}

void rp_doc_heading(struct rp_doc *doc, int level, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	text_add(doc, RP_BLOCK_HEADING, level, fmt, args);
	va_end(args);
}

void rp_doc_paragraph(struct rp_doc *doc, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	text_add(doc, RP_BLOCK_PARAGRAPH, 0, fmt, args);
	va_end(args);
}

void rp_doc_note(struct rp_doc *doc, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	text_add(doc, RP_BLOCK_NOTE, 0, fmt, args);
	va_end(args);
}

void rp_doc_figure(struct rp_doc *doc, const char *stem, const char *alt,
		   const char *caption)
{
	struct rp_block *block = block_add(doc, RP_BLOCK_FIGURE);

	if (!block)
		return;
	block->figure.stem = copy(doc, stem);
	block->figure.alt = copy(doc, alt);
	block->figure.caption = copy(doc, caption);
}

struct rp_table *rp_doc_table(struct rp_doc *doc, const char *name,
			      const char *caption)
{
	struct rp_block *block = block_add(doc, RP_BLOCK_TABLE);

	if (!block)
		return NULL;
	block->table.doc = doc;
	block->table.name = copy(doc, name);
	block->table.caption = copy(doc, caption);
	return &block->table;
}

void rp_table_column(struct rp_table *table, const char *name,
		     const char *title, const char *unit, enum rp_align align)
{
	struct rp_column *column = table ? rp_vec_push(&table->columns) : NULL;

	if (!column) {
		if (table)
			table->doc->failed = true;
		return;
	}
	column->name = copy(table->doc, name);
	column->title = copy(table->doc, title);
	column->unit = copy(table->doc, unit);
	column->align = align;
}

static struct rp_cell *cell_add(struct rp_table *table, const char *text)
{
	struct rp_cell *cell = table ? rp_vec_push(&table->cells) : NULL;

	if (cell)
		cell->text = copy(table->doc, text);
	else if (table)
		table->doc->failed = true;
	return cell;
}

void rp_table_text(struct rp_table *table, const char *text)
{
	cell_add(table, text);
}

void rp_table_number(struct rp_table *table, double number, const char *text,
		     enum rp_mark mark)
{
	struct rp_cell *cell = cell_add(table, text);

	if (!cell)
		return;
	cell->is_number = true;
	cell->number = number;
	cell->mark = mark;
}

size_t rp_table_rows(const struct rp_table *table)
{
	return table->columns.count ? table->cells.count / table->columns.count
				    : 0;
}

const struct rp_cell *rp_table_cell(const struct rp_table *table, size_t row,
				    size_t column)
{
	return &table->cells.at[row * table->columns.count + column];
}
