/* SPDX-License-Identifier: GPL-2.0-only */
/* For tests of transports: an exchange, and what is done taken off the ring. */
#ifndef PT_TRANSPORT_FIXTURE_H
#define PT_TRANSPORT_FIXTURE_H

#include "transport.h"

/* At most `max` done slots; their number, or -errno. */
static inline int exchange_and_take(struct pt_transport *transport,
				    struct pt_slot **done, unsigned int max,
				    unsigned int wait)
{
	const int ret = transport->ops->exchange(transport, wait, max > 0);
	int n = 0;

	if (ret)
		return ret;
	while (n < (int)max && pt_done_count(transport)) {
		const struct pt_done *entry =
			&transport->done[*transport->done_head &
					 transport->done_mask];

		done[n] = (struct pt_slot *)(uintptr_t)entry->slot;
		done[n++]->status = entry->status;
		++*transport->done_head;
	}
	return n;
}

#endif
