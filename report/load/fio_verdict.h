/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_LOAD_FIO_VERDICT_H
#define RP_LOAD_FIO_VERDICT_H

#include "load/text_lines.h"
#include "model/result.h"

/*
 * Set `failure` of the jobs that are no measurement, and put into the
 * result's warnings what the text around its document says.
 *
 * - an error code: the numbers stay, they may be of the time before it;
 * - "got signal=" in the text: fio itself then reports error 0.  The line
 *   names no job, so it is the one without I/O; if all did some, all;
 * - no I/O at all.
 * An interruption ("terminating on signal") is a warning: what was measured
 * until then is whole.
 * 0 or -ENOMEM.
 */
int rp_fio_judge(struct rp_result *result, const struct rp_text_lines *lines);

#endif
