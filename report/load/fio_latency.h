/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_LOAD_FIO_LATENCY_H
#define RP_LOAD_FIO_LATENCY_H

#include <jansson.h>

#include "model/result.h"

/*
 * fio's latency object under `name` ("clat") of a direction, which releases
 * from 2.99 on call "clat_ns": they count nanoseconds, older ones
 * microseconds.  A missing object leaves `lat` empty.  0 or -ENOMEM.
 */
int rp_fio_latency(const json_t *parent, const char *name,
		   struct rp_latency *lat);

/*
 * Give `lat`, where it has none, the percentiles and bins that are printed
 * inside the latency object `name`.  0 or -ENOMEM.
 */
int rp_fio_latency_adopt(const json_t *parent, const char *name,
			 struct rp_latency *lat);

/* Make it an absent one. */
void rp_fio_latency_drop(struct rp_latency *lat);

#endif
