/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyse/crossing.h"

#include <math.h>
#include <stdbool.h>

#define KNEE_LEAST_DEPTH 0.1
#define KNEE_LEAST_RISE 2.0

static double between(const struct rp_xy *a, const struct rp_xy *b, double y)
{
	return a->x + (y - a->y) / (b->y - a->y) * (b->x - a->x);
}

struct rp_crossing rp_crossing_find(const struct rp_xy *points, size_t count,
				    double limit)
{
	struct rp_crossing found = {RP_CROSSING_UNKNOWN, NAN, false};
	const struct rp_xy *before = NULL;

	for (size_t i = 0; i < count; i++) {
		const struct rp_xy *here = &points[i];

		if (isnan(here->y))
			continue;
		if (!before)
			found.began_above = here->y > limit;
		if (here->y <= limit) {
			found.state = RP_CROSSING_NEVER;
		} else if (before && before->y <= limit) {
			found.state = RP_CROSSING_AT;
			found.x = between(before, here, limit);
			return found;
		} else if (!before) {
			found.state = RP_CROSSING_ALWAYS;
		}
		before = here;
	}
	return found;
}

double rp_interpolate(const struct rp_xy *points, size_t count, double x)
{
	const struct rp_xy *before = NULL;

	for (size_t i = 0; i < count; i++) {
		const struct rp_xy *here = &points[i];

		if (isnan(here->y))
			continue;
		if (here->x == x)
			return here->y;
		if (before && before->x < x && here->x > x)
			return before->y + (x - before->x) /
						   (here->x - before->x) *
						   (here->y - before->y);
		before = here;
	}
	return NAN;
}

/* Does the curve come to this point from the left and from below? */
static bool is_calm_before(const struct rp_xy *points, size_t knee)
{
	for (size_t i = 0; i < knee; i++)
		if (points[i].x > points[i + 1].x ||
		    points[i].y > points[knee].y * KNEE_LEAST_RISE)
			return false;
	return true;
}

long rp_knee_find(const struct rp_xy *points, size_t count)
{
	const struct rp_xy *first = points, *last;
	double deepest = KNEE_LEAST_DEPTH;
	size_t knee = 0;

	if (count < 3)
		return -1;
	last = points + count - 1;
	if (!(last->x > first->x) || !(last->y >= first->y * KNEE_LEAST_RISE))
		return -1;
	for (size_t i = 1; i + 1 < count; i++) {
		double x = (points[i].x - first->x) / (last->x - first->x);
		double y = (points[i].y - first->y) / (last->y - first->y);

		if (x - y > deepest) {
			deepest = x - y;
			knee = i;
		}
	}
	return knee && is_calm_before(points, knee) ? (long)knee : -1;
}
