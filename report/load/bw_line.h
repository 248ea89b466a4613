/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_LOAD_BW_LINE_H
#define RP_LOAD_BW_LINE_H

/*
 * One line of a log that fio writes with write_bw_log and log_avg_msec:
 *
 *	time, value [, largest], direction, block size [, offset] [, priority]
 *	[, issue time]
 *
 * Which of the later columns there are depends on fio's release and options;
 * the first line settles it for the file.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct rp_bw_line {
	uint64_t time_ms;
	uint64_t kib_per_s;
	unsigned direction; /* 0 read, 1 write, 2 trim */
};

/* Zero-initialised: not settled yet. */
struct rp_bw_layout {
	size_t columns;
	size_t direction; /* which of them, from 0 */
};

/* `text` is one line without its end.  0 or -EBADMSG with a sentence. */
int rp_bw_line_parse(const char *text, size_t len, struct rp_bw_layout *layout,
		     struct rp_bw_line *line, struct rp_err *err);

#endif
