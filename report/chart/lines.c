/* SPDX-License-Identifier: GPL-2.0-only */
#include "chart/lines.h"

#include <errno.h>
#include <stdlib.h>

#include "chart/text.h"

static int add_pieces(rp_lines *lines, const char *clean, double size,
		      const char *colour, size_t max, double *y)
{
	rp_strings pieces = {0};
	int ret = rp_chart_text_wrap(&pieces, clean, size,
				     RP_CHART_WIDTH - 2 * RP_CHART_EDGE, max);

	for (size_t i = 0; !ret && i < pieces.count; i++) {
		struct rp_line *line = rp_vec_push(lines);

		if (!line) {
			ret = -ENOMEM;
			break;
		}
		line->text = pieces.at[i];
		pieces.at[i] = NULL;
		line->size = size;
		line->colour = colour;
		line->y = *y + size * 0.7;
		*y += size * 1.45;
	}
	rp_strings_release(&pieces);
	return ret;
}

int rp_lines_add(rp_lines *lines, const char *text, double size,
		 const char *colour, size_t max, double *y)
{
	struct rp_str clean = RP_STR_INIT;
	int ret;

	rp_chart_text_add(&clean, text ? text : "");
	ret = rp_str_failed(&clean) ? -ENOMEM
				    : add_pieces(lines, rp_str_text(&clean),
						 size, colour, max, y);
	rp_str_release(&clean);
	return ret;
}

void rp_lines_release(rp_lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		free(lines->at[i].text);
	rp_vec_release(lines);
}

void rp_lines_data(const rp_lines *lines, struct rp_str *out)
{
	rp_str_add(out, "# text\n");
	for (size_t i = 0; i < lines->count; i++)
		rp_str_addf(out, "%zu\t%s\n", i + 1, lines->at[i].text);
	rp_str_add(out, "\n\n");
}

void rp_lines_script(const rp_lines *lines, struct rp_str *out)
{
	for (size_t i = 0; i < lines->count; i++)
		rp_str_addf(out,
			    "set label %zu TEXT[%zu] at screen px(%.0f), "
			    "screen py(%.1f) left font ',%g' tc rgb '%s'\n",
			    i + 1, i + 1, RP_CHART_EDGE, lines->at[i].y,
			    lines->at[i].size, lines->at[i].colour);
}
