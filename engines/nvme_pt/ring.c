/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * io_uring passthrough: IORING_OP_URING_CMD with NVME_URING_CMD_IO, Linux 5.19
 * and later.  liburing makes the ring and registers things; the submission
 * entries are kept here: a slot always has the same one, found through the
 * ring's index array, so that a command that only goes to another place costs
 * three stores and not 128 bytes.
 */
#include "transport.h"

#include <errno.h>
#include <liburing.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* IORING_MAX_ENTRIES of Linux. */
#define MOST_ENTRIES 32768u

#define MISSES 4
#define PATIENCE 63

/* IORING_SETUP_CQE32. */
_Static_assert(sizeof(struct pt_done) == 2 * sizeof(struct io_uring_cqe),
	       "size");
_Static_assert(offsetof(struct pt_done, slot) ==
		       offsetof(struct io_uring_cqe, user_data),
	       "slot");
_Static_assert(offsetof(struct pt_done, status) ==
		       offsetof(struct io_uring_cqe, res),
	       "status");

struct ring {
	struct pt_transport transport; /* first: what users see */
	struct io_uring uring;
	bool submit_thread;
	bool has_uring;
	unsigned int enter_flags;
	unsigned int submitted; /* what the kernel has taken of the queue */
	unsigned int misses;	/* of send_first(), in a row */
	unsigned int patience;	/* calls before it is tried again */
	int *files;		/* what an entry of devices[i] has for its fd */
};

static struct ring *ring_of(struct pt_transport *transport)
{
	return (struct ring *)transport;
}

static int enter(const struct ring *ring, unsigned int submit,
		 unsigned int wait, unsigned int flags)
{
	return io_uring_enter((unsigned int)ring->uring.enter_ring_fd, submit,
			      wait, flags | ring->enter_flags, NULL);
}

static unsigned int index_of(const struct pt_transport *transport,
			     const struct pt_slot *slot)
{
	return (unsigned int)(slot - transport->slots);
}

/* IORING_SETUP_SQE128: an entry takes the place of two. */
static struct io_uring_sqe *entry_of(const struct ring *ring, unsigned int slot)
{
	return &ring->uring.sq.sqes[(size_t)slot * 2];
}

static void ring_bind(struct pt_transport *transport, struct pt_slot *slot)
{
	const struct ring *ring = ring_of(transport);
	struct io_uring_sqe *entry = entry_of(ring, index_of(transport, slot));

	entry->fd = ring->files[slot->device];
	if (transport->fixed_buffers && slot->buffer >= 0) {
		entry->uring_cmd_flags = IORING_URING_CMD_FIXED;
		entry->buf_index = (uint16_t)slot->buffer;
	} else {
		entry->uring_cmd_flags = 0;
		entry->buf_index = 0;
	}
}

/* With IORING_SETUP_SQPOLL a kernel thread takes the entries. */
static int enter_beside_thread(struct ring *ring, unsigned int wait)
{
	unsigned int flags = wait ? IORING_ENTER_GETEVENTS : 0;
	int ret;

	ring->submitted = ring->transport.tail;
	/* The flag must not be read before the tail is written. */
	atomic_thread_fence(memory_order_seq_cst);
	if (IO_URING_READ_ONCE(*ring->uring.sq.kflags) & IORING_SQ_NEED_WAKEUP)
		flags |= IORING_ENTER_SQ_WAKEUP;
	if (!flags)
		return 0;
	ret = enter(ring, 0, wait, flags);
	return ret < 0 ? ret : 0;
}

/* Submission and waiting in one system call. */
static int enter_once(struct ring *ring, unsigned int wait, unsigned int flags)
{
	int ret;

	if (ring->submit_thread)
		return enter_beside_thread(ring, wait);
	ret = enter(ring, ring->transport.tail - ring->submitted, wait, flags);
	if (ret < 0)
		return ret;
	ring->submitted += (unsigned int)ret;
	return 0;
}

/*
 * Sending and waiting in one call is the least work if the drive takes time.
 * One that has answered when a call that only sends returns needs no sleep and
 * no waking, which cost more than a second call.  Which it is shows by trying.
 */
static __attribute__((noinline)) void send_first(struct ring *ring)
{
	if (ring->submit_thread)
		return;
	if (ring->patience) {
		ring->patience--;
		return;
	}
	enter_once(ring, 0, 0); /* if it fails, the next call says so */
	if (pt_done_count(&ring->transport) ||
	    (IO_URING_READ_ONCE(*ring->uring.sq.kflags) & IORING_SQ_TASKRUN))
		ring->misses = 0;
	else if (++ring->misses >= MISSES)
		ring->patience = PATIENCE;
}

/* Each entry that was sent gives one that is taken. */
static inline bool nothing_in_flight(const struct ring *ring)
{
	return ring->submitted == *ring->uring.cq.khead;
}

static int ring_exchange(struct pt_transport *transport, unsigned int wait,
			 bool reap)
{
	struct ring *ring = ring_of(transport);
	/* Also without waiting: completions that the kernel has put off. */
	const unsigned int flags = reap ? IORING_ENTER_GETEVENTS : 0;
	int ret;

	if (reap && transport->tail == ring->submitted &&
	    pt_done_count(transport) > wait)
		return 0;
	io_uring_smp_store_release(ring->uring.sq.ktail, transport->tail);
	if (wait && nothing_in_flight(ring))
		send_first(ring);
	do {
		ret = enter_once(ring, wait, flags);
		/* EAGAIN: no memory, EBUSY: completions first. */
		if (ret == -EBUSY && pt_done_count(transport))
			return 0;
		if (ret < 0 && ret != -EINTR && ret != -EAGAIN && ret != -EBUSY)
			return ret;
	} while (transport->tail != ring->submitted ||
		 (wait && !pt_done_count(transport)));
	return 0;
}

static int ring_register_buffers(struct pt_transport *transport,
				 const struct iovec *buffers, unsigned int n)
{
	struct ring *ring = ring_of(transport);
	int ret;

	if (!transport->fixed_buffers)
		return 0;
	ret = io_uring_register_buffers(&ring->uring, buffers, n);
	if (ret)
		transport->fixed_buffers = false;
	return ret;
}

static void ring_free(struct pt_transport *transport)
{
	struct ring *ring = ring_of(transport);

	if (ring->has_uring)
		io_uring_queue_exit(&ring->uring);
	free(ring->files);
	free(transport->slots);
	free(ring);
}

static const struct pt_transport_ops ring_ops = {
	.register_buffers = ring_register_buffers,
	.bind = ring_bind,
	.exchange = ring_exchange,
	.free = ring_free,
};

/*
 * What a kernel may know, best first.  DEFER_TASKRUN came with Linux 6.1, as
 * did fixed buffers for passthrough (IORING_URING_CMD_FIXED), which can't be
 * asked for otherwise.
 */
static const struct {
	unsigned int flags;
	bool fixed_buffers;
} levels[] = {
	{IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN |
		 IORING_SETUP_TASKRUN_FLAG,
	 true},
	{IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG, false},
	{0, false},
};

#define RING_SIZES (IORING_SETUP_SQE128 | IORING_SETUP_CQE32)
#define N_LEVELS (sizeof(levels) / sizeof(levels[0]))

static int open_ring(struct io_uring *uring, unsigned int entries,
		     unsigned int flags, int submit_cpu)
{
	struct io_uring_params params = {.flags = flags | RING_SIZES};

	if (submit_cpu >= 0) {
		params.flags |= IORING_SETUP_SQ_AFF;
		params.sq_thread_cpu = (unsigned int)submit_cpu;
	}
	return io_uring_queue_init_params(entries, uring, &params);
}

/* The best that this kernel can, as an index into levels[]; or -errno. */
static int level;

static void find_level(void)
{
	struct io_uring uring;

	for (level = 0; level < (int)N_LEVELS; level++) {
		const int ret = open_ring(&uring, 1, levels[level].flags, -1);

		if (!ret) {
			io_uring_queue_exit(&uring);
			return;
		}
		if (ret != -EINVAL) {
			level = ret;
			return;
		}
	}
	level = -EINVAL;
}

/* Asked once: each job of each file wants to know. */
static int kernel_level(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, find_level);
	return level;
}

static int no_ring(struct fe_error *err, int reason)
{
	return fe_error_set(err, reason, "no io_uring: %s",
			    reason == -EINVAL
				    ? "passthrough needs Linux 5.19 or later"
				    : strerror(-reason));
}

bool pt_ring_available(struct fe_error *err)
{
	const int known = kernel_level();

	if (known < 0)
		no_ring(err, known);
	return known >= 0;
}

static int set_up_uring(struct ring *ring,
			const struct pt_transport_setup *setup,
			struct fe_error *err)
{
	const int known = kernel_level();
	unsigned int flags = 0;
	int ret;

	if (known < 0)
		return no_ring(err, known);
	if (setup->submit_thread)
		flags = IORING_SETUP_SQPOLL;
	else
		flags = levels[known].flags;
	if (setup->poll)
		flags |= IORING_SETUP_IOPOLL;
	ret = open_ring(&ring->uring, setup->slots, flags,
			setup->submit_thread ? setup->submit_cpu : -1);
	if (ret)
		return fe_error_set(
			err, ret,
			"a ring for %u commands could not be made: %s (at most %u; and sqthread_poll_cpu, where given, a CPU that is there)",
			setup->slots, strerror(-ret), MOST_ENTRIES);
	ring->has_uring = true;
	ring->submit_thread = setup->submit_thread;
	ring->transport.fixed_buffers =
		setup->fixed_buffers && levels[known].fixed_buffers;
	if (io_uring_register_ring_fd(&ring->uring) == 1)
		ring->enter_flags = IORING_ENTER_REGISTERED_RING;
	return 0;
}

static int set_up_files(struct ring *ring,
			const struct pt_transport_setup *setup,
			struct fe_error *err)
{
	ring->files = calloc(setup->n_devices, sizeof(*ring->files));
	if (!ring->files)
		return fe_error_set(err, -ENOMEM, "out of memory");
	ring->transport.fixed_files =
		setup->fixed_files &&
		!io_uring_register_files(&ring->uring, setup->devices,
					 setup->n_devices);
	for (unsigned int i = 0; i < setup->n_devices; i++)
		ring->files[i] = ring->transport.fixed_files
					 ? (int)i
					 : setup->devices[i];
	return 0;
}

/* What of a submission entry never changes. */
static int set_up_slots(struct ring *ring,
			const struct pt_transport_setup *setup,
			struct fe_error *err)
{
	struct pt_slot *slots = calloc(setup->slots, sizeof(*slots));

	if (!slots)
		return fe_error_set(err, -ENOMEM, "out of memory");
	ring->transport.slots = slots;
	ring->transport.queue = ring->uring.sq.array;
	ring->transport.mask = ring->uring.sq.ring_mask;
	ring->transport.done = (const struct pt_done *)ring->uring.cq.cqes;
	ring->transport.done_head = ring->uring.cq.khead;
	ring->transport.done_tail = ring->uring.cq.ktail;
	ring->transport.done_mask = ring->uring.cq.ring_mask;
	for (unsigned int i = 0; i < setup->slots; i++) {
		struct io_uring_sqe *entry = entry_of(ring, i);

		memset(entry, 0, 2 * sizeof(*entry));
		entry->opcode = IORING_OP_URING_CMD;
		entry->flags =
			ring->transport.fixed_files ? IOSQE_FIXED_FILE : 0;
		entry->cmd_op = NVME_URING_CMD_IO;
		entry->user_data = (uint64_t)(uintptr_t)&slots[i];
		slots[i].command = (struct nvme_uring_cmd *)entry->cmd;
		slots[i].buffer = -1;
	}
	return 0;
}

struct pt_transport *pt_ring_new(const struct pt_transport_setup *setup,
				 struct fe_error *err)
{
	struct ring *ring = calloc(1, sizeof(*ring));
	int ret;

	if (!ring) {
		fe_error_set(err, -ENOMEM, "out of memory");
		errno = ENOMEM;
		return NULL;
	}
	ring->transport.ops = &ring_ops;
	ret = set_up_uring(ring, setup, err);
	if (!ret)
		ret = set_up_files(ring, setup, err);
	if (!ret)
		ret = set_up_slots(ring, setup, err);
	if (ret) {
		ring_free(&ring->transport);
		errno = -ret;
		return NULL;
	}
	return &ring->transport;
}
