/* SPDX-License-Identifier: GPL-2.0-only */
/* The options of a job; README.md says what they mean. */
#ifndef PT_OPTIONS_H
#define PT_OPTIONS_H

#include "common/fio_engine.h"

#include "command.h"

enum pt_way {
	PT_WAY_AUTO,
	PT_WAY_IO_URING,
	PT_WAY_IOCTL,
};

/* Named as in a jobfile: members are options (FE_OPTION). */
struct pt_options {
	FE_OPTIONS_HEAD;
	unsigned int cmd_type;
	unsigned int transport;
	unsigned int no_fixedbufs;
	unsigned int no_registerfiles;
	unsigned int hipri;
	unsigned int sqthread_poll;
	int sqthread_poll_cpu;
	unsigned int read_mode;
	unsigned int write_mode;
	unsigned int readfua;
	unsigned int writefua;
	unsigned int limited_retry;
	unsigned int dsm;
	unsigned int deac;
	unsigned int dir_type;
	unsigned int dir_spec;
	unsigned int trim_ranges;
	unsigned int copy_distance;
	unsigned int max_transfer;
	unsigned int pi_act;
	char *pi_chk;
	unsigned int apptag;
	unsigned int apptag_mask;
	unsigned int md_pattern;
	unsigned int md_check;
	unsigned int cmd_timeout;
	unsigned int retries;
	char *status_json;
};

extern struct fio_option pt_options[];

/* pi_chk as PT_CHECK_*; -EINVAL with a sentence. */
int pt_options_pi_check(const struct pt_options *options, uint8_t *check,
			struct fe_error *err);

/* Modifiers of the commands of one direction. */
int pt_options_modifiers(const struct pt_options *options, enum fio_ddir ddir,
			 struct pt_modifiers *modifiers, struct fe_error *err);

#endif
