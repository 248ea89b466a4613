/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the engine knows of a namespace: from the Identify data structures, and
 * what Linux limits beyond them.  Knows nothing of fio.  Sections are those of
 * the NVM Express Base Specification 2.0, the NVM Command Set Specification 1.0
 * and the Zoned Namespace Command Set Specification 1.1.
 */
#ifndef PT_NAMESPACE_H
#define PT_NAMESPACE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"

enum pt_csi { /* Command Set Identifier, Base 3.1.2.1 */
	      PT_CSI_NVM = 0,
	      PT_CSI_ZNS = 2,
};

/* End-to-end data protection, NVM Command Set 5.2. */
struct pt_protection {
	uint8_t type;	      /* DPS: 0 none, 1 to 3 */
	uint8_t guard_bits;   /* PIF: 16, 32 or 64 */
	uint8_t bytes;	      /* of protection information: 8 or 16 */
	uint8_t storage_bits; /* STS: of the tag space that are storage tag */
	bool first;	      /* DPS bit 3: first, not last, in the metadata */
};

struct pt_namespace {
	uint32_t nsid;
	enum pt_csi csi;
	uint64_t blocks;	 /* NSZE */
	uint32_t block_bytes;	 /* data of a logical block, a power of two */
	uint16_t metadata_bytes; /* MS, 0 none */
	bool extended;		 /* FLBAS bit 4: metadata follows the data */
	struct pt_protection pi;

	/* Abilities, Base figures "Identify Controller" and, the last one,
	 * "Identify Namespace". */
	uint16_t oncs;		/* optional commands */
	bool fdp;		/* CTRATT bit 19: flexible data placement */
	bool directives;	/* OACS bit 5 */
	bool zeroes_deallocate; /* DLFEAT bit 3: DEAC of Write Zeroes */

	/* Limits, in bytes or blocks as named; 0: the device names none. */
	uint64_t mdts_bytes;   /* MDTS, by pages of 4 KiB */
	uint64_t kernel_bytes; /* max_hw_sectors_kb or max_segments of a page:
				* the smaller of this and MDTS counts */
	uint64_t verify_bytes; /* VSL */
	uint64_t zeroes_bytes; /* WZSL; 0: MDTS does not count either */
	uint64_t uncorrectable_bytes; /* WUSL */
	uint32_t dsm_ranges;	      /* DMRL, at most 256 */
	uint32_t dsm_range_blocks;    /* DMRSL */
	uint64_t dsm_blocks;	      /* DMSL */
	uint32_t copy_ranges;	      /* MSRC + 1 */
	uint32_t copy_range_blocks;   /* MSSRL */
	uint32_t copy_blocks;	      /* MCL */

	/* Zones, ZNS 4.1.5; only if csi is PT_CSI_ZNS. */
	uint64_t zone_blocks;  /* ZSZE */
	uint32_t max_open;     /* MOR + 1, 0: no limit */
	uint64_t append_bytes; /* ZASL, 0: as MDTS */

	/* Of the block device's queues in sysfs. */
	uint32_t tags;	  /* of the smallest queue, 0: not known */
	uint64_t tag_set; /* the same for namespaces that share the tags */
	bool poll_queues; /* queue/io_poll */
};

/* What a command of this length moves of data, in bytes; 0: no limit. */
uint64_t pt_namespace_max_transfer(const struct pt_namespace *ns);

/* Bytes of a block as they pass between host and controller in the data
 * buffer: with its metadata where that is part of the block. */
static inline uint32_t pt_namespace_buffer_block(const struct pt_namespace *ns)
{
	return ns->block_bytes + (ns->extended ? ns->metadata_bytes : 0);
}

#endif
