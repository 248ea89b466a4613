/* SPDX-License-Identifier: GPL-2.0-only */
/* For tests of parts. */
#ifndef PT_PART_FIXTURE_H
#define PT_PART_FIXTURE_H

#include "part.h"

#include "unit.h"

#include <string.h>

#define BLOCK 512u
#define BLOCKS 4u

/* A part with memory for everything, and its command. */
struct bench {
	struct pt_stream stream;
	struct pt_part part;
	struct nvme_uring_cmd command;
	uint8_t data[BLOCKS * BLOCK];
	uint8_t metadata[BLOCKS * 16];
	uint8_t own[BLOCKS * (BLOCK + 16)];
};

static inline void set_up_bench(struct bench *bench,
				const struct pt_namespace *ns, enum pt_op op,
				struct pt_modifiers modifiers)
{
	memset(bench, 0, sizeof(*bench));
	for (size_t i = 0; i < sizeof(bench->data); i++)
		bench->data[i] = (uint8_t)(i * 7 + i / BLOCK);
	bench->stream.ns = ns;
	bench->stream.op = op;
	bench->stream.modifiers = modifiers;
	bench->stream.md_pattern = 0x5a;
	pt_stream_init(&bench->stream);
	bench->command = bench->stream.prepared;
	bench->part = (struct pt_part){
		.stream = &bench->stream,
		.slba = 0x123,
		.blocks = BLOCKS,
		.data = bench->data,
		.metadata = bench->metadata,
		.own = bench->own,
	};
}

static inline void fill(struct bench *bench)
{
	assert_int_equal(pt_part_fill(&bench->command, &bench->part), 0);
}

#endif
