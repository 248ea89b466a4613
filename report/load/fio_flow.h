/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_LOAD_FIO_FLOW_H
#define RP_LOAD_FIO_FLOW_H

#include <jansson.h>

#include "model/result.h"

/*
 * One direction ("read", "write", ...) of a job.  Which units it is in shows
 * in its keys, so releases between two versions come out right as well.
 * `lat_in_clat`: the release prints the percentiles and bins of the total
 * latency inside "clat_ns"; they are put where they belong.
 * 0 or -ENOMEM.
 */
int rp_fio_flow(const json_t *object, bool lat_in_clat, struct rp_flow *flow);

#endif
