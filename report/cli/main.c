/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/help.h"
#include "cli/options.h"
#include "cli/output.h"

static const struct rp_command *find_command(const char *name)
{
	for (size_t i = 0; i < rp_command_count; i++)
		if (!strcmp(rp_commands[i]->name, name))
			return rp_commands[i];
	return NULL;
}

static int print_text(void (*make)(struct rp_str *out))
{
	struct rp_str text = RP_STR_INIT;
	int ret;

	make(&text);
	ret = rp_output_text(&text);
	rp_str_release(&text);
	return ret ? RP_EXIT_SYSTEM : RP_EXIT_OK;
}

static void version_text(struct rp_str *out)
{
	rp_str_add(out, "fio-report " FIO_REVIEW_VERSION "\n");
}

static int command_help(const struct rp_command *command)
{
	struct rp_str text = RP_STR_INIT;
	int ret;

	rp_help_command(command, &text);
	ret = rp_output_text(&text);
	rp_str_release(&text);
	return ret ? RP_EXIT_SYSTEM : RP_EXIT_OK;
}

static int run_command(const struct rp_command *command, int argc, char **argv)
{
	struct rp_values values;
	struct rp_err err = {0};
	bool help;
	int status = 0;

	if (!rp_options_parse(command, argc, argv, &values, &help, &err)) {
		if (help)
			return command_help(command);
		if (values.file_count)
			status = command->run(&values, &err);
		else
			rp_err_set(
				&err, -EINVAL,
				"nothing to read: name a file or a run directory; see: fio-report %s --help",
				command->name);
	}
	if (!err.code)
		return status;
	rp_output_error(&err);
	return rp_exit_status(&err);
}

int main(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : "--help";
	const struct rp_command *command = find_command(word);

	if (command)
		return run_command(command, argc - 1, argv + 1);
	if (!strcmp(word, "--help") || !strcmp(word, "-h") ||
	    !strcmp(word, "help"))
		return print_text(rp_help_program);
	if (!strcmp(word, "--version"))
		return print_text(version_text);
	if (!strcmp(word, "--man"))
		return print_text(rp_man_page);
	if (!strcmp(word, "--completion") && argc == 3 &&
	    !strcmp(argv[2], "bash"))
		return print_text(rp_completion_bash);
	rp_output_complaint("%s: no such command; see: fio-report --help",
			    word);
	return RP_EXIT_USAGE;
}
