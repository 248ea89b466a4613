/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Threads that do work in the background, for engines whose device is driven
 * by calls that block.  Knows nothing of fio.  One thread submits and reaps.
 */
#ifndef FE_WORKERS_H
#define FE_WORKERS_H

#include <time.h>

/* Part of the struct that describes what is to be done, which has to stay
 * where it is until it is reaped or the workers are gone. */
struct work {
	void *owner; /* that struct; set before it is submitted */
	struct work *next;
};

struct workers;

/* Does one work, on a thread of its own among `threads`, with all signals
 * blocked.  NULL with errno set on failure. */
struct workers *workers_new(unsigned int threads,
			    void (*perform)(void *owner, void *context),
			    void *context);

/* Waits for what is being done, and drops what nobody has begun. */
void workers_free(struct workers *workers);

void workers_submit(struct workers *workers, struct work *work);

/*
 * Waits until `min` works are done, all that were submitted are, or the time
 * is over (NULL: no limit), and returns at most `max` of them, first done
 * first, as a list that ends with NULL.
 */
struct work *workers_reap(struct workers *workers, unsigned int min,
			  unsigned int max, const struct timespec *timeout);

#endif
