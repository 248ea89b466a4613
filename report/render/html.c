/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One page that needs nothing else: no network, no script, pictures inside.
 */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "render/base64.h"
#include "render/escape.h"
#include "render/formats.h"
#include "render/html_style.h"

#define MOST_PICTURE_BYTES (16u << 20)
#define MOST_WRAPPED_COLUMNS                                                   \
	6		  /* a wider table scrolls, so its rows stay low       \
			   */
#define FEWEST_CONTENTS 3 /* headings that deserve a list of contents */

static void add_element(struct rp_str *out, const char *open, const char *text,
			const char *close)
{
	rp_str_add(out, open);
	rp_escape_html(out, text);
	rp_str_add(out, close);
}

static bool is_heading(const struct rp_block *block, int level)
{
	return block->kind == RP_BLOCK_HEADING && block->level == level;
}

/* The title: the document's own, or its first heading of level 1. */
static const char *find_title(const struct rp_doc *doc)
{
	for (size_t i = 0; i < doc->blocks.count; i++)
		if (is_heading(&doc->blocks.at[i], 1))
			return doc->blocks.at[i].text;
	return doc->title ? doc->title : "";
}

static void add_head(const struct rp_doc *doc, struct rp_str *out)
{
	rp_str_add(out,
		   "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
		   "<meta charset=\"utf-8\">\n"
		   "<meta http-equiv=\"Content-Security-Policy\" content=\""
		   "default-src 'none'; img-src data:; "
		   "style-src 'unsafe-inline'; base-uri 'none'; "
		   "form-action 'none'\">\n"
		   "<meta name=\"viewport\" "
		   "content=\"width=device-width, initial-scale=1\">\n"
		   "<meta name=\"color-scheme\" content=\"light dark\">\n");
	add_element(out, "<title>",
		    doc->title && doc->title[0] ? doc->title : find_title(doc),
		    "</title>\n");
	rp_str_add(out, "<style>\n");
	rp_str_add(out, rp_html_style);
	rp_str_add(out, "</style>\n</head>\n<body>\n"
			"<a class=\"skip\" href=\"#main\">"
			"Skip to the content</a>\n<header>\n");
	add_element(out, "<h1>", find_title(doc), "</h1>\n</header>\n");
}

static void add_contents(const struct rp_doc *doc, struct rp_str *out)
{
	size_t count = 0;

	for (size_t i = 0; i < doc->blocks.count; i++)
		count += is_heading(&doc->blocks.at[i], 2) ||
			 is_heading(&doc->blocks.at[i], 3);
	if (count < FEWEST_CONTENTS)
		return;
	rp_str_add(out, "<nav aria-labelledby=\"contents\">\n"
			"<h2 id=\"contents\">Contents</h2>\n<ul>\n");
	for (size_t i = 0; i < doc->blocks.count; i++) {
		const struct rp_block *block = &doc->blocks.at[i];

		if (!is_heading(block, 2) && !is_heading(block, 3))
			continue;
		rp_str_addf(out, "<li%s><a href=\"#s%zu\">",
			    block->level == 3 ? " class=\"sub\"" : "", i);
		add_element(out, "", block->text, "</a></li>\n");
	}
	rp_str_add(out, "</ul>\n</nav>\n");
}

static void add_column_heads(const struct rp_table *table, struct rp_str *out)
{
	rp_str_add(out, "<thead>\n<tr>");
	for (size_t i = 0; i < table->columns.count; i++) {
		const struct rp_column *column = &table->columns.at[i];

		rp_str_add(out, column->align == RP_ALIGN_RIGHT
					? "<th scope=\"col\" class=\"num\">"
					: "<th scope=\"col\">");
		rp_escape_html(out, column->title);
		if (column->unit[0])
			add_element(out, " <span class=\"unit\">", column->unit,
				    "</span>");
		rp_str_add(out, "</th>");
	}
	rp_str_add(out, "</tr>\n</thead>\n");
}

/* Marks are a sign and a word as well as a colour. */
static void add_marked(const struct rp_cell *cell, struct rp_str *out)
{
	switch (cell->mark) {
	case RP_MARK_BEST:
		add_element(out, "<strong class=\"best\">", cell->text,
			    "</strong><span class=\"mark best\" role=\"img\" "
			    "aria-label=\"best\">\u2713</span>");
		break;
	case RP_MARK_BAD:
		add_element(out, "<strong class=\"bad\">", cell->text,
			    "</strong><span class=\"mark bad\" role=\"img\" "
			    "aria-label=\"bad\">!</span>");
		break;
	default:
		rp_escape_html(out, cell->text);
	}
}

static void add_cell(const struct rp_table *table, size_t row, size_t column,
		     struct rp_str *out)
{
	const struct rp_cell *cell = rp_table_cell(table, row, column);
	bool right = table->columns.at[column].align == RP_ALIGN_RIGHT;
	bool names_row = column == 0 && !right;

	rp_str_add(out, names_row ? "<th scope=\"row\">"
			: right	  ? "<td class=\"num\">"
				  : "<td class=\"text\">");
	add_marked(cell, out);
	rp_str_add(out, names_row ? "</th>" : "</td>");
}

static void add_legend(const struct rp_table *table, struct rp_str *out)
{
	bool best = rp_table_has_mark(table, RP_MARK_BEST);
	bool bad = rp_table_has_mark(table, RP_MARK_BAD);

	if (!best && !bad)
		return;
	rp_str_add(out, "<p class=\"legend\">");
	if (best)
		rp_str_add(out, "<span class=\"best\">\u2713</span> best");
	rp_str_add(out, best && bad ? " \u00B7 " : "");
	if (bad)
		rp_str_add(out, "<span class=\"bad\">!</span> bad");
	rp_str_add(out, "</p>\n");
}

static void add_table(const struct rp_table *table, struct rp_str *out)
{
	add_element(out,
		    "<div class=\"after\">\n<div class=\"scroll\" "
		    "role=\"region\" tabindex=\"0\" aria-label=\"Table: ",
		    table->caption[0] ? table->caption : table->name,
		    table->columns.count > MOST_WRAPPED_COLUMNS
			    ? "\">\n<table class=\"wide\">\n"
			    : "\">\n<table>\n");
	if (table->caption[0])
		add_element(out, "<caption>", table->caption, "</caption>\n");
	add_column_heads(table, out);
	rp_str_add(out, "<tbody>\n");
	for (size_t r = 0; r < rp_table_rows(table); r++) {
		rp_str_add(out, "<tr>");
		for (size_t i = 0; i < table->columns.count; i++)
			add_cell(table, r, i, out);
		rp_str_add(out, "</tr>\n");
	}
	rp_str_add(out, "</tbody>\n</table>\n</div>\n");
	add_legend(table, out);
	rp_str_add(out, "</div>\n");
}

/* A figure lies below the document, wherever its name wants to lead. */
static bool stays_below(const char *stem)
{
	return stem[0] != '/' && !strstr(stem, "..");
}

/* -ENOENT and the like are no reason to fail: the page says it instead. */
static int read_picture(const struct rp_figure *figure, const char *dir,
			struct rp_str *picture)
{
	struct rp_err ignored = {0};
	char *path;
	int ret;

	if (!stays_below(figure->stem))
		return -1;
	path = rp_strf("%s/%s.svg", dir ? dir : ".", figure->stem);
	if (!path)
		return -1;
	ret = rp_file_read(path, MOST_PICTURE_BYTES, picture, &ignored);
	free(path);
	return ret;
}

static void add_figure(const struct rp_figure *figure, const char *dir,
		       struct rp_str *out)
{
	struct rp_str picture = RP_STR_INIT;

	rp_str_add(out, "<figure>\n");
	if (read_picture(figure, dir, &picture)) {
		add_element(out,
			    "<p class=\"note\"><strong>Missing picture:"
			    "</strong> ",
			    figure->stem, ".svg</p>\n");
	} else {
		rp_str_add(out,
			   "<label class=\"zoom\"><input type=\"checkbox\">"
			   " Enlarge</label>\n<div class=\"chart\">");
		add_element(out, "<img alt=\"", figure->alt,
			    "\" src=\"data:image/svg+xml;base64,");
		rp_base64_add(out, picture.buf, picture.len);
		rp_str_add(out, "\"></div>\n");
	}
	if (figure->caption[0])
		add_element(out, "<figcaption>", figure->caption,
			    "</figcaption>\n");
	rp_str_add(out, "</figure>\n");
	rp_str_release(&picture);
}

static void add_heading(const struct rp_block *block, size_t index,
			struct rp_str *out)
{
	int level = block->level > 2 ? 3 : 2;

	rp_str_addf(out, "<h%d id=\"s%zu\">", level, index);
	rp_escape_html(out, block->text);
	rp_str_addf(out, "</h%d>\n", level);
}

static void add_block(const struct rp_doc *doc, size_t index, const char *dir,
		      struct rp_str *out)
{
	const struct rp_block *block = &doc->blocks.at[index];

	switch (block->kind) {
	case RP_BLOCK_HEADING:
		/* the title stands in the header already */
		if (block->text != find_title(doc))
			add_heading(block, index, out);
		break;
	case RP_BLOCK_PARAGRAPH:
		add_element(out, "<p>", block->text, "</p>\n");
		break;
	case RP_BLOCK_TABLE:
		add_table(&block->table, out);
		break;
	case RP_BLOCK_FIGURE:
		add_figure(&block->figure, dir, out);
		break;
	case RP_BLOCK_NOTE:
		add_element(out,
			    "<p class=\"note\" role=\"note\">"
			    "<strong>Warning:</strong> ",
			    block->text, "</p>\n");
		break;
	}
}

int rp_render_html(const struct rp_doc *doc,
		   const struct rp_render_context *context, struct rp_str *out,
		   struct rp_err *err)
{
	add_head(doc, out);
	add_contents(doc, out);
	rp_str_add(out, "<main id=\"main\">\n");
	for (size_t i = 0; i < doc->blocks.count; i++)
		add_block(doc, i, context->dir, out);
	rp_str_add(out, "</main>\n</body>\n</html>\n");
	return rp_render_end(doc, out, err);
}
