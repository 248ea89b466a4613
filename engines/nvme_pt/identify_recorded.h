/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Identify data structures as emulated controllers of QEMU 7.2 sent them: the
 * runs of bytes that are not 0, as hexadecimal text.  What a controller refused
 * is not here.
 */
#ifndef PT_IDENTIFY_RECORDED_H
#define PT_IDENTIFY_RECORDED_H

#include <stddef.h>

#include "namespace_parse.h"

struct recorded_run {
	size_t at; /* in struct pt_identify_data */
	const char *hex;
};

/* clang-format off */
#define RUN(field, from, hex) \
	{offsetof(struct pt_identify_data, field) + (from), hex}

#define CONTROLLER \
	RUN(controller, 0, "361bf41a4c41424e564d452020202020202020202020202051454d55204e564d65204374726c20202020202020202020" \
	    "20202020202020202020202020202020372e322e32322020060054520007000000040100000000000000000000010000" \
	    "00800000000000000000000000000001"), \
	RUN(controller, 256, "0a01030303070000000057017501"), \
	RUN(controller, 512, "66440000000100005d01000000070000000000000000030001"), \
	RUN(controller, 768, "6e716e2e323031392d30382e6f72672e71656d753a4c41424e564d45"), \
	RUN(controller, 2048, "c40900001000000004"), \
	RUN(nvm_controller, 0, "07000000ffff07")

/* 512 byte blocks */
static const struct recorded_run blocks_512[] = {
	CONTROLLER,
	RUN(ns, 2, "08000000000000000800000000000000080000000000140700031f0000000001"),
	RUN(ns, 68, "0700070000008000800000007f"),
	RUN(ns, 130, "090008000900100009004000090000000c0008000c0010000c0040000c"),
	RUN(descriptors, 0, "0401"),
	{0, NULL},
};

/* 4 KiB blocks */
static const struct recorded_run blocks_4k[] = {
	CONTROLLER,
	RUN(ns, 2, "01000000000000000100000000000000010000000000140704031f0000000001"),
	RUN(ns, 74, "8000800000007f"),
	RUN(ns, 130, "090008000900100009004000090000000c0008000c0010000c0040000c"),
	RUN(descriptors, 0, "0401"),
	{0, NULL},
};

/* ms=8 pi=1 */
static const struct recorded_run separate[] = {
	CONTROLLER,
	RUN(ns, 0, "e03f000000000000e03f000000000000e03f000000000000140705031f0100000001"),
	RUN(ns, 74, "8000800000007f"),
	RUN(ns, 130, "090008000900100009004000090000000c0008000c0010000c0040000c"),
	RUN(descriptors, 0, "0401"),
	{0, NULL},
};

/* 512 byte blocks, ms=8 mset=1 pi=1 pil=1 */
static const struct recorded_run extended[] = {
	CONTROLLER,
	RUN(ns, 0, "1ff80100000000001ff80100000000001ff8010000000000140711031f0900000001"),
	RUN(ns, 68, "0700070000008000800000007f"),
	RUN(ns, 130, "090008000900100009004000090000000c0008000c0010000c0040000c"),
	RUN(descriptors, 0, "0401"),
	{0, NULL},
};

/* ms=16 pi=1 pif=2 */
static const struct recorded_run guard_64[] = {
	CONTROLLER,
	RUN(ns, 0, "c03f000000000000c03f000000000000c03f000000000000140706031f0100000001"),
	RUN(ns, 74, "8000800000007f"),
	RUN(ns, 130, "090008000900100009004000090000000c0008000c0010000c0040000c"),
	RUN(descriptors, 0, "0401"),
	RUN(nvm_ns, 37, "01"),
	{0, NULL},
};

/* ms=64 mset=1 */
static const struct recorded_run plain_metadata[] = {
	CONTROLLER,
	RUN(ns, 0, "033f000000000000033f000000000000033f000000000000140717031f0000000001"),
	RUN(ns, 74, "8000800000007f"),
	RUN(ns, 130, "090008000900100009004000090000000c0008000c0010000c0040000c"),
	RUN(descriptors, 0, "0401"),
	{0, NULL},
};

/* zoned=on zone_size=4M max_open=8 */
static const struct recorded_run zoned[] = {
	CONTROLLER,
	RUN(ns, 1, "4000000000000000400000000000000040000000000000140704031f0000000001"),
	RUN(ns, 74, "8000800000007f"),
	RUN(ns, 130, "090008000900100009004000090000000c0008000c0010000c0040000c"),
	RUN(descriptors, 0, "0401000002"),
	RUN(zns_ns, 4, "0f00000007"),
	RUN(zns_ns, 2817, "04"),
	RUN(zns_ns, 2833, "04"),
	RUN(zns_ns, 2849, "04"),
	RUN(zns_ns, 2865, "04"),
	RUN(zns_ns, 2881, "04"),
	RUN(zns_ns, 2897, "04"),
	RUN(zns_ns, 2913, "04"),
	RUN(zns_ns, 2929, "04"),
	{0, NULL},
};
/* clang-format on */

#endif
