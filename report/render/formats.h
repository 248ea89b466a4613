/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_RENDER_FORMATS_H
#define RP_RENDER_FORMATS_H

#include "render/render.h"

/* What every renderer is: see struct rp_format. */
typedef int rp_render(const struct rp_doc *doc,
		      const struct rp_render_context *context,
		      struct rp_str *out, struct rp_err *err);

rp_render rp_render_tty;
rp_render rp_render_md;
rp_render rp_render_csv;
rp_render rp_render_json;
rp_render rp_render_html;

/* How each renderer ends: 0, or -ENOMEM if memory ran out on the way. */
int rp_render_end(const struct rp_doc *doc, const struct rp_str *out,
		  struct rp_err *err);

/* "name", or "name-2" for the second table of that name, and so on. */
void rp_table_key(const struct rp_doc *doc, const struct rp_block *block,
		  struct rp_str *out);
/* The same for a column of a table. */
void rp_column_key(const struct rp_table *table, size_t column,
		   struct rp_str *out);

bool rp_table_has_mark(const struct rp_table *table, enum rp_mark mark);

#endif
