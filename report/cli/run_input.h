/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_CLI_RUN_INPUT_H
#define RP_CLI_RUN_INPUT_H

#include "cli/command.h"
#include "model/run.h"

/*
 * Load what the user named: every directory is a run; loose files together
 * are the points of one more run.
 */
int rp_runs_load(const struct rp_values *values, rp_runs *runs,
		 struct rp_err *err);

#endif
