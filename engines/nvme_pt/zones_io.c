/* SPDX-License-Identifier: GPL-2.0-only */
#include "zones.h"

#include <errno.h>
#include <libnvme.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "status.h"
#include "transport.h"

/* Of a report: within the transfers of any device. */
#define REPORT_BYTES 8192u

/* As many as one report holds. */
static int report_some(int fd, const struct pt_namespace *ns, uint64_t slba,
		       uint8_t *report, struct pt_zone *zones, unsigned int max,
		       struct fe_error *err)
{
	int ret;

	memset(report, 0, REPORT_BYTES);
	ret = nvme_zns_report_zones(
		fd, ns->nsid, slba, NVME_ZNS_ZRAS_REPORT_ALL, false, true,
		REPORT_BYTES, report, NVME_DEFAULT_IOCTL_TIMEOUT, NULL);
	ret = pt_status_check(ret < 0 ? -errno : ret, "report of zones", err);
	if (ret)
		return ret;
	return pt_zones_parse(report, REPORT_BYTES, 0, ns, slba, zones, max,
			      err);
}

int pt_zones_report(int fd, const struct pt_namespace *ns, uint64_t offset,
		    struct pt_zone *zones, unsigned int max,
		    struct fe_error *err)
{
	uint64_t slba = offset / ns->block_bytes;
	unsigned int n = 0;
	void *report;

	slba -= slba % ns->zone_blocks;
	if (max > INT32_MAX)
		max = INT32_MAX;
	if (posix_memalign(&report, 4096, REPORT_BYTES))
		return fe_error_set(err, -ENOMEM, "out of memory");
	while (n < max && slba < ns->blocks &&
	       ns->blocks - slba >= ns->zone_blocks) {
		const int got = report_some(fd, ns, slba, report, zones + n,
					    max - n, err);

		if (got < 0) {
			free(report);
			return got;
		}
		if (!got)
			break;
		n += (unsigned int)got;
		slba += (uint64_t)got * ns->zone_blocks;
	}
	free(report);
	return (int)n;
}

static int reset(int fd, const struct pt_namespace *ns, uint64_t slba, bool all,
		 struct fe_error *err)
{
	const struct pt_modifiers none = {0};
	struct nvme_uring_cmd command;

	pt_command_prepare(&command, PT_ZONE_RESET, ns, &none);
	pt_command_place(&command, slba, 1);
	if (all)
		pt_command_all_zones(&command);
	return pt_status_check(pt_ioctl_once(fd, &command), "reset of zones",
			       err);
}

int pt_zones_reset(int fd, const struct pt_namespace *ns, uint64_t offset,
		   uint64_t length, struct fe_error *err)
{
	const uint64_t zone = ns->zone_blocks * ns->block_bytes;
	const uint64_t whole = ns->blocks / ns->zone_blocks * zone;
	uint64_t from = offset - offset % zone;
	uint64_t end = length < whole ? offset + length : whole;

	if (offset >= whole || !length)
		return 0;
	if (end > whole)
		end = whole;
	if (from == 0 && end == whole)
		return reset(fd, ns, 0, true, err);
	for (; from < end; from += zone) {
		const int ret =
			reset(fd, ns, from / ns->block_bytes, false, err);

		if (ret)
			return ret;
	}
	return 0;
}
