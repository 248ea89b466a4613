/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From the bytes of Identify data structures to a struct pt_namespace.  Knows
 * nothing of fio or libnvme, and trusts no byte.
 */
#ifndef PT_NAMESPACE_PARSE_H
#define PT_NAMESPACE_PARSE_H

#include "namespace.h"

#define PT_IDENTIFY_BYTES 4096

/*
 * Identify (Base 5.17) by CNS, as the controller sent it; all zeros where it
 * refused, as controllers do that are older than a structure.  Only the first
 * two are in every controller.
 */
struct pt_identify_data {
	uint8_t controller[PT_IDENTIFY_BYTES];	   /* 01h */
	uint8_t ns[PT_IDENTIFY_BYTES];		   /* 00h */
	uint8_t descriptors[PT_IDENTIFY_BYTES];	   /* 03h */
	uint8_t nvm_ns[PT_IDENTIFY_BYTES];	   /* 05h, CSI 00h */
	uint8_t nvm_controller[PT_IDENTIFY_BYTES]; /* 06h, CSI 00h */
	uint8_t zns_ns[PT_IDENTIFY_BYTES];	   /* 05h, CSI 02h */
	uint8_t zns_controller[PT_IDENTIFY_BYTES]; /* 06h, CSI 02h */
	bool has_nvm_ns;			   /* it was not refused */
};

/* The Command Set Identifier in a list of namespace identification descriptors
 * (Base 5.17.2.3); without one it is that of the NVM Command Set. */
uint8_t pt_namespace_csi(const uint8_t *descriptors);

/*
 * All but nsid, and what sysfs says (kernel_bytes, tags, poll_queues), which
 * are left alone.  0 or -errno with a sentence: -EOPNOTSUPP for what the engine
 * can't use, -EINVAL for bytes that can't be.
 */
int pt_namespace_parse(const struct pt_identify_data *data,
		       struct pt_namespace *ns, struct fe_error *err);

#endif
