/* SPDX-License-Identifier: GPL-2.0-only */
/* SCSI commands that become ATA commands, SAT 9. */
#ifndef FAKE_SATA_TRANSLATE_H
#define FAKE_SATA_TRANSLATE_H

#include "options.h"
#include "satl.h"

bool translate_knows(uint8_t opcode);

/* `ncq`: reads and writes become queued commands. */
enum satl_way translate(const struct options *options, bool ncq,
			struct request *request);

#endif
