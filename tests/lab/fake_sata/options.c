/* SPDX-License-Identifier: GPL-2.0-only */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_MIB (1u << 20)

enum {
	UIO = 256,
	MAP_BYTES,
	TRACE,
	OFFLINE,
	SERIAL,
	SIZE,
	BLOCKS_4K,
	NO_NCQ,
	PRIORITY,
	SEND_RECEIVE,
	AUTOSENSE,
	NO_LOG,
	STALE_LOG,
	WRONG_LOG_CHECKSUM,
	CRC_ERRORS,
	REFUSE_FPDMA,
	REFUSE_32,
	DROP_NCQ_AFTER,
	LATENCY,
	PRIORITY_FIRST,
	BAD_LBA,
	SILENT_LBA,
	NCQ_ABORT,
	VANISH_AFTER,
};

static const struct option known[] = {
	{"uio", required_argument, NULL, UIO},
	{"map-bytes", required_argument, NULL, MAP_BYTES},
	{"trace", required_argument, NULL, TRACE},
	{"offline", required_argument, NULL, OFFLINE},
	{"serial", required_argument, NULL, SERIAL},
	{"size", required_argument, NULL, SIZE},
	{"4kn", no_argument, NULL, BLOCKS_4K},
	{"no-ncq", no_argument, NULL, NO_NCQ},
	{"prio", no_argument, NULL, PRIORITY},
	{"send-receive", no_argument, NULL, SEND_RECEIVE},
	{"autosense", no_argument, NULL, AUTOSENSE},
	{"no-log", no_argument, NULL, NO_LOG},
	{"stale-log", no_argument, NULL, STALE_LOG},
	{"wrong-log-checksum", no_argument, NULL, WRONG_LOG_CHECKSUM},
	{"crc-errors", required_argument, NULL, CRC_ERRORS},
	{"refuse-fpdma", no_argument, NULL, REFUSE_FPDMA},
	{"refuse-32", no_argument, NULL, REFUSE_32},
	{"drop-ncq-after", required_argument, NULL, DROP_NCQ_AFTER},
	{"latency", required_argument, NULL, LATENCY},
	{"priority-first", no_argument, NULL, PRIORITY_FIRST},
	{"bad-lba", required_argument, NULL, BAD_LBA},
	{"silent-lba", required_argument, NULL, SILENT_LBA},
	{"ncq-abort", no_argument, NULL, NCQ_ABORT},
	{"vanish-after", required_argument, NULL, VANISH_AFTER},
	{NULL, 0, NULL, 0},
};

static int number_until(const char *text, char **end, uint64_t most,
			uint64_t *value)
{
	if (text[0] < '0' || text[0] > '9')
		return -EINVAL;
	errno = 0;
	*value = strtoull(text, end, 0);
	return errno || *value > most ? -EINVAL : 0;
}

static int number(const char *text, uint64_t most, uint64_t *value)
{
	char *end;

	if (number_until(text, &end, most, value) || *end)
		return -EINVAL;
	return 0;
}

static int small_number(const char *text, uint32_t *value)
{
	uint64_t wide;

	if (number(text, UINT32_MAX, &wide))
		return -EINVAL;
	*value = (uint32_t)wide;
	return 0;
}

static int lba_list_parse(struct lba_list *list, const char *text)
{
	char *end;

	for (;;) {
		if (list->n == MOST_LBAS ||
		    number_until(text, &end, UINT64_MAX, &list->lbas[list->n]))
			return -EINVAL;
		list->n++;
		if (!*end)
			return 0;
		if (*end != ',')
			return -EINVAL;
		text = end + 1;
	}
}

static int serial_parse(char serial[21], const char *text)
{
	const int n = snprintf(serial, 21, "%s", text);

	return n < 1 || n > 20 ? -EINVAL : 0;
}

static bool *switch_of(struct options *options, int which)
{
	switch (which) {
	case NO_NCQ:
		return &options->no_ncq;
	case PRIORITY:
		return &options->priority;
	case SEND_RECEIVE:
		return &options->send_receive;
	case AUTOSENSE:
		return &options->autosense;
	case NO_LOG:
		return &options->no_log;
	case STALE_LOG:
		return &options->stale_log;
	case WRONG_LOG_CHECKSUM:
		return &options->wrong_log_checksum;
	case REFUSE_FPDMA:
		return &options->refuse_fpdma;
	case REFUSE_32:
		return &options->refuse_32;
	case PRIORITY_FIRST:
		return &options->priority_first;
	case NCQ_ABORT:
		return &options->ncq_abort;
	}
	return NULL;
}

static uint32_t *number_of(struct options *options, int which)
{
	switch (which) {
	case CRC_ERRORS:
		return &options->crc_errors;
	case DROP_NCQ_AFTER:
		return &options->drop_ncq_after;
	case LATENCY:
		return &options->latency_us;
	case VANISH_AFTER:
		return &options->vanish_after;
	}
	return NULL;
}

static const char **path_of(struct options *options, int which)
{
	switch (which) {
	case UIO:
		return &options->uio;
	case TRACE:
		return &options->trace;
	case OFFLINE:
		return &options->offline;
	}
	return NULL;
}

static int take(struct options *options, int which, const char *text,
		uint64_t *mib)
{
	if (switch_of(options, which)) {
		*switch_of(options, which) = true;
		return 0;
	}
	if (number_of(options, which))
		return small_number(text, number_of(options, which));
	if (path_of(options, which)) {
		*path_of(options, which) = text;
		return 0;
	}
	switch (which) {
	case MAP_BYTES:
		return number(text, SIZE_MAX, &options->map_bytes);
	case SERIAL:
		return serial_parse(options->serial, text);
	case SIZE:
		return number(text, MOST_MIB, mib) || !*mib ? -EINVAL : 0;
	case BLOCKS_4K:
		options->block_bytes = 4096;
		return 0;
	case BAD_LBA:
		return lba_list_parse(&options->bad, text);
	case SILENT_LBA:
		return lba_list_parse(&options->silent, text);
	}
	return -EINVAL;
}

int options_parse(struct options *options, int argc, char **argv,
		  char *sentence, size_t size)
{
	uint64_t mib = 128;
	int which;

	*options = (struct options){.block_bytes = 512, .serial = "FAKESATA"};
	optind = 0;
	opterr = 0;
	while ((which = getopt_long(argc, argv, "", known, NULL)) != -1) {
		if (take(options, which, optarg, &mib)) {
			snprintf(sentence, size, "no such option or value: %s",
				 argv[optind - 1]);
			return -EINVAL;
		}
	}
	if (optind < argc) {
		snprintf(sentence, size, "%s is no option", argv[optind]);
		return -EINVAL;
	}
	options->blocks = mib * 1024 * 1024 / options->block_bytes;
	return 0;
}

void options_tame(const struct options *options, struct options *tame)
{
	*tame = *options;
	tame->latency_us = 0;
	tame->bad.n = 0;
	tame->silent.n = 0;
	tame->vanish_after = 0;
	tame->crc_errors = 0;
}

bool lba_list_hits(const struct lba_list *list, uint64_t first, uint64_t n,
		   uint64_t *lba)
{
	for (unsigned int i = 0; i < list->n; i++) {
		if (list->lbas[i] >= first && list->lbas[i] - first < n) {
			if (lba)
				*lba = list->lbas[i];
			return true;
		}
	}
	return false;
}
