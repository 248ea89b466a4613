/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * RFC 4180 but for the line ends, which are this system's.  Numbers are raw,
 * in the unit that the column's name carries; what is not known is empty.
 * Of several tables each begins with a line "# NAME", and an empty line
 * stands between them.
 */
#include "render/escape.h"
#include "render/formats.h"
#include "render/number.h"

static void add_head(const struct rp_table *table, struct rp_str *out)
{
	for (size_t i = 0; i < table->columns.count; i++) {
		struct rp_str key = RP_STR_INIT;

		rp_column_key(table, i, &key);
		if (i)
			rp_str_add_char(out, ',');
		rp_escape_csv(out, rp_str_text(&key));
		rp_str_release(&key);
	}
	rp_str_add_char(out, '\n');
}

static void add_row(const struct rp_table *table, size_t row,
		    struct rp_str *out)
{
	for (size_t i = 0; i < table->columns.count; i++) {
		const struct rp_cell *cell = rp_table_cell(table, row, i);

		if (i)
			rp_str_add_char(out, ',');
		if (cell->is_number)
			rp_number_add(out, cell->number, "");
		else
			rp_escape_csv(out, cell->text);
	}
	rp_str_add_char(out, '\n');
}

static size_t count_tables(const struct rp_doc *doc)
{
	size_t count = 0;

	for (size_t i = 0; i < doc->blocks.count; i++)
		count += doc->blocks.at[i].kind == RP_BLOCK_TABLE;
	return count;
}

static void add_name(const struct rp_doc *doc, const struct rp_block *block,
		     struct rp_str *out)
{
	struct rp_str key = RP_STR_INIT;

	rp_table_key(doc, block, &key);
	rp_str_add(out, out->len ? "\n# " : "# ");
	rp_escape_tty(out, rp_str_text(&key));
	rp_str_add_char(out, '\n');
	rp_str_release(&key);
}

int rp_render_csv(const struct rp_doc *doc,
		  const struct rp_render_context *context, struct rp_str *out,
		  struct rp_err *err)
{
	bool several = count_tables(doc) > 1;

	(void)context;
	for (size_t i = 0; i < doc->blocks.count; i++) {
		const struct rp_block *block = &doc->blocks.at[i];

		if (block->kind != RP_BLOCK_TABLE)
			continue;
		if (several)
			add_name(doc, block, out);
		add_head(&block->table, out);
		for (size_t r = 0; r < rp_table_rows(&block->table); r++)
			add_row(&block->table, r, out);
	}
	return rp_render_end(doc, out, err);
}
