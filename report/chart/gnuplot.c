/* SPDX-License-Identifier: GPL-2.0-only */
#include "chart/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"

#define TIME_LIMIT_MS 60000
#define POLL_MS 20
#define MOST_CHILDREN 16
#define MOST_COMPLAINT 4096

extern char **environ;

struct child {
	pid_t pid;	/* 0 = the slot is free */
	int complaints; /* what it writes to stderr; -1 = it closed */
	const char *stem;
	long long deadline;
	struct rp_str text;
};

static long long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/* A child must not inherit what our caller ignores or blocks. */
static int set_signals(posix_spawnattr_t *attributes)
{
	sigset_t none, defaults;

	sigemptyset(&none);
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGCHLD);
	sigaddset(&defaults, SIGPIPE);
	posix_spawnattr_setsigmask(attributes, &none);
	posix_spawnattr_setsigdefault(attributes, &defaults);
	/* a group of its own: GNUPLOT may name a wrapper */
	return posix_spawnattr_setflags(
		attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
				    POSIX_SPAWN_SETPGROUP);
}

static int spawn(const char *dir, char *script, int complaints, pid_t *pid)
{
	const char *gnuplot = getenv("GNUPLOT");
	/* -d: a user's ~/.gnuplot must not change a report */
	char name[] = "gnuplot", defaults[] = "-d";
	char *argv[] = {name, defaults, script, NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int ret = posix_spawn_file_actions_init(&actions);

	if (ret)
		return -ret;
	ret = posix_spawnattr_init(&attributes);
	if (ret) {
		posix_spawn_file_actions_destroy(&actions);
		return -ret;
	}
	ret = posix_spawn_file_actions_addchdir_np(&actions, dir);
	if (!ret)
		ret = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null",
						       O_RDONLY, 0);
	if (!ret)
		ret = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null",
						       O_WRONLY, 0);
	if (!ret)
		ret = posix_spawn_file_actions_adddup2(&actions, complaints, 2);
	if (!ret)
		ret = set_signals(&attributes);
	if (!ret)
		ret = posix_spawnp(pid, gnuplot && *gnuplot ? gnuplot : name,
				   &actions, &attributes, argv, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return -ret;
}

/* gnuplot would write through a link that leads elsewhere. */
static void remove_picture(const char *dir, const char *stem,
			   const char *suffix)
{
	char *path = rp_strf("%s/%s%s", dir, stem, suffix);

	if (path)
		unlink(path);
	free(path);
}

static int start(const char *dir, const char *stem, struct child *child,
		 struct rp_err *err)
{
	char *script = rp_strf("%s.gp", stem);
	int ends[2];
	int ret;

	remove_picture(dir, stem, ".svg");
	remove_picture(dir, stem, ".png");
	if (!script)
		return rp_err_set(err, -ENOMEM, "out of memory");
	if (pipe2(ends, O_CLOEXEC)) {
		ret = rp_err_set(err, -errno, "no pipe to gnuplot");
		free(script);
		return ret;
	}
	ret = spawn(dir, script, ends[1], &child->pid);
	free(script);
	close(ends[1]);
	if (ret) {
		child->pid = 0;
		close(ends[0]);
		if (ret == -ENOENT)
			return rp_err_set(err, ret,
					  "gnuplot is not installed: apt "
					  "install gnuplot-nox");
		return rp_err_set(err, ret, "gnuplot can't be started: %s",
				  strerror(-ret));
	}
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	child->complaints = ends[0];
	child->stem = stem;
	child->deadline = now_ms() + TIME_LIMIT_MS;
	return 0;
}

/* Take what there is to read; more than we keep is thrown away. */
static void listen_to(struct child *child)
{
	char chunk[512];
	ssize_t n;

	if (child->complaints < 0)
		return;
	while ((n = read(child->complaints, chunk, sizeof(chunk))) > 0)
		if (child->text.len < MOST_COMPLAINT)
			rp_str_add_n(&child->text, chunk, (size_t)n);
	if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
		close(child->complaints);
		child->complaints = -1;
	}
}

/* The line that names a place; gnuplot echoes the command before it. */
static int complain(const struct child *child, struct rp_err *err)
{
	const char *line = rp_str_text(&child->text);
	const char *found = strstr(line, "\" line ");

	if (found) {
		while (found > line && found[-1] != '\n')
			found--;
		line = found;
	} else {
		line += strspn(line, "\n \t");
	}
	if (!*line)
		line = "it ended without saying why";
	return rp_err_set(err, -EIO, "gnuplot failed on %s.gp: %.*s",
			  child->stem, (int)strcspn(line, "\r\n"), line);
}

/* True once the child is gone; then *ret is 0 or the error told. */
static bool has_ended(struct child *child, int *ret, struct rp_err *err)
{
	int status = 0;
	pid_t pid = waitpid(child->pid, &status, WNOHANG);

	if (pid == 0 && now_ms() < child->deadline)
		return false;
	if (pid < 0 && errno == EINTR)
		return false;
	if (pid == 0) {
		kill(-child->pid, SIGKILL);
		waitpid(child->pid, &status, 0);
		*ret = rp_err_set(err, -EIO,
				  "gnuplot took more than %d s on %s.gp",
				  TIME_LIMIT_MS / 1000, child->stem);
		return true;
	}
	listen_to(child);
	/* Without a status (a caller ignores SIGCHLD) go by what it said. */
	if (pid < 0 ? child->text.len > 0
		    : !WIFEXITED(status) || WEXITSTATUS(status))
		*ret = complain(child, err);
	return true;
}

static void forget(struct child *child)
{
	if (child->complaints >= 0)
		close(child->complaints);
	rp_str_release(&child->text);
	memset(child, 0, sizeof(*child));
	child->complaints = -1;
}

/* Sleep until somebody speaks, for a moment at most. */
static void wait_a_moment(const struct child *children, size_t count)
{
	struct pollfd fds[MOST_CHILDREN];
	bool listening = false;

	for (size_t i = 0; i < count; i++) {
		fds[i].fd = children[i].pid ? children[i].complaints : -1;
		fds[i].events = POLLIN;
		listening = listening || fds[i].fd >= 0;
	}
	poll(fds, count, listening ? POLL_MS : 1);
}

static size_t choose_parallel(size_t parallel)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (!parallel)
		parallel = cpus > 0 ? (size_t)cpus : 1;
	return parallel < MOST_CHILDREN ? parallel : MOST_CHILDREN;
}

/* Keep the slots busy until all stems are done; the first error is kept. */
static int run_all(const char *dir, const char *const *stems, size_t count,
		   struct child *children, size_t parallel, struct rp_err *err)
{
	size_t next = 0, running = 0;
	int first = 0;

	while (next < count || running) {
		for (size_t i = 0; i < parallel; i++) {
			int ret = 0;

			if (children[i].pid) {
				listen_to(&children[i]);
				if (!has_ended(&children[i], &ret, err))
					continue;
				forget(&children[i]);
				running--;
			} else if (next < count) {
				ret = start(dir, stems[next++], &children[i],
					    err);
				running += !ret;
			}
			if (ret && !first)
				first = ret;
			if (ret == -ENOENT)
				next = count;
		}
		if (running)
			wait_a_moment(children, parallel);
	}
	return first;
}

int rp_gnuplot_run(const char *dir, const char *const *stems, size_t count,
		   size_t parallel, struct rp_err *err)
{
	struct child children[MOST_CHILDREN] = {0};
	struct stat st;

	if (stat(dir, &st))
		return rp_err_set(err, -errno, "%s can't be used: %s", dir,
				  strerror(errno));
	for (size_t i = 0; i < MOST_CHILDREN; i++)
		children[i].complaints = -1;
	return run_all(dir, stems, count, children, choose_parallel(parallel),
		       err);
}
