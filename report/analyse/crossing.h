/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_ANALYSE_CROSSING_H
#define RP_ANALYSE_CROSSING_H

/* Geometry on a curve given as points in load order. */

#include <stdbool.h>
#include <stddef.h>

/* NAN in `y` = not known: that point is passed over. */
struct rp_xy {
	double x, y;
};

enum rp_crossing_state {
	RP_CROSSING_UNKNOWN,   /* no such latency in the data */
	RP_CROSSING_AT,	       /* at `x`, interpolated between two points */
	RP_CROSSING_PAST_PEAK, /* not on the way to the peak, but beyond it */
	RP_CROSSING_NEVER,     /* not above the limit at any point */
	RP_CROSSING_ALWAYS,    /* above the limit at every point */
};

struct rp_crossing {
	enum rp_crossing_state state;
	double x;	  /* RP_CROSSING_AT only */
	bool began_above; /* the first known point was above already */
};

/* The first place where y rises above `limit`, joining points by lines. */
struct rp_crossing rp_crossing_find(const struct rp_xy *points, size_t count,
				    double limit);

/* y where the joined points first reach `x`; NAN if they never do. */
double rp_interpolate(const struct rp_xy *points, size_t count, double x);

/*
 * The point farthest below the straight line from the first to the last one
 * when both axes are scaled to 0..1 (Satopaa et al., "Finding a Kneedle in
 * a Haystack", 2011).  -1 if there is none: y does not double from first to
 * last, no point is below the line by a tenth, x falls on the way, or an
 * earlier point lies twice as high, so that nothing turns up there.
 */
long rp_knee_find(const struct rp_xy *points, size_t count);

#endif
