/* SPDX-License-Identifier: GPL-2.0-only */
/* Why something was refused or failed: one sentence for a person. */
#ifndef FE_ERROR_H
#define FE_ERROR_H

struct fe_error {
	char text[320];
};

/* Keeps the first sentence.  Returns `code` (a negative errno) unchanged. */
int fe_error_set(struct fe_error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
