/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How commands get to a disk through Linux's sg driver: written to handles and
 * read back (handles.c), or by ioctl on threads (sync.c).  One thread calls all
 * of this.  Knows nothing of fio.
 */
#ifndef SN_TRANSPORT_H
#define SN_TRANSPORT_H

#include <scsi/sg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "cdb.h"
#include "common/error.h"

#define SN_SENSE_BYTES 64

/* A command's place, owned by the transport. */
struct sn_slot {
	/* The user sets dxfer_direction, dxfer_len, dxferp, cmd_len and
	 * timeout; the rest is the transport's, and what it came to. */
	struct sg_io_hdr header;
	uint8_t cdb[SN_CDB_MAX];
	uint8_t sense[SN_SENSE_BYTES];
	void *owner;	     /* the user's */
	unsigned int device; /* index among those of the setup */

	bool sent;    /* in flight */
	void *mapped; /* a buffer that is the kernel's own, or NULL */
	bool failed;  /* header, sense and error tell why */
	int error;    /* the call failed with this errno, else 0 */
};

struct sn_transport_setup {
	/* Of each device, its path and number, so that it is the same one. */
	const char *const *paths;
	const dev_t *numbers;
	unsigned int n_devices; /* at least 1 */
	unsigned int slots;	/* at least 1, for all devices together */
	size_t bytes;		/* most of a transfer */
};

struct sn_transport;

struct sn_transport_ops {
	/* 0: the command is on its way.  -errno: it is not; -EDOM: sg holds as
	 * many as it can. */
	int (*send)(struct sn_transport *transport, struct sn_slot *slot);
	/* Waits for `min` commands, of those in flight; returns how many of
	 * at most `max` (at least 1 and `min`) are in done[], or -errno.  Those
	 * of a device that is gone fail. */
	int (*reap)(struct sn_transport *transport, unsigned int min,
		    unsigned int max, struct sn_slot **done);
	/* Makes memory at a page's start the kernel's own, so that data need
	 * not be copied, and keeps what is in it.  Before the slot is used; not
	 * where several devices share it.  NULL: can't be. */
	void (*map)(struct sn_transport *transport, struct sn_slot *slot,
		    void *memory, size_t bytes);
	/* Waits for what is with the device. */
	void (*free)(struct sn_transport *transport);
};

struct sn_transport {
	const struct sn_transport_ops *ops;
	struct sn_slot *slots;
	unsigned int n_slots, in_flight;
};

/* sg's own limit, SG_MAX_QUEUE of drivers/scsi/sg.c. */
#define SN_HANDLE_COMMANDS 16u
/* Handles that a job opens at most: fewer than a process usually may. */
#define SN_MAX_HANDLES 512u

/* /dev/sgN: a handle for each slot, as its reserved buffer saves the kernel
 * from getting memory for each command; shared where there are more than
 * SN_MAX_HANDLES.  NULL with a sentence. */
struct sn_transport *sn_handles_new(const struct sn_transport_setup *setup,
				    struct fe_error *err);

/* /dev/sgN or /dev/sdX: `threads`, at least 1, commands are with the devices
 * at once. */
struct sn_transport *sn_sync_new(const struct sn_transport_setup *setup,
				 unsigned int threads, struct fe_error *err);

/* For both: slots with their pointers, whose commands wait their turn.  false:
 * no memory. */
bool sn_slots_new(struct sn_transport *transport, unsigned int n);

/* Opens a node for commands; -ESTALE with a sentence if it is another device
 * by now. */
int sn_open_node(const char *path, dev_t number, struct fe_error *err);

#endif
