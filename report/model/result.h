/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_MODEL_RESULT_H
#define RP_MODEL_RESULT_H

/*
 * One fio JSON document, whatever release wrote it, in SI units.
 * Plain data: load/ fills it, analyse/ reads it.  Everything a struct points
 * to belongs to it and goes with its release function.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

/* fio's own order (io_ddir.h); MIXED is unified_rw_reporting's group. */
enum rp_ddir { RP_READ, RP_WRITE, RP_TRIM, RP_MIXED, RP_DDIR_COUNT };

extern const char *const rp_ddir_name[RP_DDIR_COUNT];

/* Submission, completion and total latency (fio HOWTO, "slat clat lat"). */
enum rp_lat_kind { RP_SLAT, RP_CLAT, RP_LAT, RP_LAT_KIND_COUNT };

extern const char *const rp_lat_kind_name[RP_LAT_KIND_COUNT];

struct rp_percentile {
	double percent; /* 0..100 */
	double ns;
};

/* A histogram bucket of json+: its midpoint (fio stat.c plat_idx_to_val). */
struct rp_bin {
	double ns;
	uint64_t count;
};

struct rp_latency {
	bool present;	  /* the object was there and holds samples */
	uint64_t samples; /* "N"; 0 = not stated (before fio 3.18) */
	double min_ns, max_ns, mean_ns, stddev_ns;
	RP_VEC(struct rp_percentile) percentiles; /* ascending */
	RP_VEC(struct rp_bin) bins;		  /* ascending; json+ only */
};

/* What one job did in one direction. */
struct rp_flow {
	bool present; /* did at least one I/O */
	uint64_t ios; /* completed; derived where fio did not state it */
	uint64_t bytes;
	uint64_t short_ios, drop_ios;
	double iops;
	double bytes_per_s;
	double runtime_s;
	struct rp_latency lat[RP_LAT_KIND_COUNT];
};

struct rp_option {
	char *name;
	char *value; /* "" for options without one */
};

typedef RP_VEC(struct rp_option) rp_options;

struct rp_job {
	char *name;
	char *host;    /* client/server: "host:port"; else NULL */
	char *failure; /* why this is no measurement; NULL = it is one */
	int group;
	int error;	/* fio's errno of the job */
	bool aggregate; /* client/server's "All clients": never add it up */
	rp_options options;
	struct rp_flow flow[RP_DDIR_COUNT];
	struct rp_latency sync;
	double cpu_user_percent, cpu_sys_percent;
};

struct rp_result {
	char *path;	     /* file that it came from */
	char *fio_version;   /* "fio-3.33" as written; "" if absent */
	int64_t timestamp_s; /* Unix time of the document; 0 = not stated */
	rp_options globals;
	RP_VEC(struct rp_job) jobs;
	rp_strings warnings; /* what was odd, skipped or salvaged */
};

typedef RP_VEC(struct rp_result) rp_results;

void rp_latency_release(struct rp_latency *lat);
void rp_job_release(struct rp_job *job);
void rp_result_release(struct rp_result *result);
void rp_results_release(rp_results *results);

int rp_options_add(rp_options *options, const char *name, const char *value);
/* The last value given for `name`, or NULL. */
const char *rp_options_get(const rp_options *options, const char *name);
/* The job's own option, else the global one, else NULL. */
const char *rp_job_option(const struct rp_result *result,
			  const struct rp_job *job, const char *name);

#endif
