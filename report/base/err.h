/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_BASE_ERR_H
#define RP_BASE_ERR_H

/*
 * One error, told once: the first function that fails fills it, every caller
 * above passes the negative errno on.  Library code never prints.
 *
 * The meaning of the codes used on purpose (anything else came from the
 * system and keeps its errno):
 *   -EBADMSG  input was read but is not what it should be
 *   -EINVAL   the user asked for something that does not exist or fit
 *   -ENOMEM   out of memory
 */
struct rp_err {
	int code;	       /* 0, or a negative errno */
	unsigned line, column; /* 1-based place in `where`; 0 = not known */
	char where[512];       /* file or directory; "" = none */
	char message[768];     /* one sentence without a full stop */
};

/*
 * Record an error unless one is recorded already; returns the code recorded
 * now (so: `return rp_err_set(err, -EBADMSG, "...")`).  `err` may be NULL.
 */
int rp_err_set(struct rp_err *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Name the place of an error, unless it has one.  Returns err->code.
 * `err` must not be NULL. */
int rp_err_at(struct rp_err *err, const char *where, unsigned line,
	      unsigned column);

#endif
