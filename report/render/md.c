/* SPDX-License-Identifier: GPL-2.0-only */
#include "render/escape.h"
#include "render/formats.h"

static void add_column_head(const struct rp_column *column, struct rp_str *out)
{
	rp_escape_md(out, column->title);
	if (column->unit[0]) {
		rp_str_add(out, column->title[0] ? " (" : "(");
		rp_escape_md(out, column->unit);
		rp_str_add_char(out, ')');
	}
}

static void add_cell(const struct rp_cell *cell, struct rp_str *out)
{
	const char *around =
		cell->mark == RP_MARK_BEST && cell->text[0] ? "**" : "";

	rp_str_add(out, around);
	rp_escape_md(out, cell->text);
	rp_str_add(out, around);
	if (cell->mark == RP_MARK_BAD)
		rp_str_add(out, " (!)");
}

static void add_legend(const struct rp_table *table, struct rp_str *out)
{
	bool best = rp_table_has_mark(table, RP_MARK_BEST);
	bool bad = rp_table_has_mark(table, RP_MARK_BAD);

	if (best)
		rp_str_add(out, "\n**bold**: best");
	if (bad)
		rp_str_add(out, best ? " · (!): bad" : "\n(!): bad");
	if (best || bad)
		rp_str_add_char(out, '\n');
}

static void add_table(const struct rp_table *table, struct rp_str *out)
{
	if (!table->columns.count)
		return;
	if (table->caption[0]) {
		rp_str_add_char(out, '*');
		rp_escape_md(out, table->caption);
		rp_str_add(out, "*\n\n");
	}
	for (size_t i = 0; i < table->columns.count; i++) {
		rp_str_add(out, "| ");
		add_column_head(&table->columns.at[i], out);
		rp_str_add_char(out, ' ');
	}
	rp_str_add(out, "|\n");
	for (size_t i = 0; i < table->columns.count; i++)
		rp_str_add(out, table->columns.at[i].align == RP_ALIGN_RIGHT
					? "| ---: "
					: "| --- ");
	rp_str_add(out, "|\n");
	for (size_t r = 0; r < rp_table_rows(table); r++) {
		for (size_t i = 0; i < table->columns.count; i++) {
			rp_str_add(out, "| ");
			add_cell(rp_table_cell(table, r, i), out);
			rp_str_add_char(out, ' ');
		}
		rp_str_add(out, "|\n");
	}
	add_legend(table, out);
}

static void add_figure(const struct rp_figure *figure, struct rp_str *out)
{
	rp_str_add(out, "![");
	rp_escape_md(out, figure->alt);
	rp_str_add(out, "](");
	rp_escape_url(out, figure->stem);
	rp_str_add(out, ".svg)\n");
	if (figure->caption[0]) {
		rp_str_add(out, "\n*");
		rp_escape_md(out, figure->caption);
		rp_str_add(out, "*\n");
	}
}

static void add_block(const struct rp_block *block, struct rp_str *out)
{
	if (out->len)
		rp_str_add_char(out, '\n');
	switch (block->kind) {
	case RP_BLOCK_HEADING:
		rp_str_addf(out, "%.*s ", block->level, "######");
		rp_escape_md(out, block->text);
		rp_str_add_char(out, '\n');
		break;
	case RP_BLOCK_PARAGRAPH:
		rp_escape_md(out, block->text);
		rp_str_add_char(out, '\n');
		break;
	case RP_BLOCK_TABLE:
		add_table(&block->table, out);
		break;
	case RP_BLOCK_FIGURE:
		add_figure(&block->figure, out);
		break;
	case RP_BLOCK_NOTE:
		rp_str_add(out, "> **Warning:** ");
		rp_escape_md(out, block->text);
		rp_str_add_char(out, '\n');
		break;
	}
}

int rp_render_md(const struct rp_doc *doc,
		 const struct rp_render_context *context, struct rp_str *out,
		 struct rp_err *err)
{
	(void)context;
	for (size_t i = 0; i < doc->blocks.count; i++)
		add_block(&doc->blocks.at[i], out);
	return rp_render_end(doc, out, err);
}
