/* SPDX-License-Identifier: GPL-2.0-only */
#include "status.h"

#include <errno.h>
#include <libnvme.h>
#include <string.h>

#define GENERIC(code) (NVME_SCT_GENERIC << NVME_SCT_SHIFT | (code))
#define SPECIFIC(code) (NVME_SCT_CMD_SPECIFIC << NVME_SCT_SHIFT | (code))
#define MEDIA(code) (NVME_SCT_MEDIA << NVME_SCT_SHIFT | (code))
#define PATH(code) (NVME_SCT_PATH << NVME_SCT_SHIFT | (code))

/* The largest errno that the kernel returns. */
#define MAX_ERRNO 4095

struct meaning {
	int code; /* SCT and SC */
	int error;
	bool retry;
};

/*
 * Errors as drivers/nvme/host/core.c (nvme_error_status()) and
 * block/blk-core.c translate them, so that an error has one name whether it
 * came through the block device or through this engine.
 */
static const struct meaning meanings[] = {
	/* Base 3.3.3.2.1, figure "Generic Command Status Values" */
	{GENERIC(NVME_SC_INVALID_OPCODE), EOPNOTSUPP, false},
	{GENERIC(NVME_SC_INVALID_FIELD), EOPNOTSUPP, false},
	{GENERIC(NVME_SC_DATA_XFER_ERROR), EIO, true},
	{GENERIC(NVME_SC_INTERNAL), EIO, true},
	{GENERIC(NVME_SC_ABORT_REQ), EIO, true},
	{GENERIC(NVME_SC_ABORT_QUEUE), EIO, true},
	{GENERIC(NVME_SC_INVALID_NS), EOPNOTSUPP, false},
	{GENERIC(NVME_SC_CMD_INTERRUPTED), EREMOTEIO, true},
	{GENERIC(NVME_SC_TRAN_TPORT_ERROR), EIO, true},
	/* and the same figure's values of the I/O command sets */
	{GENERIC(NVME_SC_LBA_RANGE), EREMOTEIO, false},
	{GENERIC(NVME_SC_CAP_EXCEEDED), ENOSPC, false},
	{GENERIC(NVME_SC_NS_NOT_READY), EREMOTEIO, true},
	{GENERIC(NVME_SC_RESERVATION_CONFLICT), EBADE, false},
	/* Base 3.3.3.2.1, figure "Command Specific Status Values", of the NVM
	 * command set */
	{SPECIFIC(NVME_SC_BAD_ATTRIBUTES), EOPNOTSUPP, false},
	{SPECIFIC(NVME_SC_INVALID_PI), EILSEQ, false},
	{SPECIFIC(NVME_SC_READ_ONLY), ENODATA, false},
	/* and of zoned namespaces */
	{SPECIFIC(NVME_SC_ZNS_TOO_MANY_ACTIVE), EOVERFLOW, false},
	{SPECIFIC(NVME_SC_ZNS_TOO_MANY_OPENS), ETOOMANYREFS, false},
	/* Base 3.3.3.2.1, figure "Media and Data Integrity Error Values" */
	{MEDIA(NVME_SC_WRITE_FAULT), ENODATA, false},
	{MEDIA(NVME_SC_READ_ERROR), ENODATA, false},
	{MEDIA(NVME_SC_GUARD_CHECK), EILSEQ, false},
	{MEDIA(NVME_SC_APPTAG_CHECK), EILSEQ, false},
	{MEDIA(NVME_SC_REFTAG_CHECK), EILSEQ, false},
	{MEDIA(NVME_SC_COMPARE_FAILED), ENODATA, false},
	{MEDIA(NVME_SC_ACCESS_DENIED), ENODATA, false},
	{MEDIA(NVME_SC_UNWRITTEN_BLOCK), ENODATA, false},
	/* Base 3.3.3.2.1, figure "Path Related Status Values" */
	{PATH(NVME_SC_ANA_INTERNAL_PATH_ERROR), EIO, true},
	{PATH(NVME_SC_ANA_PERSISTENT_LOSS), EIO, false},
	{PATH(NVME_SC_ANA_INACCESSIBLE), EIO, true},
	{PATH(NVME_SC_ANA_TRANSITION), EIO, true},
	{PATH(NVME_SC_CTRL_PATH_ERROR), EIO, true},
	{PATH(NVME_SC_HOST_PATH_ERROR), ENOLINK, true},
	{PATH(NVME_SC_CMD_ABORTED_BY_HOST), EIO, true},
};

static const struct meaning *meaning_of(int code)
{
	static const struct meaning other = {0, EIO, false};

	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++) {
		if (meanings[i].code == code)
			return &meanings[i];
	}
	return &other;
}

/* Commands that the driver gave up at a timeout or a reset come back from
 * passthrough as EINTR; no signal can interrupt one. */
static bool cancelled(int status)
{
	return status == -EINTR;
}

int pt_status_errno(int status)
{
	if (cancelled(status) || status < -MAX_ERRNO)
		return EIO;
	if (status < 0)
		return -status;
	if (!(status & PT_STATUS_CODE))
		return 0;
	return meaning_of(status & PT_STATUS_CODE)->error;
}

bool pt_status_retryable(int status)
{
	if (status < 0)
		return cancelled(status) || status == -EAGAIN ||
		       status == -EBUSY;
	if (status & PT_STATUS_DNR)
		return false;
	return meaning_of(status & PT_STATUS_CODE)->retry;
}

static void describe(int status, bool brief, char *text, size_t size)
{
	const int code = status & PT_STATUS_CODE;
	const char *words = NULL;
	size_t length;

	if (cancelled(status))
		words = "Command cancelled by the driver";
	else if (status <= 0 && status >= -MAX_ERRNO)
		words = strerrordesc_np(-status);
	if (status <= 0) {
		snprintf(text, size, "%s", words ? words : "Unknown error");
		return;
	}
	/* libnvme takes bits above for the type of another protocol. */
	words = nvme_status_to_string(code, false);
	length = brief ? strcspn(words, ":") : strlen(words);
	snprintf(text, size, "%.*s (SCT %Xh, SC %02Xh%s)", (int)length, words,
		 (unsigned int)code >> NVME_SCT_SHIFT,
		 (unsigned int)code & NVME_SC_MASK,
		 status & PT_STATUS_DNR ? ", DNR" : "");
}

void pt_status_text(int status, char *text, size_t size)
{
	describe(status, false, text, size);
}

void pt_status_brief(int status, char *text, size_t size)
{
	describe(status, true, text, size);
}

void pt_status_count(struct pt_statuses *statuses, int status)
{
	if (status > 0)
		status &= PT_STATUS_CODE | PT_STATUS_DNR;
	if (!pt_status_errno(status))
		return;
	for (unsigned int i = 0; i < statuses->n; i++) {
		if (statuses->rows[i].status == status) {
			statuses->rows[i].count++;
			return;
		}
	}
	if (statuses->n == sizeof(statuses->rows) / sizeof(statuses->rows[0])) {
		statuses->others++;
		return;
	}
	statuses->rows[statuses->n++] =
		(struct pt_status_count){.status = status, .count = 1};
}
