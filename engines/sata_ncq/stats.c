/* SPDX-License-Identifier: GPL-2.0-only */
#include "stats.h"

void sn_stats_depth(struct sn_stats *stats, unsigned int depth, uint64_t ns)
{
	const unsigned int row =
		stats->depth < SN_TAGS ? stats->depth : SN_TAGS;

	if (stats->changed_ns && ns > stats->changed_ns)
		stats->ns_at_depth[row] += ns - stats->changed_ns;
	stats->depth = depth;
	stats->changed_ns = ns;
}

static bool same_sense(const struct sn_sense *a, const struct sn_sense *b)
{
	if (a->valid != b->valid || a->deferred != b->deferred ||
	    a->key != b->key || a->asc != b->asc || a->ascq != b->ascq ||
	    a->ata != b->ata)
		return false;
	return a->error == b->error && a->status == b->status;
}

static bool same_way(const struct sn_outcome *a, const struct sn_outcome *b)
{
	return a->kind == b->kind && a->error == b->error &&
	       a->status == b->status && a->host_status == b->host_status &&
	       a->driver_status == b->driver_status &&
	       same_sense(&a->sense, &b->sense);
}

void sn_stats_failure(struct sn_stats *stats, const struct sn_outcome *outcome)
{
	const unsigned int most =
		sizeof(stats->failures) / sizeof(stats->failures[0]);
	struct sn_failure *row = stats->failures;

	for (unsigned int i = 0; i < stats->n_failures; i++, row++) {
		if (same_way(&row->outcome, outcome)) {
			row->count++;
			return;
		}
	}
	if (stats->n_failures == most) {
		stats->other_failures++;
		return;
	}
	stats->n_failures++;
	row->count = 1;
	row->outcome = *outcome;
	row->outcome.sense.has_lba = false;
	row->outcome.sense.lba_bits = 0;
	row->outcome.sense.lba = 0;
	row->outcome.sense.count = 0;
	row->outcome.sense.device = 0;
}

static const struct sn_phy_counter *
counter_of(const struct sn_phy_counter *counters, unsigned int n, uint16_t id)
{
	for (unsigned int i = 0; i < n; i++) {
		if (counters[i].id == id)
			return &counters[i];
	}
	return NULL;
}

void sn_stats_events(struct sn_stats *stats,
		     const struct sn_phy_counter *before, unsigned int n_before,
		     const struct sn_phy_counter *after, unsigned int n_after)
{
	stats->n_events = 0;
	for (unsigned int i = 0; i < n_after; i++) {
		const struct sn_phy_counter *first =
			counter_of(before, n_before, after[i].id);
		struct sn_phy_counter *event;

		/* How many of its events are of this job nobody knows. */
		if (!first || stats->n_events == SN_PHY_COUNTERS)
			continue;
		event = &stats->events[stats->n_events++];
		*event = after[i];
		if (event->value < event->most && event->value >= first->value)
			event->value -= first->value;
	}
}
