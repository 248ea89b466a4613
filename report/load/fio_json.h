/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_LOAD_FIO_JSON_H
#define RP_LOAD_FIO_JSON_H

#include "base/err.h"
#include "model/result.h"

/*
 * Read every fio JSON document in a file and append it to `out`.
 *
 * Takes what fio 2.1 to 3.42 write: text around and inside the document,
 * several documents (of one run's --status-interval only the last is kept),
 * client/server, unified reporting, json+ bins, duplicate keys, control
 * characters, NaN.  A cut-off document gives the jobs that are whole.
 * Whatever was skipped is a warning of the result.
 *
 * A job without I/O, with an error, or named by a signal line in the text
 * has `failure` set.  Errors: -EBADMSG with the place for a file that is no
 * fio JSON; the system's errno if it can't be read.
 */
int rp_load_fio_json(const char *path, rp_results *out, struct rp_err *err);

/* The same on text in memory; `path` only names it. */
int rp_load_fio_text(const char *path, const char *text, size_t len,
		     rp_results *out, struct rp_err *err);

#endif
