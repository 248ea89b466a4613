/* SPDX-License-Identifier: GPL-2.0-only */
#include "cli/output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/file.h"

int rp_output_text(const struct rp_str *text)
{
	if (rp_str_failed(text) ||
	    fwrite(rp_str_text(text), 1, text->len, stdout) != text->len ||
	    fflush(stdout)) {
		rp_output_complaint("can't write the output: %s",
				    strerror(errno));
		return -EIO;
	}
	return 0;
}

static bool want_colour(const char *when)
{
	if (when && !strcmp(when, "always"))
		return true;
	if (when && !strcmp(when, "never"))
		return false;
	return isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
}

static unsigned terminal_width(void)
{
	struct winsize size;

	if (isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		return size.ws_col;
	return 0;
}

const struct rp_format *rp_output_format(const struct rp_values *values)
{
	return rp_format_find(values->format ? values->format : "tty");
}

static int render(const struct rp_doc *doc, const struct rp_format *format,
		  const struct rp_render_context *context, struct rp_str *out,
		  struct rp_err *err)
{
	/* a document that lacks memory may lack texts, too */
	if (doc->failed)
		return rp_err_set(err, -ENOMEM, "out of memory");
	return format->render(doc, context, out, err);
}

int rp_output_doc(const struct rp_doc *doc, const struct rp_values *values,
		  struct rp_err *err)
{
	struct rp_render_context context = {
		.colour = want_colour(values->colour),
		.width = terminal_width(),
	};
	struct rp_str text = RP_STR_INIT;
	int ret = render(doc, rp_output_format(values), &context, &text, err);

	if (!ret && rp_output_text(&text))
		exit(RP_EXIT_SYSTEM);
	rp_str_release(&text);
	return ret;
}

int rp_output_file(const struct rp_doc *doc, const char *format,
		   const char *dir, const char *name, struct rp_err *err)
{
	struct rp_render_context context = {.dir = dir};
	struct rp_str text = RP_STR_INIT;
	char *path = rp_strf("%s/%s", dir, name);
	int ret =
		path ? render(doc, rp_format_find(format), &context, &text, err)
		     : rp_err_set(err, -ENOMEM, "out of memory");

	if (!ret)
		ret = rp_file_write(path, rp_str_text(&text), text.len, err);
	rp_str_release(&text);
	free(path);
	return ret;
}

/* A file's name may hold escape sequences: the terminal must not see them. */
static void print_safely(const char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c < 0x20 || c == 0x7f)
			fprintf(stderr, "\\x%02x", c);
		else
			fputc(c, stderr);
	}
}

void rp_output_error(const struct rp_err *err)
{
	fputs("fio-report: ", stderr);
	if (err->where[0]) {
		print_safely(err->where);
		if (err->line)
			fprintf(stderr, ":%u", err->line);
		if (err->line && err->column)
			fprintf(stderr, ":%u", err->column);
		fputs(": ", stderr);
	}
	print_safely(err->message);
	fputc('\n', stderr);
}

void rp_output_complaint(const char *fmt, ...)
{
	struct rp_err err = {.code = -EINVAL};
	va_list args;

	va_start(args, fmt);
	vsnprintf(err.message, sizeof(err.message), fmt, args);
	va_end(args);
	rp_output_error(&err);
}
