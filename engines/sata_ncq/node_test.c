/* SPDX-License-Identifier: GPL-2.0-only */
#include "node.h"

#include "sysfs_tree.h"

#include <errno.h>
#include <sys/sysmacros.h>

#define AHCI "devices/pci/ata1/host0/target0:0:0/0:0:0:0"
#define SAS "devices/pci/host1/port-1:0/end_device-1:0/target1:0:0/1:0:0:0"
#define LIBSAS "devices/pci/host2/port-2:0/end_device-2:0/target2:0:0/2:0:0:0"
#define CDROM "devices/pci/ata2/host3/target3:0:0/3:0:0:0"
#define NO_SG "devices/pci/ata3/host4/target4:0:0/4:0:0:0"
#define NO_SD "devices/pci/ata4/host5/target5:0:0/5:0:0:0"
/* Behind a port multiplier the channel is its port. */
#define BEHIND_0 "devices/pci/ata5/host6/target6:0:0/6:0:0:0"
#define BEHIND_1 "devices/pci/ata5/host6/target6:1:0/6:1:0:0"
#define NVME "devices/pci/nvme/nvme0"

#define PAGE_89 "\2\x89\2\x38\1\1\1\1linux   libata          3.00"

/* What a device of any kind that has commands of SCSI's has. */
static void make_device(const char *device, const char *type)
{
	char name[256];

	snprintf(name, sizeof(name), "%s/type", device);
	make_file(name, type);
	snprintf(name, sizeof(name), "%s/subsystem", device);
	make_link(name, "bus/scsi");
}

static void make_generic(const char *device, unsigned int minor)
{
	char name[256], folder[200];

	snprintf(folder, sizeof(folder), "%s/scsi_generic/sg%u", device, minor);
	snprintf(name, sizeof(name), "%s/dev", folder);
	make_file(name, "");
	snprintf(name, sizeof(name), "%s/subsystem", folder);
	make_link(name, "class/scsi_generic");
	snprintf(name, sizeof(name), "%s/device", folder);
	make_link(name, device);
	snprintf(name, sizeof(name), "dev/char/21:%u", minor);
	make_link(name, folder);
	snprintf(name, sizeof(name), "class/scsi_generic/sg%u", minor);
	make_link(name, folder);
}

static void make_block(const char *device, const char *block, const char *dev)
{
	char name[256], folder[200];

	snprintf(folder, sizeof(folder), "%s/block/%s", device, block);
	snprintf(name, sizeof(name), "%s/queue/max_sectors_kb", folder);
	make_file(name, "64\n");
	snprintf(name, sizeof(name), "%s/queue/max_hw_sectors_kb", folder);
	make_file(name, "1024\n");
	snprintf(name, sizeof(name), "%s/queue/max_segments", folder);
	make_file(name, "168\n");
	snprintf(name, sizeof(name), "%s/device", folder);
	make_link(name, device);
	snprintf(name, sizeof(name), "dev/block/%s", dev);
	make_link(name, folder);
	snprintf(name, sizeof(name), "class/block/%s", block);
	make_link(name, folder);
}

static void make_disks(void)
{
	make_device(AHCI, "0\n");
	make_generic(AHCI, 0);
	make_block(AHCI, "sda", "8:0");
	make_file(AHCI "/block/sda/sda1/partition", "1\n");
	make_link("dev/block/8:1", AHCI "/block/sda/sda1");
	make_file(AHCI "/queue_depth", "32\n");
	make_file(AHCI "/ncq_prio_enable", "1\n");
	make_file("devices/pci/ata1/host0/scsi_host/host0/proc_name", "ahci\n");

	make_device(SAS, "0\n");
	make_generic(SAS, 1);
	make_block(SAS, "sdb", "8:16");
	make_file("devices/pci/host1/scsi_host/host1/proc_name", "mpt3sas\n");

	make_device(LIBSAS, "20\n");
	make_generic(LIBSAS, 2);
	make_block(LIBSAS, "sdc", "8:32");
	make_file(LIBSAS "/vpd_pg89", PAGE_89);
	make_file("devices/pci/host2/scsi_host/host2/proc_name", "(null)\n");
}

static void make_ata_device(const char *port_link_device, const char *class,
			    const char *trim)
{
	char name[256];

	snprintf(name, sizeof(name), "devices/pci/%s/class", port_link_device);
	make_file(name, class);
	snprintf(name, sizeof(name), "devices/pci/%s/trim", port_link_device);
	make_file(name, trim);
}

#define ATA1 "ata1/link1/dev1.0/ata_device/dev1.0"
#define ATA3 "ata3/link3/dev3.0/ata_device/dev3.0"

static void make_ata_devices(void)
{
	make_ata_device(ATA1, "ata\n", "forced_unqueued\n");
	make_ata_device(ATA3, "zac\n", "queued\n");
	make_ata_device("ata5/link5/dev5.0/ata_device/dev5.0", "pmp\n",
			"unsupported\n");
	make_ata_device("ata5/link5.0/dev5.0.0/ata_device/dev5.0.0", "ata\n",
			"queued\n");
	make_ata_device("ata5/link5.1/dev5.1.0/ata_device/dev5.1.0", "ata\n",
			"unqueued\n");
	make_device(BEHIND_0, "0\n");
	make_generic(BEHIND_0, 6);
	make_device(BEHIND_1, "0\n");
	make_generic(BEHIND_1, 7);
}

static void make_odd_ones(void)
{
	make_device(CDROM, "5\n");
	make_generic(CDROM, 3);
	make_block(CDROM, "sr0", "11:0");

	make_device(NO_SG, "0\n");
	make_block(NO_SG, "sdd", "8:48");
	make_file(NO_SG "/queue_depth", "31\n");

	make_device(NO_SD, "0\n");
	make_generic(NO_SD, 5);

	make_file(NVME "/nvme0n1/dev", "");
	make_file(NVME "/ng0n1/dev", "");
	make_link(NVME "/subsystem", "class/nvme");
	make_link(NVME "/ng0n1/subsystem", "class/nvme-generic");
	make_link("dev/block/259:0", NVME "/nvme0n1");
	make_link("dev/char/240:0", NVME);
	make_link("dev/char/241:0", NVME "/ng0n1");

	make_file("devices/virtio0/type", "0\n");
	make_link("devices/virtio0/subsystem", "bus/virtio");
	make_block("devices/virtio0", "vda", "254:0");
	/* What a disk has as well, but takes no commands by write(). */
	make_link(AHCI "/bsg/0:0:0:0/subsystem", "class/bsg");
	make_link(AHCI "/bsg/0:0:0:0/device", AHCI);
	make_link("dev/char/246:0", AHCI "/bsg/0:0:0:0");
	make_file("devices/mem/null/dev", "");
	make_link("devices/mem/null/subsystem", "class/mem");
	make_link("dev/char/1:3", "devices/mem/null");
}

static int make_tree(void **state)
{
	(void)state;
	begin_tree();
	make_disks();
	make_ata_devices();
	make_odd_ones();
	return 0;
}

static struct sn_node find(mode_t mode, unsigned int major, unsigned int minor)
{
	struct sn_node node;
	struct fe_error err = {""};

	memset(&node, 0xff, sizeof(node));
	assert_int_equal(
		sn_node_find(sys, mode, makedev(major, minor), &node, &err), 0);
	assert_string_equal(err.text, "");
	return node;
}

static void assert_refused(mode_t mode, unsigned int major, unsigned int minor,
			   const char *why)
{
	struct sn_node node;
	struct fe_error err = {""};

	assert_int_equal(
		sn_node_find(sys, mode, makedev(major, minor), &node, &err),
		-ENOTTY);
	assert_string_equal(err.text, why);
	assert_string_equal(node.generic, "");
}

static void a_disk_has_a_node_for_commands(void **state)
{
	const struct sn_node node = find(S_IFBLK, 8, 0);

	(void)state;
	assert_string_equal(node.generic, "sg0");
	assert_string_equal(node.block, "sda");
}

static void a_node_for_commands_has_a_disk(void **state)
{
	const struct sn_node node = find(S_IFCHR, 21, 1);

	(void)state;
	assert_string_equal(node.generic, "sg1");
	assert_string_equal(node.block, "sdb");
}

static void a_node_may_be_without_block_device(void **state)
{
	const struct sn_node node = find(S_IFCHR, 21, 5);

	(void)state;
	assert_string_equal(node.generic, "sg5");
	assert_string_equal(node.block, "");
	assert_int_equal(node.max_bytes, 0);
}

static void the_driver_is_that_of_the_host(void **state)
{
	(void)state;
	assert_string_equal(find(S_IFBLK, 8, 0).driver, "ahci");
	assert_string_equal(find(S_IFBLK, 8, 16).driver, "mpt3sas");
}

static void a_driver_may_have_no_name(void **state)
{
	(void)state;
	assert_string_equal(find(S_IFBLK, 8, 32).driver, "");
	assert_string_equal(find(S_IFCHR, 21, 5).driver, "");
}

static void a_name_that_is_too_long_is_none(void **state)
{
	(void)state;
	make_file("devices/pci/host1/scsi_host/host1/proc_name",
		  "a_driver_with_a_name_of_33_letters\n");
	assert_string_equal(find(S_IFBLK, 8, 16).driver, "");
	make_file("devices/pci/host1/scsi_host/host1/proc_name", "mpt3sas\n");
}

static void libata_is_above_the_host_of_its_ports(void **state)
{
	(void)state;
	assert_true(find(S_IFBLK, 8, 0).libata);
	assert_false(find(S_IFBLK, 8, 16).libata);
}

static void libata_below_sas_is_known_by_its_page(void **state)
{
	(void)state;
	assert_true(find(S_IFBLK, 8, 32).libata);
	make_file(SAS "/vpd_pg89", "\2\x89\2\x38\1\1\1\1LSI     LSI SATL");
	assert_false(find(S_IFBLK, 8, 16).libata);
	make_file(SAS "/vpd_pg89",
		  "\2\x89\2\x38\1\1\1\1LSI     LSI SATL        0008");
	assert_false(find(S_IFBLK, 8, 16).libata);
}

static void the_depth_is_read_again(void **state)
{
	const struct sn_node node = find(S_IFBLK, 8, 0);

	(void)state;
	assert_int_equal(node.queue_depth, 32);
	assert_int_equal(sn_node_queue_depth(sys, &node), 32);
	make_file(AHCI "/queue_depth", "1\n");
	assert_int_equal(sn_node_queue_depth(sys, &node), 1);
	make_file(AHCI "/queue_depth", "32\n");
}

static void a_depth_that_is_no_number_is_not_told(void **state)
{
	static const char *const texts[] = {"", "many\n", "-1\n",
					    "2147483648\n", "4294967328\n"};
	struct sn_node node;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		make_file(AHCI "/queue_depth", texts[i]);
		node = find(S_IFBLK, 8, 0);
		assert_int_equal(node.queue_depth, 0);
		assert_int_equal(sn_node_queue_depth(sys, &node), 0);
	}
	make_file(AHCI "/queue_depth", "32\n");
	assert_int_equal(find(S_IFBLK, 8, 16).queue_depth, 0);
	memset(&node, 0, sizeof(node));
	assert_int_equal(sn_node_queue_depth(sys, &node), 0);
}

static void priority_is_on_or_off_or_not_told(void **state)
{
	(void)state;
	assert_int_equal(find(S_IFBLK, 8, 0).priority_on, 1);
	make_file(AHCI "/ncq_prio_enable", "0\n");
	assert_int_equal(find(S_IFBLK, 8, 0).priority_on, 0);
	make_file(AHCI "/ncq_prio_enable", "2\n");
	assert_int_equal(find(S_IFBLK, 8, 0).priority_on, 0);
	make_file(AHCI "/ncq_prio_enable", "1\n");
	assert_int_equal(find(S_IFBLK, 8, 16).priority_on, -1);
}

static void a_transfer_is_of_so_many_segments(void **state)
{
	(void)state;
	assert_int_equal(find(S_IFBLK, 8, 0).max_bytes,
			 168 * sysconf(_SC_PAGESIZE));
}

static void a_transfer_is_as_long_as_the_hardware_takes(void **state)
{
	(void)state;
	make_file(AHCI "/block/sda/queue/max_hw_sectors_kb", "128\n");
	assert_int_equal(find(S_IFCHR, 21, 0).max_bytes, 128 << 10);
}

static void a_partition_is_no_disk(void **state)
{
	(void)state;
	assert_refused(
		S_IFBLK, 8, 1,
		"sda1 is a partition: commands are for the whole disk, sda");
}

static void a_disk_may_be_without_node_for_commands(void **state)
{
	const struct sn_node node = find(S_IFBLK, 8, 48);

	(void)state;
	assert_string_equal(node.generic, "");
	assert_string_equal(node.block, "sdd");
	assert_true(node.libata);
	assert_int_equal(node.queue_depth, 31);
}

static void the_depth_is_read_again_without_node_for_commands(void **state)
{
	const struct sn_node node = find(S_IFBLK, 8, 48);

	(void)state;
	make_file(NO_SG "/queue_depth", "1\n");
	assert_int_equal(sn_node_queue_depth(sys, &node), 1);
	make_file(NO_SG "/queue_depth", "31\n");
}

static void libata_says_how_it_would_trim(void **state)
{
	(void)state;
	assert_string_equal(find(S_IFCHR, 21, 0).trim, "forced_unqueued");
	assert_string_equal(find(S_IFBLK, 8, 48).trim, "queued");
}

static void nobody_says_how_to_trim_where_libata_is_elsewhere(void **state)
{
	(void)state;
	assert_string_equal(find(S_IFBLK, 8, 16).trim, "");
	assert_string_equal(find(S_IFBLK, 8, 32).trim, "");
	assert_string_equal(find(S_IFCHR, 21, 5).trim, "");
}

static void how_to_trim_is_not_told_behind_a_port_multiplier(void **state)
{
	(void)state;
	assert_true(find(S_IFCHR, 21, 6).libata);
	assert_string_equal(find(S_IFCHR, 21, 6).trim, "");
	assert_string_equal(find(S_IFCHR, 21, 7).trim, "");
	/* Also if it is not known to be one. */
	make_ata_device("ata5/link5/dev5.0/ata_device/dev5.0", "ata\n",
			"queued\n");
	assert_string_equal(find(S_IFCHR, 21, 7).trim, "");
}

static void a_way_to_trim_that_is_too_long_is_none(void **state)
{
	(void)state;
	make_ata_device(ATA1, "ata\n", "queued_but_only_on_sundays\n");
	assert_string_equal(find(S_IFCHR, 21, 0).trim, "");
	make_ata_device(ATA1, "ata\n", "forced_unqueued\n");
}

static void nvme_has_another_engine(void **state)
{
	(void)state;
	assert_refused(S_IFBLK, 259, 0,
		       "nvme0n1 is NVMe: the engine nvme_pt is for it");
	assert_refused(S_IFCHR, 241, 0,
		       "ng0n1 is NVMe: the engine nvme_pt is for it");
	assert_refused(S_IFCHR, 240, 0,
		       "nvme0 is NVMe: the engine nvme_pt is for it");
}

static void what_is_no_disk_is_refused_by_either_node(void **state)
{
	(void)state;
	assert_refused(S_IFBLK, 11, 0,
		       "sr0 is no disk (its SCSI device type is 5)");
	assert_refused(S_IFCHR, 21, 3,
		       "sg3 is no disk (its SCSI device type is 5)");
}

static void other_devices_and_files_are_refused(void **state)
{
	(void)state;
	assert_refused(
		S_IFBLK, 254, 0,
		"vda is neither a SCSI or SATA disk (/dev/sdX) nor the node for commands to one (/dev/sgN)");
	assert_refused(
		S_IFCHR, 1, 3,
		"null is neither a SCSI or SATA disk (/dev/sdX) nor the node for commands to one (/dev/sgN)");
	assert_refused(
		S_IFCHR, 246, 0,
		"0:0:0:0 is neither a SCSI or SATA disk (/dev/sdX) nor the node for commands to one (/dev/sgN)");
	assert_refused(
		S_IFBLK, 99, 9,
		"this is neither a SCSI or SATA disk (/dev/sdX) nor the node for commands to one (/dev/sgN)");
	assert_refused(
		S_IFREG, 8, 0,
		"this is neither a SCSI or SATA disk (/dev/sdX) nor the node for commands to one (/dev/sgN)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_disk_has_a_node_for_commands),
		cmocka_unit_test(a_node_for_commands_has_a_disk),
		cmocka_unit_test(a_node_may_be_without_block_device),
		cmocka_unit_test(the_driver_is_that_of_the_host),
		cmocka_unit_test(a_driver_may_have_no_name),
		cmocka_unit_test(a_name_that_is_too_long_is_none),
		cmocka_unit_test(libata_is_above_the_host_of_its_ports),
		cmocka_unit_test(libata_below_sas_is_known_by_its_page),
		cmocka_unit_test(the_depth_is_read_again),
		cmocka_unit_test(a_depth_that_is_no_number_is_not_told),
		cmocka_unit_test(priority_is_on_or_off_or_not_told),
		cmocka_unit_test(a_transfer_is_of_so_many_segments),
		cmocka_unit_test(a_transfer_is_as_long_as_the_hardware_takes),
		cmocka_unit_test(a_partition_is_no_disk),
		cmocka_unit_test(a_disk_may_be_without_node_for_commands),
		cmocka_unit_test(
			the_depth_is_read_again_without_node_for_commands),
		cmocka_unit_test(libata_says_how_it_would_trim),
		cmocka_unit_test(
			nobody_says_how_to_trim_where_libata_is_elsewhere),
		cmocka_unit_test(
			how_to_trim_is_not_told_behind_a_port_multiplier),
		cmocka_unit_test(a_way_to_trim_that_is_too_long_is_none),
		cmocka_unit_test(nvme_has_another_engine),
		cmocka_unit_test(what_is_no_disk_is_refused_by_either_node),
		cmocka_unit_test(other_devices_and_files_are_refused),
	};

	return cmocka_run_group_tests(tests, make_tree, remove_tree);
}
