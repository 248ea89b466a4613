/* SPDX-License-Identifier: GPL-2.0-only */
/* Logs of the drive, ACS 9. */
#ifndef FAKE_SATA_LOG_H
#define FAKE_SATA_LOG_H

#include "ata.h"
#include "options.h"

enum log_address {
	LOG_DIRECTORY = 0x00,
	LOG_NCQ_ERROR = 0x10,
	LOG_PHY_EVENTS = 0x11,
	LOG_SEND_RECEIVE = 0x13,
};

/* What the log of NCQ errors holds. */
struct log_error {
	bool valid;
	uint8_t tag;
	struct ata_result result;
};

/* Page 0 of a log; false if the drive has none of that address. */
bool log_fill(const struct options *options, uint8_t address,
	      const struct log_error *error, uint64_t commands,
	      uint8_t page[512]);

#endif
