/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CDBs: ATA PASS-THROUGH(16) and (32) of SAT 12.2.2, and the few of SBC-4 that
 * a drive behind a translation layer (SATL) takes instead.  Knows nothing of
 * fio.
 */
#ifndef SN_CDB_H
#define SN_CDB_H

#include "command.h"

#define SN_CDB_MAX 32

/* Where the place of an I/O is in a CDB. */
enum sn_cdb_form {
	SN_CDB_ATA16_FPDMA, /* blocks in FEATURES */
	SN_CDB_ATA16_DMA,   /* blocks in COUNT */
	SN_CDB_ATA32_FPDMA,
	SN_CDB_SCSI16, /* READ(16), WRITE(16) */
};

struct sn_cdb {
	uint8_t bytes[SN_CDB_MAX];
	uint8_t length;
	enum sn_cdb_form form; /* of reads and writes */
};

/* (16), or (32) where the command has an ICC or AUXILIARY, for which (16) has
 * no room.  CK_COND stays 0: sense comes with errors only.  Linux's libata
 * passes AUXILIARY on but no ICC, other translation layers may. */
void sn_cdb_ata(struct sn_cdb *cdb, const struct sn_command *command);

/* SN_READ: READ(16).  SN_WRITE: WRITE(16).  SN_FLUSH: SYNCHRONIZE CACHE(16), of
 * all blocks where they are 0 from 0 on.  SN_TRIM: UNMAP, whose place is in the
 * one descriptor that sn_cdb_unmap() makes, not in the CDB.  For other ops the
 * length is 0, which sg refuses. */
#define SN_UNMAP_BYTES 24
void sn_cdb_scsi(struct sn_cdb *cdb, enum sn_op op, bool fua, uint64_t lba,
		 uint32_t blocks);
void sn_cdb_unmap(uint8_t bytes[SN_UNMAP_BYTES], uint64_t lba, uint32_t blocks);

/* The forms that are rare. */
void sn_cdb_place_wide(uint8_t *bytes, enum sn_cdb_form form, uint64_t lba,
		       uint32_t blocks);

/* On the hot path: the same command for another place.  1 to 65536 blocks, in
 * SCSI's any. */
static inline void sn_cdb_place(uint8_t *bytes, enum sn_cdb_form form,
				uint64_t lba, uint32_t blocks)
{
	const uint32_t high = (uint32_t)(lba >> 24) & 0xffffff;
	const uint32_t low = (uint32_t)lba & 0xffffff;
	uint8_t *count = bytes + 3;

	if (form >= SN_CDB_ATA32_FPDMA) {
		sn_cdb_place_wide(bytes, form, lba, blocks);
		return;
	}
	/* Each of the registers has its byte of LBA 47:24 before that of 23:0.
	 */
	bytes[7] = (uint8_t)high;
	bytes[8] = (uint8_t)low;
	bytes[9] = (uint8_t)(high >> 8);
	bytes[10] = (uint8_t)(low >> 8);
	bytes[11] = (uint8_t)(high >> 16);
	bytes[12] = (uint8_t)(low >> 16);
	if (form == SN_CDB_ATA16_DMA)
		count = bytes + 5;
	count[0] = (uint8_t)(blocks >> 8);
	count[1] = (uint8_t)blocks;
}

#endif
