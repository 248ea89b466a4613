/* SPDX-License-Identifier: GPL-2.0-only */
/* A SATA disk in user space: the loop between the kernel's ring and the drive.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
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
#define FAREWELL_US 200000

struct fake {
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

static int wait_us(const struct fake *fake, int64_t us)
{
	struct pollfd pollfd = {.fd = fake->tcmu.fd, .events = POLLIN};
	const struct timespec limit = {us / 1000000, us % 1000000 * 1000};
	uint32_t events;

	if (ppoll(&pollfd, 1, us < 0 ? NULL : &limit, NULL) < 0)
		return errno == EINTR ? 0 : -errno;
	if (pollfd.revents && read(fake->tcmu.fd, &events, sizeof(events)) < 0)
		return -errno;
	return 0;
}

static int turn(struct fake *fake, int64_t most_us)
{
	int err = take_all(fake);

	if (err)
		return err;
	target_run(&fake->target, now_us());
	err = answer_all(fake);
	if (err)
		return err;
	if (most_us < 0)
		most_us = target_wait_us(&fake->target, now_us());
	return wait_us(fake, most_us);
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

static int serve(struct fake *fake, const struct options *options)
{
	uint64_t end;
	int err = 0;

	while (!err && !fake->target.vanished)
		err = turn(fake, -1);
	if (err)
		return complain(options->uio, err);
	err = go_offline(options->offline);
	if (err)
		return complain(options->offline, err);
	for (end = now_us() + FAREWELL_US; !err && now_us() < end;)
		err = turn(fake, FAREWELL_US / 20);
	return err ? complain(options->uio, err) : 0;
}

static int start(struct fake *fake, const struct options *options)
{
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
	target_init(&fake->target, options, media, &fake->trace);
	return serve(fake, options);
}

int main(int argc, char **argv)
{
	struct fake fake = {0};
	struct options options;
	char sentence[200];

	if (options_parse(&options, argc, argv, sentence, sizeof(sentence))) {
		fprintf(stderr, "fake_sata: %s\n", sentence);
		return 2;
	}
	if (!options.uio || !options.trace || !options.offline ||
	    !options.map_bytes) {
		fputs("fake_sata: --uio, --map-bytes, --trace and --offline"
		      " are needed\n",
		      stderr);
		return 2;
	}
	return start(&fake, &options);
}
