/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How commands get to the device: by io_uring (ring.c) or by ioctl on threads
 * (ioctl.c).  One thread calls all of this.  Knows nothing of fio.
 */
#ifndef PT_TRANSPORT_H
#define PT_TRANSPORT_H

#include <linux/nvme_ioctl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>

#include "common/error.h"

/* A command's place, one of `slots`, owned by the transport. */
struct pt_slot {
	/* Filled in by the user; lives where the transport wants it. */
	struct nvme_uring_cmd *command;
	void *owner;	     /* the user's */
	unsigned int device; /* index into devices[] */
	int buffer;	     /* index into buffers[] that addr lies in, or -1 */

	/* What it came to: 0, -errno, or a positive NVMe status: the status
	 * field of the completion, Base figure "Completion Queue Entry: Status
	 * Field" without the phase bit: SC 7:0, SCT 10:8, CRD 12:11, More 13,
	 * DNR 14. */
	int status;
};

struct pt_transport_setup {
	const int *devices; /* open, /dev/ngXnY or /dev/nvmeXnY */
	unsigned int n_devices;
	unsigned int slots;
	/* Only for io_uring. */
	bool poll; /* completions are polled for (IORING_SETUP_IOPOLL) */
	bool submit_thread; /* a kernel thread submits (IORING_SETUP_SQPOLL) */
	int submit_cpu;	    /* that it is bound to, or -1 */
	bool fixed_buffers;
	bool fixed_files;
};

/* A command that is done: as io_uring has it (IORING_SETUP_CQE32). */
struct pt_done {
	uint64_t slot;	/* its struct pt_slot */
	int32_t status; /* as in struct pt_slot */
	uint32_t flags;
	uint64_t result[2];
};

struct pt_transport;

struct pt_transport_ops {
	/* Map memory that commands will use, once, before the first command.
	 * NULL: nothing to be done.  -errno: nothing is mapped. */
	int (*register_buffers)(struct pt_transport *transport,
				const struct iovec *buffers, unsigned int n);
	/* The slot's device or buffer has changed. */
	void (*bind)(struct pt_transport *transport, struct pt_slot *slot);
	/*
	 * Gives all staged slots to the kernel.  With `reap`, waits until there
	 * are `wait` done commands to be taken (0: does not wait; never more
	 * than are in flight or untaken), perhaps for fewer.  0 or -errno.
	 */
	int (*exchange)(struct pt_transport *transport, unsigned int wait,
			bool reap);
	/* Waits for what is in flight. */
	void (*free)(struct pt_transport *transport);
};

struct pt_transport {
	const struct pt_transport_ops *ops;
	struct pt_slot *slots; /* setup.slots of them */
	bool fixed_buffers;    /* what came of the wishes in the setup */
	bool fixed_files;

	/* Staged slots by their index: a ring, as io_uring has it. */
	unsigned int *queue;
	unsigned int mask, tail;

	/* Done commands, until they are taken: a ring as well. */
	const struct pt_done *done;
	unsigned int *done_head, *done_tail, done_mask;
};

/* Note a slot for the next exchange. */
static inline void pt_stage(struct pt_transport *transport, unsigned int slot)
{
	transport->queue[transport->tail++ & transport->mask] = slot;
}

/* Done commands that were not taken yet. */
static inline unsigned int pt_done_count(const struct pt_transport *transport)
{
	return __atomic_load_n(transport->done_tail, __ATOMIC_ACQUIRE) -
	       *transport->done_head;
}

/*
 * NULL with a sentence in err, and errno.  err->text begins with "no io_uring:
 * " where the kernel has no passthrough by io_uring (before 5.19, or disabled),
 * so that the ioctl transport is what remains.
 */
struct pt_transport *pt_ring_new(const struct pt_transport_setup *setup,
				 struct fe_error *err);
bool pt_ring_available(struct fe_error *err);

/* `threads` commands are on their way at once.  NULL as above. */
struct pt_transport *pt_ioctl_new(const struct pt_transport_setup *setup,
				  unsigned int threads, struct fe_error *err);

/* One command, waited for: what a slot's status would be. */
int pt_ioctl_once(int fd, const struct nvme_uring_cmd *command);

#endif
