/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_DOC_STEADY_H
#define RP_DOC_STEADY_H

#include "analyse/steady_state.h"
#include "doc/doc.h"

struct rp_round {
	const char *file;
	double iops;
};

/* The rounds, and the judgement on the last of them in numbers and words. */
void rp_doc_steady(struct rp_doc *doc, const struct rp_round *rounds,
		   size_t count, const struct rp_steady *steady);

#endif
