/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(struct rp_str *s, size_t extra)
{
	size_t need = s->len + extra + 1;
	size_t capacity = s->capacity ? s->capacity : 64;
	char *buf;

	if (s->failed)
		return false;
	if (need <= s->capacity)
		return true;
	while (capacity < need)
		capacity *= 2;
	buf = realloc(s->buf, capacity);
	if (!buf) {
		s->failed = true;
		return false;
	}
	s->buf = buf;
	s->capacity = capacity;
	return true;
}

void rp_str_release(struct rp_str *s)
{
	free(s->buf);
	*s = (struct rp_str)RP_STR_INIT;
}

void rp_str_clear(struct rp_str *s)
{
	s->len = 0;
	if (s->buf)
		s->buf[0] = '\0';
}

bool rp_str_failed(const struct rp_str *s)
{
	return s->failed;
}

const char *rp_str_text(const struct rp_str *s)
{
	return s->buf ? s->buf : "";
}

char *rp_str_detach(struct rp_str *s)
{
	char *text = NULL;

	if (reserve(s, 0)) {
		s->buf[s->len] = '\0';
		text = s->buf;
		s->buf = NULL;
	}
	rp_str_release(s);
	return text;
}

void rp_str_add_n(struct rp_str *s, const char *bytes, size_t n)
{
	if (!reserve(s, n))
		return;
	if (n)
		memcpy(s->buf + s->len, bytes, n);
	s->len += n;
	s->buf[s->len] = '\0';
}

void rp_str_add(struct rp_str *s, const char *text)
{
	rp_str_add_n(s, text, strlen(text));
}

void rp_str_add_char(struct rp_str *s, char c)
{
	rp_str_add_n(s, &c, 1);
}

void rp_str_vaddf(struct rp_str *s, const char *fmt, va_list args)
{
	va_list again;
	int n;

	va_copy(again, args);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0 || !reserve(s, (size_t)n)) {
		s->failed = true;
		return;
	}
	vsnprintf(s->buf + s->len, (size_t)n + 1, fmt, args);
	s->len += (size_t)n;
}

void rp_str_addf(struct rp_str *s, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	rp_str_vaddf(s, fmt, args);
	va_end(args);
}

char *rp_strf(const char *fmt, ...)
{
	struct rp_str s = RP_STR_INIT;
	va_list args;

	va_start(args, fmt);
	rp_str_vaddf(&s, fmt, args);
	va_end(args);
	return rp_str_detach(&s);
}
