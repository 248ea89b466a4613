/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_BASE_FILE_H
#define RP_BASE_FILE_H

#include <stddef.h>

#include "base/err.h"
#include "base/str.h"

/* Read a whole file; refuses directories and anything over `limit` bytes. */
int rp_file_read(const char *path, size_t limit, struct rp_str *out,
		 struct rp_err *err);

/* Replace `path` in one step (temporary file, fsync, rename). */
int rp_file_write(const char *path, const char *bytes, size_t n,
		  struct rp_err *err);

/* mkdir -p */
int rp_dir_make(const char *path, struct rp_err *err);

#endif
