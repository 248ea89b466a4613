/* SPDX-License-Identifier: GPL-2.0-only */
#include "cli/help.h"

static void command_words(struct rp_str *out)
{
	for (size_t i = 0; i < rp_command_count; i++)
		rp_str_addf(out, "%s%s", i ? " " : "", rp_commands[i]->name);
}

static void choice_cases(struct rp_str *out)
{
	for (size_t i = 0; i < rp_option_row_count; i++) {
		const struct rp_option_row *row = &rp_option_rows[i];

		if (!row->choices)
			continue;
		rp_str_addf(out, "\t--%s) COMPREPLY=($(compgen -W \"",
			    row->name);
		row->choices(out);
		rp_str_add(out, "\" -- \"$word\")); return ;;\n");
	}
}

static void option_cases(struct rp_str *out)
{
	for (size_t i = 0; i < rp_command_count; i++) {
		rp_str_addf(out, "\t%s) options=\"--help",
			    rp_commands[i]->name);
		for (const char *const *name = rp_commands[i]->options; *name;
		     name++)
			rp_str_addf(out, " --%s", *name);
		rp_str_add(out, "\" ;;\n");
	}
}

void rp_completion_bash(struct rp_str *out)
{
	rp_str_add(
		out,
		"# bash completion for fio-report, made by fio-report --completion bash\n"
		"_fio_report() {\n"
		"\tlocal word=${COMP_WORDS[COMP_CWORD]} options=\n"
		"\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n"
		"\t\tCOMPREPLY=($(compgen -W \"");
	command_words(out);
	rp_str_add(out,
		   " --help --version --man --completion\" -- \"$word\"))\n"
		   "\t\treturn\n\tfi\n"
		   "\tcase ${COMP_WORDS[COMP_CWORD-1]} in\n");
	choice_cases(out);
	rp_str_add(out, "\tesac\n\tcase ${COMP_WORDS[1]} in\n");
	option_cases(out);
	rp_str_add(
		out,
		"\tesac\n"
		"\tcase $word in\n"
		"\t-*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
		"\t*) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n"
		"\tesac\n"
		"}\n"
		"complete -o filenames -F _fio_report fio-report\n");
}
