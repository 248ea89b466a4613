/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_CHART_COLOUR_H
#define RP_CHART_COLOUR_H

#include <stddef.h>

#define RP_COLOURS 7 /* then they begin again */

/* 0xRRGGBB of a drive's lines, and the darker one that text needs. */
unsigned rp_line_colour(size_t colour);
unsigned rp_text_colour(size_t colour);

#endif
