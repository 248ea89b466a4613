/* SPDX-License-Identifier: GPL-2.0-only */
#include "transfer.h"

#include <stdbool.h>
#include <string.h>

size_t transfer_bytes(const struct transfer *transfer)
{
	size_t sum = 0;

	for (size_t i = 0; i < transfer->n; i++)
		sum += transfer->pieces[i].bytes;
	return sum;
}

static size_t copy(const struct transfer *transfer, char *bytes, size_t n,
		   bool put)
{
	size_t done = 0;

	for (size_t i = 0; i < transfer->n && done < n; i++) {
		const struct piece *piece = &transfer->pieces[i];
		size_t part = piece->bytes;

		if (part > n - done)
			part = n - done;
		if (put)
			memcpy(piece->at, bytes + done, part);
		else
			memcpy(bytes + done, piece->at, part);
		done += part;
	}
	return done;
}

size_t transfer_put(const struct transfer *transfer, const void *bytes,
		    size_t n)
{
	return copy(transfer, (char *)bytes, n, true);
}

size_t transfer_get(const struct transfer *transfer, void *bytes, size_t n)
{
	return copy(transfer, bytes, n, false);
}
