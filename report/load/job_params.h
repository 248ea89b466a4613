/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_LOAD_JOB_PARAMS_H
#define RP_LOAD_JOB_PARAMS_H

/*
 * What a job was asked to do, from the options that fio recorded (2.3 on).
 */

#include <stdbool.h>

#include "model/result.h"

struct rp_job_params {
	bool known;	     /* there were options at all */
	double jobs;	     /* numjobs */
	double iodepth;	     /* of each; 1 for engines that can't do more */
	double asked_iops;   /* all jobs and directions; 0 = no rate */
	double read_percent; /* NAN = not known */
	double block_bytes;  /* 0 = not known */
	double runtime_s;    /* 0 = not known */
	bool random;
	bool held_back; /* by rate=, thinktime= or flow=, and no rate_iops */
};

void rp_job_params_read(const struct rp_result *result,
			const struct rp_job *job, struct rp_job_params *params);

#endif
