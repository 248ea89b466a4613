/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_LOAD_HEAT_H
#define RP_LOAD_HEAT_H

#include "base/err.h"
#include "model/bandwidth.h"

/*
 * Read a drive's temperature from CSV whose head names the columns, in any
 * order: "seconds" since the point began and "celsius" must be there, "point"
 * says what was measured.  `point` picks one of several; it may be NULL if the
 * file holds only one.  Of a point that was begun again the last try counts.
 *
 * 0, -EBADMSG with the line and what was expected, -EINVAL if a point must be
 * picked, or the system's errno.
 */
int rp_load_heat(const char *path, const char *point, struct rp_heat *heat,
		 struct rp_err *err);

/* The same of text in memory; `name` is the file's for messages. */
int rp_load_heat_text(const char *name, const char *text, size_t len,
		      const char *point, struct rp_heat *heat,
		      struct rp_err *err);

#endif
