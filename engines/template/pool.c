/* SPDX-License-Identifier: GPL-2.0-only */
#include "pool.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

struct queue {
	struct pool_request *first, **end;
	unsigned int count;
};

struct pool {
	pthread_mutex_t lock;
	pthread_cond_t work, progress;
	struct queue waiting, done;
	unsigned int outstanding; /* submitted and not reaped */
	unsigned int delay_us;
	bool stop;
	unsigned int n_threads;
	pthread_t threads[];
};

static void queue_init(struct queue *queue)
{
	queue->first = NULL;
	queue->end = &queue->first;
	queue->count = 0;
}

static void queue_push(struct queue *queue, struct pool_request *request)
{
	request->next = NULL;
	*queue->end = request;
	queue->end = &request->next;
	queue->count++;
}

static struct pool_request *queue_pop(struct queue *queue)
{
	struct pool_request *request = queue->first;

	queue->first = request->next;
	if (!queue->first)
		queue->end = &queue->first;
	queue->count--;
	return request;
}

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

static void *work(void *argument)
{
	struct pool *pool = argument;

	pthread_mutex_lock(&pool->lock);
	for (;;) {
		struct pool_request *request;

		while (!pool->waiting.count && !pool->stop)
			pthread_cond_wait(&pool->work, &pool->lock);
		if (pool->stop)
			break;
		request = queue_pop(&pool->waiting);
		pthread_mutex_unlock(&pool->lock);
		if (pool->delay_us)
			pause_us(pool->delay_us);
		request->result = perform(request);
		pthread_mutex_lock(&pool->lock);
		queue_push(&pool->done, request);
		pthread_cond_signal(&pool->progress);
	}
	pthread_mutex_unlock(&pool->lock);
	return NULL;
}

/* ^C is for fio's own thread: workers are born with all signals blocked. */
static int start_workers(struct pool *pool, unsigned int workers)
{
	sigset_t all, before;
	int err = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	while (!err && pool->n_threads < workers) {
		err = pthread_create(&pool->threads[pool->n_threads], NULL,
				     work, pool);
		if (!err)
			pool->n_threads++;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return err;
}

struct pool *pool_new(unsigned int workers, unsigned int delay_us)
{
	struct pool *pool;
	pthread_condattr_t attributes;
	int err;

	pool = calloc(1, sizeof(*pool) + workers * sizeof(pool->threads[0]));
	if (!pool)
		return NULL;
	queue_init(&pool->waiting);
	queue_init(&pool->done);
	pool->delay_us = delay_us;
	pthread_mutex_init(&pool->lock, NULL);
	pthread_cond_init(&pool->work, NULL);
	/* A timeout must not depend on somebody setting the clock. */
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&pool->progress, &attributes);
	pthread_condattr_destroy(&attributes);
	err = start_workers(pool, workers);
	if (err) {
		pool_free(pool);
		errno = err;
		return NULL;
	}
	return pool;
}

void pool_free(struct pool *pool)
{
	if (!pool)
		return;
	pthread_mutex_lock(&pool->lock);
	pool->stop = true;
	pthread_cond_broadcast(&pool->work);
	pthread_mutex_unlock(&pool->lock);
	for (unsigned int i = 0; i < pool->n_threads; i++)
		pthread_join(pool->threads[i], NULL);
	pthread_cond_destroy(&pool->progress);
	pthread_cond_destroy(&pool->work);
	pthread_mutex_destroy(&pool->lock);
	free(pool);
}

void pool_submit(struct pool *pool, struct pool_request *request)
{
	pthread_mutex_lock(&pool->lock);
	queue_push(&pool->waiting, request);
	pool->outstanding++;
	pthread_cond_signal(&pool->work);
	pthread_mutex_unlock(&pool->lock);
}

static struct timespec deadline_of(const struct timespec *timeout)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	at.tv_sec += timeout->tv_sec;
	at.tv_nsec += timeout->tv_nsec;
	if (at.tv_nsec >= 1000000000) {
		at.tv_sec++;
		at.tv_nsec -= 1000000000;
	}
	return at;
}

unsigned int pool_reap(struct pool *pool, struct pool_request **done,
		       unsigned int min, unsigned int max,
		       const struct timespec *timeout)
{
	struct timespec deadline = {0, 0};
	unsigned int n = 0;
	int err = 0;

	if (timeout)
		deadline = deadline_of(timeout);
	pthread_mutex_lock(&pool->lock);
	/* More than there is would never come. */
	if (min > pool->outstanding)
		min = pool->outstanding;
	while (pool->done.count < min && err != ETIMEDOUT) {
		if (timeout)
			err = pthread_cond_timedwait(&pool->progress,
						     &pool->lock, &deadline);
		else
			pthread_cond_wait(&pool->progress, &pool->lock);
	}
	while (n < max && pool->done.count)
		done[n++] = queue_pop(&pool->done);
	pool->outstanding -= n;
	pthread_mutex_unlock(&pool->lock);
	return n;
}
