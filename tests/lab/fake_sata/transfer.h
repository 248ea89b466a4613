/* SPDX-License-Identifier: GPL-2.0-only */
/* The memory of a command's data, in pieces. */
#ifndef FAKE_SATA_TRANSFER_H
#define FAKE_SATA_TRANSFER_H

#include <stddef.h>

struct piece {
	void *at;
	size_t bytes;
};

struct transfer {
	const struct piece *pieces;
	size_t n;
};

size_t transfer_bytes(const struct transfer *transfer);

/* Copy as much as there is room, or as there is, and return how much. */
size_t transfer_put(const struct transfer *transfer, const void *bytes,
		    size_t n);
size_t transfer_get(const struct transfer *transfer, void *bytes, size_t n);

#endif
