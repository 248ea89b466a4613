/* SPDX-License-Identifier: GPL-2.0-only */
/* For tests: a small drive, and hosts that send to it. */
#ifndef FAKE_SATA_TARGET_FIXTURE_H
#define FAKE_SATA_TARGET_FIXTURE_H

#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "target.h"

#define BENCH_BYTES (1u << 20)
#define BENCH_DATA 65536u

struct bench {
	struct options options;
	struct target target;
	struct trace trace;
	char *lines; /* of the trace, after bench_trace() */
	size_t lines_bytes;
	uint8_t media[BENCH_BYTES];
	uint8_t data[BENCH_DATA];
	struct piece piece;
	uint64_t us;
};

/* Words as on the command line of the program. */
static inline struct bench *bench_new(const char *words)
{
	struct bench *bench = calloc(1, sizeof(*bench));
	char name[] = "fake_sata", one_mib[] = "--size=1", copy[200], why[100];
	char *argv[16] = {name, one_mib}, *rest = copy;
	int argc = 2;

	assert_non_null(bench);
	snprintf(copy, sizeof(copy), "%s", words);
	while (*words && (argv[argc] = strsep(&rest, " ")))
		argc++;
	assert_int_equal(
		options_parse(&bench->options, argc, argv, why, sizeof(why)),
		0);
	bench->trace.out = open_memstream(&bench->lines, &bench->lines_bytes);
	assert_non_null(bench->trace.out);
	for (size_t i = 0; i < BENCH_BYTES; i++)
		bench->media[i] = (uint8_t)(i * 7 + i / 512);
	bench->piece = (struct piece){bench->data, BENCH_DATA};
	target_init(&bench->target, &bench->options, bench->media,
		    &bench->trace);
	return bench;
}

static inline const char *bench_trace(struct bench *bench)
{
	fflush(bench->trace.out);
	return bench->lines;
}

static inline void bench_free(struct bench *bench)
{
	struct request *request;

	bench->options.silent.n = 0;
	for (uint16_t id = 0; id < 200; id++)
		target_abort(&bench->target, id, bench->us);
	while ((request = target_done(&bench->target)))
		request_free(request);
	fclose(bench->trace.out);
	free(bench->lines);
	free(bench);
}

static inline void bench_submit(struct bench *bench, uint16_t id,
				const uint8_t cdb[CDB_BYTES])
{
	const struct transfer transfer = {&bench->piece, 1};
	struct request *request = request_new(id, cdb, &transfer);

	assert_non_null(request);
	target_submit(&bench->target, request, bench->us);
}

/* The ids in the order in which they are answered until `us`, as text. */
static inline void bench_order(struct bench *bench, uint64_t us, char *text,
			       size_t size)
{
	struct request *request;
	size_t n = 0;

	text[0] = '\0';
	bench->us = us;
	target_run(&bench->target, us);
	while ((request = target_done(&bench->target))) {
		n += (size_t)snprintf(text + n, size - n, "%s%u", n ? " " : "",
				      request->id);
		request_free(request);
	}
}

/* Sends one and returns what became of it; to be freed. */
static inline struct request *bench_do(struct bench *bench,
				       const uint8_t cdb[CDB_BYTES])
{
	struct request *request;

	bench_submit(bench, 100, cdb);
	target_run(&bench->target, bench->us);
	request = target_done(&bench->target);
	assert_non_null(request);
	return request;
}

static inline enum scsi_status bench_status(struct bench *bench,
					    const uint8_t cdb[CDB_BYTES])
{
	struct request *request = bench_do(bench, cdb);
	const enum scsi_status status = request->status;

	request_free(request);
	return status;
}

/* ATA PASS-THROUGH(16), with EXTEND and all lengths in blocks. */
static inline void pt16(uint8_t cdb[CDB_BYTES], enum ata_protocol protocol,
			uint8_t flags, const struct ata_command *command)
{
	memset(cdb, 0, CDB_BYTES);
	cdb[0] = 0x85;
	cdb[1] = (uint8_t)(protocol << 1 | 1);
	cdb[2] = flags;
	put_be(cdb + 3, 2, command->feature);
	put_be(cdb + 5, 2, command->count);
	for (unsigned int i = 0; i < 3; i++) {
		cdb[7 + 2 * i] = (uint8_t)(command->lba >> (24 + 8 * i));
		cdb[8 + 2 * i] = (uint8_t)(command->lba >> 8 * i);
	}
	cdb[13] = command->device;
	cdb[14] = command->opcode;
}

/* Flags of byte 2: blocks, from the drive or to it, length in FEATURE or COUNT.
 */
#define IN_FEATURE 0x1d
#define OUT_FEATURE 0x15
#define IN_COUNT 0x1e
#define IN_PAGES 0x0e
#define OUT_PAGES 0x06
#define CHECK 0x20

static inline void fpdma_read(uint8_t cdb[CDB_BYTES], uint64_t lba,
			      uint8_t priority)
{
	pt16(cdb, ATA_FPDMA, IN_FEATURE,
	     &(struct ata_command){.feature = 8,
				   .count = (uint16_t)(priority << 14),
				   .lba = lba,
				   .device = ATA_DEVICE_LBA,
				   .opcode = ATA_READ_FPDMA});
}

static inline void read_log(uint8_t cdb[CDB_BYTES], uint8_t address)
{
	pt16(cdb, ATA_PIO_IN, IN_PAGES,
	     &(struct ata_command){
		     .count = 1, .lba = address, .opcode = ATA_READ_LOG_EXT});
}

static inline uint8_t sum_of(const uint8_t page[512])
{
	uint8_t sum = 0;

	for (size_t i = 0; i < 512; i++)
		sum += page[i];
	return sum;
}

#endif
