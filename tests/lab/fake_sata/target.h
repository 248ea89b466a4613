/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The drive's queue behind its translation layer: what waits, what the drive
 * has, and in which order it does it.  Time is given, never asked.
 */
#ifndef FAKE_SATA_TARGET_H
#define FAKE_SATA_TARGET_H

#include "disk.h"
#include "request.h"
#include "trace.h"

struct target {
	struct disk disk;
	struct trace *trace;
	struct request_list
		waiting;	   /* for a tag, or for the drive to be idle */
	struct request_list queue; /* with the drive */
	struct request_list done;
	unsigned int depth;    /* of queue */
	unsigned int workable; /* of them, those that are ever done */
	uint32_t tags;	       /* that are in use, by bit */
	uint64_t arrivals, turns;
	uint64_t turn_us; /* when the next one is done, if one is workable */
	bool vanished;
};

void target_init(struct target *target, const struct options *options,
		 uint8_t *media, struct trace *trace);

/* From now on these are its options, and it counts from 0. */
void target_begin(struct target *target, const struct options *options);

/* From now on the request is the target's, until target_done() returns it. */
void target_submit(struct target *target, struct request *request, uint64_t us);

/* Does what can be done by now. */
void target_run(struct target *target, uint64_t us);

/* Microseconds until target_run() has something to do, -1: never, without
 * another command. */
int64_t target_wait_us(const struct target *target, uint64_t us);

/* Ends a request that nobody waits for any more. */
void target_abort(struct target *target, uint16_t id, uint64_t us);

/* An answered request, now the caller's again, or NULL. */
struct request *target_done(struct target *target);

#endif
