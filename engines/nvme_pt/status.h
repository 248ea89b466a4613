/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What commands came to.  A status is 0, a negative errno, or a positive NVMe
 * status as in transport.h.  Knows nothing of fio; words are libnvme's.
 */
#ifndef PT_STATUS_H
#define PT_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/error.h"

/* Of the status field, Base 3.3.3.2.1, without the phase bit. */
#define PT_STATUS_CODE 0x07ff /* SCT 10:8 and SC 7:0 */
#define PT_STATUS_CRD 0x1800  /* command retry delay */
#define PT_STATUS_MORE 0x2000 /* more in the error log */
#define PT_STATUS_DNR 0x4000  /* do not retry */

/* The errno that fio gets: as Linux's block layer translates it. */
int pt_status_errno(int status);

/* May the same command succeed if it is sent again?  Yes, unless the device
 * says DNR; of errnos only for those that pass (cancelled, no tag, no memory of
 * the kernel's), not if the device is gone. */
bool pt_status_retryable(int status);

/* 0, or the -errno with "WHAT: " and the reason. */
int pt_status_check(int status, const char *what, struct fe_error *err);

/* "Unrecovered Read Error: ... (SCT 2h, SC 81h, DNR)" or "No such device";
 * the brief form is without the words after the colon. */
void pt_status_text(int status, char *text, size_t size);
void pt_status_brief(int status, char *text, size_t size);

/* How often each failure was seen.  A zeroed struct is empty. */
struct pt_statuses {
	struct pt_status_count {
		int status; /* with DNR, without More and CRD */
		uint64_t count;
	} rows[32];
	unsigned int n;
	uint64_t others;   /* of more kinds than rows */
	uint64_t commands; /* all that were done, set by the user */
	uint64_t retries;  /* and so is this: how often one was sent again */
};

/* Success is not counted. */
void pt_status_count(struct pt_statuses *statuses, int status);

/* A line for a person, most frequent first; nothing if all went well.  A
 * command counts as often as it was sent. Whatever is in the job's name, no
 * control character gets out. */
void pt_statuses_print(const struct pt_statuses *statuses, const char *job,
		       FILE *out);

/*
 * One JSON object: job, commands, retries, others, statuses [{sct, sc, dnr,
 * errno, text, count}], most frequent first; sct, sc and dnr only where the
 * device answered.  The job's name is cleaned as above.  0 or -errno with a
 * sentence.  Written beside `path` and renamed, so that `path` is whole or as
 * it was.
 */
int pt_statuses_write(const struct pt_statuses *statuses, const char *job,
		      const char *path, struct fe_error *err);

#endif
