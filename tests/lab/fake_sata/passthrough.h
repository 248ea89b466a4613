/* SPDX-License-Identifier: GPL-2.0-only */
/* ATA PASS-THROUGH(16) and (32), SAT 12.2.2, as a translation layer reads them.
 */
#ifndef FAKE_SATA_PASSTHROUGH_H
#define FAKE_SATA_PASSTHROUGH_H

#include "ata.h"

#define CDB_BYTES 32

struct passthrough {
	struct ata_command command;
	bool check_condition; /* CK_COND: registers are wanted in any case */
	bool to_host;	      /* T_DIR */
	bool in_units;	      /* BYT_BLOK, else bytes */
	bool in_blocks;	      /* T_TYPE, else units of 512 */
	uint8_t length;	      /* T_LENGTH: 1 in FEATURE, 2 in COUNT */
	uint8_t bytes;	      /* of the CDB: 16 or 32 */
};

/* False if it is none of the two. */
bool passthrough_decode(const uint8_t cdb[CDB_BYTES],
			struct passthrough *passthrough);

/*
 * Whether protocol, direction and length are those of the command and the data
 * have room in so many bytes.  A command that is not known passes: the drive
 * says what it thinks of it.
 */
bool passthrough_is_sound(const struct passthrough *passthrough,
			  uint32_t block_bytes, uint64_t room);

#endif
