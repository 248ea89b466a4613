/* SPDX-License-Identifier: GPL-2.0-only */
/* What kind of drive it is, and how it misbehaves. */
#ifndef FAKE_SATA_OPTIONS_H
#define FAKE_SATA_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MOST_LBAS 16

struct lba_list {
	uint64_t lbas[MOST_LBAS];
	unsigned int n;
};

struct options {
	/* The plumbing. */
	const char *uio, *trace, *offline;
	uint64_t map_bytes;

	/* The drive. */
	char serial[21];
	uint64_t blocks;
	uint32_t block_bytes;
	bool no_ncq, priority, send_receive, autosense;
	bool no_log, stale_log, wrong_log_checksum;
	uint32_t crc_errors; /* every so many commands one; 0 none */

	/* Its translation layer. */
	bool refuse_fpdma, refuse_32;
	uint32_t drop_ncq_after; /* errors; 0 never */

	/* How it works, and fails. */
	uint32_t latency_us; /* of one command; it does one after the other */
	bool priority_first;
	struct lba_list bad, silent;
	bool ncq_abort;
	uint32_t vanish_after; /* commands; 0 never */
};

/* 0, or -EINVAL with a sentence. */
int options_parse(struct options *options, int argc, char **argv,
		  char *sentence, size_t size);

/* The same drive before it begins to misbehave, while the kernel looks at it.
 */
void options_tame(const struct options *options, struct options *tame);

/* Whether one of the list is in the range; which in *lba, which may be NULL. */
bool lba_list_hits(const struct lba_list *list, uint64_t first, uint64_t n,
		   uint64_t *lba);

#endif
