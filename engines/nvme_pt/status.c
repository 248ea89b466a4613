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

/*
 * Errors as drivers/nvme/host/core.c (nvme_error_status()) and
 * block/blk-core.c translate them, so that an error has one name whether it
 * came through the block device or through this engine.
 */
static const struct {
	int code; /* SCT and SC */
	int error;
} meanings[] = {
	/* Base 3.3.3.2.1, figure "Generic Command Status Values" */
	{GENERIC(NVME_SC_INVALID_OPCODE), EOPNOTSUPP},
	{GENERIC(NVME_SC_INVALID_FIELD), EOPNOTSUPP},
	{GENERIC(NVME_SC_INVALID_NS), EOPNOTSUPP},
	{GENERIC(NVME_SC_CMD_INTERRUPTED), EREMOTEIO},
	/* and the same figure's values of the I/O command sets */
	{GENERIC(NVME_SC_LBA_RANGE), EREMOTEIO},
	{GENERIC(NVME_SC_CAP_EXCEEDED), ENOSPC},
	{GENERIC(NVME_SC_NS_NOT_READY), EREMOTEIO},
	{GENERIC(NVME_SC_RESERVATION_CONFLICT), EBADE},
	/* Base 3.3.3.2.1, figure "Command Specific Status Values", of the NVM
	 * command set */
	{SPECIFIC(NVME_SC_BAD_ATTRIBUTES), EOPNOTSUPP},
	{SPECIFIC(NVME_SC_INVALID_PI), EILSEQ},
	{SPECIFIC(NVME_SC_READ_ONLY), ENODATA},
	/* and of zoned namespaces */
	{SPECIFIC(NVME_SC_ZNS_TOO_MANY_ACTIVE), EOVERFLOW},
	{SPECIFIC(NVME_SC_ZNS_TOO_MANY_OPENS), ETOOMANYREFS},
	/* Base 3.3.3.2.1, figure "Media and Data Integrity Error Values" */
	{MEDIA(NVME_SC_WRITE_FAULT), ENODATA},
	{MEDIA(NVME_SC_READ_ERROR), ENODATA},
	{MEDIA(NVME_SC_GUARD_CHECK), EILSEQ},
	{MEDIA(NVME_SC_APPTAG_CHECK), EILSEQ},
	{MEDIA(NVME_SC_REFTAG_CHECK), EILSEQ},
	{MEDIA(NVME_SC_COMPARE_FAILED), ENODATA},
	{MEDIA(NVME_SC_ACCESS_DENIED), ENODATA},
	{MEDIA(NVME_SC_UNWRITTEN_BLOCK), ENODATA},
	/* Base 3.3.3.2.1, figure "Path Related Status Values" */
	{PATH(NVME_SC_HOST_PATH_ERROR), ENOLINK},
};

static int error_of(int code)
{
	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++) {
		if (meanings[i].code == code)
			return meanings[i].error;
	}
	return EIO;
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
	return error_of(status & PT_STATUS_CODE);
}

bool pt_status_retryable(int status)
{
	if (status < 0)
		return cancelled(status) || status == -EAGAIN ||
		       status == -EBUSY;
	/* The device's own word, as for Linux's driver. */
	return status & PT_STATUS_CODE && !(status & PT_STATUS_DNR);
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

int pt_status_check(int status, const char *what, struct fe_error *err)
{
	const int code = pt_status_errno(status);
	char text[200];

	if (!code)
		return 0;
	pt_status_text(status, text, sizeof(text));
	return fe_error_set(err, -code, "%s: %s", what, text);
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
