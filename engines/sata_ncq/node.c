/* SPDX-License-Identifier: GPL-2.0-only */
#include "node.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* PERIPHERAL DEVICE TYPE, SPC-5, standard INQUIRY data */
#define TYPE_DISK 0x00
#define TYPE_ZONED 0x14 /* a disk whose zones the host manages */

/* ATA Information VPD page, SAT: the vendor and product of the translation. */
#define ATA_PAGE "vpd_pg89"
#define ATA_PAGE_NAMES 8
static const char libata_names[] = "linux   libata          ";

static int refuse_nvme(const struct fe_place *place, struct fe_error *err)
{
	return fe_error_set(err, -ENOTTY,
			    "%s is NVMe: the engine nvme_pt is for it",
			    place->name);
}

static int refuse_other(const struct fe_place *place, struct fe_error *err)
{
	return fe_error_set(
		err, -ENOTTY,
		"%s is neither a SCSI or SATA disk (/dev/sdX) nor the node for commands to one (/dev/sgN)",
		place->name[0] ? place->name : "this");
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int check_block(const struct fe_place *place, struct fe_error *err)
{
	if (!strncmp(place->name, "nvme", 4))
		return refuse_nvme(place, err);
	if (fe_sysfs_exists(place->folder, place->name, "partition"))
		return fe_error_set(
			err, -ENOTTY,
			"%s is a partition: commands are for the whole disk, %s",
			place->name, last_part(place->folder));
	return 0;
}

static int check_char(const struct fe_place *place, struct fe_error *err)
{
	if (fe_sysfs_link_is(place->folder, place->name, "subsystem",
			     "nvme-generic") ||
	    fe_sysfs_link_is(place->folder, place->name, "subsystem", "nvme"))
		return refuse_nvme(place, err);
	if (!fe_sysfs_link_is(place->folder, place->name, "subsystem",
			      "scsi_generic"))
		return refuse_other(place, err);
	return 0;
}

static int check_disk(const struct fe_place *place, struct fe_error *err)
{
	uint64_t type;

	if (!fe_sysfs_link_is(place->folder, place->name, "device/subsystem",
			      "scsi") ||
	    !fe_sysfs_number(place->folder, place->name, "device/type", &type))
		return refuse_other(place, err);
	if (type != TYPE_DISK && type != TYPE_ZONED)
		return fe_error_set(
			err, -ENOTTY,
			"%s is no disk (its SCSI device type is %llu)",
			place->name, (unsigned long long)type);
	return 0;
}

/* The first entry of a folder of the SCSI device. */
struct entry {
	char *name;
	size_t size;
};

static bool take_name(const char *name, void *context)
{
	const struct entry *entry = context;

	if (strlen(name) >= entry->size)
		return true;
	snprintf(entry->name, entry->size, "%s", name);
	return false;
}

static void find_entry(const char *scsi, const char *folder, char *name,
		       size_t size)
{
	char path[PATH_MAX + 32];
	struct entry entry = {.name = name, .size = size};

	snprintf(path, sizeof(path), "%s/%s", scsi, folder);
	fe_sysfs_each(path, take_name, &entry);
}

static bool translated_by_libata(const char *scsi)
{
	char path[PATH_MAX + 32];
	char page[ATA_PAGE_NAMES + sizeof(libata_names) - 1];
	bool is;
	int fd;

	snprintf(path, sizeof(path), "%s/" ATA_PAGE, scsi);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	is = read(fd, page, sizeof(page)) == (ssize_t)sizeof(page) &&
	     !memcmp(page + ATA_PAGE_NAMES, libata_names,
		     sizeof(libata_names) - 1);
	close(fd);
	return is;
}

static void take_driver(const char *host, const char *name,
			struct sn_node *node)
{
	char attribute[96];

	snprintf(attribute, sizeof(attribute), "scsi_host/%.64s/proc_name",
		 name);
	/* The kernel writes "(null)" for drivers that have no name. */
	if (!fe_sysfs_text(host, ".", attribute, node->driver,
			   sizeof(node->driver)) ||
	    node->driver[0] == '(')
		node->driver[0] = '\0';
}

/*
 * Of what is attached to the port itself, which SCSI knows as channel 0, target
 * 0.  Where that is a port multiplier, whose first disk has the same address,
 * its class says so.
 */
static void take_trim(const char *port, const char *scsi, struct sn_node *node)
{
	const char *name = last_part(port);
	const char *address = strchr(last_part(scsi), ':');
	char folder[PATH_MAX + 96], device[32], class[16];

	if (!address || strcmp(address, ":0:0:0"))
		return;
	snprintf(folder, sizeof(folder), "%s/link%.16s/dev%.16s.0/ata_device",
		 port, name + strlen("ata"), name + strlen("ata"));
	snprintf(device, sizeof(device), "dev%.16s.0", name + strlen("ata"));
	if (fe_sysfs_text(folder, device, "class", class, sizeof(class)) &&
	    (!strcmp(class, "ata") || !strcmp(class, "zac")) &&
	    !fe_sysfs_text(folder, device, "trim", node->trim,
			   sizeof(node->trim)))
		node->trim[0] = '\0';
}

/* .../ata1/host0/target0:0:0/0:0:0:0, or another thing in place of ata1. */
static void take_host(const char *scsi, struct sn_node *node)
{
	char path[PATH_MAX];
	char *slash;

	snprintf(path, sizeof(path), "%s", scsi);
	while ((slash = strrchr(path, '/')) &&
	       !fe_sysfs_name_is(slash + 1, "host", ""))
		*slash = '\0';
	if (slash) {
		take_driver(path, slash + 1, node);
		*slash = '\0';
		node->libata = fe_sysfs_name_is(last_part(path), "ata", "");
	}
	if (node->libata)
		take_trim(path, scsi, node);
	else /* libsas has its ata_port elsewhere */
		node->libata = translated_by_libata(scsi);
}

static unsigned int depth_of(const char *folder, const char *name)
{
	uint64_t depth;

	if (!fe_sysfs_number(folder, name, "queue_depth", &depth) ||
	    depth > INT32_MAX)
		return 0;
	return (unsigned int)depth;
}

static int take_device(const struct fe_place *place, struct sn_node *node,
		       struct fe_error *err)
{
	char path[PATH_MAX + 128], scsi[PATH_MAX], blocks[PATH_MAX + 32];
	uint64_t number;

	snprintf(path, sizeof(path), "%s/%s/device", place->folder,
		 place->name);
	if (!realpath(path, scsi))
		return refuse_other(place, err);
	find_entry(scsi, "scsi_generic", node->generic, sizeof(node->generic));
	find_entry(scsi, "block", node->block, sizeof(node->block));
	snprintf(blocks, sizeof(blocks), "%s/block", scsi);
	fe_sysfs_transfer_limit(blocks, node->block, &node->max_bytes);
	take_host(scsi, node);
	node->queue_depth = depth_of(scsi, ".");
	if (fe_sysfs_number(scsi, ".", "ncq_prio_enable", &number))
		node->priority_on = number == 1;
	return 0;
}

int sn_node_find(const char *sys, mode_t mode, dev_t device,
		 struct sn_node *node, struct fe_error *err)
{
	struct fe_place place;
	int ret;

	memset(node, 0, sizeof(*node));
	node->priority_on = -1;
	if (!fe_sysfs_locate(sys, mode, device, &place))
		return refuse_other(&place, err);
	if (S_ISBLK(mode))
		ret = check_block(&place, err);
	else
		ret = check_char(&place, err);
	if (!ret)
		ret = check_disk(&place, err);
	if (!ret)
		ret = take_device(&place, node, err);
	return ret;
}

unsigned int sn_node_queue_depth(const char *sys, const struct sn_node *node)
{
	char folder[PATH_MAX];

	if (node->generic[0])
		snprintf(folder, sizeof(folder), "%s/class/scsi_generic/%s",
			 sys, node->generic);
	else
		snprintf(folder, sizeof(folder), "%s/class/block/%s", sys,
			 node->block);
	return depth_of(folder, "device");
}
