/* SPDX-License-Identifier: GPL-2.0-only */
#include "execute.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>

#define SHORT_MS 10000u /* for what a drive answers from its memory */

/* A drive or translation layer that was reset says so in place of the next
 * command, once for each thing that happened. */
#define MOST_TRIES 4

static int direction_of(enum sn_direction direction)
{
	switch (direction) {
	case SN_FROM_DEVICE:
		return SG_DXFER_FROM_DEV;
	case SN_TO_DEVICE:
		return SG_DXFER_TO_DEV;
	default:
		return SG_DXFER_NONE;
	}
}

/* All that is sent this way may be done twice. */
static int call(int fd, struct sg_io_hdr *header)
{
	int ret;

	do {
		ret = ioctl(fd, SG_IO, header);
	} while (ret < 0 && errno == EINTR);
	return ret < 0 ? errno : 0;
}

void sn_execute(int fd, const struct sn_cdb *cdb, enum sn_direction direction,
		void *data, unsigned int bytes, unsigned int timeout_ms,
		struct sn_outcome *outcome)
{
	uint8_t sense[64] = {0};
	const struct sg_io_hdr asked = {
		.interface_id = 'S',
		.dxfer_direction = direction_of(direction),
		.cmdp = (unsigned char *)cdb->bytes,
		.cmd_len = cdb->length,
		.sbp = sense,
		.mx_sb_len = sizeof(sense),
		.dxferp = data,
		.dxfer_len = bytes,
		.timeout = timeout_ms,
	};

	for (unsigned int i = 0; i < MOST_TRIES; i++) {
		struct sg_io_hdr header = asked;
		const int error = call(fd, &header);

		if (error)
			sn_outcome_errno(error, outcome);
		else
			sn_outcome_of(&header, outcome);
		if (outcome->kind != SN_RESET)
			break;
	}
}

void sn_execute_ata(int fd, const struct sn_command *command, void *data,
		    struct sn_outcome *outcome)
{
	struct sn_cdb cdb;

	sn_cdb_ata(&cdb, command);
	sn_execute(fd, &cdb, command->direction, data,
		   command->direction == SN_NO_DATA ? 0 : 512, SHORT_MS,
		   outcome);
}

int sn_identify(int fd, const char *path, struct sn_identity *identity,
		struct fe_error *err)
{
	struct fe_error reason = {""};
	struct sn_command command;
	struct sn_outcome outcome;
	uint8_t answer[512] = {0};
	char text[200];
	int ret;

	sn_command_identify(&command);
	sn_execute_ata(fd, &command, answer, &outcome);
	if (outcome.kind != SN_GOOD) {
		sn_outcome_text(&outcome, text, sizeof(text));
		return fe_error_set(
			err, -ENOTTY,
			"%s takes no ATA commands (IDENTIFY DEVICE by ATA PASS-THROUGH: %s): it is no SATA drive, or its adapter does not pass them on",
			path, text);
	}
	ret = sn_identity_parse(answer, identity, &reason);
	return ret ? fe_error_set(err, ret, "%s: %s", path, reason.text) : 0;
}

bool sn_read_log(int fd, uint8_t address, uint8_t page[512])
{
	struct sn_command command;
	struct sn_outcome outcome;

	memset(page, 0, 512);
	sn_command_read_log(&command, address, 0, 1);
	sn_execute_ata(fd, &command, page, &outcome);
	return outcome.kind == SN_GOOD;
}

unsigned int sn_read_phy_events(int fd, const struct sn_identity *identity,
				struct sn_phy_counter counters[SN_PHY_COUNTERS])
{
	uint8_t page[512];
	int n;

	if (!identity->logs || !identity->phy_events ||
	    !sn_read_log(fd, SN_LOG_PHY_EVENTS, page))
		return 0;
	n = sn_phy_counters_parse(page, counters);
	return n < 0 ? 0 : (unsigned int)n;
}
