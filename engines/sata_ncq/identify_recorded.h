/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The answer to IDENTIFY DEVICE of an emulated disk of QEMU 7.2 (ide-hd on
 * AHCI, 256 MiB, rotation_rate=1): the runs of bytes that are not 0, as
 * hexadecimal text.
 */
#ifndef SN_IDENTIFY_RECORDED_H
#define SN_IDENTIFY_RECORDED_H

#include <stddef.h>

struct recorded_run {
	size_t at;
	const char *hex;
};

/* clang-format off */
static const struct recorded_run qemu_disk[] = {
	{0, "4000080200001000007e00023f"},
	{20, "414c5342544120412020202020202020202020200300000204002e322b352020"
	     "20204551554d4820524144445349204b20202020202020202020202020202020"
	     "2020202020202020202010800100000b0000000200020700080210003f0080ff"
	     "070010010000080007000700030078007800780078000040"},
	{150, "1f000001000000000000f00016002140007400402140003400403f20"},
	{186, "0160"},
	{202, "08"},
	{213, "60"},
	{338, "01"},
	{434, "01"},
	{0, NULL},
};
/* clang-format on */

#endif
