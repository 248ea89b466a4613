/* SPDX-License-Identifier: GPL-2.0-only */
/* Why something was refused or failed: one sentence for a person. */
#ifndef PT_ERROR_H
#define PT_ERROR_H

struct pt_error {
	char text[320];
};

/* Keeps the first sentence.  Returns `code` (a negative errno) unchanged. */
int pt_error_set(struct pt_error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
