/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_ANALYSE_LEVELS_H
#define RP_ANALYSE_LEVELS_H

#include "analyse/changepoint.h"

/* Two levels differ by at least this share of the higher one. */
#define RP_LEVEL_STEP 0.10
/* Fewer windows are no level. */
#define RP_LEVEL_WINDOWS 5
/*
 * What leaves the range of its neighbours for less than this share of the
 * run (and in any case for less than RP_DIP_WINDOWS) is a dip, no level.
 */
#define RP_DIP_SHARE 0.02
#define RP_DIP_WINDOWS 10
/* Of each side of a step this share of the run is looked at. */
#define RP_NEAR_SHARE 0.05
/* Of the pairs of a window before and one after so many differ alike. */
#define RP_LEVEL_APART 0.95

/*
 * The levels of a speed over windows of one length: where each ends.
 * report/README.md argues the method.  0 or -ENOMEM.
 */
int rp_levels_find(const double *speeds, size_t count, rp_ends *ends);

#endif
