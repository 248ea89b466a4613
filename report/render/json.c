/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * {"title", "tables": {NAME: [{COLUMN: number|string|null}]},
 *  "figures": [{"stem", "caption"}], "text": [...], "warnings": [...]}
 */
#include "render/escape.h"
#include "render/formats.h"
#include "render/number.h"

static void add_string(struct rp_str *out, const char *text)
{
	rp_str_add_char(out, '"');
	rp_escape_json(out, text);
	rp_str_add_char(out, '"');
}

static void add_cell(const struct rp_cell *cell, struct rp_str *out)
{
	if (cell->is_number)
		rp_number_add(out, cell->number, "null");
	else if (cell->text[0])
		add_string(out, cell->text);
	else
		rp_str_add(out, "null");
}

static void add_row(const struct rp_table *table, size_t row,
		    struct rp_str *out)
{
	rp_str_add(out, row ? ",\n      {" : "\n      {");
	for (size_t i = 0; i < table->columns.count; i++) {
		struct rp_str key = RP_STR_INIT;

		rp_column_key(table, i, &key);
		rp_str_add(out, i ? ", " : "");
		add_string(out, rp_str_text(&key));
		rp_str_add(out, ": ");
		add_cell(rp_table_cell(table, row, i), out);
		rp_str_release(&key);
	}
	rp_str_add_char(out, '}');
}

static void add_table(const struct rp_doc *doc, const struct rp_block *block,
		      struct rp_str *out)
{
	size_t rows = rp_table_rows(&block->table);
	struct rp_str key = RP_STR_INIT;

	rp_table_key(doc, block, &key);
	add_string(out, rp_str_text(&key));
	rp_str_release(&key);
	rp_str_add(out, ": [");
	for (size_t r = 0; r < rows; r++)
		add_row(&block->table, r, out);
	rp_str_add(out, rows ? "\n    ]" : "]");
}

static void add_figure(const struct rp_doc *doc, const struct rp_block *block,
		       struct rp_str *out)
{
	(void)doc;
	rp_str_add(out, "{\"stem\": ");
	add_string(out, block->figure.stem);
	rp_str_add(out, ", \"caption\": ");
	add_string(out, block->figure.caption);
	rp_str_add_char(out, '}');
}

static void add_text(const struct rp_doc *doc, const struct rp_block *block,
		     struct rp_str *out)
{
	(void)doc;
	add_string(out, block->text);
}

/* All blocks of one kind between two brackets. */
static void add_all(const struct rp_doc *doc, enum rp_block_kind kind,
		    const char *name, const char *brackets,
		    void (*add)(const struct rp_doc *doc,
				const struct rp_block *block,
				struct rp_str *out),
		    struct rp_str *out)
{
	size_t count = 0;

	rp_str_addf(out, ",\n  \"%s\": %c", name, brackets[0]);
	for (size_t i = 0; i < doc->blocks.count; i++) {
		if (doc->blocks.at[i].kind != kind)
			continue;
		rp_str_add(out, count++ ? ",\n    " : "\n    ");
		add(doc, &doc->blocks.at[i], out);
	}
	rp_str_addf(out, "%s%c", count ? "\n  " : "", brackets[1]);
}

int rp_render_json(const struct rp_doc *doc,
		   const struct rp_render_context *context, struct rp_str *out,
		   struct rp_err *err)
{
	(void)context;
	rp_str_add(out, "{\n  \"title\": ");
	add_string(out, doc->title ? doc->title : "");
	add_all(doc, RP_BLOCK_TABLE, "tables", "{}", add_table, out);
	add_all(doc, RP_BLOCK_FIGURE, "figures", "[]", add_figure, out);
	add_all(doc, RP_BLOCK_PARAGRAPH, "text", "[]", add_text, out);
	add_all(doc, RP_BLOCK_NOTE, "warnings", "[]", add_text, out);
	rp_str_add(out, "\n}\n");
	return rp_render_end(doc, out, err);
}
