/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Commands are written to handles of /dev/sgN and read back when they are done.
 *
 * For each command sg gets 32 KiB of memory and clears it, unless the handle's
 * reserved buffer is free; mapped into the process, that buffer takes the data
 * without a copy.  So each slot has a handle to itself: measured, twice as many
 * commands as with handles of 16.
 */
#include "transport.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

/* Of linux/include/scsi/sg.h; C libraries leave it out. */
#ifndef SG_FLAG_MMAP_IO
#define SG_FLAG_MMAP_IO 4
#endif

struct handle {
	int fd;
	unsigned int in_flight;
	int error; /* why it is of no use any more, else 0 */
};

struct handles {
	struct sn_transport transport;
	struct handle *handles; /* each_device for a device */
	unsigned int each_device, n_handles;
	unsigned int lost; /* in flight on handles of no use */
	int epoll;
	struct epoll_event *ready;
};

static struct handles *of(struct sn_transport *transport)
{
	return (struct handles *)transport;
}

static struct handle *handle_of(const struct handles *handles,
				const struct sn_slot *slot)
{
	const unsigned int index =
		(unsigned int)(slot - handles->transport.slots);

	return &handles->handles[slot->device * handles->each_device +
				 index % handles->each_device];
}

static int handles_send(struct sn_transport *transport, struct sn_slot *slot)
{
	struct handle *handle = handle_of(of(transport), slot);
	struct sg_io_hdr *header = &slot->header;
	ssize_t n;

	if (handle->error)
		return -handle->error;
	if (slot->mapped && header->dxferp == slot->mapped) {
		header->flags |= SG_FLAG_MMAP_IO;
		/* With an address sg copies, be it the same memory. */
		header->dxferp = NULL;
	} else {
		header->flags &= ~(unsigned int)SG_FLAG_MMAP_IO;
	}
	do {
		n = write(handle->fd, header, sizeof(*header));
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	slot->sent = true;
	handle->in_flight++;
	transport->in_flight++;
	return 0;
}

static void take_back(struct handles *handles, struct sn_slot *slot)
{
	handle_of(handles, slot)->in_flight--;
	handles->transport.in_flight--;
	slot->sent = false;
}

static struct sn_slot *fetched(struct handles *handles,
			       const struct sg_io_hdr *header)
{
	struct sn_slot *slot = header->usr_ptr;

	take_back(handles, slot);
	slot->error = 0;
	slot->failed =
		(header->info & SG_INFO_OK_MASK) != SG_INFO_OK || header->resid;
	if (slot->failed)
		slot->header = *header;
	return slot;
}

/* What is in flight there never comes back. */
static void give_up(struct handles *handles, struct handle *handle, int error)
{
	handle->error = error;
	handles->lost += handle->in_flight;
	/* Or it is ready for ever. */
	epoll_ctl(handles->epoll, EPOLL_CTL_DEL, handle->fd, NULL);
}

/* 1: *slot is done.  0: the handle is of no use.  Blocks until then. */
static int fetch(struct handles *handles, struct handle *handle,
		 struct sn_slot **slot)
{
	struct sg_io_hdr header;
	ssize_t n;

	if (!handle->in_flight) {
		/* Only a device that is gone is ready without a command. */
		give_up(handles, handle, ENODEV);
		return 0;
	}
	do {
		n = read(handle->fd, &header, sizeof(header));
	} while (n < 0 && errno == EINTR);
	if (n == sizeof(header)) {
		*slot = fetched(handles, &header);
		return 1;
	}
	give_up(handles, handle, n < 0 ? errno : EIO);
	return 0;
}

static unsigned int take_lost(struct handles *handles, unsigned int max,
			      struct sn_slot **done)
{
	unsigned int n = 0;

	for (unsigned int i = 0; handles->lost && n < max; i++) {
		struct sn_slot *slot = &handles->transport.slots[i];
		const int error = handle_of(handles, slot)->error;

		if (!slot->sent || !error)
			continue;
		take_back(handles, slot);
		handles->lost--;
		slot->failed = true;
		slot->error = error;
		done[n++] = slot;
	}
	return n;
}

static int wait_for_some(struct handles *handles, unsigned int max, bool block)
{
	int n;

	do {
		n = epoll_wait(handles->epoll, handles->ready, (int)max,
			       block ? -1 : 0);
	} while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

static unsigned int fetch_ready(struct handles *handles, int ready,
				unsigned int max, struct sn_slot **done)
{
	unsigned int n = 0;

	for (int i = 0; i < ready && n < max; i++)
		n += (unsigned int)fetch(handles, handles->ready[i].data.ptr,
					 &done[n]);
	return n;
}

static int handles_reap(struct sn_transport *transport, unsigned int min,
			unsigned int max, struct sn_slot **done)
{
	struct handles *handles = of(transport);
	const unsigned int most =
		max < handles->n_handles ? max : handles->n_handles;
	unsigned int n = take_lost(handles, max, done);

	if (min > n + transport->in_flight)
		min = n + transport->in_flight;
	/* One handle need not be asked whether it is ready. */
	if (handles->n_handles == 1 && transport->in_flight == 1 && n < min) {
		n += (unsigned int)fetch(handles, handles->handles, &done[n]);
		return (int)(n + take_lost(handles, max - n, &done[n]));
	}
	do {
		const int ready = wait_for_some(handles, most, n < min);

		if (ready < 0)
			return ready;
		n += fetch_ready(handles, ready, max - n, &done[n]);
		n += take_lost(handles, max - n, &done[n]);
	} while (n < min);
	return (int)n;
}

/* false: the handle's buffer is too small, or sg has none. */
static bool reserve(const struct handle *handle, size_t bytes)
{
	int size = (int)bytes;

	return bytes && bytes <= INT_MAX &&
	       !ioctl(handle->fd, SG_SET_RESERVED_SIZE, &size) &&
	       !ioctl(handle->fd, SG_GET_RESERVED_SIZE, &size) &&
	       (size_t)size >= bytes;
}

static bool map_over(int fd, void *memory, size_t bytes)
{
	if (mmap(memory, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
		 fd, 0) != MAP_FAILED)
		return true;
	/* What was there may be gone. */
	if (mmap(memory, bytes, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
		abort();
	return false;
}

static void handles_map(struct sn_transport *transport, struct sn_slot *slot,
			void *memory, size_t bytes)
{
	const struct handles *handles = of(transport);
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *copy;

	/* A handle's buffer is for one slot, and a slot's memory of one handle.
	 */
	if (handles->each_device < transport->n_slots ||
	    handles->each_device < handles->n_handles ||
	    (uintptr_t)memory % page || bytes % page ||
	    !reserve(handle_of(handles, slot), bytes))
		return;
	copy = malloc(bytes);
	if (!copy)
		return;
	memcpy(copy, memory, bytes);
	if (map_over(handle_of(handles, slot)->fd, memory, bytes))
		slot->mapped = memory;
	memcpy(memory, copy, bytes);
	free(copy);
}

static void handles_free(struct sn_transport *transport)
{
	struct handles *handles = of(transport);
	struct sn_slot *slot;

	for (unsigned int i = 0; i < handles->n_handles; i++) {
		while (handles->handles[i].in_flight &&
		       fetch(handles, &handles->handles[i], &slot))
			;
		close(handles->handles[i].fd);
	}
	if (handles->epoll >= 0)
		close(handles->epoll);
	free(handles->ready);
	free(handles->handles);
	free(transport->slots);
	free(handles);
}

static const struct sn_transport_ops handles_ops = {
	.send = handles_send,
	.reap = handles_reap,
	.map = handles_map,
	.free = handles_free,
};

static int open_handle(struct handles *handles, const char *path, dev_t number,
		       struct fe_error *err)
{
	struct handle *handle = &handles->handles[handles->n_handles];
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = handle};

	handle->fd = sn_open_node(path, number, err);
	if (handle->fd < 0)
		return handle->fd;
	handles->n_handles++;
	if (epoll_ctl(handles->epoll, EPOLL_CTL_ADD, handle->fd, &event))
		return fe_error_set(err, -errno, "%s: epoll: %s", path,
				    strerrordesc_np(errno));
	return 0;
}

static int open_handles(struct handles *handles,
			const struct sn_transport_setup *setup,
			struct fe_error *err)
{
	for (unsigned int d = 0; d < setup->n_devices; d++) {
		for (unsigned int i = 0; i < handles->each_device; i++) {
			const int ret = open_handle(handles, setup->paths[d],
						    setup->numbers[d], err);

			if (ret)
				return ret;
			/* Without it sg is slower, and no less right. */
			reserve(&handles->handles[handles->n_handles - 1],
				setup->bytes);
		}
	}
	return 0;
}

static int allocate(struct handles *handles,
		    const struct sn_transport_setup *setup,
		    struct fe_error *err)
{
	const unsigned int most = SN_MAX_HANDLES / setup->n_devices;
	const unsigned int each = setup->slots < most ? setup->slots : most;

	if (!each || setup->slots > each * SN_HANDLE_COMMANDS)
		return fe_error_set(
			err, -EINVAL,
			"%u commands at once are more than a disk's handles of /dev/sg hold (%u): use a smaller iodepth, larger transfers or fewer disks",
			setup->slots, each * SN_HANDLE_COMMANDS);
	handles->each_device = each;
	handles->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (handles->epoll < 0)
		return fe_error_set(err, -errno, "epoll: %s",
				    strerrordesc_np(errno));
	handles->handles = calloc((size_t)each * setup->n_devices,
				  sizeof(*handles->handles));
	handles->ready = calloc((size_t)each * setup->n_devices,
				sizeof(*handles->ready));
	if (!handles->handles || !handles->ready ||
	    !sn_slots_new(&handles->transport, setup->slots))
		return fe_error_set(err, -ENOMEM, "out of memory");
	for (unsigned int i = 0; i < setup->slots; i++)
		handles->transport.slots[i].header.usr_ptr =
			&handles->transport.slots[i];
	return 0;
}

struct sn_transport *sn_handles_new(const struct sn_transport_setup *setup,
				    struct fe_error *err)
{
	struct handles *handles = calloc(1, sizeof(*handles));

	if (!handles) {
		fe_error_set(err, -ENOMEM, "out of memory");
		return NULL;
	}
	handles->epoll = -1;
	handles->transport.ops = &handles_ops;
	if (allocate(handles, setup, err) ||
	    open_handles(handles, setup, err)) {
		handles_free(&handles->transport);
		return NULL;
	}
	return &handles->transport;
}
