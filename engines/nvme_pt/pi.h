/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Protection information made and checked by the host (PRACT 0), NVM Command
 * Set 5.2: guards of 16, 32 and 64 bits, application tag, storage and reference
 * tag.  Knows nothing of fio.
 */
#ifndef PT_PI_H
#define PT_PI_H

#include <stddef.h>

#include "namespace.h"

/* The reference tag of an LBA: as many of its low bits as the storage tag
 * leaves room for (5.2.1.4).  0 with type 3, and without protection. */
uint64_t pt_pi_reference(const struct pt_protection *pi, uint64_t lba);

/* Blocks in memory: data and metadata lie `stride` bytes apart from one block
 * to the next, so that both separate and extended layouts can be named. */
struct pt_blocks {
	uint8_t *data;
	size_t data_stride;
	uint8_t *metadata; /* of the block: metadata_bytes of the namespace */
	size_t metadata_stride;
	uint32_t count;
	uint64_t slba;
};

/* For both: the namespace has protection information, and its metadata are no
 * smaller than that. */

/* Fill in the guard, `apptag`, storage tag 0 and the reference tag of each
 * block.  Metadata beside the protection information is left as it is. */
void pt_pi_generate(const struct pt_namespace *ns,
		    const struct pt_blocks *blocks, uint16_t apptag);

enum pt_pi_fault {
	PT_PI_GOOD,
	PT_PI_GUARD,
	PT_PI_APPLICATION,
	PT_PI_REFERENCE,
};

/*
 * Check as a controller does: `check` of PT_CHECK_*, `apptag` under the mask;
 * a block whose application tag is FFFFh (type 3: and reference tag all ones)
 * is not checked (5.2.3).  Storage tags are not compared.  *bad is the first
 * bad block, counted from 0.
 */
enum pt_pi_fault pt_pi_check(const struct pt_namespace *ns,
			     const struct pt_blocks *blocks, unsigned int check,
			     uint16_t apptag, uint16_t apptag_mask,
			     uint32_t *bad);

/* "guard", "application tag", "reference tag". */
const char *pt_pi_fault_name(enum pt_pi_fault fault);

/* Data without metadata from or into blocks with it (extended layout). */
void pt_blocks_spread(const struct pt_namespace *ns, const struct pt_blocks *to,
		      const void *data);
void pt_blocks_gather(const struct pt_namespace *ns,
		      const struct pt_blocks *from, void *data);

#endif
