/* SPDX-License-Identifier: GPL-2.0-only */
#include "cli/help.h"

#include <string.h>

void rp_help_program(struct rp_str *out)
{
	rp_str_add(out,
		   "fio-report: tables, charts and reviews from fio's JSON\n\n"
		   "Usage: fio-report COMMAND [OPTIONS] FILE...\n\n"
		   "Commands:\n");
	for (size_t i = 0; i < rp_command_count; i++)
		rp_str_addf(out, "  %-9s %s\n", rp_commands[i]->name,
			    rp_commands[i]->summary);
	rp_str_add(out, "\nExamples:\n");
	for (size_t i = 0; i < rp_command_count; i++)
		rp_str_add(out, rp_commands[i]->examples);
	rp_str_add(out, "\nExit status:\n");
	for (size_t i = 0; i < rp_exit_meaning_count; i++)
		rp_str_addf(out, "  %d  %s\n", rp_exit_meanings[i].status,
			    rp_exit_meanings[i].meaning);
	rp_str_add(
		out,
		"\nfio-report COMMAND --help tells more. fio-report --version, --man and\n"
		"--completion bash print the version, the manual page and the shell completion.\n");
}

/* Name and argument, padded to the column where the help begins. */
static void option_head(const char *name, const char *argument,
			struct rp_str *out)
{
	size_t start = out->len;

	rp_str_addf(out, "  --%s%s%s", name, argument ? " " : "",
		    argument ? argument : "");
	while (out->len - start < 21 && !rp_str_failed(out))
		rp_str_add_char(out, ' ');
}

void rp_help_command(const struct rp_command *command, struct rp_str *out)
{
	rp_str_addf(out, "fio-report %s: %s\n\n", command->name,
		    command->summary);
	rp_str_addf(out, "Usage: fio-report %s [OPTIONS] %s\n\n%s\nOptions:\n",
		    command->name, command->arguments, command->description);
	for (const char *const *name = command->options; *name; name++) {
		const struct rp_option_row *row = rp_option_find(*name);

		option_head(row->name, row->argument, out);
		rp_option_describe(row, out);
		rp_str_add_char(out, '\n');
	}
	option_head("help", NULL, out);
	rp_str_addf(out, "this text\n\nExamples:\n%s", command->examples);
}
