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
	bool queued;		   /* may have been in the drive's queue */
	bool alone;		   /* nothing else of the job was */
	bool shared;		   /* what others sent to the drive may have
				    * been, alone or not */
	unsigned int sent;	   /* how often already */
	struct sn_outcome outcome; /* not SN_GOOD; what but aborted one that
				    * fails by the log becomes the log's */

	/* The answer. */
	enum sn_verdict verdict;
	bool has_lba;
	uint64_t bad_lba; /* that is to be named */
};

/* Sent so often, a command fails with what it ended with. */
#define SN_MOST_SENT 16

/*
 * The commands that ended with an error since the queue was last without one,
 * once it is empty, in any order.  `log` is the drive's NCQ error log, or NULL
 * if it has none or gives nothing.
 *
 * A command that was not queued, or was alone with a drive that nobody shares,
 * can only have failed itself.  So have those that the drive did not take, that
 * timed out, and all others of a kind of their own, but for two kinds:
 *
 * - SN_RESET is sent again, and was nobody's fault.
 * - SN_ABORTED may be another's error.
 *
 * SN_MEDIA beside others is the command's own error, unless the registers that
 * all share were passed on to each of them, as Linux does when it can't read
 * the log.  Then the same error is there several times: without a place, with
 * one that lies in another command, or with one in several that all failed so.
 * Those are as SN_ABORTED.  So is, on a shared drive, one whose place is not in
 * the command, or that has none though it was not sent alone.
 *
 * A drive stops at the first error until it is asked for it (SATA 13.6.6.6).
 * So if one has a medium error of its own or timed out, that ended the others,
 * which are sent again.  If none has, the log's LBA tells, and the command
 * fails that holds it.  The log's tag does not: tags are the kernel's.
 *
 * The log may be that of an earlier error.  It counts only if it is of a queued
 * command and an error that has an LBA, if exactly one command holds that, no
 * command that has failed already, and if the command's own registers do not
 * say otherwise.  What is left is a place that the drive called bad before.
 * Beside an error that explains the others it does not suffice: a command that
 * holds the log's LBA is then sent alone, as there may have been two errors.
 *
 * If nobody is found to blame, each that may be is sent alone.  So of commands
 * that are not all SN_RESET at least one is failed or sent alone each time, and
 * with SN_MOST_SENT for all it comes to an end.
 */
void sn_judge(struct sn_suspect *suspects, size_t n,
	      const struct sn_ncq_error *log);

#endif
