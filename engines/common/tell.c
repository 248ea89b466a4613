/* SPDX-License-Identifier: GPL-2.0-only */
/* What an engine says, in fio's log.  Compiled into each, as it has the name.
 */
#include "fio_engine.h"

/* Enough to see what happens; all of them are counted. */
#define MAX_TOLD 10

int fe_refuse(struct thread_data *td, int code, const struct fe_error *err)
{
	log_err("%s: %s\n", FE_NAME, err->text);
	td_verror(td, -code, FE_NAME);
	return 1;
}

void fe_tell(const struct thread_data *td, unsigned int *told,
	     const struct io_u *io_u, const char *reason)
{
	if (*told == MAX_TOLD)
		log_err("%s: %s: more errors are only counted\n", FE_NAME,
			td->o.name);
	if ((*told)++ >= MAX_TOLD)
		return;
	if (ddir_sync(io_u->ddir))
		log_err("%s: %s: %s: flush: %s\n", FE_NAME, td->o.name,
			io_u->file->file_name, reason);
	else
		log_err("%s: %s: %s: %s at offset %llu, %llu bytes: %s\n",
			FE_NAME, td->o.name, io_u->file->file_name,
			io_ddir_name(io_u->ddir), io_u->offset,
			io_u->xfer_buflen, reason);
}

FILE *fe_log_open(struct fe_log *log)
{
	log->text = NULL;
	log->out = open_memstream(&log->text, &log->size);
	return log->out;
}

void fe_log_close(struct fe_log *log)
{
	if (log->out && !fclose(log->out) && log->size)
		log_err("%s", log->text);
	free(log->text);
}
