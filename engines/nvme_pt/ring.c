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
#include <stdlib.h>
#include <string.h>

struct ring {
	struct pt_transport transport; /* first: what users see */
	struct io_uring uring;
	bool submit_thread;
	bool has_uring;
	unsigned int enter_flags;
	unsigned int tail;   /* of the submission queue */
	unsigned int staged; /* entries that the kernel does not know yet */
	int *files;	     /* what an entry of devices[i] has for its fd */
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

static void ring_stage(struct pt_transport *transport, struct pt_slot *slot)
{
	struct ring *ring = ring_of(transport);
	const struct io_uring_sq *sq = &ring->uring.sq;

	sq->array[ring->tail & sq->ring_mask] = index_of(transport, slot);
	ring->tail++;
	ring->staged++;
}

/* With IORING_SETUP_SQPOLL a kernel thread takes the entries. */
static int submit_to_thread(struct ring *ring, unsigned int wait)
{
	unsigned int flags = wait ? IORING_ENTER_GETEVENTS : 0;
	int ret;

	ring->staged = 0;
	/* The flag must not be read before the tail is written. */
	atomic_thread_fence(memory_order_seq_cst);
	if (IO_URING_READ_ONCE(*ring->uring.sq.kflags) &
	    IORING_SQ_NEED_WAKEUP)
		flags |= IORING_ENTER_SQ_WAKEUP;
	if (!flags)
		return 0;
	do {
		ret = enter(ring, 0, wait, flags);
	} while (ret == -EINTR);
	return ret < 0 ? ret : 0;
}

/* Submission and waiting in one system call. */
static int ring_submit(struct pt_transport *transport, unsigned int wait)
{
	struct ring *ring = ring_of(transport);
	const unsigned int flags = wait ? IORING_ENTER_GETEVENTS : 0;

	io_uring_smp_store_release(ring->uring.sq.ktail, ring->tail);
	if (ring->submit_thread)
		return submit_to_thread(ring, wait);
	while (ring->staged || wait) {
		const int ret = enter(ring, ring->staged, wait, flags);

		/* EAGAIN: no memory for a request, EBUSY: completions first. */
		if (ret == -EINTR || ret == -EAGAIN)
			continue;
		if (ret == -EBUSY)
			return 0;
		if (ret < 0)
			return ret;
		ring->staged -= (unsigned int)ret;
		if (!ring->staged)
			break;
	}
	return 0;
}

static unsigned int harvest(struct ring *ring, struct pt_slot **done,
			    unsigned int max)
{
	const struct io_uring_cq *cq = &ring->uring.cq;
	const unsigned int tail = io_uring_smp_load_acquire(cq->ktail);
	unsigned int head = *cq->khead, n = 0;

	for (; n < max && head != tail; n++, head++) {
		/* IORING_SETUP_CQE32: an entry takes the place of two. */
		const struct io_uring_cqe *cqe =
			&cq->cqes[(size_t)(head & cq->ring_mask) * 2];
		struct pt_slot *slot = &ring->transport.slots[cqe->user_data];

		slot->status = cqe->res;
		slot->result = cqe->big_cqe[0];
		done[n] = slot;
	}
	if (n)
		io_uring_smp_store_release(cq->khead, head);
	return n;
}

static int ring_reap(struct pt_transport *transport, struct pt_slot **done,
		     unsigned int max, unsigned int wait)
{
	struct ring *ring = ring_of(transport);
	unsigned int n = harvest(ring, done, max);

	/* Also without waiting: what the kernel has deferred is done now. */
	while (!n) {
		const unsigned int submit =
			ring->submit_thread ? 0 : ring->staged;
		const int ret =
			enter(ring, submit, wait, IORING_ENTER_GETEVENTS);

		if (ret < 0 && ret != -EINTR && ret != -EAGAIN && ret != -EBUSY)
			return ret;
		if (ret > 0)
			ring->staged -= (unsigned int)ret;
		n = harvest(ring, done, max);
		if (!wait)
			break;
	}
	return (int)n;
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
	.stage = ring_stage,
	.submit = ring_submit,
	.reap = ring_reap,
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
	{IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN, true},
	{IORING_SETUP_COOP_TASKRUN, false},
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
static int kernel_level(void)
{
	struct io_uring uring;
	int ret = -ENOSYS;

	for (unsigned int i = 0; i < N_LEVELS; i++) {
		ret = open_ring(&uring, 1, levels[i].flags, -1);
		if (!ret) {
			io_uring_queue_exit(&uring);
			return (int)i;
		}
		if (ret != -EINVAL)
			break;
	}
	return ret;
}

static int no_ring(struct pt_error *err, int reason)
{
	return pt_error_set(err, reason, "no io_uring: %s",
			    reason == -EINVAL
				    ? "passthrough needs Linux 5.19 or later"
				    : strerror(-reason));
}

bool pt_ring_available(struct pt_error *err)
{
	const int level = kernel_level();

	if (level < 0)
		no_ring(err, level);
	return level >= 0;
}

static int set_up_uring(struct ring *ring,
			const struct pt_transport_setup *setup,
			struct pt_error *err)
{
	const int level = kernel_level();
	unsigned int flags = 0;
	int ret;

	if (level < 0)
		return no_ring(err, level);
	if (setup->submit_thread)
		flags = IORING_SETUP_SQPOLL;
	else
		flags = levels[level].flags;
	if (setup->poll)
		flags |= IORING_SETUP_IOPOLL;
	ret = open_ring(&ring->uring, setup->slots, flags,
			setup->submit_thread ? setup->submit_cpu : -1);
	if (ret)
		return pt_error_set(err, ret,
				    "a ring for %u commands could not be made: %s",
				    setup->slots, strerror(-ret));
	ring->has_uring = true;
	ring->submit_thread = setup->submit_thread;
	ring->transport.fixed_buffers =
		setup->fixed_buffers && levels[level].fixed_buffers;
	if (io_uring_register_ring_fd(&ring->uring) == 1)
		ring->enter_flags = IORING_ENTER_REGISTERED_RING;
	return 0;
}

static int set_up_files(struct ring *ring,
			const struct pt_transport_setup *setup,
			struct pt_error *err)
{
	ring->files = calloc(setup->n_devices, sizeof(*ring->files));
	if (!ring->files)
		return pt_error_set(err, -ENOMEM, "out of memory");
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
			struct pt_error *err)
{
	struct pt_slot *slots = calloc(setup->slots, sizeof(*slots));

	if (!slots)
		return pt_error_set(err, -ENOMEM, "out of memory");
	ring->transport.slots = slots;
	for (unsigned int i = 0; i < setup->slots; i++) {
		struct io_uring_sqe *entry = entry_of(ring, i);

		memset(entry, 0, 2 * sizeof(*entry));
		entry->opcode = IORING_OP_URING_CMD;
		entry->flags =
			ring->transport.fixed_files ? IOSQE_FIXED_FILE : 0;
		entry->cmd_op = NVME_URING_CMD_IO;
		entry->user_data = i;
		slots[i].command = (struct nvme_uring_cmd *)entry->cmd;
		slots[i].buffer = -1;
	}
	return 0;
}

struct pt_transport *pt_ring_new(const struct pt_transport_setup *setup,
				 struct pt_error *err)
{
	struct ring *ring = calloc(1, sizeof(*ring));

	if (!ring) {
		pt_error_set(err, -ENOMEM, "out of memory");
		return NULL;
	}
	ring->transport.ops = &ring_ops;
	if (set_up_uring(ring, setup, err) || set_up_files(ring, setup, err) ||
	    set_up_slots(ring, setup, err)) {
		ring_free(&ring->transport);
		return NULL;
	}
	return &ring->transport;
}
