/* SPDX-License-Identifier: GPL-2.0-only */
#include "model/application.h"

#include <stdlib.h>

void rp_application_release(struct rp_application *application)
{
	free(application->id);
	free(application->title);
	free(application->method);
	free(application->p99_kind);
	free(application->failure);
	*application = (struct rp_application){0};
}
