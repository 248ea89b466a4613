/* SPDX-License-Identifier: GPL-2.0-only */
#include "json_file.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Unicode's second set of control characters is C2 80 to C2 9F in UTF-8. */
static bool is_c1(const char *text)
{
	const unsigned char first = (unsigned char)text[0];
	const unsigned char second = first ? (unsigned char)text[1] : 0;

	return first == 0xc2 && second >= 0x80 && second <= 0x9f;
}

static bool is_utf8(const char *text)
{
	json_t *string = json_string(text);

	json_decref(string);
	return string != NULL;
}

char *fe_clean_text(const char *text)
{
	char *copy = strdup(text);
	bool ascii;

	if (!copy)
		return NULL;
	ascii = !is_utf8(copy);
	for (char *at = copy; *at; at++) {
		const unsigned char byte = (unsigned char)*at;

		if (is_c1(at))
			at[0] = at[1] = '?';
		else if (byte < ' ' || byte == 0x7f || (ascii && byte > 0x7f))
			*at = '?';
	}
	return copy;
}

static int dump(const json_t *object, int fd)
{
	FILE *file = fdopen(fd, "w");
	bool bad;

	if (!file) {
		const int error = errno;

		close(fd);
		return -error;
	}
	errno = 0;
	bad = json_dumpf(object, file, JSON_INDENT(2)) || fputc('\n', file) < 0;
	if (fclose(file) || bad)
		return errno ? -errno : -EIO;
	return 0;
}

/* Not mkstemp(): the file shall have the mode that umask leaves of 0644. */
static int write_beside(const json_t *object, const char *temporary,
			const char *path)
{
	const int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			    S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH);
	int ret;

	if (fd < 0)
		return -errno;
	ret = dump(object, fd);
	if (!ret && rename(temporary, path))
		ret = -errno;
	if (ret)
		unlink(temporary);
	return ret;
}

int fe_json_write(const struct json_t *object, const char *path,
		  struct fe_error *err)
{
	char *temporary, *name;
	int ret = -ENOMEM;

	/* A thread's number: of no other job at the same time. */
	if (asprintf(&temporary, "%s.%ld.tmp", path, (long)gettid()) < 0)
		temporary = NULL;
	if (object && temporary)
		ret = write_beside(object, temporary, path);
	if (ret) {
		name = fe_clean_text(path);
		fe_error_set(err, ret, "%s: can't be written: %s",
			     name ? name : "?", strerrordesc_np(-ret));
		free(name);
	}
	free(temporary);
	return ret;
}
