/* SPDX-License-Identifier: GPL-2.0-only */
/* The options of a job; README.md says what they mean. */
#ifndef SN_OPTIONS_H
#define SN_OPTIONS_H

#include "common/fio_engine.h"

#include <engines/cmdprio.h>

#include "support.h"

enum sn_way {
	SN_WAY_AUTO,
	SN_WAY_ASYNC,
	SN_WAY_SYNC,
};

enum sn_commands {
	SN_COMMANDS_ATA,
	SN_COMMANDS_SCSI,
	SN_COMMANDS_AUTO,
};

enum sn_ncq_lost {
	SN_LOST_FAIL,
	SN_LOST_CONTINUE,
};

/* Named as in a jobfile: members are options (FE_OPTION). */
struct sn_options {
	FE_OPTIONS_HEAD;
	unsigned int transport;
	unsigned int commands;
	unsigned int ncq;
	unsigned int ncq_lost;
	unsigned int over_depth;
	unsigned int readfua;
	unsigned int writefua;
	unsigned int trim_mode;
	unsigned int max_transfer;
	unsigned int cmd_timeout;
	unsigned int queue_stats;
	char *status_json;
	struct cmdprio_options priority; /* fio's own: cmdprio_... */
};

extern struct fio_option sn_options[];

/* What the job asks of its disks. */
void sn_options_plan(const struct thread_data *td, struct sn_plan *plan);

#endif
