/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_LOAD_APPLICATION_H
#define RP_LOAD_APPLICATION_H

#include <jansson.h>

#include "model/application.h"

/*
 * One result of run.json's "applications".  What says that it is done and
 * has no usable rate becomes a failure.  0 or -ENOMEM; release it in any case.
 */
int rp_application_read(const json_t *object,
			struct rp_application *application);

#endif
