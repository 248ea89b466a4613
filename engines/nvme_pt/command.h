/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The dwords of NVMe commands.  Knows nothing of fio, of rings or of devices.
 * struct nvme_uring_cmd is Linux's (linux/nvme_ioctl.h): the submission queue
 * entry without what the driver fills in.
 */
#ifndef PT_COMMAND_H
#define PT_COMMAND_H

#include <linux/nvme_ioctl.h>

#include "namespace.h"

enum pt_op {
	PT_READ,		/* NVM Command Set 3.2.4 */
	PT_WRITE,		/* 3.2.6 */
	PT_COMPARE,		/* 3.2.1 */
	PT_VERIFY,		/* 3.2.5 */
	PT_WRITE_ZEROES,	/* 3.2.8 */
	PT_WRITE_UNCORRECTABLE, /* 3.2.7 */
	PT_DEALLOCATE,		/* Dataset Management, 3.2.3 */
	PT_COPY,       /* 3.2.2, descriptor format 0 (or 1 with wide guards) */
	PT_FLUSH,      /* Base 7.1 */
	PT_APPEND,     /* Zone Append, ZNS 3.4.1 */
	PT_ZONE_RESET, /* Zone Management Send, ZNS 3.4.3 */
	PT_OPS,
};

/* "Read", "Dataset Management": as the specification calls it. */
const char *pt_op_name(enum pt_op op);

/* Does the op carry data between the host and the device, and which way? */
bool pt_op_from_device(enum pt_op op); /* Read */
bool pt_op_to_device(enum pt_op op);   /* Write, Compare, Append, DSM, Copy */

/* Can the controller make or strip protection information (PRACT)?  For Compare
 * and Verify it can't: Compare's buffers have it whatever pi_act says. */
bool pt_op_has_pi_action(enum pt_op op);

/* Does the op's buffer hold logical blocks (and not ranges)? */
bool pt_op_carries_blocks(enum pt_op op);

/* Does the controller make and strip all metadata of the blocks, so that none
 * of it passes?  With PRACT, and where it is nothing but protection
 * information; NVM Command Set 5.2.2. */
bool pt_op_strips_metadata(const struct pt_namespace *ns, enum pt_op op,
			   bool pi_act);

/* PRCHK, bits 28:26 of dword 12. */
#define PT_CHECK_REFERENCE 1u
#define PT_CHECK_APPLICATION 2u
#define PT_CHECK_GUARD 4u

/* What all commands of one direction of a job have in common. */
struct pt_modifiers {
	bool fua;	       /* dword 12 bit 30 */
	bool limited_retry;    /* dword 12 bit 31 */
	bool deallocate;       /* DEAC of Write Zeroes, dword 12 bit 25 */
	uint8_t dsm;	       /* Dataset Management hints, dword 13 bits 7:0 */
	uint8_t directive;     /* DTYPE, dword 12 bits 23:20; 0 none */
	uint16_t directive_id; /* DSPEC, dword 13 bits 31:16 */
	bool pi_act;	       /* PRACT, dword 12 bit 29 */
	uint8_t pi_check;      /* PT_CHECK_* */
	uint16_t apptag;       /* (E)LBAT, dword 15 bits 15:0 */
	uint16_t apptag_mask;  /* (E)LBATM, dword 15 bits 31:16 */
	uint32_t timeout_ms;   /* 0: the driver's own (nvme_core.io_timeout) */
};

/* All of the command but its place, its buffers and its reference tag.
 * Fields that the op does not have are left 0, and those of protection
 * information too if the namespace has none.  PT_APPEND gets PIREMAP, unless
 * protection is of type 3: the controller turns the tags of the zone's start
 * into those of the LBAs that it chooses (ZNS 3.4.1.1). */
void pt_command_prepare(struct nvme_uring_cmd *command, enum pt_op op,
			const struct pt_namespace *ns,
			const struct pt_modifiers *modifiers);

/* Starting LBA, dwords 10 and 11, alone.  On the hot path. */
static inline void pt_command_start(struct nvme_uring_cmd *command,
				    uint64_t slba)
{
	command->cdw10 = (uint32_t)slba;
	command->cdw11 = (uint32_t)(slba >> 32);
}

/* SLBA and NLB, 1 to 65536 blocks.  Not for PT_FLUSH and PT_DEALLOCATE; for
 * PT_COPY the destination (before pt_command_copy(), which sets what NLB is
 * elsewhere); for PT_APPEND and PT_ZONE_RESET the start of the zone (to reset
 * one, 1 block). */
static inline void pt_command_place(struct nvme_uring_cmd *command,
				    uint64_t slba, uint32_t blocks)
{
	pt_command_start(command, slba);
	command->cdw12 = (command->cdw12 & 0xffff0000u) | (blocks - 1);
}

/* Select All, for a PT_ZONE_RESET of the whole namespace. */
void pt_command_all_zones(struct nvme_uring_cmd *command);

/* (Expected) initial logical block reference tag, and storage tag 0, for a
 * command that begins at this LBA, which for PT_APPEND is the zone's start:
 * dword 14, and 2 and 3 with wide guards.  NVM Command Set 5.2.1.4; type 3 has
 * none.  Not for ops without protection information. */
void pt_command_reference(struct nvme_uring_cmd *command,
			  const struct pt_namespace *ns, uint64_t slba);

/* One range of Dataset Management, NVM Command Set figure 41 (16 bytes). */
struct pt_dsm_range {
	uint32_t context; /* little endian, as all here */
	uint32_t blocks;
	uint64_t slba;
};

#define PT_DSM_RANGES 256 /* NR is a byte, counted from 0 */

void pt_dsm_range_set(struct pt_dsm_range *range, uint64_t slba,
		      uint32_t blocks);
/* NR, 1 to PT_DSM_RANGES, and the attribute to deallocate, in place of what
 * pt_command_place() may have left there: dwords 10 to 12. */
void pt_command_ranges(struct nvme_uring_cmd *command, unsigned int ranges);

/*
 * Source ranges of a Copy (32 bytes each in format 0; 40 in 1, which guards of
 * 32 and 64 bits demand), as many as MSSRL asks for, written to `payload`.
 * Returns how many, or -EINVAL if there are no blocks, it takes more than MSRC,
 * or MCL is passed.  Sets NR, the format and PRINFOR in dword 12; the source's
 * tags are checked as the destination's are (PRINFOW, dword 15).
 */
int pt_command_copy(struct nvme_uring_cmd *command, void *payload,
		    const struct pt_namespace *ns, uint64_t source,
		    uint32_t blocks);
/* Bytes of payload that pt_command_copy() may write at most. */
unsigned int pt_copy_payload_bytes(const struct pt_namespace *ns);
/* Of one range. */
unsigned int pt_copy_range_bytes(const struct pt_namespace *ns);

#endif
