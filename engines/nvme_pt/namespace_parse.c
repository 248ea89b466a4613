/* SPDX-License-Identifier: GPL-2.0-only */
#include "namespace_parse.h"

#include <errno.h>
#include <stddef.h>

/* Figures of the specifications that namespace.h names, by CNS. */
enum controller_field {
	CONTROLLER_MDTS = 77,
	CONTROLLER_CTRATT = 96,
	CONTROLLER_OACS = 256,
	CONTROLLER_ONCS = 520,
};

enum namespace_field {
	NAMESPACE_NSZE = 0,
	NAMESPACE_NLBAF = 25,
	NAMESPACE_FLBAS = 26,
	NAMESPACE_DPS = 29,
	NAMESPACE_DLFEAT = 33,
	NAMESPACE_MSSRL = 74,
	NAMESPACE_MCL = 76,
	NAMESPACE_MSRC = 80,
	NAMESPACE_LBAF = 128, /* 64 of 4 bytes */
};

enum nvm_namespace_field {
	NVM_NAMESPACE_ELBAF = 12, /* 64 of 4 bytes */
};

enum nvm_controller_field {
	NVM_CONTROLLER_VSL = 0,
	NVM_CONTROLLER_WZSL = 1,
	NVM_CONTROLLER_WUSL = 2,
	NVM_CONTROLLER_DMRL = 3,
	NVM_CONTROLLER_DMRSL = 4,
	NVM_CONTROLLER_DMSL = 8,
};

enum zns_namespace_field {
	ZNS_NAMESPACE_MOR = 8,
	ZNS_NAMESPACE_LBAFE = 2816, /* 64 of 16 bytes, which begin with ZSZE */
};

enum zns_controller_field {
	ZNS_CONTROLLER_ZASL = 0,
};

#define CTRATT_ELBAS (1u << 15)
#define CTRATT_FDPS (1u << 19)
#define OACS_DIRECTIVES (1u << 5)
#define DLFEAT_DEALLOCATE (1u << 3)
#define FLBAS_EXTENDED (1u << 4)
#define DPS_FIRST (1u << 3)

#define FORMATS 64u
#define MIN_SHIFT 9u  /* blocks of 512 bytes */
#define MAX_SHIFT 16u /* and of 64 KiB */
#define PAGE_SHIFT 12u

static uint16_t le16(const uint8_t *at)
{
	return (uint16_t)(at[0] | at[1] << 8);
}

static uint32_t le32(const uint8_t *at)
{
	return le16(at) | (uint32_t)le16(at + 2) << 16;
}

static uint64_t le64(const uint8_t *at)
{
	return le32(at) | (uint64_t)le32(at + 4) << 32;
}

/* A power of two of pages.  0 says that there is no limit, which is also what
 * one beyond all numbers comes to. */
static uint64_t pages(uint8_t exponent)
{
	return exponent && exponent < 64 - PAGE_SHIFT
		       ? (uint64_t)1 << (exponent + PAGE_SHIFT)
		       : 0;
}

uint8_t pt_namespace_csi(const uint8_t *descriptors)
{
	const uint8_t *at = descriptors;
	const uint8_t *end = descriptors + PT_IDENTIFY_BYTES;

	/* NIDT, NIDL, two reserved bytes, NIDL bytes */
	while (end - at > 4 && at[0]) {
		if (at[0] == 4 && at[1] == 1)
			return at[4];
		if (end - at - 4 < at[1])
			break;
		at += 4 + at[1];
	}
	return PT_CSI_NVM;
}

/* Bits 3:0 of FLBAS, and 6:5 if there are more than 16 formats. */
static int format_index(const uint8_t *ns, struct fe_error *err)
{
	const unsigned int formats = ns[NAMESPACE_NLBAF] + 1u;
	const uint8_t flbas = ns[NAMESPACE_FLBAS];
	unsigned int index = flbas & 0xfu;

	if (formats > FORMATS)
		return fe_error_set(err, -EINVAL,
				    "%u formats (NLBAF), of 64 that can be",
				    formats);
	if (formats > 16)
		index |= (flbas >> 1) & 0x30u;
	if (index >= formats)
		return fe_error_set(
			err, -EINVAL,
			"formatted as number %u (FLBAS), of %u that there are (NLBAF)",
			index, formats);
	return (int)index;
}

static int parse_format(const uint8_t *data, unsigned int index,
			struct pt_namespace *ns, struct fe_error *err)
{
	const uint8_t *format = data + NAMESPACE_LBAF + (size_t)index * 4;
	const uint8_t shift = format[2];

	if (shift < MIN_SHIFT || shift > MAX_SHIFT)
		return fe_error_set(
			err, -EOPNOTSUPP,
			"logical blocks of 2^%u bytes (LBADS); the engine does 512 bytes to 64 KiB",
			shift);
	ns->block_bytes = 1u << shift;
	ns->metadata_bytes = le16(format);
	ns->extended =
		ns->metadata_bytes && (data[NAMESPACE_FLBAS] & FLBAS_EXTENDED);
	if (ns->metadata_bytes > ns->block_bytes)
		return fe_error_set(
			err, -EOPNOTSUPP,
			"%u bytes of metadata (MS) for a logical block of %u bytes",
			ns->metadata_bytes, ns->block_bytes);
	ns->blocks = le64(data + NAMESPACE_NSZE);
	if (!ns->blocks)
		return fe_error_set(
			err, -EINVAL,
			"no such namespace, or an empty one (NSZE is 0)");
	if (ns->blocks > (uint64_t)INT64_MAX >> shift)
		return fe_error_set(
			err, -EINVAL,
			"%llu blocks of %u bytes (NSZE) are more than offsets can count",
			(unsigned long long)ns->blocks, ns->block_bytes);
	return 0;
}

/* By PIF: width of the guard, bytes of it and the tags, and bits of the tag
 * space that may be storage tag (NVM Command Set 5.2.1). */
static const struct {
	uint8_t guard_bits, bytes, min_storage, max_storage;
} guards[] = {
	{16, 8, 0, 32},
	{32, 16, 16, 64},
	{64, 16, 0, 48},
};

static int parse_guard(const struct pt_identify_data *data, unsigned int index,
		       struct pt_protection *pi, struct fe_error *err)
{
	const uint8_t *elbaf = data->nvm_ns + NVM_NAMESPACE_ELBAF;
	const bool many =
		le32(data->controller + CONTROLLER_CTRATT) & CTRATT_ELBAS;
	const uint32_t extension = many ? le32(elbaf + (size_t)index * 4) : 0;
	const unsigned int pif = extension >> 7 & 3;

	if (many && !data->has_nvm_ns)
		return fe_error_set(
			err, -EOPNOTSUPP,
			"the controller does not say of what kind the protection information is (Identify, CNS 05h)");
	if (pif >= sizeof(guards) / sizeof(guards[0]))
		return fe_error_set(
			err, -EOPNOTSUPP,
			"protection information of a format (PIF %u) that the engine does not know",
			pif);
	pi->guard_bits = guards[pif].guard_bits;
	pi->bytes = guards[pif].bytes;
	pi->storage_bits = extension & 0x7f;
	if (pi->storage_bits < guards[pif].min_storage ||
	    pi->storage_bits > guards[pif].max_storage)
		return fe_error_set(
			err, -EINVAL,
			"a storage tag of %u bits (STS) beside a guard of %u",
			pi->storage_bits, pi->guard_bits);
	return 0;
}

static int parse_protection(const struct pt_identify_data *data,
			    unsigned int index, struct pt_namespace *ns,
			    struct fe_error *err)
{
	const uint8_t dps = data->ns[NAMESPACE_DPS];
	int ret;

	ns->pi.type = dps & 7;
	if (!ns->pi.type)
		return 0;
	if (ns->pi.type > 3)
		return fe_error_set(
			err, -EINVAL,
			"protection of type %u (DPS), of 3 that there are",
			ns->pi.type);
	ns->pi.first = dps & DPS_FIRST;
	ret = parse_guard(data, index, &ns->pi, err);
	if (ret)
		return ret;
	if (ns->metadata_bytes < ns->pi.bytes)
		return fe_error_set(
			err, -EINVAL,
			"%u bytes of metadata (MS) can't hold %u of protection information",
			ns->metadata_bytes, ns->pi.bytes);
	return 0;
}

static void parse_limits(const struct pt_identify_data *data,
			 struct pt_namespace *ns)
{
	const uint8_t *limits = data->nvm_controller;
	const uint8_t *copy = data->ns;

	ns->mdts_bytes = pages(data->controller[CONTROLLER_MDTS]);
	ns->verify_bytes = pages(limits[NVM_CONTROLLER_VSL]);
	ns->zeroes_bytes = pages(limits[NVM_CONTROLLER_WZSL]);
	ns->uncorrectable_bytes = pages(limits[NVM_CONTROLLER_WUSL]);
	ns->dsm_ranges = limits[NVM_CONTROLLER_DMRL];
	ns->dsm_range_blocks = le32(limits + NVM_CONTROLLER_DMRSL);
	ns->dsm_blocks = le64(limits + NVM_CONTROLLER_DMSL);
	ns->copy_ranges = copy[NAMESPACE_MSRC] + 1u;
	ns->copy_range_blocks = le16(copy + NAMESPACE_MSSRL);
	ns->copy_blocks = le32(copy + NAMESPACE_MCL);
}

static int parse_zones(const struct pt_identify_data *data, unsigned int index,
		       struct pt_namespace *ns, struct fe_error *err)
{
	const uint8_t *zns = data->zns_ns;
	const uint32_t open = le32(zns + ZNS_NAMESPACE_MOR);

	ns->zone_blocks = le64(zns + ZNS_NAMESPACE_LBAFE + (size_t)index * 16);
	if (!ns->zone_blocks || ns->zone_blocks > ns->blocks)
		return fe_error_set(
			err, -EINVAL,
			"zones of %llu blocks (ZSZE) in a namespace of %llu",
			(unsigned long long)ns->zone_blocks,
			(unsigned long long)ns->blocks);
	/* All ones and one more: no limit. */
	ns->max_open = open + 1;
	ns->append_bytes = pages(data->zns_controller[ZNS_CONTROLLER_ZASL]);
	return 0;
}

static int parse_command_set(const struct pt_identify_data *data,
			     unsigned int index, struct pt_namespace *ns,
			     struct fe_error *err)
{
	const uint8_t csi = pt_namespace_csi(data->descriptors);

	switch (csi) {
	case PT_CSI_NVM:
		ns->csi = PT_CSI_NVM;
		return 0;
	case PT_CSI_ZNS:
		ns->csi = PT_CSI_ZNS;
		return parse_zones(data, index, ns, err);
	default:
		return fe_error_set(
			err, -EOPNOTSUPP,
			"a namespace of command set %u; the engine does NVM (0) and zoned (2)",
			csi);
	}
}

int pt_namespace_parse(const struct pt_identify_data *data,
		       struct pt_namespace *ns, struct fe_error *err)
{
	const uint8_t *controller = data->controller;
	const uint32_t ctratt = le32(controller + CONTROLLER_CTRATT);
	const int index = format_index(data->ns, err);
	int ret;

	if (index < 0)
		return index;
	ret = parse_format(data->ns, (unsigned int)index, ns, err);
	if (!ret)
		ret = parse_protection(data, (unsigned int)index, ns, err);
	if (!ret)
		ret = parse_command_set(data, (unsigned int)index, ns, err);
	if (ret)
		return ret;
	ns->oncs = le16(controller + CONTROLLER_ONCS);
	ns->fdp = ctratt & CTRATT_FDPS;
	ns->directives = le16(controller + CONTROLLER_OACS) & OACS_DIRECTIVES;
	ns->zeroes_deallocate = data->ns[NAMESPACE_DLFEAT] & DLFEAT_DEALLOCATE;
	parse_limits(data, ns);
	return 0;
}

uint64_t pt_namespace_max_transfer(const struct pt_namespace *ns)
{
	if (!ns->mdts_bytes)
		return ns->kernel_bytes;
	if (!ns->kernel_bytes || ns->mdts_bytes < ns->kernel_bytes)
		return ns->mdts_bytes;
	return ns->kernel_bytes;
}
