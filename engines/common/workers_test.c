/* SPDX-License-Identifier: GPL-2.0-only */
#include "common/workers.h"

#include "unit.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 4
#define ITEMS 256

/* What a test lets its works do: each waits for a token if `gated`. */
struct fixture {
	struct workers *workers;
	bool gated;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned int tokens, begun;
	atomic_uint performed;
};

struct item {
	struct work work;
	unsigned int times;
	bool signals_blocked;
};

static void perform(void *owner, void *context)
{
	struct fixture *f = context;
	struct item *item = owner;
	sigset_t blocked;

	pthread_mutex_lock(&f->lock);
	f->begun++;
	pthread_cond_broadcast(&f->changed);
	while (f->gated && !f->tokens)
		pthread_cond_wait(&f->changed, &f->lock);
	if (f->gated)
		f->tokens--;
	pthread_mutex_unlock(&f->lock);
	pthread_sigmask(SIG_SETMASK, NULL, &blocked);
	item->signals_blocked = sigismember(&blocked, SIGINT) == 1 &&
				sigismember(&blocked, SIGTERM) == 1;
	item->times++;
	atomic_fetch_add(&f->performed, 1);
}

static void open_gate(struct fixture *f, unsigned int tokens)
{
	pthread_mutex_lock(&f->lock);
	f->tokens += tokens;
	pthread_cond_broadcast(&f->changed);
	pthread_mutex_unlock(&f->lock);
}

static void wait_until_begun(struct fixture *f, unsigned int n)
{
	pthread_mutex_lock(&f->lock);
	while (f->begun < n)
		pthread_cond_wait(&f->changed, &f->lock);
	pthread_mutex_unlock(&f->lock);
}

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	pthread_mutex_init(&f->lock, NULL);
	pthread_cond_init(&f->changed, NULL);
	f->workers = workers_new(THREADS, perform, f);
	assert_non_null(f->workers);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	workers_free(f->workers);
	pthread_cond_destroy(&f->changed);
	pthread_mutex_destroy(&f->lock);
	free(f);
	return 0;
}

static void submit(struct fixture *f, struct item *items, unsigned int n)
{
	memset(items, 0, n * sizeof(*items));
	for (unsigned int i = 0; i < n; i++) {
		items[i].work.owner = &items[i];
		workers_submit(f->workers, &items[i].work);
	}
}

static unsigned int length(const struct work *list)
{
	unsigned int n = 0;

	for (; list; list = list->next)
		n++;
	return n;
}

static unsigned int reap(struct fixture *f, unsigned int min, unsigned int max)
{
	return length(workers_reap(f->workers, min, max, NULL));
}

static void every_work_is_done_and_comes_back_once(void **state)
{
	struct fixture *f = *state;
	struct item items[ITEMS];
	unsigned int seen[ITEMS] = {0}, n = 0;

	submit(f, items, ITEMS);
	while (n < ITEMS) {
		const struct work *at = workers_reap(f->workers, 1, 7, NULL);

		assert_true(length(at) >= 1 && length(at) <= 7);
		for (; at; at = at->next, n++)
			seen[(struct item *)at->owner - items]++;
	}
	for (int i = 0; i < ITEMS; i++) {
		assert_int_equal(seen[i], 1);
		assert_int_equal(items[i].times, 1);
	}
	assert_int_equal(reap(f, 1, 1), 0);
}

static void a_single_thread_keeps_the_order(void **state)
{
	struct fixture *f = *state;
	struct item items[ITEMS];
	const struct work *at;
	int i = 0;

	workers_free(f->workers);
	f->workers = workers_new(1, perform, f);
	assert_non_null(f->workers);
	submit(f, items, ITEMS);
	for (at = workers_reap(f->workers, ITEMS, ITEMS, NULL); at;
	     at = at->next)
		assert_ptr_equal(at->owner, &items[i++]);
	assert_int_equal(i, ITEMS);
}

static void as_many_works_as_threads_are_done_at_once(void **state)
{
	struct fixture *f = *state;
	struct item items[THREADS + 1];

	f->gated = true;
	submit(f, items, THREADS + 1);
	wait_until_begun(f, THREADS);
	usleep(2000); /* for one too many, which must not begin */
	pthread_mutex_lock(&f->lock);
	assert_int_equal(f->begun, THREADS);
	pthread_mutex_unlock(&f->lock);
	open_gate(f, THREADS + 1);
	assert_int_equal(reap(f, THREADS + 1, THREADS + 1), THREADS + 1);
}

static void the_least_number_is_waited_for(void **state)
{
	struct fixture *f = *state;
	struct item items[ITEMS];
	unsigned int n;

	submit(f, items, ITEMS);
	n = reap(f, ITEMS / 2, ITEMS);
	assert_true(n >= ITEMS / 2);
	assert_int_equal(n + reap(f, ITEMS, ITEMS), ITEMS);
}

static void the_rest_comes_with_the_next_reap(void **state)
{
	struct fixture *f = *state;
	struct item items[10];

	submit(f, items, 10);
	assert_int_equal(reap(f, 10, 4), 4);
	assert_int_equal(reap(f, 10, 4), 4);
	assert_int_equal(reap(f, 10, 4), 2);
}

static void nothing_outstanding_is_not_waited_for(void **state)
{
	assert_int_equal(reap(*state, 1, 1), 0);
}

static void without_a_least_number_nothing_is_waited_for(void **state)
{
	struct fixture *f = *state;
	struct item item;

	f->gated = true;
	submit(f, &item, 1);
	assert_int_equal(reap(f, 0, 1), 0);
	open_gate(f, 1);
	assert_int_equal(reap(f, 1, 1), 1);
}

static void the_time_to_wait_is_limited(void **state)
{
	const struct timespec soon = {0, 1000000};
	struct fixture *f = *state;
	struct item items[2];

	f->gated = true;
	submit(f, items, 2);
	assert_null(workers_reap(f->workers, 1, 2, &soon));
	open_gate(f, 1);
	assert_int_equal(reap(f, 1, 2), 1);
	open_gate(f, 1);
	assert_int_equal(reap(f, 1, 2), 1);
}

static void what_is_there_when_the_time_is_over_comes(void **state)
{
	const struct timespec soon = {0, 1000000};
	struct fixture *f = *state;
	struct item items[2];
	unsigned int n = 0;

	f->gated = true;
	submit(f, items, 2);
	open_gate(f, 1);
	while (!n)
		n = length(workers_reap(f->workers, 2, 2, &soon));
	assert_int_equal(n, 1);
	open_gate(f, 1);
	assert_int_equal(reap(f, 1, 1), 1);
}

static void the_limit_lasts_as_long_as_it_says(void **state)
{
	const struct timespec limit = {0, 20000000};
	struct fixture *f = *state;
	struct timespec before, after;
	struct item item;

	f->gated = true;
	submit(f, &item, 1);
	clock_gettime(CLOCK_MONOTONIC, &before);
	assert_null(workers_reap(f->workers, 1, 1, &limit));
	clock_gettime(CLOCK_MONOTONIC, &after);
	assert_true((after.tv_sec - before.tv_sec) * 1000000000LL +
			    (after.tv_nsec - before.tv_nsec) >=
		    limit.tv_nsec);
	open_gate(f, 1);
	assert_int_equal(reap(f, 1, 1), 1);
}

static void an_endless_limit_is_none(void **state)
{
	const struct timespec forever = {INT64_MAX, 999999999};
	struct fixture *f = *state;
	struct item item;

	submit(f, &item, 1);
	assert_int_equal(length(workers_reap(f->workers, 1, 1, &forever)), 1);
}

static void signals_do_not_reach_workers(void **state)
{
	struct fixture *f = *state;
	struct item item;
	sigset_t own;

	submit(f, &item, 1);
	assert_int_equal(reap(f, 1, 1), 1);
	assert_true(item.signals_blocked);
	pthread_sigmask(SIG_SETMASK, NULL, &own);
	assert_int_equal(sigismember(&own, SIGINT), 0);
}

static void what_is_being_done_is_waited_for_at_the_end(void **state)
{
	struct fixture *f = *state;
	struct item items[ITEMS];

	f->gated = true;
	submit(f, items, ITEMS);
	wait_until_begun(f, THREADS);
	open_gate(f, ITEMS);
	workers_free(f->workers);
	f->workers = NULL;
	assert_true(f->performed >= THREADS);
	assert_int_equal(f->performed, f->begun);
}

static void freeing_nothing_is_fine(void **state)
{
	(void)state;
	workers_free(NULL);
}

/* In a process of its own, which is nobody's: root may have many threads. */
static void threads_that_the_system_refuses_are_an_error(void **state)
{
	const struct rlimit none = {0, 0};
	const pid_t child = fork();
	int status;

	(void)state;
	assert_true(child >= 0);
	if (!child) {
		if (geteuid() == 0 && setresuid(65534, 65534, 65534))
			_exit(2);
		if (setrlimit(RLIMIT_NPROC, &none))
			_exit(3);
		errno = 0;
		if (workers_new(1, perform, NULL))
			_exit(4);
		_exit(errno == EAGAIN ? 0 : 5);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_work_is_done_and_comes_back_once),
		TEST(a_single_thread_keeps_the_order),
		TEST(as_many_works_as_threads_are_done_at_once),
		TEST(the_least_number_is_waited_for),
		TEST(the_rest_comes_with_the_next_reap),
		TEST(nothing_outstanding_is_not_waited_for),
		TEST(without_a_least_number_nothing_is_waited_for),
		TEST(the_time_to_wait_is_limited),
		TEST(what_is_there_when_the_time_is_over_comes),
		TEST(the_limit_lasts_as_long_as_it_says),
		TEST(an_endless_limit_is_none),
		TEST(signals_do_not_reach_workers),
		TEST(what_is_being_done_is_waited_for_at_the_end),
		cmocka_unit_test(freeing_nothing_is_fine),
		cmocka_unit_test(threads_that_the_system_refuses_are_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
