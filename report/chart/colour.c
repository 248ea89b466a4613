/* SPDX-License-Identifier: GPL-2.0-only */
#include "chart/colour.h"

/*
 * Okabe-Ito without yellow, and for text the same hues dark enough to be
 * read on white.
 */
static const unsigned colours[RP_COLOURS][2] = {
	{0x0072B2, 0x00649C}, {0xD55E00, 0xAD4C00}, {0x009E73, 0x007556},
	{0xCC79A7, 0xA34A7A}, {0x56B4E9, 0x2479AD}, {0xE69F00, 0x8F6300},
	{0x000000, 0x000000},
};

unsigned rp_line_colour(size_t colour)
{
	return colours[colour % RP_COLOURS][0];
}

unsigned rp_text_colour(size_t colour)
{
	return colours[colour % RP_COLOURS][1];
}
