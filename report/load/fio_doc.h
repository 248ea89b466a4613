/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_LOAD_FIO_DOC_H
#define RP_LOAD_FIO_DOC_H

#include <jansson.h>
#include <stdbool.h>

#include "model/result.h"

/* What tells two documents of a file apart, beyond the model. */
struct rp_fio_clock {
	int64_t genesis_s;    /* when fio was started; 0 = not stated */
	int64_t job_start_ms; /* of the first job; 0 = not stated */
};

/* Has the object the one thing that every fio result has? */
bool rp_fio_doc_is_result(const json_t *root);

/*
 * Fill an empty result from a document; failures are not judged here.
 * 0 or -ENOMEM.
 */
int rp_fio_doc_read(const json_t *root, struct rp_result *result,
		    struct rp_fio_clock *clock);

#endif
