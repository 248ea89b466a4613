/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_MODEL_RUN_H
#define RP_MODEL_RUN_H

/*
 * A run: one target driven through profiles, each a curve of points.
 * Comes from a run directory of fio-review (scripts/README.md describes
 * run.json), or is put together from loose fio JSON files.
 */

#include "model/application.h"
#include "model/result.h"

#define RP_LOAD_PEAK 0 /* load_percent of the uncontrolled maximum */

struct rp_point {
	int load_percent;   /* RP_LOAD_PEAK, or 10, 20 ... 120 */
	double asked_iops;  /* all threads and directions; 0 = no rate set */
	double runtime_s;   /* measured time asked for; 0 = not known */
	double outstanding; /* if not the profile's: a queue depth sweep */
	char *file;	    /* where the result came from, for messages */
	bool held_back; /* no rate in IOPS, but rate=, thinktime= or flow= */
	bool pending;	/* not tried yet; `failure` is set, too */
	char *failure;	/* why there is no measurement; NULL = there is */
	struct rp_result result; /* empty if failure is set */
};

struct rp_profile_run {
	char *id;	    /* "four-corners/4k-random-read" */
	char *title;	    /* "4K random read" */
	char *method;	    /* "4 KiB, 100 % read, random, 128 threads x QD1" */
	bool single;	    /* one call of fio, perhaps of several jobs */
	double outstanding; /* threads x iodepth; 0 = not known */
	double read_percent;		/* asked mix; NAN = not known */
	double block_bytes;		/* typical transfer; 0 = not known */
	RP_VEC(struct rp_point) points; /* in load order, the peak run first */
};

/* One line of the environment table: "Kernel", "6.1.0-18-amd64". */
struct rp_fact {
	char *name;  /* machine name: "host.kernel" */
	char *title; /* "Kernel" */
	char *value;
};

struct rp_run {
	char *path;
	char *label;   /* what the charts call it: model or file name */
	bool complete; /* every planned point was tried */
	RP_VEC(struct rp_fact) facts;
	RP_VEC(struct rp_profile_run) profiles;
	RP_VEC(struct rp_application) applications;
	rp_strings warnings;
};

typedef RP_VEC(struct rp_run) rp_runs;

void rp_point_release(struct rp_point *point);
void rp_profile_run_release(struct rp_profile_run *profile);
void rp_run_release(struct rp_run *run);
void rp_runs_release(rp_runs *runs);

/* The fact's value, or NULL. */
const char *rp_run_fact(const struct rp_run *run, const char *name);

#endif
