/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sense data in the ways that drives behind Linux's libata and behind other
 * translation layers have them.  Knows nothing of fio.  SPC: SCSI Primary
 * Commands 5 (INCITS 502).
 */
#ifndef SN_SENSE_H
#define SN_SENSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* SENSE KEY, SPC 4.4.8 */
enum sn_sense_key {
	SN_KEY_NONE = 0,
	SN_KEY_RECOVERED = 1,
	SN_KEY_NOT_READY = 2,
	SN_KEY_MEDIUM = 3,
	SN_KEY_HARDWARE = 4,
	SN_KEY_ILLEGAL = 5,
	SN_KEY_ATTENTION = 6,
	SN_KEY_PROTECT = 7,
	SN_KEY_ABORTED = 11,
};

struct sn_sense {
	bool valid;
	uint8_t key, asc, ascq;

	/* ATA's own registers: from the ATA Status Return descriptor (SAT
	 * 12.2.2.7), or from fixed format, which Linux fills in one way up to
	 * 6.1 and as SAT table "fixed format" says later. */
	bool ata;
	uint8_t error, status, device;
	uint16_t count;

	/* A place that the drive names as the one that failed. */
	bool has_lba;
	uint64_t lba;
};

/* Always fills in *sense; valid is false for what is no sense data. */
void sn_sense_parse(const uint8_t *bytes, size_t n, struct sn_sense *sense);

/* "Unrecovered read error (3/11/04h), ATA status 41h error 40h, LBA 1000" */
void sn_sense_text(const struct sn_sense *sense, char *text, size_t size);

#endif
