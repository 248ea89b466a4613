/* SPDX-License-Identifier: GPL-2.0-only */
#include "outcome.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Status codes of SAM-5 5.3.1; the other bits were vendors' once. */
#define STATUS_MASK 0x7e

/* The lower half of driver_status; the upper one was a suggestion. */
#define DRIVER_MASK 0x0f
#define DRIVER_TIMEOUT 0x06
#define DRIVER_SENSE 0x08

/* host_status that Linux before 6.1 sets beside sense data to remember what
 * these meant. */
#define DID_TARGET_FAILURE 0x10
#define DID_MEDIUM_ERROR 0x13

struct reason {
	unsigned int code;
	enum sn_kind kind;
	int error;
	const char *words;
};

/*
 * host_status, include/scsi/scsi_status.h of Linux.  Errors as
 * scsi_result_to_blk_status() has them.  What host adapters say of commands
 * that ended with another one's error differs: SAS adapters give
 * DID_SOFT_ERROR, libsas DID_ABORT, some DID_ERROR.  The one to blame may be
 * among those, so that they are not simply sent again.
 */
static const struct reason hosts[] = {
	{0x01, SN_GONE, ENODEV, "No connection to the drive"},
	{0x02, SN_RESET, EIO, "Bus busy"},
	{0x03, SN_TIMEOUT, ETIMEDOUT, "Timed out"},
	{0x04, SN_GONE, ENODEV, "No such drive any more"},
	{0x05, SN_ABORTED, EIO, "Aborted by the host adapter"},
	{0x06, SN_ABORTED, EIO, "Parity error"},
	{0x07, SN_ABORTED, EIO, "Error of the host adapter"},
	{0x08, SN_RESET, EIO, "Reset"},
	{0x0b, SN_ABORTED, EIO, "Given up by the host adapter"},
	{0x0c, SN_RESET, EIO, "To be sent again"},
	{0x0d, SN_RESET, EIO, "To be queued again"},
	{0x0e, SN_RESET, EIO, "Transport disrupted"},
	{0x0f, SN_FAILED, ENOLINK, "Transport failed"},
	{DID_TARGET_FAILURE, SN_FAILED, EREMOTEIO, "Target failure"},
	{0x11, SN_FAILED, EBADE, "Reservation conflict"},
	{0x12, SN_FAILED, ENOSPC, "No space left"},
	{DID_MEDIUM_ERROR, SN_MEDIA, ENODATA, "Medium error"},
	{0x14, SN_FAILED, ENOLINK, "Transport marginal"},
};

/* SAM-5 5.3.1.  Success, and CHECK CONDITION with sense data, are not here. */
static const struct reason statuses[] = {
	{SN_CHECK_CONDITION, SN_FAILED, EIO, "No sense data"},
	{0x08, SN_RESET, EIO, "Busy"},
	{0x18, SN_FAILED, EBADE, "Reservation conflict"},
	{0x28, SN_RESET, EIO, "Task set full"},
	{0x30, SN_FAILED, EIO, "ACA active"},
	{0x40, SN_ABORTED, EIO, "Task aborted"},
};

static const struct reason good = {0, SN_GOOD, 0, "Success"};

/* drivers/scsi/sg.c gives EDOM when it holds as many commands as it can, and
 * EBUSY and ENXIO while and after errors are recovered from. */
static const struct reason errors[] = {
	{ENODEV, SN_GONE, ENODEV, NULL},
	{ENXIO, SN_GONE, ENXIO, NULL},
	{ESHUTDOWN, SN_GONE, ESHUTDOWN, NULL},
	{ETIMEDOUT, SN_TIMEOUT, ETIMEDOUT, NULL},
	{EINTR, SN_RESET, EINTR, NULL},
	{EAGAIN, SN_RESET, EAGAIN, NULL},
	{EBUSY, SN_RESET, EBUSY, NULL},
	{EDOM, SN_RESET, EDOM, NULL},
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static struct reason find(const struct reason *table, size_t n,
			  unsigned int code, const char *unknown)
{
	for (size_t i = 0; i < n; i++) {
		if (table[i].code == code)
			return table[i];
	}
	return (struct reason){code, SN_FAILED, EIO, unknown};
}

static bool registers_have_an_error(const struct sn_sense *sense)
{
	return sense->ata && sense->status & (SN_ATA_ERR | SN_ATA_DF);
}

static enum sn_kind kind_of_success(const struct sn_sense *sense)
{
	if (registers_have_an_error(sense))
		return SN_ABORTED;
	/* "ATA pass-through information available", SAT 12.2.2.7, and as for
	 * the block layer all errors that the drive recovered from. */
	if (sense->key == SN_KEY_RECOVERED ||
	    (sense->asc == 0x00 && sense->ascq == 0x1d))
		return SN_GOOD;
	return SN_FAILED;
}

static enum sn_kind kind_of_not_ready(const struct sn_sense *sense)
{
	if (sense->asc != 0x04)
		return SN_FAILED;
	if (sense->ascq == 0x01) /* becoming ready */
		return SN_RESET;
	/* "Hard reset required" is what libata says of a drive that it gave
	 * up. */
	return sense->ascq == 0x21 ? SN_GONE : SN_FAILED;
}

/*
 * ASC 21h is what SAT and libata make of IDNF.  Nothing is sent beyond the
 * drive's end, so it is a sector that could not be found.  But "unaligned
 * write" (21/04) is what libata before 6.17 made of any status of which it
 * found no reason in ERROR, ABRT first of all.
 */
static enum sn_kind kind_of_illegal(const struct sn_sense *sense)
{
	if (sense->asc != 0x21)
		return SN_REFUSED;
	return sense->ascq == 0x04 ? SN_ABORTED : SN_MEDIA;
}

/*
 * ABORTED COMMAND, even of a CRC error (47h), does not say whose error it was:
 * a drive without a log that can be read leaves but ABRT in the registers that
 * all queued commands share.  HARDWARE ERROR (device fault) is of all that were
 * queued, and sent again they fare no better.
 */
static enum sn_kind kind_of_sense(const struct sn_sense *sense)
{
	/* An earlier write's; this command was not begun. */
	if (sense->deferred)
		return SN_RESET;
	switch (sense->key) {
	case SN_KEY_NONE:
	case SN_KEY_RECOVERED:
		return kind_of_success(sense);
	case SN_KEY_NOT_READY:
		return kind_of_not_ready(sense);
	case SN_KEY_MEDIUM:
		return SN_MEDIA;
	case SN_KEY_ILLEGAL:
		return kind_of_illegal(sense);
	case SN_KEY_ATTENTION:
		return SN_RESET;
	case SN_KEY_ABORTED:
		return SN_ABORTED;
	default:
		return SN_FAILED;
	}
}

/* As scsi_check_sense() and scsi_io_completion_action() of Linux. */
static int error_of_sense(const struct sn_sense *sense)
{
	const uint8_t asc = sense->asc;

	if (kind_of_sense(sense) == SN_GONE)
		return ENODEV;
	switch (sense->key) {
	case SN_KEY_MEDIUM:
		return asc == 0x11 || asc == 0x13 || asc == 0x14 ? ENODATA
								 : EIO;
	case SN_KEY_ILLEGAL:
		if (asc == 0x10)
			return EILSEQ;
		return asc == 0x20 || asc == 0x21 || asc == 0x22 ||
				       asc == 0x24 || asc == 0x26 || asc == 0x27
			       ? EREMOTEIO
			       : EIO;
	case SN_KEY_PROTECT:
		return asc == 0x27 && sense->ascq == 0x07 ? ENOSPC : EREMOTEIO;
	case SN_KEY_ABORTED:
		return asc == 0x10 ? EILSEQ : EIO;
	case SN_KEY_HARDWARE:
	case 0x08: /* BLANK CHECK */
	case 0x0a: /* COPY ABORTED */
	case 0x0d: /* VOLUME OVERFLOW */
	case 0x0e: /* MISCOMPARE */
		return EREMOTEIO;
	default:
		return EIO;
	}
}

/* Is it the sense data that tell what happened? */
static bool by_sense(const struct sn_outcome *outcome)
{
	const uint16_t host = outcome->host_status;

	if (outcome->error || !outcome->sense.valid)
		return false;
	if (host && (host < DID_TARGET_FAILURE || host > DID_MEDIUM_ERROR))
		return false;
	return (outcome->status & STATUS_MASK) == SN_CHECK_CONDITION ||
	       (outcome->driver_status & DRIVER_MASK) == DRIVER_SENSE;
}

/*
 * libata calls a command that timed out aborted, without registers.  It begins
 * to recover only when all that are queued are done or timed out, so that its
 * victims don't look like that.
 */
static struct reason reason_of_sense(const struct sn_outcome *outcome)
{
	const struct sn_sense *sense = &outcome->sense;
	const enum sn_kind kind = kind_of_sense(sense);

	if (kind == SN_GOOD)
		return good;
	if (kind == SN_ABORTED && outcome->expired && !sense->ata)
		return (struct reason){0, SN_TIMEOUT, ETIMEDOUT, "Timed out: "};
	return (struct reason){0, kind, error_of_sense(sense), ""};
}

static struct reason reason_of(const struct sn_outcome *outcome)
{
	const unsigned int status = outcome->status & STATUS_MASK;
	const unsigned int driver = outcome->driver_status & DRIVER_MASK;

	if (outcome->error) {
		struct reason reason = find(errors, COUNT(errors),
					    (unsigned int)outcome->error, NULL);

		reason.error = outcome->error;
		return reason;
	}
	if (by_sense(outcome))
		return reason_of_sense(outcome);
	if (outcome->host_status)
		return find(hosts, COUNT(hosts), outcome->host_status,
			    "Failed by the host adapter");
	if (driver == DRIVER_TIMEOUT)
		return (struct reason){0, SN_TIMEOUT, ETIMEDOUT, "Timed out"};
	if (status && status != 0x04) /* CONDITION MET */
		return find(statuses, COUNT(statuses), status,
			    "Unknown status");
	if (driver)
		return (struct reason){0, SN_FAILED, EIO,
				       "Failed by the driver"};
	return good;
}

void sn_outcome_of(const struct sg_io_hdr *header, struct sn_outcome *outcome)
{
	size_t n = header->sbp ? header->sb_len_wr : 0;

	if (n > header->mx_sb_len)
		n = header->mx_sb_len;
	memset(outcome, 0, sizeof(*outcome));
	outcome->status = header->status;
	outcome->host_status = header->host_status;
	outcome->driver_status = header->driver_status;
	outcome->expired =
		header->timeout && header->duration >= header->timeout;
	sn_sense_parse(header->sbp, n,
		       header->cmdp && header->cmd_len ? header->cmdp[0] : 0,
		       &outcome->sense);
	outcome->kind = reason_of(outcome).kind;
	if (outcome->kind == SN_GOOD && header->resid)
		sn_outcome_errno(EREMOTEIO, outcome);
}

void sn_outcome_errno(int error, struct sn_outcome *outcome)
{
	memset(outcome, 0, sizeof(*outcome));
	outcome->error = error > 0 ? error : EIO;
	outcome->kind = reason_of(outcome).kind;
}

int sn_outcome_to_errno(const struct sn_outcome *outcome)
{
	int error;

	if (outcome->kind == SN_GOOD)
		return 0;
	error = reason_of(outcome).error;
	return error ? error : EIO;
}

void sn_outcome_text(const struct sn_outcome *outcome, char *text, size_t size)
{
	const struct reason reason = reason_of(outcome);

	if (outcome->error) {
		const char *words = strerrordesc_np(outcome->error);

		snprintf(text, size, "%s", words ? words : "Unknown error");
	} else if (by_sense(outcome)) {
		char sense[120];

		sn_sense_text(&outcome->sense, sense, sizeof(sense));
		snprintf(text, size, "%s%s",
			 reason.kind == SN_GOOD ? "" : reason.words, sense);
	} else if (outcome->host_status) {
		snprintf(text, size, "%s (host status %02Xh)", reason.words,
			 outcome->host_status);
	} else if (reason.kind == SN_GOOD) {
		snprintf(text, size, "%s", reason.words);
	} else if (outcome->status & STATUS_MASK) {
		snprintf(text, size, "%s (SCSI status %02Xh)", reason.words,
			 outcome->status);
	} else {
		snprintf(text, size, "%s (driver status %02Xh)", reason.words,
			 outcome->driver_status);
	}
}
