/* SPDX-License-Identifier: GPL-2.0-only */
#include "pool.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

struct pool {
	struct workers *workers;
	unsigned int delay_us;
};

/* The kernel may do less than asked at any time: go on where it stopped. */
static long long transfer(const struct pool_request *request)
{
	size_t sum = 0;

	while (sum < request->length) {
		char *at = (char *)request->buffer + sum;
		size_t rest = request->length - sum;
		off_t offset = request->offset + (off_t)sum;
		ssize_t n;

		if (request->op == POOL_READ)
			n = pread(request->fd, at, rest, offset);
		else
			n = pwrite(request->fd, at, rest, offset);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		sum += (size_t)n;
	}
	return (long long)sum;
}

static long long discard(const struct pool_request *request)
{
	uint64_t range[2] = {(uint64_t)request->offset, request->length};
	struct stat st;
	int ret;

	if (fstat(request->fd, &st))
		return -errno;
	if (S_ISBLK(st.st_mode))
		ret = ioctl(request->fd, BLKDISCARD, range);
	else
		ret = fallocate(request->fd,
				FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
				request->offset, (off_t)request->length);
	return ret ? -errno : (long long)request->length;
}

static long long perform(const struct pool_request *request)
{
	switch (request->op) {
	case POOL_READ:
	case POOL_WRITE:
		return transfer(request);
	case POOL_DISCARD:
		return discard(request);
	}
	return -EINVAL;
}

static void pause_us(unsigned int us)
{
	struct timespec rest = {us / 1000000, (long)(us % 1000000) * 1000};

	while (nanosleep(&rest, &rest) && errno == EINTR)
		;
}

/* On one of the pool's threads. */
static void work(void *owner, void *context)
{
	struct pool_request *request = owner;
	const struct pool *pool = context;

	if (pool->delay_us)
		pause_us(pool->delay_us);
	request->result = perform(request);
}

struct pool *pool_new(unsigned int workers, unsigned int delay_us)
{
	struct pool *pool = calloc(1, sizeof(*pool));

	if (!pool)
		return NULL;
	pool->delay_us = delay_us;
	pool->workers = workers_new(workers, work, pool);
	if (!pool->workers) {
		const int err = errno;

		free(pool);
		errno = err;
		return NULL;
	}
	return pool;
}

void pool_free(struct pool *pool)
{
	if (!pool)
		return;
	workers_free(pool->workers);
	free(pool);
}

void pool_submit(struct pool *pool, struct pool_request *request)
{
	request->work.owner = request;
	workers_submit(pool->workers, &request->work);
}

unsigned int pool_reap(struct pool *pool, struct pool_request **done,
		       unsigned int min, unsigned int max,
		       const struct timespec *timeout)
{
	const struct work *at = workers_reap(pool->workers, min, max, timeout);
	unsigned int n = 0;

	for (; at; at = at->next)
		done[n++] = at->owner;
	return n;
}
