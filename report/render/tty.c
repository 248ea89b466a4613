/* SPDX-License-Identifier: GPL-2.0-only */
#include "render/tty.h"

#include <string.h>

#include "base/utf8.h"
#include "render/escape.h"
#include "render/formats.h"

size_t rp_tty_width(const char *text)
{
	size_t width = 0;
	uint32_t code;

	while ((code = rp_utf8_next(&text)))
		width += rp_utf8_width(code);
	return width;
}

void rp_tty_add(struct rp_str *out, const struct rp_render_context *context,
		const char *colour, const char *text)
{
	if (context->colour && colour)
		rp_str_addf(out, "\x1b[%sm%s\x1b[0m", colour, text);
	else
		rp_str_add(out, text);
}

/* Fill lines with words; `used` columns of the first are taken already. */
static void add_wrapped(struct rp_str *out, const char *text, size_t width,
			size_t used)
{
	struct rp_str word = RP_STR_INIT;

	for (size_t n; *text; text += n) {
		size_t columns;

		n = strspn(text, " ");
		if (n)
			continue;
		n = strcspn(text, " ");
		rp_str_clear(&word);
		rp_str_add_n(&word, text, n);
		columns = rp_tty_width(rp_str_text(&word));
		if (used && width && used + 1 + columns > width) {
			rp_str_add_char(out, '\n');
			used = 0;
		} else if (used) {
			rp_str_add_char(out, ' ');
			used++;
		}
		rp_str_add(out, rp_str_text(&word));
		used += columns;
	}
	rp_str_add_char(out, '\n');
	out->failed = out->failed || rp_str_failed(&word);
	rp_str_release(&word);
}

static void add_heading(const char *text, int level,
			const struct rp_render_context *context,
			struct rp_str *out)
{
	rp_tty_add(out, context, RP_TTY_BOLD, text);
	rp_str_add_char(out, '\n');
	if (level > 2)
		return;
	for (size_t i = rp_tty_width(text); i; i--)
		rp_str_add_char(out, level == 1 ? '=' : '-');
	rp_str_add_char(out, '\n');
}

static void add_figure(const struct rp_figure *figure,
		       const struct rp_render_context *context,
		       struct rp_str *out)
{
	struct rp_str text = RP_STR_INIT;

	rp_escape_tty(&text, figure->stem);
	rp_str_add(&text, ".svg: ");
	rp_escape_tty(&text,
		      figure->caption[0] ? figure->caption : figure->alt);
	rp_str_add(out, "figure");
	add_wrapped(out, rp_str_text(&text), context->width, strlen("figure"));
	out->failed = out->failed || rp_str_failed(&text);
	rp_str_release(&text);
}

static void add_text(const struct rp_block *block,
		     const struct rp_render_context *context,
		     struct rp_str *out)
{
	struct rp_str text = RP_STR_INIT;

	rp_escape_tty(&text, block->text);
	if (block->kind == RP_BLOCK_HEADING) {
		add_heading(rp_str_text(&text), block->level, context, out);
	} else if (block->kind == RP_BLOCK_NOTE) {
		rp_tty_add(out, context, RP_TTY_YELLOW, "warning:");
		add_wrapped(out, rp_str_text(&text), context->width,
			    strlen("warning:"));
	} else {
		add_wrapped(out, rp_str_text(&text), context->width, 0);
	}
	out->failed = out->failed || rp_str_failed(&text);
	rp_str_release(&text);
}

int rp_render_tty(const struct rp_doc *doc,
		  const struct rp_render_context *context, struct rp_str *out,
		  struct rp_err *err)
{
	enum rp_block_kind before = RP_BLOCK_HEADING;

	for (size_t i = 0; i < doc->blocks.count; i++) {
		const struct rp_block *block = &doc->blocks.at[i];

		/* a run of warnings reads as a list */
		if (out->len &&
		    (block->kind != RP_BLOCK_NOTE || before != RP_BLOCK_NOTE))
			rp_str_add_char(out, '\n');
		before = block->kind;
		if (block->kind == RP_BLOCK_TABLE)
			rp_tty_table(&block->table, context, out);
		else if (block->kind == RP_BLOCK_FIGURE)
			add_figure(&block->figure, context, out);
		else
			add_text(block, context, out);
	}
	return rp_render_end(doc, out, err);
}
