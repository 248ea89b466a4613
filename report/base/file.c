/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int system_error(struct rp_err *err, const char *path, const char *verb)
{
	int code = -errno;

	rp_err_set(err, code, "can't %s: %s", verb, strerror(-code));
	rp_err_at(err, path, 0, 0);
	return code;
}

static int too_large(const char *path, size_t limit, struct rp_err *err)
{
	rp_err_set(err, -EFBIG, "is larger than %zu MiB", limit >> 20);
	return rp_err_at(err, path, 0, 0);
}

static int read_all(int fd, const char *path, size_t limit, struct rp_str *out,
		    struct rp_err *err)
{
	char chunk[65536];
	ssize_t n;

	while ((n = read(fd, chunk, sizeof(chunk))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return system_error(err, path, "read it");
		if (out->len + (size_t)n > limit)
			return too_large(path, limit, err);
		rp_str_add_n(out, chunk, (size_t)n);
	}
	if (rp_str_failed(out))
		return rp_err_set(err, -ENOMEM, "out of memory");
	return 0;
}

int rp_file_read(const char *path, size_t limit, struct rp_str *out,
		 struct rp_err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	int ret;

	if (fd < 0)
		return system_error(err, path, "open it");
	if (fstat(fd, &st)) {
		ret = system_error(err, path, "look at it");
	} else if (S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		ret = system_error(err, path, "read it");
	} else if (S_ISREG(st.st_mode) && st.st_size > (off_t)limit) {
		ret = too_large(path, limit, err);
	} else {
		ret = read_all(fd, path, limit, out, err);
	}
	close(fd);
	return ret;
}

static int write_all(int fd, const char *bytes, size_t n)
{
	while (n) {
		ssize_t done = write(fd, bytes, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -1;
		bytes += done;
		n -= (size_t)done;
	}
	return fsync(fd);
}

int rp_file_write(const char *path, const char *bytes, size_t n,
		  struct rp_err *err)
{
	char *temporary = rp_strf("%s.XXXXXX", path);
	mode_t mask = umask(0);
	int fd, ret = 0;

	umask(mask);
	if (!temporary)
		return rp_err_set(err, -ENOMEM, "out of memory");
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0) {
		ret = system_error(err, path, "create it");
		goto out;
	}
	/* mkostemp makes 0600: give what open() would have given */
	if (write_all(fd, bytes, n) || fchmod(fd, 0666 & ~mask) ||
	    rename(temporary, path))
		ret = system_error(err, path, "write it");
	if (ret)
		unlink(temporary);
	close(fd);
out:
	free(temporary);
	return ret;
}

int rp_dir_make(const char *path, struct rp_err *err)
{
	char *partial = strdup(path);
	int ret = 0;

	if (!partial)
		return rp_err_set(err, -ENOMEM, "out of memory");
	for (char *p = partial + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		if (mkdir(partial, 0777) && errno != EEXIST)
			ret = system_error(err, partial, "create it");
		*p = '/';
		if (ret)
			break;
	}
	if (!ret && mkdir(partial, 0777) && errno != EEXIST)
		ret = system_error(err, path, "create it");
	free(partial);
	return ret;
}
