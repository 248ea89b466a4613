/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_DOC_ENDURANCE_H
#define RP_DOC_ENDURANCE_H

#include "analyse/endurance.h"
#include "base/str.h"
#include "doc/doc.h"

/* The sentences, the table of levels and what to be careful about. */
void rp_doc_endurance(struct rp_doc *doc, const struct rp_endurance *endurance);

/* The same as two tables: a row of all numbers, and the levels. */
void rp_doc_endurance_wide(struct rp_doc *doc,
			   const struct rp_endurance *endurance);

/* What the levels say of a cache, as sentences. */
void rp_endurance_sentences(const struct rp_endurance *endurance,
			    struct rp_str *out);
/* What can be said of the temperature beside it; nothing without one. */
void rp_heat_sentences(const struct rp_endurance *endurance,
		       struct rp_str *out);

#endif
