/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Zones, from the report of a Zone Management Receive (ZNS 3.4.2.2) and to be
 * reset by a Zone Management Send.  Knows nothing of fio.
 */
#ifndef PT_ZONES_H
#define PT_ZONES_H

#include <stddef.h>

#include "namespace.h"

enum pt_zone_state { /* ZS, ZNS figure "Zone Descriptor Data Structure" */
		     PT_ZONE_EMPTY = 0x1,
		     PT_ZONE_IMPLICITLY_OPEN = 0x2,
		     PT_ZONE_EXPLICITLY_OPEN = 0x3,
		     PT_ZONE_CLOSED = 0x4,
		     PT_ZONE_READ_ONLY = 0xd,
		     PT_ZONE_FULL = 0xe,
		     PT_ZONE_OFFLINE = 0xf,
};

/* All in bytes from the start of the namespace.  All are of the type that is
 * written in sequence. */
struct pt_zone {
	uint64_t start;
	uint64_t length;
	uint64_t capacity; /* at most the length */
	/* Within the zone; where the device does not tell, the end of the
	 * capacity of a full zone and the start of one that can't be written.
	 */
	uint64_t write_pointer;
	enum pt_zone_state state;
};

#define PT_ZONE_REPORT_HEADER 64
#define PT_ZONE_DESCRIPTOR 64

/*
 * Zones of a report of `size` bytes, at most `max`; the first must begin at
 * LBA `from`, and each where the one before ends.  `extension` bytes follow
 * each descriptor (0 unless the report is an extended one).  Returns how many
 * there were, or -EINVAL with a sentence for bytes that can't be.
 */
int pt_zones_parse(const uint8_t *report, size_t size, unsigned int extension,
		   const struct pt_namespace *ns, uint64_t from,
		   struct pt_zone *zones, unsigned int max,
		   struct fe_error *err);

/* zones_io.c; all of these send commands to the device. */

/*
 * At most `max` zones, from the one on that has byte `offset`.  How many, 0 if
 * the offset is behind the last one; -errno with a sentence.
 */
int pt_zones_report(int fd, const struct pt_namespace *ns, uint64_t offset,
		    struct pt_zone *zones, unsigned int max,
		    struct fe_error *err);

/* Resets all zones that have a byte of the range; those that are read only or
 * offline are passed over if the range is the whole namespace, as it is then
 * one command.  0 or -errno with a sentence. */
int pt_zones_reset(int fd, const struct pt_namespace *ns, uint64_t offset,
		   uint64_t length, struct fe_error *err);

#endif
