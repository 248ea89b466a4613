/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How the drive's queue was used, and what went wrong.  Knows nothing of fio.
 */
#ifndef SN_STATS_H
#define SN_STATS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/error.h"
#include "identify.h"
#include "log.h"
#include "outcome.h"

#define SN_TAGS 32 /* SATA 13.6.2 */

/* One for each way to fail. */
struct sn_failure {
	struct sn_outcome outcome; /* without a place, COUNT and DEVICE */
	uint64_t count;
};

struct sn_stats {
	uint64_t commands;
	uint64_t requeued;	/* neighbours of a failed command, sent again */
	uint64_t errors_judged; /* queues that an error ended */
	bool ncq_lost;		/* while the job ran */
	bool ncq_on;
	unsigned int link_now; /* generation at the end */

	struct sn_failure failures[32];
	unsigned int n_failures;
	uint64_t other_failures;

	uint64_t high_priority; /* commands sent with PRIO high */

	/* Only where the queue is watched. */
	bool watched;
	uint64_t ns_at_depth[SN_TAGS + 1]; /* more than SN_TAGS count there */
	uint64_t out_of_order; /* completed while an older one was queued */
	uint64_t completed;
	/* Events of the link during the job. */
	struct sn_phy_counter events[SN_PHY_COUNTERS];
	unsigned int n_events;

	/* Private to stats.c. */
	uint64_t changed_ns; /* when the depth changed last, 0: never */
	unsigned int depth;
};

/* The depth is now so many, at a time of a clock that never goes back. */
void sn_stats_depth(struct sn_stats *stats, unsigned int depth, uint64_t ns);

void sn_stats_failure(struct sn_stats *stats, const struct sn_outcome *outcome);

/*
 * The difference of two readings of the link's counters, of those that are in
 * both.  One that went back because the drive was reset is as after it.  One
 * that is at its most stays there: how many events that were is not known.
 */
void sn_stats_events(struct sn_stats *stats,
		     const struct sn_phy_counter *before, unsigned int n_before,
		     const struct sn_phy_counter *after, unsigned int n_after);

/* Lines for a person: failures and what was sent again, if there were any; the
 * queue and the link where it was watched. */
void sn_stats_print(const struct sn_stats *stats, const char *job, FILE *out);

/* As JSON; see README.md for its fields.  As fe_json_write().  Without
 * IDENTIFY DEVICE identity is NULL. */
int sn_stats_write(const struct sn_stats *stats,
		   const struct sn_identity *identity, const char *job,
		   const char *path, struct fe_error *err);

#endif
