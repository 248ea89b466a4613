/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_CLI_OPTIONS_H
#define RP_CLI_OPTIONS_H

#include "cli/command.h"

/*
 * Read a command's options and files from argv (argv[0] is skipped).
 * `help` is set if --help was among them.  -EINVAL with a sentence that names
 * the option.
 */
int rp_options_parse(const struct rp_command *command, int argc, char **argv,
		     struct rp_values *values, bool *help, struct rp_err *err);

#endif
