/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Drives an LLVMFuzzerTestOneInput() without libFuzzer, so that any compiler
 * will do: every file of the corpus as it is, then mutations of them.
 *
 *	fuzz_x [-rounds=N] [-seconds=N] [-seed=N] [-keep=FILE] PATH...
 *
 * The same seed gives the same inputs.  With -keep each input is written to
 * FILE before it is tried, so that the one that crashed is at hand.
 */
#include <errno.h>
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/vec.h"

#define INPUT_MAX ((size_t)1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static RP_VEC(struct rp_str) corpus;

struct options {
	unsigned long rounds, seconds, seed;
	const char *keep;
};

/* ---- corpus ---- */

static int add_file(const char *path, const struct stat *st, int type,
		    struct FTW *ftw)
{
	struct rp_err err = {0};
	struct rp_str *text;

	(void)st;
	(void)ftw;
	if (type != FTW_F)
		return 0;
	text = rp_vec_push(&corpus);
	if (!text || rp_file_read(path, INPUT_MAX, text, &err)) {
		fprintf(stderr, "%s: %s\n", path, err.message);
		return 1;
	}
	return 0;
}

/* ---- mutation ---- */

static uint64_t random_state;

/* xorshift64*: good enough to pick bytes, and the same everywhere */
static size_t pick(size_t below)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return below ? (size_t)((random_state * 0x2545f4914f6cdd1dull) >> 33) %
			       below
		     : 0;
}

static const char *const tokens[] = {
	"{",
	"}",
	"[",
	"]",
	"\"",
	",",
	":",
	"\\",
	"\\u",
	"nan",
	"-inf",
	"null",
	"\n{\n",
	"\n",
	"-1",
	"1e99",
	"0",
	"\r",
	"\xff",
	"../",
	"\0x",
	"1e-9",
	"{\"",
	"\"jobs\"",
	"99999999999999999999",
	"\n{\n  \"fio version\"",
	"got signal=9\n",
};

static void flip(struct rp_str *s)
{
	if (s->len)
		s->buf[pick(s->len)] ^= (char)(1u << pick(8));
}

static void overwrite(struct rp_str *s)
{
	if (s->len)
		s->buf[pick(s->len)] = (char)pick(256);
}

static void cut_tail(struct rp_str *s)
{
	s->len = pick(s->len + 1);
}

static void cut_out(struct rp_str *s)
{
	size_t from = pick(s->len + 1);
	size_t n = pick(s->len - from + 1);

	if (n > 4096)
		n = pick(4096);
	memmove(s->buf + from, s->buf + from + n, s->len - from - n);
	s->len -= n;
}

static void insert(struct rp_str *s, const char *bytes, size_t n)
{
	struct rp_str out = RP_STR_INIT;
	size_t at = pick(s->len + 1);

	if (s->len + n > INPUT_MAX)
		return;
	rp_str_add_n(&out, s->buf, at);
	rp_str_add_n(&out, bytes, n);
	rp_str_add_n(&out, s->buf + at, s->len - at);
	rp_str_release(s);
	*s = out;
}

static void insert_token(struct rp_str *s)
{
	const char *token = tokens[pick(sizeof(tokens) / sizeof(*tokens))];

	insert(s, token, strlen(token));
}

/* A chunk of any corpus file, often the same one: duplication and splice. */
static void insert_chunk(struct rp_str *s)
{
	const struct rp_str *other = &corpus.at[pick(corpus.count)];
	size_t from = pick(other->len + 1);
	size_t n = pick(other->len - from + 1);

	if (n)
		insert(s, other->buf + from, n);
}

static void mutate(struct rp_str *s)
{
	static void (*const mutations[])(struct rp_str *) = {
		flip, overwrite, cut_tail, cut_out, insert_token, insert_chunk,
	};
	size_t times = 1 + pick(8);

	for (size_t i = 0; i < times; i++)
		mutations[pick(sizeof(mutations) / sizeof(*mutations))](s);
}

/* ---- running ---- */

static void try_input(const struct rp_str *s, const struct options *options)
{
	/* an exact copy: reading one byte too far is then seen */
	uint8_t *copy = malloc(s->len ? s->len : 1);

	if (!copy)
		exit(1);
	if (s->len)
		memcpy(copy, s->buf, s->len);
	if (options->keep) {
		FILE *f = fopen(options->keep, "wb");

		if (!f || fwrite(copy, 1, s->len, f) != s->len || fclose(f))
			exit(1);
	}
	LLVMFuzzerTestOneInput(copy, s->len);
	free(copy);
}

static unsigned long try_mutations(const struct options *options)
{
	time_t end = time(NULL) + (time_t)options->seconds;
	unsigned long round = 0;

	while ((!options->rounds || round < options->rounds) &&
	       (!options->seconds || time(NULL) < end)) {
		const struct rp_str *seed = &corpus.at[pick(corpus.count)];
		struct rp_str s = RP_STR_INIT;

		rp_str_add_n(&s, rp_str_text(seed), seed->len);
		mutate(&s);
		try_input(&s, options);
		rp_str_release(&s);
		round++;
	}
	return round;
}

static int parse_option(const char *argument, struct options *options)
{
	if (sscanf(argument, "-rounds=%lu", &options->rounds) == 1 ||
	    sscanf(argument, "-seconds=%lu", &options->seconds) == 1 ||
	    sscanf(argument, "-seed=%lu", &options->seed) == 1)
		return 0;
	if (strncmp(argument, "-keep=", 6))
		return -EINVAL;
	options->keep = argument + 6;
	return 0;
}

int main(int argc, char **argv)
{
	struct options options = {.seed = 1};
	unsigned long rounds = 0;

	for (int i = 1; i < argc; i++) {
		if (argv[i][0] == '-' ? parse_option(argv[i], &options)
				      : nftw(argv[i], add_file, 16, FTW_PHYS)) {
			fprintf(stderr, "can't use %s\n", argv[i]);
			return 2;
		}
	}
	if (!corpus.count) {
		fprintf(stderr, "no corpus was named\n");
		return 2;
	}
	random_state = options.seed * 0x9e3779b97f4a7c15ull + 1;
	for (size_t i = 0; i < corpus.count; i++)
		try_input(&corpus.at[i], &options);
	if (options.rounds || options.seconds)
		rounds = try_mutations(&options);
	printf("%zu files, %lu mutations: nothing found\n", corpus.count,
	       rounds);
	for (size_t i = 0; i < corpus.count; i++)
		rp_str_release(&corpus.at[i]);
	rp_vec_release(&corpus);
	return 0;
}
