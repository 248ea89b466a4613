/* SPDX-License-Identifier: GPL-2.0-only */
/* IDENTIFY DEVICE, ACS 7.13.7; words of SATA's in Serial ATA 3.x 13.2.1. */
#ifndef FAKE_SATA_IDENTIFY_H
#define FAKE_SATA_IDENTIFY_H

#include "options.h"

#define FAKE_MODEL "FAKE SATA DISK"
#define FAKE_FIRMWARE "0001"
#define FAKE_TRIM_PAGES 8

void identify_fill(const struct options *options, uint8_t page[512]);

/* The last byte of a page makes the sum of all 0. */
void page_checksum(uint8_t page[512]);

#endif
