/* SPDX-License-Identifier: GPL-2.0-only */
/* First: after linux/nvme_ioctl.h it lacks what it needs itself. */
#include <libnvme.h>

#include "ioctl.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/workers.h"

/*
 * What the user fills in for io_uring is what the ioctl takes, but for the last
 * member: there the kernel puts dword 0 of the completion, which nobody needs.
 * That is why NVME_IOCTL_IO_CMD will do, which all kernels have.
 */
#define SAME_PLACE(member)                                                     \
	_Static_assert(offsetof(struct nvme_uring_cmd, member) ==              \
			       offsetof(struct nvme_passthru_cmd, member),     \
		       "place")
SAME_PLACE(opcode);
SAME_PLACE(flags);
SAME_PLACE(rsvd1);
SAME_PLACE(nsid);
SAME_PLACE(cdw2);
SAME_PLACE(cdw3);
SAME_PLACE(metadata);
SAME_PLACE(addr);
SAME_PLACE(metadata_len);
SAME_PLACE(data_len);
SAME_PLACE(cdw10);
SAME_PLACE(cdw11);
SAME_PLACE(cdw12);
SAME_PLACE(cdw13);
SAME_PLACE(cdw14);
SAME_PLACE(cdw15);
SAME_PLACE(timeout_ms);
_Static_assert(offsetof(struct nvme_uring_cmd, rsvd2) ==
		       offsetof(struct nvme_passthru_cmd, result),
	       "result");
_Static_assert(sizeof(struct nvme_uring_cmd) ==
		       sizeof(struct nvme_passthru_cmd),
	       "size");

/* A slot as the workers see it. */
struct item {
	struct work work;
	union {
		struct nvme_uring_cmd uring;
		struct nvme_passthru_cmd passthru;
	} command;
	struct pt_slot *slot;
	int fd;
};

struct ioctl_transport {
	struct pt_transport transport; /* first: what users see */
	pt_ioctl_issue *issue;
	int *devices;
	struct item *items;	/* one a slot */
	unsigned int submitted; /* of the queue */
	struct workers *workers;
	struct pt_done *done; /* of the transport, to be written */
	unsigned int done_head, done_tail;
};

static struct ioctl_transport *ioctl_of(struct pt_transport *transport)
{
	return (struct ioctl_transport *)transport;
}

/*
 * On a thread of the workers.  EINTR is not repeated: no signal reaches a
 * worker, so it tells that the driver gave the command up (timeout or reset),
 * and whether it is sent again is for the user to say.
 */
static void perform(void *owner, void *context)
{
	const struct ioctl_transport *it = context;
	struct item *item = owner;
	const int ret = it->issue(item->fd, &item->command.passthru, NULL);

	item->slot->status = ret < 0 ? -errno : ret;
}

static void ioctl_bind(struct pt_transport *transport, struct pt_slot *slot)
{
	struct ioctl_transport *it = ioctl_of(transport);

	it->items[slot - transport->slots].fd = it->devices[slot->device];
}

static void put_done(struct ioctl_transport *it, const struct item *item)
{
	struct pt_done *done =
		&it->done[it->done_tail & it->transport.done_mask];

	done->slot = (uint64_t)(uintptr_t)item->slot;
	done->status = item->slot->status;
	it->done_tail++;
}

static int ioctl_exchange(struct pt_transport *transport, unsigned int wait,
			  bool reap)
{
	struct ioctl_transport *it = ioctl_of(transport);
	const unsigned int there = pt_done_count(transport);
	const struct work *at;

	for (; it->submitted != transport->tail; it->submitted++) {
		const unsigned int slot =
			transport->queue[it->submitted & transport->mask];

		workers_submit(it->workers, &it->items[slot].work);
	}
	if (!reap)
		return 0;
	/* The ring has room for all slots, of which none is there twice. */
	for (at = workers_reap(it->workers, wait > there ? wait - there : 0,
			       transport->mask + 1, NULL);
	     at; at = at->next)
		put_done(it, at->owner);
	return 0;
}

static void ioctl_free(struct pt_transport *transport)
{
	struct ioctl_transport *it = ioctl_of(transport);

	workers_free(it->workers);
	free(it->items);
	free(it->devices);
	free(it->done);
	free(transport->queue);
	free(transport->slots);
	free(it);
}

static const struct pt_transport_ops ioctl_ops = {
	.bind = ioctl_bind,
	.exchange = ioctl_exchange,
	.free = ioctl_free,
};

static bool allocate(struct ioctl_transport *it,
		     const struct pt_transport_setup *setup)
{
	struct pt_transport *transport = &it->transport;
	size_t size = 1;

	while (size < setup->slots)
		size *= 2;
	transport->mask = (unsigned int)(size - 1);
	transport->queue = calloc(size, sizeof(*transport->queue));
	transport->slots = calloc(setup->slots, sizeof(*transport->slots));
	it->items = calloc(setup->slots, sizeof(*it->items));
	it->devices = calloc(setup->n_devices, sizeof(*it->devices));
	it->done = calloc(size, sizeof(*it->done));
	transport->done = it->done;
	transport->done_head = &it->done_head;
	transport->done_tail = &it->done_tail;
	transport->done_mask = transport->mask;
	return transport->queue && transport->slots && it->items &&
	       it->devices && it->done;
}

static void set_up(struct ioctl_transport *it,
		   const struct pt_transport_setup *setup)
{
	memcpy(it->devices, setup->devices,
	       setup->n_devices * sizeof(*it->devices));
	for (unsigned int i = 0; i < setup->slots; i++) {
		struct pt_slot *slot = &it->transport.slots[i];
		struct item *item = &it->items[i];

		slot->command = &item->command.uring;
		slot->buffer = -1;
		item->work.owner = item;
		item->slot = slot;
		item->fd = -1; /* until it is bound */
	}
}

struct pt_transport *pt_ioctl_new_with(pt_ioctl_issue *issue,
				       const struct pt_transport_setup *setup,
				       unsigned int threads,
				       struct fe_error *err)
{
	struct ioctl_transport *it = calloc(1, sizeof(*it));

	if (!it) {
		fe_error_set(err, -ENOMEM, "out of memory");
		return NULL;
	}
	it->transport.ops = &ioctl_ops;
	it->issue = issue;
	if (!allocate(it, setup)) {
		fe_error_set(err, -ENOMEM, "out of memory");
		ioctl_free(&it->transport);
		errno = ENOMEM;
		return NULL;
	}
	set_up(it, setup);
	/* More would have nothing to do. */
	if (threads > setup->slots)
		threads = setup->slots;
	it->workers = workers_new(threads, perform, it);
	if (!it->workers) {
		const int reason = errno;

		fe_error_set(err, -reason, "%u threads can't be started: %s",
			     threads, strerror(reason));
		ioctl_free(&it->transport);
		errno = reason;
		return NULL;
	}
	return &it->transport;
}

struct pt_transport *pt_ioctl_new(const struct pt_transport_setup *setup,
				  unsigned int threads, struct fe_error *err)
{
	return pt_ioctl_new_with(nvme_submit_io_passthru, setup, threads, err);
}

int pt_ioctl_once(int fd, const struct nvme_uring_cmd *command)
{
	struct nvme_passthru_cmd passthru;
	int ret;

	memcpy(&passthru, command, sizeof(passthru));
	ret = nvme_submit_io_passthru(fd, &passthru, NULL);
	return ret < 0 ? -errno : ret;
}
