/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_CLI_COMMAND_H
#define RP_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"

/* What fio-report's exit status says.  Named in --help and the man page. */
enum rp_exit {
	RP_EXIT_OK = 0,	    /* all is well */
	RP_EXIT_NO = 1,	    /* the answer is "no": a job failed */
	RP_EXIT_USAGE = 2,  /* the command line is wrong */
	RP_EXIT_INPUT = 3,  /* a file is not what it should be */
	RP_EXIT_SYSTEM = 4, /* the system refused: disk, memory, gnuplot */
};

struct rp_exit_meaning {
	enum rp_exit status;
	const char *meaning;
};

extern const struct rp_exit_meaning rp_exit_meanings[];
extern const size_t rp_exit_meaning_count;

/* What an error means for the exit status. */
enum rp_exit rp_exit_status(const struct rp_err *err);

/* What the options of a command line came to. */
struct rp_values {
	const char *format; /* NULL = not given */
	const char *colour;
	const char *out;
	const char *columns;
	const char *temperature;
	const char *point;
	bool linear;
	bool no_charts;
	char **files;
	size_t file_count;
};

/*
 * The one table of options: the parser, --help, the man page and the
 * completion all read it.
 */
struct rp_option_row {
	const char *name;     /* long option without the dashes */
	const char *argument; /* NULL = a switch */
	const char *help;     /* one sentence, no full stop */
	void (*choices)(struct rp_str *out); /* "a b c"; NULL = any value */
	size_t offset; /* in struct rp_values: const char * or bool */
};

extern const struct rp_option_row rp_option_rows[];
extern const size_t rp_option_row_count;

const struct rp_option_row *rp_option_find(const char *name); /* or NULL */

/* The help with the choices: "how to write it: tty, md, csv". */
void rp_option_describe(const struct rp_option_row *row, struct rp_str *out);

/* Adding a command is one file and one row of rp_commands. */
struct rp_command {
	const char *name;
	const char *arguments; /* "FILE..." */
	const char *summary;   /* one line */
	const char *description;
	const char *examples;	    /* lines to copy, each with its effect */
	const char *const *options; /* names, NULL-terminated */
	/* Gives an exit status; on an error it fills `err` instead. */
	int (*run)(const struct rp_values *values, struct rp_err *err);
};

extern const struct rp_command *const rp_commands[];
extern const size_t rp_command_count;

extern const struct rp_command rp_command_summary;
extern const struct rp_command rp_command_curve;
extern const struct rp_command rp_command_review;
extern const struct rp_command rp_command_steady;
extern const struct rp_command rp_command_endurance;

#endif
