/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which of the commands that ended with an error is to blame.  When one queued
 * command fails, the drive ends all (SATA 13.6.6.6); the kernel or another
 * translation layer may pass that on to each.  Knows nothing of fio.
 */
#ifndef SN_RECOVER_H
#define SN_RECOVER_H

#include "log.h"
#include "outcome.h"

enum sn_verdict {
	SN_FAIL,  /* it is the one, or its error is its own */
	SN_AGAIN, /* it was only queued beside it */
	SN_ALONE, /* may be the one: send it again while nothing else is */
};

struct sn_suspect {
	uint64_t lba;
	uint32_t blocks;
	bool queued;		   /* was an NCQ command */
	bool alone;		   /* nothing else was with the drive */
	unsigned int sent;	   /* how often already */
	struct sn_outcome outcome; /* not SN_GOOD */

	/* The answer. */
	enum sn_verdict verdict;
	bool has_lba;
	uint64_t bad_lba; /* that is to be named */
};

/* Sent so often, a command fails with what it ended with. */
#define SN_MOST_SENT 16

/*
 * The commands that ended with an error since the queue was last without one,
 * once it is empty.  `log` is the drive's NCQ error log, or NULL if it has none
 * or gives nothing.
 */
void sn_judge(struct sn_suspect *suspects, size_t n,
	      const struct sn_ncq_error *log);

#endif
