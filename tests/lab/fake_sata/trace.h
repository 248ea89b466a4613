/* SPDX-License-Identifier: GPL-2.0-only */
/* A line for each ATA command, in the order in which they end. */
#ifndef FAKE_SATA_TRACE_H
#define FAKE_SATA_TRACE_H

#include <stdio.h>

#include "request.h"

enum trace_end {
	TRACE_DONE,	/* as its registers say */
	TRACE_ABORTED,	/* with another queued one that failed */
	TRACE_REFUSED,	/* by the translation layer: the drive saw nothing */
	TRACE_GIVEN_UP, /* it got no answer in time */
	TRACE_GONE,	/* the drive vanished */
};

struct trace {
	FILE *out;
};

void trace_request(struct trace *trace, const struct request *request,
		   enum trace_end end, uint64_t us);

#endif
