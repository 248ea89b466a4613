/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * I/O requests, done in the background by common/workers.c: what the template
 * engine drives instead of a device.  Knows nothing of fio.  One thread submits
 * and reaps.
 */
#ifndef TEMPLATE_POOL_H
#define TEMPLATE_POOL_H

#include <stddef.h>
#include <sys/types.h>
#include <time.h>

#include "common/workers.h"

enum pool_op {
	POOL_READ,
	POOL_WRITE,
	POOL_DISCARD,
};

/* Filled in by who submits it, who also keeps it until it is reaped. */
struct pool_request {
	enum pool_op op;
	int fd;
	void *buffer;
	size_t length;
	off_t offset;
	void *owner;

	/* Bytes done, fewer than asked only at the end of a file; or -errno. */
	long long result;
	struct work work; /* the pool's */
};

/* delay_us is added to each request.  NULL with errno set on failure. */
struct pool *pool_new(unsigned int workers, unsigned int delay_us);

/* Waits for requests that are being done and drops those that are not. */
void pool_free(struct pool *pool);

void pool_submit(struct pool *pool, struct pool_request *request);

/*
 * Waits until `min` requests are done, all that were submitted are, or the
 * time is over (NULL: no limit), and returns how many of them, at most `max`,
 * it put into done[].
 */
unsigned int pool_reap(struct pool *pool, struct pool_request **done,
		       unsigned int min, unsigned int max,
		       const struct timespec *timeout);

#endif
