/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_MODEL_APPLICATION_H
#define RP_MODEL_APPLICATION_H

/* What a real application did on a drive: "applications" in run.json. */

#include <stdbool.h>

struct rp_application {
	char *id;	/* "sysbench-oltp" */
	char *title;	/* "sysbench OLTP read-write, MariaDB" */
	char *method;	/* "1 x 8 threads, ..." */
	char *p99_kind; /* where the percentile is from; "" = not told */
	double rate;	/* transactions or I/Os a second */
	bool is_iops;	/* which of both */
	double mean_ns, p99_ns; /* NAN = not known */
	bool pending;		/* not tried yet; `failure` is set, too */
	char *failure;		/* why there is no result; NULL = there is */
};

void rp_application_release(struct rp_application *application);

#endif
