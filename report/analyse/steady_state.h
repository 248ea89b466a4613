/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_ANALYSE_STEADY_STATE_H
#define RP_ANALYSE_STEADY_STATE_H

/*
 * Is a drive in steady state?  By the rule of SNIA's Solid State Storage
 * Performance Test Specification: over the last five rounds the value moves
 * by no more than 20 % of its mean, and the line of least squares through it
 * by no more than 10 % of the mean from the window's begin to its end.
 */

#include <stdbool.h>
#include <stddef.h>

#define RP_STEADY_WINDOW 5
#define RP_STEADY_MOST_RANGE 0.20
#define RP_STEADY_MOST_DRIFT 0.10

struct rp_steady {
	bool steady;
	size_t rounds; /* of the window: fewer at the begin */
	double mean;   /* NAN without rounds, like all below */
	double range;  /* (largest - smallest) / mean */
	double slope;  /* of the line, in the value's unit a round */
	double drift;  /* |slope| * (rounds - 1) / mean */
};

/*
 * Judge the last rounds of `values`, oldest first.  With fewer rounds than
 * the window, or a value that is no positive number, it is not steady.
 */
struct rp_steady rp_steady_judge(const double *values, size_t count);

#endif
