/* SPDX-License-Identifier: GPL-2.0-only */
#include "claim.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "sysfs.h"

#define SYS "/sys"
#define SPACES " \t\n"

static int refuse(struct fe_error *err, const char *block, const char *use)
{
	return fe_error_set(
		err, -EBUSY,
		"%s will not be written: %s (allow_mounted_write=1 does not ask)",
		block, use);
}

/* The kernel writes a space in a path as \040. */
static void decode_path(const char *from, size_t length, char *to, size_t size)
{
	size_t n = 0;

	for (size_t i = 0; i < length && n + 1 < size; i++) {
		const char *at = from + i;

		if (length - i > 3 && at[0] == '\\' && at[1] >= '0' &&
		    at[1] <= '3' && at[2] >= '0' && at[2] <= '7' &&
		    at[3] >= '0' && at[3] <= '7') {
			to[n++] = (char)((at[1] - '0') << 6 |
					 (at[2] - '0') << 3 | (at[3] - '0'));
			i += 3;
		} else {
			to[n++] = *at;
		}
	}
	to[n] = '\0';
}

/* "259:0" and what follows it; false if it does not begin so. */
static bool read_device(const char **at, dev_t *device)
{
	unsigned long numbers[2];

	for (unsigned int i = 0; i < 2; i++) {
		char *end;

		if (**at < '0' || **at > '9')
			return false;
		numbers[i] = strtoul(*at, &end, 10);
		*at = end;
		if (i == 0 && *(*at)++ != ':')
			return false;
	}
	if (numbers[0] > UINT32_MAX || numbers[1] > UINT32_MAX)
		return false;
	*device = makedev((unsigned int)numbers[0], (unsigned int)numbers[1]);
	return true;
}

bool fe_claim_listed(const char *list, dev_t device)
{
	const char *at = list;
	dev_t one;

	while (at && read_device(&at, &one)) {
		if (one == device && (*at == ',' || !*at))
			return true;
		if (*at++ != ',')
			break;
	}
	return false;
}

/* A word of a line, counted from 0, as a path. */
static bool word(const char *line, unsigned int index, char *to, size_t size)
{
	size_t length = strcspn(line, SPACES);

	for (; index; index--) {
		line += length;
		line += strspn(line, " \t");
		length = strcspn(line, SPACES);
	}
	decode_path(line, length, to, size);
	return length > 0;
}

/* Start of the next line, or NULL. */
static const char *next_line(const char *line)
{
	line = strchr(line, '\n');
	return line && line[1] ? line + 1 : NULL;
}

/* Some file systems have a device number of their own: then the source tells,
 * which is the second word after the dash. */
static dev_t source_of(const char *line, const struct fe_claim_facts *facts)
{
	const char *dash = strstr(line, " - ");
	const char *end = strchr(line, '\n');
	char source[PATH_MAX];

	if (!dash || (end && dash > end) ||
	    !word(dash + 3, 1, source, sizeof(source)) ||
	    strncmp(source, "/dev/", 5))
		return 0;
	return facts->device_at(source);
}

/* proc_pid_mountinfo(5) */
static bool mounted_at(const struct fe_claim_facts *facts, dev_t device,
		       char *place, size_t size)
{
	const char *line = facts->mountinfo;

	for (; line && *line; line = next_line(line)) {
		char number[32];
		const char *at = number;
		dev_t one = 0;

		if (!word(line, 2, number, sizeof(number)) ||
		    !read_device(&at, &one))
			continue;
		if (one == device || source_of(line, facts) == device)
			return word(line, 4, place, size);
	}
	return false;
}

static bool is_swap(const struct fe_claim_facts *facts, dev_t device)
{
	const char *line = facts->swaps ? next_line(facts->swaps) : NULL;

	for (; line; line = next_line(line)) {
		char path[PATH_MAX];

		if (word(line, 0, path, sizeof(path)) &&
		    facts->device_at(path) == device)
			return true;
	}
	return false;
}

/* Whatever a mount point is called, the sentence is one line. */
static void clean(char *text)
{
	for (; *text; text++) {
		if ((unsigned char)*text < ' ' || *text == 127)
			*text = '?';
	}
}

int fe_claim_judge(const char *block, const struct fe_claim_facts *facts,
		   struct fe_error *err)
{
	char use[300], place[160];

	for (size_t i = 0; i < facts->n_parts; i++) {
		const struct fe_claim_part *part = &facts->parts[i];

		use[0] = '\0';
		if (mounted_at(facts, part->device, place, sizeof(place)))
			snprintf(use, sizeof(use), "%s is mounted at %s",
				 part->name, place);
		else if (is_swap(facts, part->device))
			snprintf(use, sizeof(use), "%s is swap space",
				 part->name);
		else if (part->holders[0])
			snprintf(use, sizeof(use), "%s is part of %s",
				 part->name, part->holders);
		clean(use);
		if (use[0])
			return refuse(err, block, use);
	}
	if (facts->n_parts < 2)
		return 0;
	snprintf(use, sizeof(use), "it has partitions (%s)",
		 facts->parts[1].name);
	return refuse(err, block, use);
}

static dev_t device_at(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISBLK(st.st_mode) ? st.st_rdev : 0;
}

/* All of a file in /proc, which has no size; NULL if it can't be read. */
static char *read_all(const char *path)
{
	FILE *file = fopen(path, "re");
	char *text = NULL;
	size_t size = 0;

	if (!file)
		return NULL;
	if (getdelim(&text, &size, '\0', file) < 0) {
		free(text);
		text = ferror(file) ? NULL : calloc(1, 1);
	}
	fclose(file);
	return text;
}

#define MAX_PARTS 257 /* more are refused just as these */

struct family {
	char folder[PATH_MAX + 128]; /* of the disk */
	struct fe_claim_part parts[MAX_PARTS];
	size_t n;
	struct fe_claim_part *current; /* whose holders are looked at */
};

static bool add_holder(const char *name, void *context)
{
	char *holders = ((struct family *)context)->current->holders;
	const size_t n = strlen(holders);

	snprintf(holders + n, sizeof(((struct fe_claim_part *)0)->holders) - n,
		 "%s%s", n ? ", " : "", name);
	return true;
}

/* `folder` has the folder `name` of a disk or partition. */
static void add_part(struct family *family, const char *folder,
		     const char *name)
{
	struct fe_claim_part *part = &family->parts[family->n];
	char text[32], holders[2 * PATH_MAX];
	const char *at = text;

	if (!fe_sysfs_text(folder, name, "dev", text, sizeof(text)) ||
	    !read_device(&at, &part->device))
		return;
	snprintf(part->name, sizeof(part->name), "%s", name);
	snprintf(holders, sizeof(holders), "%s/%s/holders", folder, name);
	family->current = part;
	family->n++;
	fe_sysfs_each(holders, add_holder, family);
}

static bool add_partition(const char *name, void *context)
{
	struct family *family = context;
	uint64_t number;

	if (fe_sysfs_number(family->folder, name, "partition", &number))
		add_part(family, family->folder, name);
	return family->n < MAX_PARTS;
}

/* The kernel lists no holder for what a loop device lies on. */
static bool add_loop(const char *name, void *context)
{
	struct family *family = context;
	char path[PATH_MAX];
	dev_t below;

	if (!fe_sysfs_text(SYS "/block", name, "loop/backing_file", path,
			   sizeof(path)))
		return true;
	below = device_at(path);
	for (size_t i = 0; below && i < family->n; i++) {
		family->current = &family->parts[i];
		if (family->current->device == below)
			add_holder(name, family);
	}
	return true;
}

static int find_uses(const char *block, const struct fe_place *place,
		     struct fe_error *err)
{
	struct family *family = calloc(1, sizeof(*family));
	char *mountinfo = read_all("/proc/self/mountinfo");
	char *swaps = read_all("/proc/swaps");
	int ret = -ENOMEM;

	if (!family)
		fe_error_set(err, ret, "out of memory");
	else if (!mountinfo)
		ret = fe_error_set(
			err, -EIO,
			"%s will not be written: what is mounted can't be read from /proc",
			block);
	else {
		struct fe_claim_facts facts = {.mountinfo = mountinfo,
					       .swaps = swaps,
					       .parts = family->parts,
					       .device_at = device_at};

		snprintf(family->folder, sizeof(family->folder), "%s/%s",
			 place->folder, place->name);
		add_part(family, place->folder, place->name);
		fe_sysfs_each(family->folder, add_partition, family);
		fe_sysfs_each(SYS "/block", add_loop, family);
		facts.n_parts = family->n;
		ret = fe_claim_judge(block, &facts, err);
	}
	free(swaps);
	free(mountinfo);
	free(family);
	return ret;
}

/* Opened for nobody else, or -errno. */
static int open_exclusive(const char *block, dev_t device)
{
	const int fd = open(block, O_RDONLY | O_EXCL | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) || !S_ISBLK(st.st_mode) || st.st_rdev != device) {
		close(fd);
		return -ESTALE;
	}
	return fd;
}

/* Kept open until the process ends. */
static struct claim {
	struct claim *next;
	dev_t device;
	int fd; /* -1: who runs fio has it */
} * claims;

static int take(const char *block, dev_t device, struct fe_error *err)
{
	struct claim *claim = calloc(1, sizeof(*claim));

	if (!claim)
		return fe_error_set(err, -ENOMEM, "out of memory");
	claim->device = device;
	claim->fd = open_exclusive(block, device);
	if (claim->fd == -EBUSY &&
	    fe_claim_listed(getenv("FIO_REVIEW_HOLDS"), device))
		claim->fd = -1;
	else if (claim->fd < 0) {
		const int ret = claim->fd;

		free(claim);
		return ret == -EBUSY
			       ? refuse(err, block,
					"another program has claimed it")
			       : fe_error_set(
					 err, ret,
					 "%s will not be written: it can't be claimed: %s",
					 block, strerror(-ret));
	}
	claim->next = claims;
	claims = claim;
	return 0;
}

static bool is_last_part(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');

	return !strcmp(slash ? slash + 1 : path, name);
}

/* Which device it is; the name need not be that of the kernel's. */
static int locate(const char *block, dev_t *device, struct fe_place *place,
		  struct fe_error *err)
{
	struct stat st;

	if (stat(block, &st))
		return fe_error_set(err, -errno, "%s will not be written: %s",
				    block, strerror(errno));
	if (!S_ISBLK(st.st_mode))
		return fe_error_set(err, -ENOTBLK,
				    "%s will not be written: no block device",
				    block);
	if (!fe_sysfs_locate(SYS, st.st_mode, st.st_rdev, place))
		return fe_error_set(
			err, -ENODEV,
			"%s will not be written: /sys does not tell how it is used",
			block);
	if (!is_last_part(block, place->name))
		return fe_error_set(
			err, -ENODEV,
			"%s will not be written: this node has the number of %s",
			block, place->name);
	*device = st.st_rdev;
	return 0;
}

static int claim_once(const char *block, dev_t device,
		      const struct fe_place *place, struct fe_error *err)
{
	int ret;

	for (const struct claim *claim = claims; claim; claim = claim->next) {
		if (claim->device == device)
			return 0;
	}
	ret = find_uses(block, place, err);
	return ret ? ret : take(block, device, err);
}

int fe_claim(const char *block, struct fe_error *err)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	struct fe_place place;
	dev_t device = 0;
	int ret = locate(block, &device, &place, err);

	if (ret)
		return ret;
	pthread_mutex_lock(&lock);
	ret = claim_once(block, device, &place, err);
	pthread_mutex_unlock(&lock);
	return ret;
}
