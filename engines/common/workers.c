/* SPDX-License-Identifier: GPL-2.0-only */
#include "common/workers.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

struct queue {
	struct work *first, **end;
	unsigned int count;
};

struct workers {
	void (*perform)(void *owner, void *context);
	void *context;
	pthread_mutex_t lock;
	pthread_cond_t waiting_grew, enough_done;
	struct queue waiting, done;
	unsigned int outstanding; /* submitted and not reaped */
	unsigned int enough;	  /* done, for who reaps */
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

static void queue_push(struct queue *queue, struct work *work)
{
	work->next = NULL;
	*queue->end = work;
	queue->end = &work->next;
	queue->count++;
}

static struct work *queue_pop(struct queue *queue)
{
	struct work *work = queue->first;

	queue->first = work->next;
	if (!queue->first)
		queue->end = &queue->first;
	queue->count--;
	return work;
}

static void *run(void *argument)
{
	struct workers *workers = argument;

	pthread_mutex_lock(&workers->lock);
	for (;;) {
		struct work *work;

		while (!workers->waiting.count && !workers->stop)
			pthread_cond_wait(&workers->waiting_grew,
					  &workers->lock);
		if (workers->stop)
			break;
		work = queue_pop(&workers->waiting);
		pthread_mutex_unlock(&workers->lock);
		workers->perform(work->owner, workers->context);
		pthread_mutex_lock(&workers->lock);
		queue_push(&workers->done, work);
		if (workers->done.count >= workers->enough)
			pthread_cond_signal(&workers->enough_done);
	}
	pthread_mutex_unlock(&workers->lock);
	return NULL;
}

/* ^C is for fio's own thread, so threads are born with all signals blocked. */
static int start(struct workers *workers, unsigned int threads)
{
	sigset_t all, before;
	int err = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	while (!err && workers->n_threads < threads) {
		err = pthread_create(&workers->threads[workers->n_threads],
				     NULL, run, workers);
		if (!err)
			workers->n_threads++;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return err;
}

struct workers *workers_new(unsigned int threads,
			    void (*perform)(void *owner, void *context),
			    void *context)
{
	pthread_condattr_t attributes;
	struct workers *workers;
	int err;

	workers = calloc(1, sizeof(*workers) +
				    threads * sizeof(workers->threads[0]));
	if (!workers)
		return NULL;
	workers->perform = perform;
	workers->context = context;
	queue_init(&workers->waiting);
	queue_init(&workers->done);
	pthread_mutex_init(&workers->lock, NULL);
	pthread_cond_init(&workers->waiting_grew, NULL);
	/* A timeout must not depend on somebody setting the clock. */
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&workers->enough_done, &attributes);
	pthread_condattr_destroy(&attributes);
	err = start(workers, threads);
	if (err) {
		workers_free(workers);
		errno = err;
		return NULL;
	}
	return workers;
}

void workers_free(struct workers *workers)
{
	if (!workers)
		return;
	pthread_mutex_lock(&workers->lock);
	workers->stop = true;
	pthread_cond_broadcast(&workers->waiting_grew);
	pthread_mutex_unlock(&workers->lock);
	for (unsigned int i = 0; i < workers->n_threads; i++)
		pthread_join(workers->threads[i], NULL);
	pthread_cond_destroy(&workers->enough_done);
	pthread_cond_destroy(&workers->waiting_grew);
	pthread_mutex_destroy(&workers->lock);
	free(workers);
}

void workers_submit(struct workers *workers, struct work *work)
{
	pthread_mutex_lock(&workers->lock);
	queue_push(&workers->waiting, work);
	workers->outstanding++;
	pthread_cond_signal(&workers->waiting_grew);
	pthread_mutex_unlock(&workers->lock);
}

/* A time too long to add is no limit: false. */
static bool deadline_of(const struct timespec *timeout, struct timespec *at)
{
	clock_gettime(CLOCK_MONOTONIC, at);
	at->tv_nsec += timeout->tv_nsec;
	if (at->tv_nsec >= 1000000000) {
		at->tv_sec++;
		at->tv_nsec -= 1000000000;
	}
	return !__builtin_add_overflow(at->tv_sec, timeout->tv_sec,
				       &at->tv_sec);
}

static void wait_for(struct workers *workers, unsigned int min,
		     const struct timespec *timeout)
{
	struct timespec deadline;
	bool limited = false;
	int err = 0;

	if (workers->done.count >= min)
		return;
	if (timeout)
		limited = deadline_of(timeout, &deadline);
	workers->enough = min;
	while (workers->done.count < min && !err) {
		if (limited)
			err = pthread_cond_timedwait(&workers->enough_done,
						     &workers->lock, &deadline);
		else
			pthread_cond_wait(&workers->enough_done,
					  &workers->lock);
	}
}

struct work *workers_reap(struct workers *workers, unsigned int min,
			  unsigned int max, const struct timespec *timeout)
{
	struct queue reaped;

	queue_init(&reaped);
	pthread_mutex_lock(&workers->lock);
	/* More than there is would never come. */
	if (min > workers->outstanding)
		min = workers->outstanding;
	wait_for(workers, min, timeout);
	while (reaped.count < max && workers->done.count)
		queue_push(&reaped, queue_pop(&workers->done));
	workers->outstanding -= reaped.count;
	pthread_mutex_unlock(&workers->lock);
	return reaped.first;
}
