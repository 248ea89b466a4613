/* SPDX-License-Identifier: GPL-2.0-only */
#include "pool.h"

#include "unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK 4096

struct fixture {
	struct pool *pool;
	int fd;
	char buffer[BLOCK];
};

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	char path[] = "/tmp/pool-test-XXXXXX";

	assert_non_null(f);
	f->pool = pool_new(4, 0);
	assert_non_null(f->pool);
	f->fd = mkstemp(path);
	assert_true(f->fd >= 0);
	unlink(path);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	pool_free(f->pool);
	close(f->fd);
	free(f);
	return 0;
}

static long long do_one(struct fixture *f, enum pool_op op, off_t offset)
{
	struct pool_request request = {.op = op,
				       .fd = f->fd,
				       .buffer = f->buffer,
				       .length = BLOCK,
				       .offset = offset};
	struct pool_request *done = NULL;

	pool_submit(f->pool, &request);
	assert_int_equal(pool_reap(f->pool, &done, 1, 1, NULL), 1);
	assert_ptr_equal(done, &request);
	return request.result;
}

static void what_was_written_is_read(void **state)
{
	struct fixture *f = *state;

	memset(f->buffer, 'x', BLOCK);
	assert_int_equal(do_one(f, POOL_WRITE, 0), BLOCK);
	memset(f->buffer, 0, BLOCK);
	assert_int_equal(do_one(f, POOL_READ, 0), BLOCK);
	assert_int_equal(f->buffer[0], 'x');
	assert_int_equal(f->buffer[BLOCK - 1], 'x');
}

static void the_end_of_the_file_makes_a_short_read(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(ftruncate(f->fd, 1000), 0);
	assert_int_equal(do_one(f, POOL_READ, 0), 1000);
	assert_int_equal(do_one(f, POOL_READ, BLOCK), 0);
}

static void a_discarded_block_reads_as_zeros(void **state)
{
	struct fixture *f = *state;
	long long result;

	memset(f->buffer, 'x', BLOCK);
	assert_int_equal(do_one(f, POOL_WRITE, 0), BLOCK);
	result = do_one(f, POOL_DISCARD, 0);
	if (result == -EOPNOTSUPP)
		skip();
	assert_int_equal(result, BLOCK);
	assert_int_equal(do_one(f, POOL_READ, 0), BLOCK);
	assert_int_equal(f->buffer[0], 0);
}

static void an_error_is_a_negative_errno(void **state)
{
	struct fixture *f = *state;
	const int good = f->fd;

	f->fd = -1;
	assert_int_equal(do_one(f, POOL_READ, 0), -EBADF);
	assert_int_equal(do_one(f, POOL_WRITE, 0), -EBADF);
	assert_int_equal(do_one(f, POOL_DISCARD, 0), -EBADF);
	f->fd = good;
}

static void every_request_comes_back_once(void **state)
{
	enum { N = 256 };
	struct fixture *f = *state;
	struct pool_request requests[N], *done[N];
	unsigned int seen[N] = {0}, n = 0;

	memset(requests, 0, sizeof(requests));
	for (int i = 0; i < N; i++) {
		requests[i].op = POOL_READ;
		requests[i].fd = f->fd;
		pool_submit(f->pool, &requests[i]);
	}
	while (n < N)
		n += pool_reap(f->pool, done + n, 1, 7, NULL);
	for (int i = 0; i < N; i++)
		seen[done[i] - requests]++;
	for (int i = 0; i < N; i++)
		assert_int_equal(seen[i], 1);
}

static void nothing_outstanding_is_not_waited_for(void **state)
{
	struct fixture *f = *state;
	struct pool_request *done;

	assert_int_equal(pool_reap(f->pool, &done, 1, 1, NULL), 0);
}

static void the_time_to_wait_is_limited(void **state)
{
	const struct timespec soon = {0, 1000000};
	struct pool_request request = {.op = POOL_DISCARD, .fd = -1};
	struct pool *slow = pool_new(1, 50000);
	struct pool_request *done;

	(void)state;
	assert_non_null(slow);
	pool_submit(slow, &request);
	assert_int_equal(pool_reap(slow, &done, 1, 1, &soon), 0);
	assert_int_equal(pool_reap(slow, &done, 1, 1, NULL), 1);
	pool_free(slow);
}

static void waiting_requests_are_dropped_at_the_end(void **state)
{
	struct pool_request requests[8];
	struct pool *slow = pool_new(1, 1000);

	(void)state;
	assert_non_null(slow);
	memset(requests, 0, sizeof(requests));
	for (int i = 0; i < 8; i++) {
		requests[i].op = POOL_DISCARD;
		requests[i].fd = -1;
		pool_submit(slow, &requests[i]);
	}
	pool_free(slow);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_was_written_is_read),
		TEST(the_end_of_the_file_makes_a_short_read),
		TEST(a_discarded_block_reads_as_zeros),
		TEST(an_error_is_a_negative_errno),
		TEST(every_request_comes_back_once),
		TEST(nothing_outstanding_is_not_waited_for),
		cmocka_unit_test(the_time_to_wait_is_limited),
		cmocka_unit_test(waiting_requests_are_dropped_at_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
