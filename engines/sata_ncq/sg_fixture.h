/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stands in for the kernel in tests of transports: nodes of sg that begin with
 * FAKE_NODE, whose handles are one end of a socket.  A test is the disk at the
 * other end.  All other files are the kernel's, and so is epoll.
 */
#ifndef SN_SG_FIXTURE_H
#define SN_SG_FIXTURE_H

#include "transport.h"

#include "unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FAKE_NODE "/dev/fake-sg"
#define FAKE_MOST (2 * SN_MAX_HANDLES)

struct fake_handle {
	char path[32];
	int fd;	  /* the engine's, closed by it */
	int disk; /* the other end, -1: the disk is gone */
	int memory;
	int reserved;
};

/* What the next calls come to. */
static struct fake {
	struct fake_handle handles[FAKE_MOST];
	unsigned int n_handles;
	unsigned int open_most;	 /* then EMFILE */
	unsigned int interrupts; /* calls that end with EINTR */
	int write_error, read_error, mmap_error;
	int reserve_most;
	unsigned int polls; /* epoll_wait() was called so often */
	int (*sg_io)(int fd, struct sg_io_hdr *header);
} fake;

static inline struct fake_handle *fake_of(int fd)
{
	for (unsigned int i = fake.n_handles; i--;) {
		if (fake.handles[i].fd == fd)
			return &fake.handles[i];
	}
	return NULL;
}

static inline int fake_fail(int error)
{
	errno = error;
	return -1;
}

static inline bool fake_interrupted(void)
{
	if (!fake.interrupts)
		return false;
	fake.interrupts--;
	return true;
}

int open(const char *path, int flags, ...)
{
	struct fake_handle *handle = &fake.handles[fake.n_handles];
	int ends[2];

	if (strncmp(path, FAKE_NODE, strlen(FAKE_NODE)))
		return (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0);
	if (fake.n_handles == fake.open_most)
		return fake_fail(EMFILE);
	assert_true(fake.n_handles < FAKE_MOST);
	assert_int_equal(flags & O_ACCMODE, O_RDWR);
	assert_true(flags & O_CLOEXEC);
	assert_int_equal(
		socketpair(AF_UNIX,
			   SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0,
			   ends),
		0);
	*handle = (struct fake_handle){
		.fd = ends[0], .disk = ends[1], .memory = -1};
	assert_true(strlen(path) < sizeof(handle->path));
	snprintf(handle->path, sizeof(handle->path), "%s", path);
	fake.n_handles++;
	return handle->fd;
}

ssize_t write(int fd, const void *data, size_t n)
{
	ssize_t ret;

	if (!fake_of(fd))
		return syscall(SYS_write, fd, data, n);
	if (fake_interrupted())
		return fake_fail(EINTR);
	if (fake.write_error)
		return fake_fail(fake.write_error);
	ret = send(fd, data, n, MSG_NOSIGNAL);
	return ret < 0 && errno == EPIPE ? fake_fail(ENODEV) : ret;
}

ssize_t read(int fd, void *data, size_t n)
{
	ssize_t ret;

	if (!fake_of(fd))
		return syscall(SYS_read, fd, data, n);
	if (fake_interrupted())
		return fake_fail(EINTR);
	if (fake.read_error)
		return fake_fail(fake.read_error);
	ret = recv(fd, data, n, 0);
	return ret ? ret : fake_fail(ENODEV);
}

int epoll_wait(int epfd, struct epoll_event *events, int max, int timeout)
{
	fake.polls++;
	if (fake_interrupted())
		return fake_fail(EINTR);
	return epoll_pwait(epfd, events, max, timeout, NULL);
}

static inline int fake_reserve(struct fake_handle *handle, int size)
{
	if (fake.reserve_most < 0)
		return fake_fail(EINVAL);
	handle->reserved = size < fake.reserve_most ? size : fake.reserve_most;
	return 0;
}

int ioctl(int fd, unsigned long request, ...)
{
	struct fake_handle *handle = fake_of(fd);
	va_list arguments;
	void *argument;

	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	if (!handle)
		return (int)syscall(SYS_ioctl, fd, request, argument);
	switch (request) {
	case SG_SET_RESERVED_SIZE:
		return fake_reserve(handle, *(const int *)argument);
	case SG_GET_RESERVED_SIZE:
		*(int *)argument = handle->reserved;
		return 0;
	case SG_IO:
		return fake.sg_io(fd, argument);
	default:
		return fake_fail(ENOTTY);
	}
}

void *mmap(void *at, size_t n, int protection, int flags, int fd, off_t offset)
{
	struct fake_handle *handle = fd < 0 ? NULL : fake_of(fd);

	if (handle && fake.mmap_error) {
		/* As the kernel may, before it asks the driver. */
		munmap(at, n);
		errno = fake.mmap_error;
		return MAP_FAILED;
	}
	if (handle) {
		handle->memory = memfd_create("reserved", MFD_CLOEXEC);
		assert_int_equal(ftruncate(handle->memory, handle->reserved),
				 0);
		fd = handle->memory;
	}
	return (void *)syscall(SYS_mmap, at, n, protection, flags, fd, offset);
}

static inline void remove_disk(struct fake_handle *handle)
{
	struct sg_io_hdr header;

	if (handle->disk < 0)
		return;
	/* With commands in it the socket would forget the answers. */
	while (recv(handle->disk, &header, sizeof(header), 0) > 0)
		;
	close(handle->disk);
	handle->disk = -1;
}

static inline void begin_fake(void)
{
	const struct fake begin = {.open_most = FAKE_MOST,
				   .reserve_most = 1 << 20};
	struct rlimit files;

	fake = begin;
	/* Two for each handle. */
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
	files.rlim_cur = files.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &files), 0);
	alarm(20); /* a test that waits for ever fails */
}

static inline void end_fake(void)
{
	for (unsigned int i = 0; i < fake.n_handles; i++) {
		remove_disk(&fake.handles[i]);
		if (fake.handles[i].memory >= 0)
			close(fake.handles[i].memory);
	}
	alarm(0);
	fake.n_handles = 0;
}

static inline unsigned int count_open_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned int n = 0;

	assert_non_null(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

#define FAKE_DEVICES 3

/* Sockets have the number 0. */
static inline struct sn_transport_setup fake_setup(unsigned int n_devices,
						   unsigned int slots)
{
	static const char *const paths[FAKE_DEVICES] = {
		FAKE_NODE "0", FAKE_NODE "1", FAKE_NODE "2"};
	static const dev_t numbers[FAKE_DEVICES];

	return (struct sn_transport_setup){.paths = paths,
					   .numbers = numbers,
					   .n_devices = n_devices,
					   .slots = slots,
					   .bytes = 65536};
}

#endif
