/* SPDX-License-Identifier: GPL-2.0-only */
/* Commands by ioctl(SG_IO), which blocks, each on a thread. */
#include "transport.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "common/workers.h"

struct call {
	struct work work; /* its owner is the call */
	struct sn_slot *slot;
	int fd;
};

struct sync {
	struct sn_transport transport;
	struct workers *workers;
	struct call *calls; /* one a slot */
	int *fds;	    /* each_device for a device */
	unsigned int each_device, n_fds;
};

static struct sync *of(struct sn_transport *transport)
{
	return (struct sync *)transport;
}

static void perform(void *owner, void *context)
{
	const struct call *call = owner;
	struct sn_slot *slot = call->slot;
	struct sg_io_hdr *header = &slot->header;

	(void)context;
	slot->error = ioctl(call->fd, SG_IO, header) ? errno : 0;
	slot->failed = slot->error || header->resid ||
		       (header->info & SG_INFO_OK_MASK) != SG_INFO_OK;
}

static int sync_send(struct sn_transport *transport, struct sn_slot *slot)
{
	struct sync *sync = of(transport);
	const unsigned int index = (unsigned int)(slot - transport->slots);

	sync->calls[index].fd = sync->fds[slot->device * sync->each_device +
					  index % sync->each_device];
	slot->sent = true;
	transport->in_flight++;
	workers_submit(sync->workers, &sync->calls[index].work);
	return 0;
}

static int sync_reap(struct sn_transport *transport, unsigned int min,
		     unsigned int max, struct sn_slot **done)
{
	const struct timespec none = {0, 0};
	const struct work *work;
	unsigned int n = 0;

	if (min > transport->in_flight)
		min = transport->in_flight;
	for (work = workers_reap(of(transport)->workers, min, max,
				 min ? NULL : &none);
	     work; work = work->next) {
		const struct call *call = work->owner;

		call->slot->sent = false;
		done[n++] = call->slot;
	}
	transport->in_flight -= n;
	return (int)n;
}

static void sync_free(struct sn_transport *transport)
{
	struct sync *sync = of(transport);

	if (sync->workers)
		workers_free(sync->workers);
	for (unsigned int i = 0; i < sync->n_fds; i++)
		close(sync->fds[i]);
	free(sync->fds);
	free(sync->calls);
	free(transport->slots);
	free(sync);
}

static const struct sn_transport_ops sync_ops = {
	.send = sync_send,
	.reap = sync_reap,
	.free = sync_free,
};

static int open_all(struct sync *sync, const struct sn_transport_setup *setup,
		    struct fe_error *err)
{
	for (unsigned int i = 0; i < setup->n_devices * sync->each_device;
	     i++) {
		const unsigned int device = i / sync->each_device;
		const int fd = sn_open_node(setup->paths[device],
					    setup->numbers[device], err);

		if (fd < 0)
			return fd;
		sync->fds[sync->n_fds++] = fd;
	}
	return 0;
}

static int prepare(struct sync *sync, const struct sn_transport_setup *setup,
		   struct fe_error *err)
{
	/* A node of sg has its limit with ioctl, too, and whichever slots are
	 * used may share one. */
	sync->each_device = setup->slots / SN_HANDLE_COMMANDS +
			    (setup->slots % SN_HANDLE_COMMANDS != 0);
	sync->fds = calloc((size_t)setup->n_devices * sync->each_device,
			   sizeof(*sync->fds));
	sync->calls = calloc(setup->slots, sizeof(*sync->calls));
	if (!sync->fds || !sync->calls ||
	    !sn_slots_new(&sync->transport, setup->slots))
		return fe_error_set(err, -ENOMEM, "out of memory");
	for (unsigned int i = 0; i < setup->slots; i++) {
		sync->calls[i].slot = &sync->transport.slots[i];
		sync->calls[i].work.owner = &sync->calls[i];
	}
	return open_all(sync, setup, err);
}

struct sn_transport *sn_sync_new(const struct sn_transport_setup *setup,
				 unsigned int threads, struct fe_error *err)
{
	struct sync *sync = calloc(1, sizeof(*sync));

	if (!sync) {
		fe_error_set(err, -ENOMEM, "out of memory");
		return NULL;
	}
	sync->transport.ops = &sync_ops;
	if (prepare(sync, setup, err)) {
		sync_free(&sync->transport);
		return NULL;
	}
	sync->workers = workers_new(threads, perform, NULL);
	if (!sync->workers) {
		fe_error_set(err, -errno, "%u threads can't be started: %s",
			     threads, strerrordesc_np(errno));
		sync_free(&sync->transport);
		return NULL;
	}
	return &sync->transport;
}
