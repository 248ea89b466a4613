/* SPDX-License-Identifier: GPL-2.0-only */
#include "cli/command.h"

#include <errno.h>

/* A row a command. */
/* clang-format off */
const struct rp_command *const rp_commands[] = {
	&rp_command_summary,
	&rp_command_curve,
	&rp_command_review,
	&rp_command_steady,
	&rp_command_endurance,
};
/* clang-format on */

const size_t rp_command_count = sizeof(rp_commands) / sizeof(rp_commands[0]);

const struct rp_exit_meaning rp_exit_meanings[] = {
	{RP_EXIT_OK, "all is well"},
	{RP_EXIT_NO,
	 "the answer is no: a job failed or did no I/O, rounds are not steady"},
	{RP_EXIT_USAGE, "the command line is wrong"},
	{RP_EXIT_INPUT, "a file is not what it should be"},
	{RP_EXIT_SYSTEM,
	 "the system refused: a missing file, a full disk, no gnuplot"},
};

const size_t rp_exit_meaning_count =
	sizeof(rp_exit_meanings) / sizeof(rp_exit_meanings[0]);

enum rp_exit rp_exit_status(const struct rp_err *err)
{
	switch (err->code) {
	case -EINVAL:
		return RP_EXIT_USAGE;
	case -EBADMSG:
		return RP_EXIT_INPUT;
	default:
		return RP_EXIT_SYSTEM;
	}
}
