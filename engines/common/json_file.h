/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an engine tells beside fio's own JSON: a file of its own.  Knows nothing
 * of fio.
 */
#ifndef FE_JSON_FILE_H
#define FE_JSON_FILE_H

#include "error.h"

struct json_t; /* jansson's */

/* A copy that no terminal takes for more than text, to be freed, or NULL: for
 * names that come from users' files. */
char *fe_clean_text(const char *text);

/*
 * Written beside `path` and renamed, so that `path` is whole or as it was.
 * 0, or -errno with a sentence; -ENOMEM if object is NULL.
 */
int fe_json_write(const struct json_t *object, const char *path,
		  struct fe_error *err);

#endif
