/* SPDX-License-Identifier: GPL-2.0-only */
/* Sense data, SPC-5 4.4; those of ATA, SAT 12.2.2.7. */
#ifndef FAKE_SATA_SENSE_H
#define FAKE_SATA_SENSE_H

#include "ata.h"

#define SENSE_BYTES 96

struct sense_code {
	uint8_t key, asc, ascq;
};

static const struct sense_code sense_medium = {0x3, 0x11, 0x04};
static const struct sense_code sense_aborted = {0xb, 0x00, 0x00};
static const struct sense_code sense_no_such_command = {0x5, 0x20, 0x00};
static const struct sense_code sense_out_of_range = {0x5, 0x21, 0x00};
static const struct sense_code sense_invalid_field = {0x5, 0x24, 0x00};
static const struct sense_code sense_invalid_list = {0x5, 0x26, 0x00};
static const struct sense_code sense_ata_registers = {0x1, 0x00, 0x1d};
/* Hard reset required: what Linux says for a drive that it gave up. */
static const struct sense_code sense_gone = {0x2, 0x04, 0x21};

/* Fixed format; INFORMATION is valid if `lba` is not NULL and fits. */
void sense_fixed(uint8_t sense[SENSE_BYTES], struct sense_code code,
		 const uint64_t *lba);

/* As Linux up to 6.1 fills in fixed format when it has no registers. */
void sense_fixed_hollow(uint8_t sense[SENSE_BYTES]);

/* Descriptor format with an ATA Status Return descriptor. */
void sense_ata(uint8_t sense[SENSE_BYTES], struct sense_code code,
	       const struct ata_result *result);

/* SAT 11.2: what an ERROR register means. */
struct sense_code sense_of_error(uint8_t error);

#endif
