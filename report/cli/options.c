/* SPDX-License-Identifier: GPL-2.0-only */
#include "cli/options.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>

#include "render/render.h"

#define VALUE(field) offsetof(struct rp_values, field)

static void format_names(struct rp_str *out)
{
	for (size_t i = 0; i < rp_format_count; i++)
		rp_str_addf(out, "%s%s", i ? " " : "", rp_formats[i].name);
}

static void colour_names(struct rp_str *out)
{
	rp_str_add(out, "auto always never");
}

const struct rp_option_row rp_option_rows[] = {
	{"format", "FORMAT", "how to write it", format_names, VALUE(format)},
	{"colour", "WHEN", "colours on a terminal", colour_names,
	 VALUE(colour)},
	{"columns", "LIST",
	 "numbers to show, with commas, such as iops,lat_mean_ns,lat_p95_ns",
	 NULL, VALUE(columns)},
	{"out", "DIR", "the folder to write to; made if it does not exist",
	 NULL, VALUE(out)},
	{"linear", NULL, "linear latency axis instead of a logarithmic one",
	 NULL, VALUE(linear)},
	{"temperature", "CSV",
	 "the drive's temperature: columns seconds, celsius and point", NULL,
	 VALUE(temperature)},
	{"point", "NAME", "which point of the temperature it is, if several",
	 NULL, VALUE(point)},
	{"no-charts", NULL, "leave the charts out; gnuplot is not needed then",
	 NULL, VALUE(no_charts)},
};

const size_t rp_option_row_count =
	sizeof(rp_option_rows) / sizeof(rp_option_rows[0]);

#define OPTIONS_MAX 16
#define HELP_INDEX OPTIONS_MAX

const struct rp_option_row *rp_option_find(const char *name)
{
	for (size_t i = 0; i < rp_option_row_count; i++)
		if (!strcmp(rp_option_rows[i].name, name))
			return &rp_option_rows[i];
	return NULL;
}

/* What getopt wants to know, made from the command's list of names. */
static void getopt_rows(const struct rp_command *command, struct option *rows)
{
	size_t n = 0;

	for (const char *const *name = command->options; *name; name++, n++) {
		const struct rp_option_row *row = rp_option_find(*name);

		rows[n] = (struct option){
			.name = row->name,
			.has_arg =
				row->argument ? required_argument : no_argument,
			.val = (int)(row - rp_option_rows),
		};
	}
	rows[n++] = (struct option){.name = "help", .val = HELP_INDEX};
	rows[n] = (struct option){0};
}

void rp_option_describe(const struct rp_option_row *row, struct rp_str *out)
{
	struct rp_str names = RP_STR_INIT;

	rp_str_add(out, row->help);
	if (!row->choices)
		return;
	row->choices(&names);
	rp_str_add(out, ": ");
	for (const char *p = rp_str_text(&names); *p; p++)
		rp_str_add(out, *p == ' ' ? ", " : (const char[]){*p, '\0'});
	rp_str_release(&names);
}

static bool is_choice(const char *choices, const char *value)
{
	size_t len = strlen(value);

	for (const char *p = choices; p; p = strchr(p, ' ')) {
		p += *p == ' ';
		if (len && !strncmp(p, value, len) &&
		    (p[len] == ' ' || !p[len]))
			return true;
	}
	return false;
}

static int check_choice(const struct rp_option_row *row, const char *value,
			struct rp_err *err)
{
	struct rp_str names = RP_STR_INIT;
	int ret = 0;

	row->choices(&names);
	if (!is_choice(rp_str_text(&names), value))
		ret = rp_err_set(err, -EINVAL, "--%s %s: expected one of: %s",
				 row->name, value, rp_str_text(&names));
	rp_str_release(&names);
	return ret;
}

static int store(const struct rp_option_row *row, struct rp_values *values,
		 struct rp_err *err)
{
	char *place = (char *)values + row->offset;

	if (!row->argument) {
		*(bool *)place = true;
		return 0;
	}
	*(const char **)place = optarg;
	return row->choices ? check_choice(row, optarg, err) : 0;
}

int rp_options_parse(const struct rp_command *command, int argc, char **argv,
		     struct rp_values *values, bool *help, struct rp_err *err)
{
	struct option rows[OPTIONS_MAX + 2];
	int index, ret = 0;

	*values = (struct rp_values){0};
	*help = false;
	getopt_rows(command, rows);
	opterr = 0;
	optind = 1;
	while (!ret &&
	       (index = getopt_long(argc, argv, ":h", rows, NULL)) != -1) {
		if (index == HELP_INDEX || index == 'h')
			*help = true;
		else if (index == ':')
			ret = rp_err_set(err, -EINVAL, "%s needs a value",
					 argv[optind - 1]);
		else if (index == '?')
			ret = rp_err_set(err, -EINVAL,
					 "%s: no such option of %s; see: "
					 "fio-report %s --help",
					 argv[optind - 1], command->name,
					 command->name);
		else
			ret = store(&rp_option_rows[index], values, err);
	}
	values->files = argv + optind;
	values->file_count = (size_t)(argc - optind);
	return ret;
}
