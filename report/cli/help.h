/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_CLI_HELP_H
#define RP_CLI_HELP_H

#include "base/str.h"
#include "cli/command.h"

/* All of these are made from the tables in cli/command.h. */
void rp_help_program(struct rp_str *out);
void rp_help_command(const struct rp_command *command, struct rp_str *out);
void rp_man_page(struct rp_str *out);
void rp_completion_bash(struct rp_str *out);

#endif
