/* SPDX-License-Identifier: GPL-2.0-only */
#include "render/formats.h"

#include <errno.h>
#include <string.h>

const struct rp_format rp_formats[] = {
	{"tty", false, rp_render_tty},	 {"md", false, rp_render_md},
	{"csv", true, rp_render_csv},	 {"json", true, rp_render_json},
	{"html", false, rp_render_html},
};

const size_t rp_format_count = sizeof(rp_formats) / sizeof(rp_formats[0]);

const struct rp_format *rp_format_find(const char *name)
{
	for (size_t i = 0; i < rp_format_count; i++)
		if (!strcmp(rp_formats[i].name, name))
			return &rp_formats[i];
	return NULL;
}

int rp_render_end(const struct rp_doc *doc, const struct rp_str *out,
		  struct rp_err *err)
{
	if (doc->failed || rp_str_failed(out))
		return rp_err_set(err, -ENOMEM,
				  "out of memory for the document");
	return 0;
}

static void add_key(struct rp_str *out, const char *name, size_t nth)
{
	rp_str_add(out, name);
	if (nth > 1)
		rp_str_addf(out, "-%zu", nth);
}

void rp_table_key(const struct rp_doc *doc, const struct rp_block *block,
		  struct rp_str *out)
{
	const char *name = block->table.name;
	size_t nth = 1;

	for (const struct rp_block *b = doc->blocks.at; b < block; b++)
		nth += b->kind == RP_BLOCK_TABLE &&
		       !strcmp(b->table.name, name);
	add_key(out, name, nth);
}

void rp_column_key(const struct rp_table *table, size_t column,
		   struct rp_str *out)
{
	const char *name = table->columns.at[column].name;
	size_t nth = 1;

	for (size_t i = 0; i < column; i++)
		nth += !strcmp(table->columns.at[i].name, name);
	add_key(out, name, nth);
}

bool rp_table_has_mark(const struct rp_table *table, enum rp_mark mark)
{
	for (size_t i = 0; i < table->cells.count; i++)
		if (table->cells.at[i].mark == mark)
			return true;
	return false;
}
