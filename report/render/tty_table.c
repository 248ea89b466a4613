/* SPDX-License-Identifier: GPL-2.0-only */
#include "render/tty.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "render/escape.h"
#include "render/formats.h"

#define GAP 2	     /* between columns */
#define NARROWEST 16 /* a text column is not cut below this */

/* How a column is laid out, beside what the document says of it. */
struct layout {
	size_t width;
	bool marked; /* keeps a place for marks after its cells */
};

static size_t text_width(const char *text)
{
	struct rp_str escaped = RP_STR_INIT;
	size_t width;

	rp_escape_tty(&escaped, text);
	width = rp_tty_width(rp_str_text(&escaped));
	rp_str_release(&escaped);
	return width;
}

static void measure(const struct rp_table *table, size_t column,
		    struct layout *layout)
{
	const struct rp_column *head = &table->columns.at[column];
	size_t unit = text_width(head->unit);

	layout->width = text_width(head->title);
	if (layout->width < unit)
		layout->width = unit;
	for (size_t r = 0; r < rp_table_rows(table); r++) {
		const struct rp_cell *cell = rp_table_cell(table, r, column);
		size_t width = text_width(cell->text);

		if (cell->mark != RP_MARK_NONE)
			layout->marked = true;
		if (layout->width < width)
			layout->width = width;
	}
}

/* Cut escaped text to a width, with an ellipsis in its last column. */
static void cut(struct rp_str *text, size_t width)
{
	const char *p = rp_str_text(text);
	size_t used = 0;

	if (rp_tty_width(p) <= width)
		return;
	while (*p) {
		const char *before = p;

		used += rp_utf8_width(rp_utf8_next(&p));
		if (used > width - 1) {
			text->len = (size_t)(before - text->buf);
			text->buf[text->len] = '\0';
			break;
		}
	}
	rp_str_add(text, "\u2026");
}

static void pad(struct rp_str *out, size_t n)
{
	while (n--)
		rp_str_add_char(out, ' ');
}

struct field {
	const char *text;
	const char *colour;
	char mark; /* behind the text; ' ' = none */
	bool last; /* of its line: no blanks behind it */
};

static void add_field(const struct field *field, const struct layout *layout,
		      enum rp_align align,
		      const struct rp_render_context *context,
		      struct rp_str *out)
{
	struct rp_str text = RP_STR_INIT;
	size_t blanks;

	rp_escape_tty(&text, field->text);
	cut(&text, layout->width);
	blanks = layout->width - rp_tty_width(rp_str_text(&text));
	if (align == RP_ALIGN_RIGHT)
		pad(out, blanks);
	rp_tty_add(out, context, text.len ? field->colour : NULL,
		   rp_str_text(&text));
	if (field->mark != ' ' || (layout->marked && !field->last))
		rp_str_add_char(out, field->mark);
	if (align == RP_ALIGN_LEFT && !field->last)
		pad(out, blanks);
	if (!field->last)
		pad(out, GAP);
	out->failed = out->failed || rp_str_failed(&text);
	rp_str_release(&text);
}

enum line { LINE_TITLES, LINE_UNITS, LINE_CELLS };

static struct field make_field(const struct rp_table *table, enum line line,
			       size_t row, size_t column)
{
	const struct rp_column *head = &table->columns.at[column];
	struct field field = {.mark = ' '};
	const struct rp_cell *cell;

	if (line != LINE_CELLS) {
		field.text = line == LINE_TITLES ? head->title : head->unit;
		field.colour = line == LINE_TITLES ? RP_TTY_BOLD : RP_TTY_DIM;
		return field;
	}
	cell = rp_table_cell(table, row, column);
	field.text = cell->text;
	if (cell->mark == RP_MARK_BEST) {
		field.mark = '*';
		field.colour = RP_TTY_GREEN;
	} else if (cell->mark == RP_MARK_BAD) {
		field.mark = '!';
		field.colour = RP_TTY_RED;
	}
	return field;
}

/* Columns of a table that stand beside each other on the screen. */
struct slice {
	const struct rp_table *table;
	const struct layout *layouts;
	size_t keys;	 /* so many first columns are repeated */
	size_t from, to; /* then these */
};

static bool is_in(const struct slice *slice, size_t column)
{
	return column < slice->keys ||
	       (column >= slice->from && column < slice->to);
}

static void add_line(const struct slice *slice, enum line line, size_t row,
		     const struct rp_render_context *context,
		     struct rp_str *out)
{
	for (size_t i = 0; i < slice->to; i++) {
		struct field field;

		if (!is_in(slice, i))
			continue;
		field = make_field(slice->table, line, row, i);
		field.last = i + 1 == slice->to;
		add_field(&field, &slice->layouts[i],
			  slice->table->columns.at[i].align, context, out);
	}
	while (out->len && out->buf[out->len - 1] == ' ')
		out->buf[--out->len] = '\0';
	rp_str_add_char(out, '\n');
}

static size_t column_width(const struct layout *layout)
{
	return layout->width + layout->marked + GAP;
}

static size_t slice_width(const struct slice *slice)
{
	size_t width = 0;

	for (size_t i = 0; i < slice->to; i++)
		if (is_in(slice, i))
			width += column_width(&slice->layouts[i]);
	return width ? width - GAP : 0;
}

static bool has_units(const struct slice *slice)
{
	for (size_t i = 0; i < slice->to; i++)
		if (is_in(slice, i) && slice->table->columns.at[i].unit[0])
			return true;
	return false;
}

static void add_slice(const struct slice *slice,
		      const struct rp_render_context *context,
		      struct rp_str *out)
{
	add_line(slice, LINE_TITLES, 0, context, out);
	if (has_units(slice))
		add_line(slice, LINE_UNITS, 0, context, out);
	for (size_t i = slice_width(slice); i; i--)
		rp_str_add_char(out, '-');
	rp_str_add_char(out, '\n');
	for (size_t r = 0; r < rp_table_rows(slice->table); r++)
		add_line(slice, LINE_CELLS, r, context, out);
}

/* Columns of text before the first number name a row; else the first does. */
static size_t count_keys(const struct rp_table *table)
{
	size_t keys = 0;

	while (keys < table->columns.count &&
	       table->columns.at[keys].align == RP_ALIGN_LEFT)
		keys++;
	return keys < table->columns.count ? keys : table->columns.count > 1;
}

/* Narrow the widest names until all fits; false if it can't. */
static bool narrow(const struct slice *slice, struct layout *layouts,
		   size_t width)
{
	while (slice_width(slice) > width) {
		struct layout *widest = NULL;

		for (size_t i = 0; i < slice->keys; i++)
			if (!widest || layouts[i].width > widest->width)
				widest = &layouts[i];
		if (!widest || widest->width <= NARROWEST)
			return false;
		widest->width--;
	}
	return true;
}

/*
 * Cutting names short is worth it if the whole table fits then; if not, it
 * is continued below, and its names need only leave room for the rest.
 */
static void fit(const struct slice *all, struct layout *layouts, size_t width)
{
	struct slice names = *all;

	if (narrow(all, layouts, width))
		return;
	for (size_t i = 0; i < all->keys; i++)
		measure(all->table, i, &layouts[i]);
	names.from = names.to = all->keys;
	narrow(&names, layouts, width / 2);
}

/* One slice or, where the screen is narrow, several below each other. */
static void add_slices(const struct rp_table *table, struct layout *layouts,
		       const struct rp_render_context *context,
		       struct rp_str *out)
{
	const size_t count = table->columns.count;
	const size_t width = context->width ? context->width : SIZE_MAX;
	struct slice slice = {.table = table, .layouts = layouts, .to = count};

	slice.keys = slice.from = count_keys(table);
	fit(&slice, layouts, width);
	for (slice.from = slice.keys; slice.from < count;
	     slice.from = slice.to) {
		slice.to = slice.from + 1;
		while (slice.to < count) {
			slice.to++;
			if (slice_width(&slice) > width) {
				slice.to--;
				break;
			}
		}
		if (slice.from > slice.keys)
			rp_str_add_char(out, '\n');
		add_slice(&slice, context, out);
	}
}

static void add_legend(const struct rp_table *table, struct rp_str *out)
{
	bool best = rp_table_has_mark(table, RP_MARK_BEST);
	bool bad = rp_table_has_mark(table, RP_MARK_BAD);

	if (best)
		rp_str_add(out, "* best");
	if (bad)
		rp_str_add(out, best ? "   ! bad" : "! bad");
	if (best || bad)
		rp_str_add_char(out, '\n');
}

void rp_tty_table(const struct rp_table *table,
		  const struct rp_render_context *context, struct rp_str *out)
{
	struct layout *layouts =
		calloc(table->columns.count + 1, sizeof(*layouts));

	if (!layouts) {
		out->failed = true;
		return;
	}
	for (size_t i = 0; i < table->columns.count; i++)
		measure(table, i, &layouts[i]);
	if (table->caption[0]) {
		rp_escape_tty(out, table->caption);
		rp_str_add_char(out, '\n');
	}
	add_slices(table, layouts, context, out);
	add_legend(table, out);
	free(layouts);
}
