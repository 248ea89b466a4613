/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_LOAD_FIO_SNAPSHOT_H
#define RP_LOAD_FIO_SNAPSHOT_H

#include <stdbool.h>

#include "load/fio_doc.h"

/*
 * With --status-interval fio writes a document again and again, each with
 * the counters so far.  Can `later` be a later state of the run that
 * `earlier` shows?  Two runs of the same jobs differ in their start, or some
 * counter of theirs goes down.
 */
bool rp_fio_same_run(const struct rp_result *earlier,
		     const struct rp_fio_clock *earlier_clock,
		     const struct rp_result *later,
		     const struct rp_fio_clock *later_clock);

#endif
