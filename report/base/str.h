/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_BASE_STR_H
#define RP_BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * A growing string, always NUL-terminated once something was added.
 * A failed allocation is sticky: later additions do nothing, and
 * rp_str_failed() tells the one caller who has to care.
 * Zero-initialised is empty and valid (RP_STR_INIT).
 */
struct rp_str {
	char *buf;
	size_t len;
	size_t capacity;
	bool failed;
};

#define RP_STR_INIT                                                            \
	{                                                                      \
		0                                                              \
	}

void rp_str_release(struct rp_str *s); /* free; empty afterwards */
void rp_str_clear(struct rp_str *s);   /* empty, keeps the memory */
bool rp_str_failed(const struct rp_str *s);
const char *rp_str_text(const struct rp_str *s); /* never NULL */
char *rp_str_detach(struct rp_str *s); /* caller frees; NULL if failed */

void rp_str_add(struct rp_str *s, const char *text);
void rp_str_add_n(struct rp_str *s, const char *bytes, size_t n);
void rp_str_add_char(struct rp_str *s, char c);
void rp_str_addf(struct rp_str *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void rp_str_vaddf(struct rp_str *s, const char *fmt, va_list args);

/* Like asprintf(): a new string or NULL.  Caller frees. */
char *rp_strf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
