/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_ANALYSE_CHANGEPOINT_H
#define RP_ANALYSE_CHANGEPOINT_H

#include <stddef.h>

#include "base/vec.h"

/* Where stretches end: each the index behind its last value, rising. */
typedef RP_VEC(size_t) rp_ends;

/*
 * Split `values` into stretches of constant mean, each at least `least` long:
 * the split with the smallest sum of squared distances from the means plus
 * `penalty` a stretch, found exactly by PELT (Killick, Fearnhead, Eckley:
 * Optimal detection of changepoints with a linear computational cost, JASA
 * 2012).  Time grows with the square of `count` where nothing changes.  The
 * last end is `count`.  0 or -ENOMEM.
 */
int rp_changepoints(const double *values, size_t count, size_t least,
		    double penalty, rp_ends *ends);

/*
 * Standard deviation of the noise around whatever steps the values make, from
 * the median distance of neighbours.  Neighbours are single values, then means
 * of 2 and of 4, and the largest estimate counts: noise that changes
 * slowly looks small from one value to the next.  NAN for less than 2 values.
 */
double rp_noise(const double *values, size_t count);

/* The median; changes the order of the values.  NAN of none. */
double rp_median(double *values, size_t count);

#endif
