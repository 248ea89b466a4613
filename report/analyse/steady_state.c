/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyse/steady_state.h"

#include <math.h>

/* Limits hold for values such as 80 and 100, which binary fractions miss. */
#define ROUNDING 1e-9

static double mean_of(const double *values, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += values[i];
	return sum / (double)count;
}

static double range_of(const double *values, size_t count)
{
	double low = values[0], high = values[0];

	for (size_t i = 1; i < count; i++) {
		low = fmin(low, values[i]);
		high = fmax(high, values[i]);
	}
	return high - low;
}

/* Least squares over x = 0, 1, 2 ...; where x begins does not matter. */
static double slope_of(const double *values, size_t count, double mean)
{
	double middle = (double)(count - 1) / 2, above = 0, below = 0;

	for (size_t i = 0; i < count; i++) {
		double x = (double)i - middle;

		above += x * (values[i] - mean);
		below += x * x;
	}
	return count > 1 ? above / below : 0;
}

static bool are_positive(const double *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!(values[i] > 0) || isinf(values[i]))
			return false;
	return true;
}

struct rp_steady rp_steady_judge(const double *values, size_t count)
{
	struct rp_steady found = {false, 0, NAN, NAN, NAN, NAN};

	if (count > RP_STEADY_WINDOW) {
		values += count - RP_STEADY_WINDOW;
		count = RP_STEADY_WINDOW;
	}
	found.rounds = count;
	if (!count || !are_positive(values, count))
		return found;
	found.mean = mean_of(values, count);
	found.range = range_of(values, count) / found.mean;
	found.slope = slope_of(values, count, found.mean);
	found.drift = fabs(found.slope) * (double)(count - 1) / found.mean;
	found.steady = count == RP_STEADY_WINDOW &&
		       found.range <= RP_STEADY_MOST_RANGE + ROUNDING &&
		       found.drift <= RP_STEADY_MOST_DRIFT + ROUNDING;
	return found;
}
