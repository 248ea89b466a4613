/* SPDX-License-Identifier: GPL-2.0-only */
/* Logs of a drive that is asked by READ LOG EXT.  Knows nothing of fio. */
#ifndef SN_LOG_H
#define SN_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SN_LOG_DIRECTORY 0x00  /* ACS 9.2 */
#define SN_LOG_NCQ_ERROR 0x10  /* ACS 9.13 */
#define SN_LOG_PHY_EVENTS 0x11 /* ACS 9.16, SATA 13.7.4 */

/* Pages of a log by the directory, 0: the drive has none of that number. */
uint16_t sn_log_pages(const uint8_t directory[512], uint8_t address);

struct sn_ncq_error {
	bool queued; /* NQ is 0: it was a queued command, and tag is its tag */
	bool unload;
	uint8_t tag, status, error, device;
	uint64_t lba; /* 48 bits */
	uint16_t count;
	uint8_t key, asc, ascq; /* SCSI's, all 0 where the drive gives none */
};

/*
 * 0; -EBADMSG: the checksum is wrong, what it says is not to be trusted;
 * -ENODATA: it tells of no error, STATUS and ERROR are 0.
 */
int sn_ncq_error_parse(const uint8_t log[512], struct sn_ncq_error *error);

struct sn_phy_counter {
	uint16_t id;	/* with the vendor's bit 15 */
	uint64_t value; /* sticks at most */
	uint64_t most;
};

#define SN_PHY_COUNTERS 64

/* How many there are, in *counters; -EBADMSG as above.  What has no value, or
 * one of a length that is reserved, is left out. */
int sn_phy_counters_parse(const uint8_t log[512],
			  struct sn_phy_counter counters[SN_PHY_COUNTERS]);

/* "CRC errors in data FIS, host to device" or NULL if nobody but the vendor
 * knows. */
const char *sn_phy_counter_name(uint16_t id);

#endif
