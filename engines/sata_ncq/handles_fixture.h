/* SPDX-License-Identifier: GPL-2.0-only */
/* A transport of handles, and the disk behind it. */
#ifndef SN_HANDLES_FIXTURE_H
#define SN_HANDLES_FIXTURE_H

#include "sg_fixture.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static inline struct sn_transport *new_transport(unsigned int n_devices,
						 unsigned int slots)
{
	const struct sn_transport_setup setup = fake_setup(n_devices, slots);
	struct fe_error err = {""};
	struct sn_transport *transport = sn_handles_new(&setup, &err);

	assert_string_equal(err.text, "");
	assert_non_null(transport);
	assert_int_equal(transport->n_slots, slots);
	return transport;
}

static inline int set_up(void **state)
{
	(void)state;
	begin_fake();
	return 0;
}

static inline int tear_down(void **state)
{
	(void)state;
	end_fake();
	return 0;
}

static inline void free_transport(struct sn_transport *transport)
{
	transport->ops->free(transport);
}

static inline int send_slot(struct sn_transport *transport, unsigned int i)
{
	return transport->ops->send(transport, &transport->slots[i]);
}

static inline void send_all(struct sn_transport *transport)
{
	for (unsigned int i = 0; i < transport->n_slots; i++)
		assert_int_equal(send_slot(transport, i), 0);
}

/* What the disk gets. */

static inline struct sg_io_hdr received(unsigned int handle)
{
	struct sg_io_hdr header;

	assert_int_equal(
		recv(fake.handles[handle].disk, &header, sizeof(header), 0),
		sizeof(header));
	return header;
}

static inline bool receives_nothing(unsigned int handle)
{
	struct sg_io_hdr header;

	return recv(fake.handles[handle].disk, &header, sizeof(header), 0) <
		       0 &&
	       errno == EAGAIN;
}

static inline void answer(unsigned int handle, const struct sg_io_hdr *header)
{
	assert_int_equal(
		send(fake.handles[handle].disk, header, sizeof(*header), 0),
		sizeof(*header));
}

/* The disk does the oldest command of a handle. */

static inline void complete(unsigned int handle)
{
	const struct sg_io_hdr header = received(handle);

	answer(handle, &header);
}

static inline int reap(struct sn_transport *transport, unsigned int min,
		       unsigned int max, struct sn_slot **done)
{
	return transport->ops->reap(transport, min, max, done);
}

/* Each of `n` slots once, in whatever order. */

/* A disk that takes its time: what it does, one after another. */

struct slow {
	pthread_t thread;
	unsigned int first, n;
	bool removed; /* in the end */
	atomic_uint completed;
};

static inline void *be_slow(void *argument)
{
	struct slow *slow = argument;
	const struct timespec while_ = {.tv_nsec = 10000000};

	for (unsigned int i = 0; i < slow->n; i++) {
		nanosleep(&while_, NULL);
		slow->completed++;
		complete(slow->first + i);
	}
	nanosleep(&while_, NULL);
	if (slow->removed)
		remove_disk(&fake.handles[slow->first]);
	return NULL;
}

static inline void begin_slowly(struct slow *slow)
{
	assert_int_equal(pthread_create(&slow->thread, NULL, be_slow, slow), 0);
}

static inline void end_slowly(const struct slow *slow)
{
	assert_int_equal(pthread_join(slow->thread, NULL), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
