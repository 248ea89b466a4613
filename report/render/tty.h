/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_RENDER_TTY_H
#define RP_RENDER_TTY_H

/* Private to render/tty*.c. */

#include "render/render.h"

#define RP_TTY_BOLD "1"
#define RP_TTY_DIM "2"
#define RP_TTY_GREEN "1;32"
#define RP_TTY_RED "1;31"
#define RP_TTY_YELLOW "1;33"

/* Columns that already escaped text takes. */
size_t rp_tty_width(const char *text);
/* Escaped text in a colour, if colours are welcome. */
void rp_tty_add(struct rp_str *out, const struct rp_render_context *context,
		const char *colour, const char *text);
void rp_tty_table(const struct rp_table *table,
		  const struct rp_render_context *context, struct rp_str *out);

#endif
