/* SPDX-License-Identifier: GPL-2.0-only */
#include "cli/help.h"

#include <string.h>

/* Text for roff: no line may start with a control character. */
static void roff(struct rp_str *out, const char *text)
{
	for (; *text; text++) {
		bool line_start = !out->len || out->buf[out->len - 1] == '\n';

		if (line_start && (*text == '.' || *text == '\''))
			rp_str_add(out, "\\&");
		if (*text == '\\')
			rp_str_add(out, "\\e");
		else if (*text == '-')
			rp_str_add(out, "\\-");
		else
			rp_str_add_char(out, *text);
	}
}

static void man_option(const struct rp_option_row *row, struct rp_str *out)
{
	struct rp_str help = RP_STR_INIT;

	rp_str_add(out, ".TP\n.B \\-\\-");
	roff(out, row->name);
	if (row->argument)
		rp_str_addf(out, " \\fI%s\\fR", row->argument);
	rp_str_add_char(out, '\n');
	rp_option_describe(row, &help);
	roff(out, rp_str_text(&help));
	rp_str_release(&help);
	rp_str_add(out, ".\n");
}

static void man_command(const struct rp_command *command, struct rp_str *out)
{
	rp_str_add(out, ".SS fio\\-report ");
	roff(out, command->name);
	rp_str_addf(out, " [OPTIONS] %s\n", command->arguments);
	roff(out, command->description);
	for (const char *const *name = command->options; *name; name++)
		man_option(rp_option_find(*name), out);
	rp_str_add(out, ".PP\n.nf\n");
	roff(out, command->examples);
	rp_str_add(out, ".fi\n");
}

void rp_man_page(struct rp_str *out)
{
	rp_str_add(
		out,
		".TH FIO\\-REPORT 1 \"\" \"fio-review " FIO_REVIEW_VERSION
		"\"\n.SH NAME\n"
		"fio\\-report \\- tables, charts and reviews from fio's JSON\n"
		".SH SYNOPSIS\n.B fio\\-report\n"
		".I COMMAND\n[OPTIONS] FILE...\n.SH COMMANDS\n");
	for (size_t i = 0; i < rp_command_count; i++)
		man_command(rp_commands[i], out);
	rp_str_add(out, ".SH EXIT STATUS\n");
	for (size_t i = 0; i < rp_exit_meaning_count; i++) {
		rp_str_addf(out, ".TP\n.B %d\n", rp_exit_meanings[i].status);
		roff(out, rp_exit_meanings[i].meaning);
		rp_str_add(out, ".\n");
	}
	rp_str_add(out, ".SH SEE ALSO\n.BR fio (1),\n.BR gnuplot (1)\n");
}
