/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_LOAD_FIO_RELEASE_H
#define RP_LOAD_FIO_RELEASE_H

#include <stdbool.h>

/*
 * Mistakes of some fio releases that do not show in the keys they write.
 * `version` is what the document says ("fio-3.12-7-gabc"); one that is not
 * understood is taken for a new one.
 */

/* lat_percentiles=1 printed inside "clat_ns": 3.1 to 3.12. */
bool rp_fio_puts_lat_in_clat(const char *version);

/*
 * "All clients" shows the last client's mean latencies as everybody's: seen
 * up to 3.28, right in 3.33.
 */
bool rp_fio_clients_latency_wrong(const char *version);

#endif
