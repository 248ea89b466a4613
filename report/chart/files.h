/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_CHART_FILES_H
#define RP_CHART_FILES_H

#include "base/err.h"
#include "base/str.h"

/* -EINVAL for a stem that could be more than a file name. */
int rp_chart_stem_check(const char *stem, struct rp_err *err);

/* Write DIR/STEM.dat and DIR/STEM.gp; the stem has been checked. */
int rp_chart_files_write(const char *dir, const char *stem,
			 const struct rp_str *data, const struct rp_str *script,
			 struct rp_err *err);

/* The loop over both pictures that a script's drawing commands stand in. */
void rp_chart_pictures_begin(const char *stem, struct rp_str *out);
void rp_chart_pictures_end(struct rp_str *out);

#endif
