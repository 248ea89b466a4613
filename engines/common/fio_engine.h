/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What every engine includes, and the only header here that includes fio's.
 * Everything an engine gets from it is below; the rest is fio's own
 * (ioengines.h, io_u.h).  common/guard.c and tell.c are compiled into every
 * engine.
 */
#ifndef FE_FIO_ENGINE_H
#define FE_FIO_ENGINE_H

/* Without it fio's headers compile too, to structures of another size. */
#ifndef CONFIG_HAVE_BOOL
#error "fio's config-host.h is missing: build engines with add_fio_engine()"
#endif

#include <stddef.h>
#include <stdio.h>
#include <fio.h>
#include <optgroup.h>
#include <verify.h>
#include <zbd.h>

#include "error.h"

/*
 * The one symbol that an engine exports: what fio looks for.
 *
 *	FE_EXPORT struct ioengine_ops ioengine = { ... };
 */
#define FE_EXPORT __attribute__((visibility("default")))
extern FE_EXPORT struct ioengine_ops ioengine;

/* For what is done for each I/O. */
#define fe_likely(condition) __builtin_expect(!!(condition), 1)
#define fe_unlikely(condition) __builtin_expect(!!(condition), 0)
/* Out of the way of it, so that it need not save registers for this. */
#define FE_COLD __attribute__((cold, noinline))
#define FE_HOT inline __attribute__((always_inline))

/*
 * Options.  The struct begins with FE_OPTIONS_HEAD, because fio writes a
 * pointer over its first member; members are unsigned int for FIO_OPT_INT and
 * FIO_OPT_BOOL, char * for FIO_OPT_STR_STORE.  An option is named as its
 * member; more fields of struct fio_option may follow.
 *
 *	static struct fio_option options[] = {
 *		{ FE_OPTION(struct opts, depth, FIO_OPT_INT, "4", "How deep"),
 *		  .minval = 1, .maxval = 64 },
 *		FE_OPTIONS_END
 *	};
 */
/* clang-format off */
#define FE_OPTIONS_HEAD void *fe_td
#define FE_ZERO_IF(condition) (0 * sizeof(char[(condition) ? 1 : -1]))
#define FE_OPTION(type_, member, opt_type, default_, help_)                    \
	.name = #member, .lname = #member, .type = (opt_type),                 \
	.off1 = offsetof(type_, member) +                                      \
		FE_ZERO_IF(offsetof(type_, fe_td) == 0),                       \
	.def = (default_), .help = (help_),                                    \
	.category = FIO_OPT_C_ENGINE, .group = FIO_OPT_G_INVALID
#define FE_OPTIONS_END { .name = NULL }
/* clang-format on */

/*
 * First thing in ->init, and in ->setup and ->get_file_size, which fio calls
 * before, if they are the engine's own: 0 if fio and this engine mean the same
 * by struct thread_data, else 1 after a sentence in fio's log, to be returned
 * as it is.
 */
int fe_check_job(const struct thread_data *td);

/* Says why the job can't be, and returns 1 with td's error set to the -errno,
 * as ->init and ->get_file_size do. */
int fe_refuse(struct thread_data *td, int code, const struct fe_error *err);

/* Says why an I/O failed, of the first of a job; *told counts them. */
void fe_tell(const struct thread_data *td, unsigned int *told,
	     const struct io_u *io_u, const char *reason);

/*
 * A stream whose text goes to fio's log when it is closed: also to those who
 * run the job by --client, which stderr does not reach.  Close it in any case.
 */
struct fe_log {
	FILE *out; /* NULL: no memory */
	char *text;
	size_t size;
};

FILE *fe_log_open(struct fe_log *log);
void fe_log_close(struct fe_log *log);

/*
 * In ->commit, for the io_us about to be handed to the device, so that fio's
 * submission and completion latency split there.  The engine must have
 * FIO_ASYNCIO_SETS_ISSUE_TIME.
 */
static inline void fe_issue(struct thread_data *td, struct io_u *const *io_us,
			    unsigned int n)
{
	struct timespec now;

	if (!n || !fio_fill_issue_time(td))
		return;
	fio_gettime(&now, NULL);
	for (unsigned int i = 0; i < n; i++) {
		io_us[i]->issue_time = now;
		io_u_queued(td, io_us[i]);
	}
	/* What the delays of a replayed trace count from. */
	if (td->o.read_iolog_file)
		td->last_issue = now;
}

/*
 * In ->event: what an I/O came to, as bytes done or a negative errno.  Errors
 * belong here and not into ->queue, where fio would stop before it counted.
 */
static inline void fe_complete(struct io_u *io_u, long long result)
{
	io_u->error = result < 0 ? (unsigned int)-result : 0;
	io_u->resid = 0;
	if (ddir_rw(io_u->ddir) && result >= 0 &&
	    (unsigned long long)result < io_u->xfer_buflen)
		io_u->resid = io_u->xfer_buflen - (unsigned long long)result;
}

#endif
