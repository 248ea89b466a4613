/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_LOAD_CSV_LINE_H
#define RP_LOAD_CSV_LINE_H

#include "base/vec.h"

/*
 * The cells of one line of CSV (without its end): between commas, or quoted
 * with "" for a quote inside.  0, -ENOMEM, or -EBADMSG if a quote is not
 * closed in this line.  A NUL ends a cell's text.
 */
int rp_csv_line_split(const char *text, size_t len, rp_strings *cells);

#endif
