/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_DOC_SENTENCE_H
#define RP_DOC_SENTENCE_H

#include "analyse/curve.h"
#include "base/str.h"

/*
 * What a reviewer would say of a curve, every number from the data:
 * "X stayed under 1 ms up to 80,000 IOPS and peaked at 80,209 IOPS with a
 * latency of 1.59 ms."  More sentences follow where there is more to say.
 */
void rp_curve_sentences(const struct rp_curve *curve, struct rp_str *out);

#endif
