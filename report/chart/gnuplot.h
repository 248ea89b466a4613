/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_CHART_GNUPLOT_H
#define RP_CHART_GNUPLOT_H

#include <stddef.h>

#include "base/err.h"

/*
 * Run gnuplot in `dir` on STEM.gp for each stem (giving STEM.svg and
 * STEM.png), at most `parallel` at a time (0 = one a CPU).  No shell is
 * involved.  Errors: -ENOENT if gnuplot is not installed; -EIO with gnuplot's
 * own first line of complaint.
 */
int rp_gnuplot_run(const char *dir, const char *const *stems, size_t count,
		   size_t parallel, struct rp_err *err);

#endif
