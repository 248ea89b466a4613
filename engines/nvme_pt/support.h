/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether a namespace can do what a job asks, before anything is sent to it.
 * Knows nothing of fio.
 */
#ifndef PT_SUPPORT_H
#define PT_SUPPORT_H

#include "command.h"

/* Of one direction. */
struct pt_use {
	bool used;
	enum pt_op op;
	uint64_t min_bytes, max_bytes; /* block sizes of the job */
	struct pt_modifiers modifiers;
};

struct pt_plan {
	struct pt_use read, write, trim;
	bool split;		  /* larger transfers are split, not refused */
	uint64_t copy_distance;	  /* bytes from destination to source */
	unsigned int trim_ranges; /* ranges of a Dataset Management */
	bool poll;
};

/*
 * 0, or -errno with the sentence: -EOPNOTSUPP what the device or its format
 * can't, -EINVAL what is asked wrongly.  The sentence names the option to
 * change and the field of Identify that says so.
 */
int pt_support_check(const struct pt_namespace *ns, const struct pt_plan *plan,
		     struct fe_error *err);

/*
 * The most blocks that one command of this op may have; of a Dataset Management
 * the most of one range.  pi_act as in the modifiers: whether the controller
 * makes and strips protection information decides what passes in the buffer.
 * Never 0, so that it can be divided by: pt_support_check() refuses a namespace
 * of which not even a block can be transferred.
 */
uint32_t pt_support_max_blocks(const struct pt_namespace *ns, enum pt_op op,
			       bool pi_act);

#endif
