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

/* STATUS and ERROR of ATA, ACS 6.2.  Nothing else counts while BSY is set. */
#define SN_ATA_BSY 0x80
#define SN_ATA_DF 0x20
#define SN_ATA_ERR 0x01
#define SN_ATA_UNC 0x40
#define SN_ATA_IDNF 0x10

struct sn_sense {
	bool valid;
	bool deferred; /* of an earlier command; this one was not done */
	uint8_t key, asc, ascq;

	/* ATA's own registers, as far as they can be those of this command:
	 * Linux also passes on what was left of another one, or zeros.  COUNT
	 * is without its upper half in fixed format. */
	bool ata;
	uint8_t error, status, device;
	uint16_t count;

	/* A place that the drive names as the one that failed.  Fixed format
	 * may hold but the low bits of it. */
	bool has_lba;	       /* all of it is known */
	unsigned int lba_bits; /* so many low bits are: 64, 24, or 0 */
	uint64_t lba;
};

/*
 * Always fills in *sense; valid is false for what is no sense data.  `opcode`
 * is byte 0 of the CDB: in fixed format the same bytes are registers after
 * ATA PASS-THROUGH, and a block's address after all else.
 *
 * Registers come in three ways, of which no byte says which it is:
 * - the ATA Status Return descriptor (SAT 12.2.2.7);
 * - SAT's fixed format: VALID set, registers in INFORMATION, EXTEND and LBA in
 *   COMMAND-SPECIFIC INFORMATION; Linux since 6.11;
 * - Linux before that: VALID clear, INFORMATION zero, and the registers five
 *   bytes further on, where the LBA does not fit into what sg gives.
 * After ATA PASS-THROUGH(32) Linux has no registers but may have the LBA in
 * INFORMATION; other translation layers do as SAT says.  EXTEND tells, as the
 * queued commands, for which (32) is there, always set it.
 */
void sn_sense_parse(const uint8_t *bytes, size_t n, uint8_t opcode,
		    struct sn_sense *sense);

/* Does the sense name one of these blocks?  *place is then which.  Of an LBA of
 * which only low bits are known the upper ones are the command's. */
bool sn_sense_place(const struct sn_sense *sense, uint64_t lba, uint32_t blocks,
		    uint64_t *place);

/* "Unrecovered read error (3/11/04h), ATA status 41h error 40h, LBA 1000" */
void sn_sense_text(const struct sn_sense *sense, char *text, size_t size);

#endif
