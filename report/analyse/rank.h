/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_ANALYSE_RANK_H
#define RP_ANALYSE_RANK_H

#include <stddef.h>

/*
 * Spearman's rank correlation, equal values sharing their mean rank: -1 to 1,
 * NAN where one of the two does not change or there are less than 3.
 * 0 or -ENOMEM.
 */
int rp_rank_correlation(const double *x, const double *y, size_t count,
			double *correlation);

#endif
