/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fio checks a number that stays the same over several releases while its
 * structures change: an engine for a neighbouring release then crashes, or
 * measures nothing and reports success.  This looks at the release itself.
 */
#include "common/fio_engine.h"

#include <dlfcn.h>
#include <string.h>

/* fio asks for the version only after it has run the constructors.  Its log
 * leads to the user also where the job came by --client. */
static __attribute__((constructor)) void refuse_other_release(void)
{
	const char *running = dlsym(RTLD_DEFAULT, "fio_version_string");

	if (running && strcmp(running, FE_RELEASE) == 0)
		return;
	ioengine.version = -1;
	log_err("%s: built for %s, this is %s: build it again with that "
		"release's source (see engines/README.md)\n",
		FE_NAME, FE_RELEASE, running ? running : "an unknown fio");
}

int fe_check_job(const struct thread_data *td)
{
	/* fio's own member: points back while options are read, then NULL. */
	const void *head = td->eo ? *(void *const *)td->eo : NULL;

	if (td->io_ops == &ioengine && (!head || head == td))
		return 0;
	log_err("%s: this fio's structures differ from those of %s that it was "
		"built for: build it with the source of this very fio\n",
		FE_NAME, FE_RELEASE);
	return 1;
}
