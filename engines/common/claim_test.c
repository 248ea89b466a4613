/* SPDX-License-Identifier: GPL-2.0-only */
#include "claim.h"

#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define REFUSED "/dev/nvme0n1 will not be written: "
#define HINT " (allow_mounted_write=1 does not ask)"

#define ROOT_ONLY                                                              \
	"22 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw\n"            \
	"23 22 0:21 / /proc rw - proc proc rw\n"
#define SWAPS_HEADER "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"

static struct fe_claim_part parts[3];
static struct fe_claim_facts facts;

/* A stand-in for stat(). */
static dev_t device_at(const char *path)
{
	if (!strcmp(path, "/dev/nvme0n1"))
		return makedev(259, 0);
	if (!strcmp(path, "/dev/nvme0n1p2"))
		return makedev(259, 2);
	return 0;
}

static int set_up(void **state)
{
	(void)state;
	parts[0] = (struct fe_claim_part){.name = "nvme0n1",
					  .device = makedev(259, 0)};
	parts[1] = (struct fe_claim_part){.name = "nvme0n1p1",
					  .device = makedev(259, 1)};
	parts[2] = (struct fe_claim_part){.name = "nvme0n1p2",
					  .device = makedev(259, 2)};
	facts = (struct fe_claim_facts){.mountinfo = ROOT_ONLY,
					.swaps = SWAPS_HEADER,
					.parts = parts,
					.n_parts = 1,
					.device_at = device_at};
	return 0;
}

static void assert_free(void)
{
	struct fe_error err = {""};

	assert_int_equal(fe_claim_judge("/dev/nvme0n1", &facts, &err), 0);
	assert_string_equal(err.text, "");
}

static void assert_refused(const char *sentence)
{
	struct fe_error err = {""};

	assert_int_equal(fe_claim_judge("/dev/nvme0n1", &facts, &err), -EBUSY);
	assert_string_equal(err.text, sentence);
}

static void a_device_that_nobody_uses_is_free(void **state)
{
	(void)state;
	assert_free();
}

static void a_mounted_device_is_refused(void **state)
{
	(void)state;
	facts.mountinfo = ROOT_ONLY
		"99 22 259:0 / /srv/my\\040data rw - xfs /dev/nvme0n1 rw\n";
	assert_refused(REFUSED "nvme0n1 is mounted at /srv/my data" HINT);
}

static void the_name_of_the_source_is_not_needed(void **state)
{
	(void)state;
	facts.mountinfo = "1 2 259:0 / / rw - ext4 /dev/root rw\n";
	assert_refused(REFUSED "nvme0n1 is mounted at /" HINT);
}

static void a_mounted_partition_is_named(void **state)
{
	(void)state;
	facts.n_parts = 3;
	facts.mountinfo = ROOT_ONLY
		"99 22 259:2 / /boot rw shared:7 - vfat /dev/nvme0n1p2 rw\n";
	assert_refused(REFUSED "nvme0n1p2 is mounted at /boot" HINT);
}

static void other_devices_may_be_mounted(void **state)
{
	(void)state;
	facts.mountinfo = "1 2 259:10 / /a rw - xfs /dev/nvme0n10 rw\n"
			  "1 2 1259:0 / /b rw - xfs /dev/x rw\n"
			  "1 2 59:0 / /c rw - xfs /dev/nvme1n1 rw\n";
	assert_free();
}

static void a_file_system_with_its_own_number_tells_by_its_source(void **state)
{
	(void)state;
	facts.mountinfo =
		"1 2 0:40 /sub /home rw shared:3 - btrfs /dev/nvme0n1 rw\n";
	assert_refused(REFUSED "nvme0n1 is mounted at /home" HINT);
}

static void a_dash_in_the_next_line_is_not_of_this_one(void **state)
{
	(void)state;
	facts.mountinfo = "1 2 0:40 / /odd rw\n"
			  "1 2 0:41 / /home rw - btrfs /dev/nvme0n1 rw\n";
	assert_refused(REFUSED "nvme0n1 is mounted at /home" HINT);
}

static void swap_space_is_refused(void **state)
{
	(void)state;
	facts.n_parts = 3;
	facts.swaps =
		SWAPS_HEADER "/swapfile                file\t\t1\t0\t-2\n"
			     "/dev/nvme0n1p2           partition\t1\t0\t-3\n";
	assert_refused(REFUSED "nvme0n1p2 is swap space" HINT);
}

static void a_part_of_another_device_is_refused(void **state)
{
	(void)state;
	snprintf(parts[0].holders, sizeof(parts[0].holders), "dm-0, md127");
	assert_refused(REFUSED "nvme0n1 is part of dm-0, md127" HINT);
}

static void partitions_are_refused_though_unused(void **state)
{
	(void)state;
	facts.n_parts = 3;
	assert_refused(REFUSED "it has partitions (nvme0n1p1)" HINT);
}

static void what_the_mount_point_is_called_does_not_matter(void **state)
{
	(void)state;
	facts.mountinfo =
		"1 2 259:0 / /a\\012\\033[2J\\1 rw - xfs /dev/nvme0n1 rw\n";
	assert_refused(REFUSED "nvme0n1 is mounted at /a??[2J\\1" HINT);
}

static void lines_that_make_no_sense_are_passed_over(void **state)
{
	(void)state;
	facts.mountinfo = "\n\n1\n1 2\n1 2 \n1 2 :\n1 2 259:\n1 2 259:x / /\n"
			  "1 2 99999999999999999999:0 / /a\n - \n -  \n1 2 0:1";
	facts.swaps = "\n\n \n\t";
	assert_free();
	facts.mountinfo = "";
	facts.swaps = NULL;
	assert_free();
}

static void a_list_names_devices_exactly(void **state)
{
	const dev_t device = makedev(259, 1);

	(void)state;
	assert_true(fe_claim_listed("259:1", device));
	assert_true(fe_claim_listed("8:0,259:1,7:3", device));
	assert_false(fe_claim_listed(NULL, device));
	assert_false(fe_claim_listed("", device));
	assert_false(fe_claim_listed("259:10", device));
	assert_false(fe_claim_listed("259:1x", device));
	assert_false(fe_claim_listed("1259:1", device));
	assert_false(fe_claim_listed("x,259:1", device));
	assert_false(fe_claim_listed(",259:1", device));
	assert_false(fe_claim_listed(" 259:1", device));
	assert_false(fe_claim_listed("4294967555:1", device));
}

/* A loop device on a file that goes away with its last user; -1 if there is
 * none to be had. */
static int attach_loop(int file, char *path, size_t size)
{
	const int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	struct loop_info64 info = {.lo_flags = LO_FLAGS_AUTOCLEAR};
	int fd = -1;

	for (int tries = 0; fd < 0 && tries < 20; tries++) {
		const int number = ioctl(control, LOOP_CTL_GET_FREE);

		if (number < 0)
			break;
		snprintf(path, size, "/dev/loop%d", number);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd >= 0 && ioctl(fd, LOOP_SET_FD, file)) {
			close(fd);
			fd = -1;
		}
	}
	if (fd >= 0)
		ioctl(fd, LOOP_SET_STATUS64, &info);
	if (control >= 0)
		close(control);
	return fd;
}

struct loop {
	char path[32];
	int fd;
};

static int set_up_loop(void **state)
{
	static struct loop loop;
	char image[] = "/tmp/claim-test-XXXXXX";
	const int file = mkstemp(image);

	if (file < 0 || unlink(image) || ftruncate(file, 1 << 20))
		return -1;
	loop.fd = attach_loop(file, loop.path, sizeof(loop.path));
	close(file);
	*state = &loop;
	return 0;
}

static int tear_down_loop(void **state)
{
	struct loop *loop = *state;

	if (loop->fd >= 0)
		close(loop->fd);
	return 0;
}

#define NEEDS_LOOP(loop)                                                       \
	do {                                                                   \
		if ((loop)->fd < 0) {                                          \
			print_message("no loop device can be made here\n");    \
			skip();                                                \
		}                                                              \
	} while (0)

static int open_exclusive(const char *path)
{
	return open(path, O_RDONLY | O_EXCL | O_CLOEXEC);
}

static void a_claim_keeps_others_out_and_is_given_twice(void **state)
{
	const struct loop *loop = *state;
	struct fe_error err = {""};

	NEEDS_LOOP(loop);
	assert_int_equal(fe_claim(loop->path, &err), 0);
	assert_string_equal(err.text, "");
	assert_int_equal(open_exclusive(loop->path), -1);
	assert_int_equal(errno, EBUSY);
	assert_int_equal(fe_claim(loop->path, &err), 0);
}

static void what_another_program_has_claimed_is_refused(void **state)
{
	const struct loop *loop = *state;
	struct fe_error err = {""};
	char sentence[200];
	int other;

	NEEDS_LOOP(loop);
	other = open_exclusive(loop->path);
	assert_true(other >= 0);
	snprintf(sentence, sizeof(sentence),
		 "%s will not be written: another program has claimed it" HINT,
		 loop->path);
	assert_int_equal(fe_claim(loop->path, &err), -EBUSY);
	assert_string_equal(err.text, sentence);
	close(other);
}

static void what_the_runner_has_claimed_is_given(void **state)
{
	const struct loop *loop = *state;
	struct fe_error err = {""};
	struct stat st;
	char list[64];
	int other;

	NEEDS_LOOP(loop);
	assert_int_equal(fstat(loop->fd, &st), 0);
	other = open_exclusive(loop->path);
	assert_true(other >= 0);
	setenv("FIO_REVIEW_HOLDS", "259:77", 1);
	assert_int_equal(fe_claim(loop->path, &err), -EBUSY);
	snprintf(list, sizeof(list), "259:77,%u:%u", major(st.st_rdev),
		 minor(st.st_rdev));
	setenv("FIO_REVIEW_HOLDS", list, 1);
	err.text[0] = '\0';
	assert_int_equal(fe_claim(loop->path, &err), 0);
	assert_int_equal(fe_claim(loop->path, &err), 0);
	unsetenv("FIO_REVIEW_HOLDS");
	close(other);
}

/* The loop device on it is a use that no other program's claim tells. */
static void what_a_loop_device_lies_on_is_refused(void **state)
{
	const struct loop *loop = *state;
	struct fe_error err = {""};
	char upper[32], sentence[200];
	int fd;

	NEEDS_LOOP(loop);
	fd = attach_loop(loop->fd, upper, sizeof(upper));
	assert_true(fd >= 0);
	snprintf(sentence, sizeof(sentence),
		 "%s will not be written: %s is part of %s" HINT, loop->path,
		 loop->path + strlen("/dev/"), upper + strlen("/dev/"));
	assert_int_equal(fe_claim(loop->path, &err), -EBUSY);
	assert_string_equal(err.text, sentence);
	close(fd);
}

static void what_is_no_block_device_cannot_be_claimed(void **state)
{
	struct fe_error err = {""};

	(void)state;
	assert_int_equal(fe_claim("/dev/null", &err), -ENOTBLK);
	assert_string_equal(err.text,
			    "/dev/null will not be written: no block device");
	err.text[0] = '\0';
	assert_int_equal(fe_claim("/nonexistent/x", &err), -ENOENT);
}

/* Of another name, as that of a node that was not made for this device. */
static void a_node_with_another_devices_number_is_refused(void **state)
{
	const struct loop *loop = *state;
	char folder[] = "/tmp/claim-test-XXXXXX";
	char path[64], sentence[200];
	struct fe_error err = {""};
	struct stat st;

	NEEDS_LOOP(loop);
	assert_int_equal(fe_claim(loop->path, &err), 0);
	assert_int_equal(fstat(loop->fd, &st), 0);
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/sda", folder);
	assert_int_equal(mknod(path, S_IFBLK | 0600, st.st_rdev), 0);
	snprintf(sentence, sizeof(sentence),
		 "%s will not be written: this node has the number of %s", path,
		 loop->path + strlen("/dev/"));
	assert_int_equal(fe_claim(path, &err), -ENODEV);
	assert_string_equal(err.text, sentence);
	unlink(path);
	rmdir(folder);
}

struct claimant {
	pthread_t thread;
	const char *path;
	int ret;
};

static void *claim_it(void *argument)
{
	struct claimant *claimant = argument;
	struct fe_error err = {""};

	claimant->ret = fe_claim(claimant->path, &err);
	return NULL;
}

static void jobs_may_claim_at_once(void **state)
{
	const struct loop *loop = *state;
	struct claimant claimants[16];

	NEEDS_LOOP(loop);
	for (size_t i = 0; i < 16; i++) {
		claimants[i].path = loop->path;
		assert_int_equal(pthread_create(&claimants[i].thread, NULL,
						claim_it, &claimants[i]),
				 0);
	}
	for (size_t i = 0; i < 16; i++) {
		assert_int_equal(pthread_join(claimants[i].thread, NULL), 0);
		assert_int_equal(claimants[i].ret, 0);
	}
}

#define TEST(name) cmocka_unit_test_setup(name, set_up)
#define LOOP_TEST(name)                                                        \
	cmocka_unit_test_setup_teardown(name, set_up_loop, tear_down_loop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_device_that_nobody_uses_is_free),
		TEST(a_mounted_device_is_refused),
		TEST(the_name_of_the_source_is_not_needed),
		TEST(a_mounted_partition_is_named),
		TEST(other_devices_may_be_mounted),
		TEST(a_file_system_with_its_own_number_tells_by_its_source),
		TEST(a_dash_in_the_next_line_is_not_of_this_one),
		TEST(swap_space_is_refused),
		TEST(a_part_of_another_device_is_refused),
		TEST(partitions_are_refused_though_unused),
		TEST(what_the_mount_point_is_called_does_not_matter),
		TEST(lines_that_make_no_sense_are_passed_over),
		TEST(a_list_names_devices_exactly),
		LOOP_TEST(a_claim_keeps_others_out_and_is_given_twice),
		LOOP_TEST(a_node_with_another_devices_number_is_refused),
		LOOP_TEST(jobs_may_claim_at_once),
		LOOP_TEST(what_another_program_has_claimed_is_refused),
		LOOP_TEST(what_a_loop_device_lies_on_is_refused),
		/* Last, as it is remembered by the device's number. */
		LOOP_TEST(what_the_runner_has_claimed_is_given),
		TEST(what_is_no_block_device_cannot_be_claimed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
