/* SPDX-License-Identifier: GPL-2.0-only */
/* What the translation layer says of the drive as a SCSI disk. */
#ifndef FAKE_SATA_PAGES_H
#define FAKE_SATA_PAGES_H

#include "options.h"
#include "request.h"

/* Answers it, if only by that there is no such command. */
void pages_answer(const struct options *options, struct request *request);

#endif
