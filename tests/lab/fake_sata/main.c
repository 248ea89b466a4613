/* SPDX-License-Identifier: GPL-2.0-only */
/* A SATA disk in user space: the loop between the kernel's ring and the drive.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "options.h"
#include "target.h"
#include "tcmu.h"

/* How long a drive that has vanished still ends what was on its way. */
#define FAREWELL_US 50000

static volatile sig_atomic_t begin;

struct fake {
	struct options options, tame;
	struct tcmu tcmu;
	struct target target;
	struct trace trace;
};

static int complain(const char *what, int err)
{
	fprintf(stderr, "fake_sata: %s: %s\n", what, strerror(-err));
	return 1;
}

static uint64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static int take_all(struct fake *fake)
{
	struct tcmu_event event;
	int taken;

	while ((taken = tcmu_take(&fake->tcmu, &event)) > 0) {
		if (event.request) {
			target_submit(&fake->target, event.request, now_us());
			continue;
		}
		for (uint32_t i = 0; i < event.n_ids; i++)
			target_abort(&fake->target, tcmu_event_id(&event, i),
				     now_us());
	}
	return taken;
}

static int answer_all(struct fake *fake)
{
	struct request *request;

	while ((request = target_done(&fake->target))) {
		tcmu_answer(&fake->tcmu, request);
		request_free(request);
	}
	fflush(fake->trace.out);
	return tcmu_kick(&fake->tcmu);
}

static void on_signal(int number)
{
	(void)number;
	begin = 1;
}

/* SIGUSR1 comes only where it is waited for, so that it is not missed. */
static int wait_us(const struct fake *fake, int64_t us)
{
	struct pollfd pollfd = {.fd = fake->tcmu.fd, .events = POLLIN};
	const struct timespec limit = {us / 1000000, us % 1000000 * 1000};
	sigset_t none;
	uint32_t events;

	sigemptyset(&none);
	if (ppoll(&pollfd, 1, us < 0 ? NULL : &limit, &none) < 0)
		return errno == EINTR ? 0 : -errno;
	if (pollfd.revents && read(fake->tcmu.fd, &events, sizeof(events)) < 0)
		return -errno;
	return 0;
}

/* Without waiting. */
static int work(struct fake *fake)
{
	int err;

	if (begin) {
		begin = 0;
		target_begin(&fake->target, &fake->options);
	}
	err = take_all(fake);
	if (err)
		return err;
	target_run(&fake->target, now_us());
	return answer_all(fake);
}

/* From now on the kernel sends nothing, whatever is asked. */
static int go_offline(const char *path)
{
	static const char word[] = "offline";
	const int fd = open(path, O_WRONLY);
	int err = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, word, sizeof(word) - 1) < 0)
		err = -errno;
	close(fd);
	return err;
}

static int serve_until_it_vanishes(struct fake *fake)
{
	int err = work(fake);

	while (!err && !fake->target.vanished) {
		err = wait_us(fake, target_wait_us(&fake->target, now_us()));
		if (!err)
			err = work(fake);
	}
	return err;
}

static int say_farewell(struct fake *fake)
{
	const uint64_t end = now_us() + FAREWELL_US;
	int err = 0;

	while (!err && now_us() < end) {
		err = wait_us(fake, FAREWELL_US / 20);
		if (!err)
			err = work(fake);
	}
	return err;
}

static int serve(struct fake *fake)
{
	const struct options *options = &fake->options;
	int err = serve_until_it_vanishes(fake);

	if (err)
		return complain(options->uio, err);
	err = go_offline(options->offline);
	if (err)
		return complain(options->offline, err);
	err = say_farewell(fake);
	return err ? complain(options->uio, err) : 0;
}

static int start(struct fake *fake)
{
	const struct options *options = &fake->options;
	const size_t bytes = options->blocks * options->block_bytes;
	uint8_t *media =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	int err;

	if (media == MAP_FAILED)
		return complain("memory", -errno);
	fake->trace.out = fopen(options->trace, "a");
	if (!fake->trace.out)
		return complain(options->trace, -errno);
	err = tcmu_open(&fake->tcmu, options->uio, options->map_bytes);
	if (err)
		return complain(options->uio, err);
	options_tame(options, &fake->tame);
	target_init(&fake->target, &fake->tame, media, &fake->trace);
	return serve(fake);
}

/* Waits with SIGUSR1 until the kernel has looked at the drive. */
static void catch_signal(void)
{
	const struct sigaction action = {.sa_handler = on_signal};
	sigset_t held;

	sigemptyset(&held);
	sigaddset(&held, SIGUSR1);
	sigprocmask(SIG_BLOCK, &held, NULL);
	sigaction(SIGUSR1, &action, NULL);
}

int main(int argc, char **argv)
{
	struct fake fake = {0};
	struct options *options = &fake.options;
	char sentence[200];

	if (options_parse(options, argc, argv, sentence, sizeof(sentence))) {
		fprintf(stderr, "fake_sata: %s\n", sentence);
		return 2;
	}
	if (!options->uio || !options->trace || !options->offline ||
	    !options->map_bytes) {
		fputs("fake_sata: --uio, --map-bytes, --trace and --offline"
		      " are needed\n",
		      stderr);
		return 2;
	}
	catch_signal();
	return start(&fake);
}
