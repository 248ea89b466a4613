/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a drive says of itself: IDENTIFY DEVICE, ACS 7.13.7; words of SATA's in
 * Serial ATA 3.x 13.2.1.  Knows nothing of fio.
 */
#ifndef SN_IDENTIFY_H
#define SN_IDENTIFY_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"

struct sn_identity {
	char model[41], serial[21], firmware[9]; /* printable ASCII, trimmed */
	uint64_t blocks;	 /* logical: words 230-233, 100-103 or 60-61 */
	uint32_t block_bytes;	 /* logical: words 106, 117-118 */
	uint32_t physical_bytes; /* word 106 */
	uint32_t alignment;	 /* word 209: logical blocks before the first
				  * that begins a physical one */
	uint16_t rotation;	 /* word 217: 1 solid state, else per minute, 0
				  * not told */
	bool solid_state;

	bool ncq;	       /* word 76 bit 8 */
	unsigned int depth;    /* word 75 bits 4:0, plus 1; 1 without NCQ */
	bool ncq_priority;     /* 76:12 */
	bool ncq_streaming;    /* 77:4 */
	bool ncq_send_receive; /* 77:6 */
	bool ncq_non_data;     /* 77:5 */
	bool ncq_autosense;    /* 78:7 */
	bool in_order;	       /* 78:4: data are delivered in order */
	bool phy_events;       /* 76:10: log 11h */
	unsigned int link_now; /* 77:3:1, generation 1..3, 0 not told */
	unsigned int link_max; /* 76:3:1, the highest of them */

	bool logs;	     /* general purpose logging, 84:5 or 87:5 */
	bool smart;	     /* 85:0, on */
	bool lba48;	     /* 83:10: commands with EXT have an address */
	bool flush_ext;	     /* 83:13 */
	bool fua_ext;	     /* 84:6: WRITE DMA FUA EXT */
	bool write_cache;    /* 85:5, on */
	bool read_lookahead; /* 85:6, on */
	bool trim;	     /* 169:0 */
	uint16_t trim_units; /* word 105: most of 512 bytes, 0 not told */
	bool trim_zeroes;    /* 69:14 and 69:5: reads as zeroes after it */
	bool sct;	     /* 206:0 */
	uint16_t transport;  /* word 222 */
};

/*
 * From the 512 bytes as they came.  0; -ENODEV for what is no ATA drive (word 0
 * bit 15, an empty answer), -EBADMSG for a wrong checksum (word 255), -EINVAL
 * for geometry that can't be (no blocks, blocks of no possible size), each with
 * a sentence that names the word.
 */
int sn_identity_parse(const uint8_t bytes[512], struct sn_identity *identity,
		      struct fe_error *err);

#endif
