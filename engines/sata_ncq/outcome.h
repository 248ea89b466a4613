/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a command came to, from what Linux's sg driver says of it.  Knows
 * nothing of fio.
 */
#ifndef SN_OUTCOME_H
#define SN_OUTCOME_H

#include <scsi/sg.h>

#include "sense.h"

#define SN_CHECK_CONDITION 0x02 /* SAM-5 5.3.1 */

enum sn_kind {
	SN_GOOD,
	SN_MEDIA,   /* the drive says that this command failed, and where or
		     * why */
	SN_ABORTED, /* ended with an error that may be another command's: NCQ
		     * ends all that are queued, SATA 13.6.6.6 */
	SN_REFUSED, /* not taken: no such command, or not now (NCQ is off) */
	SN_TIMEOUT,
	SN_RESET, /* not done, as the link or the drive was reset or busy; may
		   * be sent again */
	SN_GONE,  /* no drive any more */
	SN_FAILED /* whatever else */
};

struct sn_outcome {
	enum sn_kind kind;
	int error; /* errno: of the call, as a positive number, else 0 */
	uint8_t status;
	uint16_t host_status, driver_status;
	bool expired; /* it took as long as it was given */
	struct sn_sense sense;
};

/*
 * All is in the header as sg gave it back, in its sense buffer, and in the CDB
 * that it points to, of which byte 0 says how to read the sense data.  What
 * went well with registers (CK_COND) or recovered errors is SN_GOOD, unless
 * fewer bytes came than were asked for: that is SN_FAILED with error EREMOTEIO.
 */
void sn_outcome_of(const struct sg_io_hdr *header, struct sn_outcome *outcome);
/* Of a system call that failed: a positive errno. */
void sn_outcome_errno(int error, struct sn_outcome *outcome);

/* The positive errno that fio gets, as Linux's block layer would say it, but
 * for a command that timed out, which it calls EIO: ETIMEDOUT.  0 for SN_GOOD
 * only.
 */
int sn_outcome_to_errno(const struct sn_outcome *outcome);

/* For a person, without a newline, whatever the drive says. */
void sn_outcome_text(const struct sn_outcome *outcome, char *text, size_t size);

#endif
