/* SPDX-License-Identifier: GPL-2.0-only */
#include "identify.h"

#include <errno.h>
#include <libnvme.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "namespace_parse.h"
#include "status.h"
#include "node.h"

#define SYS "/sys"

static int find(int fd, struct pt_node *node)
{
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	pt_node_find(SYS, st.st_mode, st.st_rdev, node);
	return 0;
}

static int check_kind(const struct pt_node *node, struct fe_error *err)
{
	switch (node->kind) {
	case PT_NODE_GENERIC:
	case PT_NODE_BLOCK:
		return 0;
	case PT_NODE_CONTROLLER:
		return fe_error_set(
			err, -EINVAL,
			"a controller; name one of its namespaces, such as /dev/ng%sn1",
			node->place.name + strlen("nvme"));
	case PT_NODE_PARTITION:
		return fe_error_set(
			err, -EINVAL,
			"a partition; commands go to a whole namespace, /dev/ngXnY or /dev/nvmeXnY");
	default:
		return fe_error_set(
			err, -ENOTTY,
			"no NVMe namespace, which would be /dev/ngXnY or /dev/nvmeXnY");
	}
}

/* `result` is libnvme's: -1 with errno, or a status. */
static int must(int result, const char *what, struct fe_error *err)
{
	return pt_status_check(result < 0 ? -errno : result, what, err);
}

/* 0: the device has answered.  1: it has refused, and `answer` is zeros. */
static int may(int result, uint8_t *answer, const char *what,
	       struct fe_error *err)
{
	if (result <= 0)
		return must(result, what, err);
	memset(answer, 0, PT_IDENTIFY_BYTES);
	return 1;
}

static int ask_nvm(int fd, uint32_t nsid, struct pt_identify_data *data,
		   struct fe_error *err)
{
	int ret = nvme_identify_ns_csi(fd, nsid, NVME_UUID_NONE, NVME_CSI_NVM,
				       data->nvm_ns);

	ret = may(ret, data->nvm_ns, "Identify namespace, NVM", err);
	if (ret < 0)
		return ret;
	data->has_nvm_ns = !ret;
	ret = nvme_identify_ctrl_csi(fd, NVME_CSI_NVM, data->nvm_controller);
	ret = may(ret, data->nvm_controller, "Identify controller, NVM", err);
	return ret < 0 ? ret : 0;
}

static int ask_zns(int fd, uint32_t nsid, struct pt_identify_data *data,
		   struct fe_error *err)
{
	int ret = nvme_identify_ns_csi(fd, nsid, NVME_UUID_NONE, NVME_CSI_ZNS,
				       data->zns_ns);

	ret = must(ret, "Identify namespace, zoned", err);
	if (ret)
		return ret;
	ret = nvme_identify_ctrl_csi(fd, NVME_CSI_ZNS, data->zns_controller);
	ret = may(ret, data->zns_controller, "Identify controller, zoned", err);
	return ret < 0 ? ret : 0;
}

static int ask(int fd, uint32_t nsid, struct pt_identify_data *data,
	       struct fe_error *err)
{
	int ret;

	/* The first two no controller may refuse. */
	ret = must(nvme_identify_cns_nsid(fd, NVME_IDENTIFY_CNS_CTRL,
					  NVME_NSID_NONE, data->controller),
		   "Identify controller", err);
	if (ret)
		return ret;
	ret = must(nvme_identify_cns_nsid(fd, NVME_IDENTIFY_CNS_NS, nsid,
					  data->ns),
		   "Identify namespace", err);
	if (ret)
		return ret;
	ret = may(nvme_identify_cns_nsid(fd, NVME_IDENTIFY_CNS_NS_DESC_LIST,
					 nsid, data->descriptors),
		  data->descriptors, "Identify descriptors", err);
	if (ret < 0)
		return ret;
	ret = ask_nvm(fd, nsid, data, err);
	if (ret || pt_namespace_csi(data->descriptors) != PT_CSI_ZNS)
		return ret;
	return ask_zns(fd, nsid, data, err);
}

static int ask_and_parse(int fd, struct pt_namespace *ns, struct fe_error *err)
{
	struct pt_identify_data *data;
	void *memory;
	int ret;

	if (nvme_get_nsid(fd, &ns->nsid))
		return fe_error_set(err, -errno, "namespace identifier: %s",
				    strerror(errno));
	if (posix_memalign(&memory, PT_IDENTIFY_BYTES, sizeof(*data)))
		return fe_error_set(err, -ENOMEM, "out of memory");
	data = memset(memory, 0, sizeof(*data));
	ret = ask(fd, ns->nsid, data, err);
	if (!ret)
		ret = pt_namespace_parse(data, ns, err);
	free(memory);
	return ret;
}

static void take_limits(const struct pt_node *node, struct pt_namespace *ns)
{
	struct pt_queue_limits limits;
	struct stat st;

	/* Namespaces of one controller, or subsystem, lie together. */
	if (node->place.folder[0] && !stat(node->place.folder, &st))
		ns->tag_set = st.st_ino;
	pt_node_limits(node, &limits);
	ns->kernel_bytes = limits.max_bytes;
	ns->tags = limits.tags;
	ns->poll_queues = limits.poll;
}

int pt_identify(int fd, const char *path, struct pt_namespace *ns,
		struct fe_error *err)
{
	struct fe_error reason = {""};
	struct pt_node node;
	int ret = find(fd, &node);

	memset(ns, 0, sizeof(*ns));
	if (ret)
		return fe_error_set(err, ret, "%s: %s", path, strerror(-ret));
	ret = check_kind(&node, &reason);
	if (!ret)
		ret = ask_and_parse(fd, ns, &reason);
	if (ret)
		return fe_error_set(err, ret, "%s: %s", path, reason.text);
	take_limits(&node, ns);
	return 0;
}

int pt_block_device(int fd, char *path, size_t size)
{
	struct pt_node node;
	uint64_t nsid;
	uint32_t own;
	int ret = find(fd, &node);

	if (ret)
		return ret;
	if (node.kind != PT_NODE_GENERIC && node.kind != PT_NODE_BLOCK)
		return -ENOTTY;
	if (!node.block[0])
		return -ENODEV;
	if (nvme_get_nsid(fd, &own))
		return -errno;
	if (!fe_sysfs_number(node.place.folder, node.block, "nsid", &nsid) ||
	    nsid != own)
		return -EXDEV;
	if ((size_t)snprintf(path, size, "/dev/%s", node.block) >= size)
		return -ENAMETOOLONG;
	return 0;
}
