/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TESTS_UNIT_NOISE_FIXTURE_H
#define TESTS_UNIT_NOISE_FIXTURE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* The same noise for a seed everywhere: xorshift64* and Box-Muller. */
struct noise {
	uint64_t state;
};

static inline struct noise noise_of_seed(uint64_t seed)
{
	return (struct noise){seed * 0x9E3779B97F4A7C15u + 1};
}

/* 0 < value <= 1 */
static inline double noise_uniform(struct noise *noise)
{
	noise->state ^= noise->state >> 12;
	noise->state ^= noise->state << 25;
	noise->state ^= noise->state >> 27;
	return (double)((noise->state * 0x2545F4914F6CDD1Du >> 11) + 1) /
	       9007199254740992.0;
}

static inline double noise_normal(struct noise *noise)
{
	double radius = sqrt(-2 * log(noise_uniform(noise)));

	return radius * cos(6.283185307179586 * noise_uniform(noise));
}

/* `count` speeds around `mean` with a relative deviation, never negative. */
static inline void noise_speeds(struct noise *noise, double *speeds,
				size_t count, double mean, double deviation)
{
	for (size_t i = 0; i < count; i++)
		speeds[i] =
			fmax(mean * (1 + deviation * noise_normal(noise)), 0);
}

#endif
