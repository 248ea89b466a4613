/* SPDX-License-Identifier: GPL-2.0-only */
#include "load/text_lines.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

#define TEXT_LENGTH_MAX 240

void rp_text_lines_release(struct rp_text_lines *lines)
{
	for (size_t i = 0; i < lines->kept.count; i++)
		free(lines->kept.at[i].text);
	rp_vec_release(&lines->kept);
	*lines = (struct rp_text_lines){0};
}

static bool has(const char *text, size_t len, const char *word)
{
	return memmem(text, len, word, strlen(word)) != NULL;
}

static bool starts(const char *text, size_t len, const char *word)
{
	size_t n = strlen(word);

	return len >= n && !memcmp(text, word, n);
}

/* "name: words", but neither fio's banner nor the head of a normal result. */
static bool names_a_job(const char *text, size_t len)
{
	const char *colon = memmem(text, len, ": ", 2);

	return colon && colon > text && colon + 2 < text + len &&
	       colon[2] != '(' && !isspace((unsigned char)colon[2]) &&
	       !isspace((unsigned char)colon[-1]);
}

static bool is_message(const char *text, size_t len)
{
	static const char *const starters[] = {"fio:", "note:", "warning:"};
	static const char *const telling[] = {"error", "failed", "got signal",
					      "terminating", "you need to"};

	/* ETA lines: "Jobs: 1 (f=1): [r(1)]..." */
	if (starts(text, len, "Jobs: "))
		return false;
	for (size_t i = 0; i < sizeof(starters) / sizeof(*starters); i++)
		if (starts(text, len, starters[i]))
			return true;
	if (isspace((unsigned char)text[0]) || !names_a_job(text, len))
		return false;
	for (size_t i = 0; i < sizeof(telling) / sizeof(*telling); i++)
		if (has(text, len, telling[i]))
			return true;
	return false;
}

static bool is_terse(const char *text, size_t len)
{
	return len > 6 && isdigit((unsigned char)text[0]) &&
	       starts(text + 1, len - 1, ";fio-");
}

int rp_text_lines_add(struct rp_text_lines *lines, unsigned line,
		      const char *text, size_t len)
{
	struct rp_text_line *kept;

	while (len && isspace((unsigned char)text[len - 1]))
		len--;
	if (!len)
		return 0;
	lines->terse |= is_terse(text, len);
	lines->normal |= has(text, len, "(groupid=") ||
			 starts(text, len, "Run status group");
	if (lines->kept.count >= RP_TEXT_KEPT || !is_message(text, len)) {
		if (!lines->skipped++)
			lines->skipped_first = line;
		return 0;
	}
	kept = rp_vec_push(&lines->kept);
	if (!kept)
		return -ENOMEM;
	kept->line = line;
	kept->text = rp_utf8_printable(
		text, len < TEXT_LENGTH_MAX ? len : TEXT_LENGTH_MAX);
	return kept->text ? 0 : -ENOMEM;
}

int rp_text_lines_move(struct rp_text_lines *to, struct rp_text_lines *from)
{
	for (size_t i = 0; i < from->kept.count; i++) {
		struct rp_text_line *line = &from->kept.at[i];
		struct rp_text_line *copy;

		if (to->kept.count >= RP_TEXT_KEPT) {
			to->skipped++;
			continue;
		}
		copy = rp_vec_push(&to->kept);
		if (!copy)
			return -ENOMEM;
		*copy = *line;
		line->text = NULL;
	}
	if (!to->skipped)
		to->skipped_first = from->skipped_first;
	to->skipped += from->skipped;
	to->normal |= from->normal;
	to->terse |= from->terse;
	rp_text_lines_release(from);
	return 0;
}
