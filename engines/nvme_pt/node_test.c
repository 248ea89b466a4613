/* SPDX-License-Identifier: GPL-2.0-only */
#include "node.h"

#include "sysfs_tree.h"

#include <sys/sysmacros.h>

#define DRIVE "devices/pci/nvme/nvme0"
#define SUBSYSTEM "devices/virtual/nvme-subsystem/nvme-subsys2"

static void make_drive(void)
{
	make_file(DRIVE "/dev", "240:0\n");
	make_link(DRIVE "/subsystem", "class/nvme");
	make_file(DRIVE "/ng0n1/dev", "241:0\n");
	make_link(DRIVE "/ng0n1/subsystem", "class/nvme-generic");
	make_file(DRIVE "/nvme0n1/dev", "259:1\n");
	make_file(DRIVE "/nvme0n1/nsid", "7\n");
	make_file(DRIVE "/nvme0n1/queue/max_hw_sectors_kb", "512\n");
	make_file(DRIVE "/nvme0n1/queue/io_poll", "0\n");
	make_file(DRIVE "/nvme0n1/mq/0/nr_tags", "1023\n");
	make_file(DRIVE "/nvme0n1/mq/1/nr_tags", "31\n");
	make_file(DRIVE "/nvme0n1/mq/2/nr_tags", "1023\n");
	make_file(DRIVE "/nvme0n1/nvme0n1p1/partition", "1\n");
	make_link("dev/char/240:0", DRIVE);
	make_link("dev/char/241:0", DRIVE "/ng0n1");
	make_link("dev/block/259:1", DRIVE "/nvme0n1");
	make_link("dev/block/259:2", DRIVE "/nvme0n1/nvme0n1p1");
}

/* A namespace that two controllers lead to. */
static void make_shared_drive(void)
{
	make_file(SUBSYSTEM "/ng2n1/dev", "241:9\n");
	make_link(SUBSYSTEM "/ng2n1/subsystem", "class/nvme-generic");
	make_file(SUBSYSTEM "/nvme2n1/dev", "259:9\n");
	make_file(SUBSYSTEM "/nvme2n1/queue/max_hw_sectors_kb", "256\n");
	make_file("pci/nvme3/nvme2c3n1/queue/max_hw_sectors_kb", "256\n");
	make_file("pci/nvme3/nvme2c3n1/mq/0/nr_tags", "100\n");
	make_file("pci/nvme4/nvme2c4n1/queue/max_hw_sectors_kb", "128\n");
	make_file("pci/nvme4/nvme2c4n1/queue/io_poll", "1\n");
	make_file("pci/nvme4/nvme2c4n1/mq/0/nr_tags", "50\n");
	/* Paths to other namespaces. */
	make_file("pci/nvme4/nvme2c4n11/mq/0/nr_tags", "2\n");
	make_file("pci/nvme4/nvme7c4n1/mq/0/nr_tags", "3\n");
	make_file("pci/nvme4/nvme21c4n1/mq/0/nr_tags", "1\n");
	make_link(SUBSYSTEM "/nvme3", "pci/nvme3");
	make_link(SUBSYSTEM "/nvme4", "pci/nvme4");
	make_link("dev/char/241:9", SUBSYSTEM "/ng2n1");
}

static int make_tree(void **state)
{
	(void)state;
	begin_tree();
	make_drive();
	make_shared_drive();
	make_file("devices/disk/sda/dev", "8:0\n");
	make_link("dev/block/8:0", "devices/disk/sda");
	make_file("devices/mem/null/dev", "1:3\n");
	make_link("devices/mem/null/subsystem", "class/mem");
	make_link("dev/char/1:3", "devices/mem/null");
	make_file("devices/other/ng5n1/dev", "1:9\n");
	make_link("devices/other/ng5n1/subsystem", "class/mem");
	make_link("dev/char/1:9", "devices/other/ng5n1");
	return 0;
}

static struct pt_node find(mode_t mode, unsigned int major, unsigned int minor)
{
	struct pt_node node;

	pt_node_find(sys, mode, makedev(major, minor), &node);
	return node;
}

static void a_generic_device_has_its_block_device_beside_it(void **state)
{
	const struct pt_node node = find(S_IFCHR, 241, 0);

	(void)state;
	assert_int_equal(node.kind, PT_NODE_GENERIC);
	assert_string_equal(node.place.name, "ng0n1");
	assert_string_equal(node.block, "nvme0n1");
}

static void a_block_device_is_its_own(void **state)
{
	const struct pt_node node = find(S_IFBLK, 259, 1);

	(void)state;
	assert_int_equal(node.kind, PT_NODE_BLOCK);
	assert_string_equal(node.block, "nvme0n1");
}

static void a_partition_is_no_namespace(void **state)
{
	(void)state;
	assert_int_equal(find(S_IFBLK, 259, 2).kind, PT_NODE_PARTITION);
}

static void a_controller_is_no_namespace(void **state)
{
	const struct pt_node node = find(S_IFCHR, 240, 0);

	(void)state;
	assert_int_equal(node.kind, PT_NODE_CONTROLLER);
	assert_string_equal(node.place.name, "nvme0");
	assert_string_equal(node.block, "");
}

static void other_devices_and_files_are_neither(void **state)
{
	(void)state;
	assert_int_equal(find(S_IFBLK, 8, 0).kind, PT_NODE_OTHER);
	assert_int_equal(find(S_IFCHR, 1, 3).kind, PT_NODE_OTHER);
	assert_int_equal(find(S_IFCHR, 99, 99).kind, PT_NODE_OTHER);
	assert_int_equal(find(S_IFREG, 241, 0).kind, PT_NODE_OTHER);
	assert_int_equal(find(S_IFDIR, 0, 0).kind, PT_NODE_OTHER);
}

static void the_class_counts_and_not_the_name(void **state)
{
	(void)state;
	assert_int_equal(find(S_IFCHR, 1, 9).kind, PT_NODE_OTHER);
}

static void limits_are_those_of_the_smallest_queue(void **state)
{
	const struct pt_node node = find(S_IFCHR, 241, 0);
	struct pt_queue_limits limits;

	(void)state;
	pt_node_limits(&node, &limits);
	assert_int_equal(limits.max_bytes, 512 << 10);
	assert_int_equal(limits.tags, 31);
	assert_false(limits.poll);
}

static void a_transfer_of_pages_has_no_more_segments_than_allowed(void **state)
{
	const struct pt_node node = find(S_IFCHR, 241, 0);
	struct pt_queue_limits limits;

	(void)state;
	make_file(DRIVE "/nvme0n1/queue/max_segments", "3\n");
	pt_node_limits(&node, &limits);
	assert_int_equal(limits.max_bytes, 3 * sysconf(_SC_PAGESIZE));
	make_file(DRIVE "/nvme0n1/queue/max_segments", "65535\n");
	pt_node_limits(&node, &limits);
	assert_int_equal(limits.max_bytes, 512 << 10);
}

static void limits_are_those_of_all_paths(void **state)
{
	const struct pt_node node = find(S_IFCHR, 241, 9);
	struct pt_queue_limits limits;

	(void)state;
	assert_string_equal(node.block, "nvme2n1");
	pt_node_limits(&node, &limits);
	assert_int_equal(limits.max_bytes, 128 << 10);
	assert_int_equal(limits.tags, 50);
	assert_true(limits.poll);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_generic_device_has_its_block_device_beside_it),
		cmocka_unit_test(a_block_device_is_its_own),
		cmocka_unit_test(a_partition_is_no_namespace),
		cmocka_unit_test(a_controller_is_no_namespace),
		cmocka_unit_test(other_devices_and_files_are_neither),
		cmocka_unit_test(the_class_counts_and_not_the_name),
		cmocka_unit_test(limits_are_those_of_the_smallest_queue),
		cmocka_unit_test(
			a_transfer_of_pages_has_no_more_segments_than_allowed),
		cmocka_unit_test(limits_are_those_of_all_paths),
	};

	return cmocka_run_group_tests(tests, make_tree, remove_tree);
}
