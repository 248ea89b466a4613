/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_CHART_LATENCY_PLAN_H
#define RP_CHART_LATENCY_PLAN_H

/*
 * What a latency chart shows and where, worked out before a line of data or
 * script is written.  Private to chart/latency_*.c.
 *
 * x is in IOPS or MB/s, y in microseconds, boxes are in pixels from the
 * upper left corner.
 */

#include "base/str.h"
#include "chart/axis.h"
#include "chart/frame.h"
#include "chart/colour.h"
#include "chart/latency_iops.h"
#include "chart/lines.h"

#define RP_MOST_BANDS 3	   /* more curves: panels instead of ribbons */
#define RP_MOST_LABELS 6   /* more curves: a key instead of labels */
#define RP_PANELS 3	   /* p50, p99, p99.9 */
#define RP_LABEL_SIZE 12.0 /* pixels */

struct rp_dot {
	double x;
	double mean, percentile[RP_PANELS]; /* NAN = not known */
	bool missed;
	int load_percent;
};

struct rp_series {
	size_t colour;
	char *label;		      /* clean and short, with the peak */
	RP_VEC(struct rp_dot) dots;   /* joined, in load order */
	RP_VEC(struct rp_dot) maxima; /* marks of their own */
	size_t top;		      /* the dot with the largest x */
};

/* A place in the plot that belongs to a series: its label, its arrow. */
struct rp_place {
	double x, y;
	double from_y; /* a label: where its curve ends */
	bool moved;    /* a label: so far from there as to need a line */
	size_t series;
};

struct rp_latency_plan {
	RP_VEC(struct rp_series) series;
	rp_strings left_out; /* "NAME (why)" */
	enum rp_lat_kind kind;
	bool bandwidth;	  /* x in MB/s */
	bool bands;	  /* p99 and its ribbon in the main panel */
	bool panels;	  /* percentiles in panels of their own */
	bool bounds_only; /* some percentiles are only upper bounds */
	bool capped;	  /* something lies above the y axis */
	bool key;
	double width, height;
	struct rp_axis x, y, panel_x, panel_y;
	struct rp_box main, panel[RP_PANELS];
	rp_lines lines;
	RP_VEC(struct rp_place) labels;
	RP_VEC(struct rp_place) cuts; /* where curves leave the y axis */
};

#define RP_PANEL_P99 1 /* its index in rp_dot.percentile */

/* Pick what can be drawn.  -EBADMSG if nothing can. */
int rp_latency_collect(struct rp_latency_plan *plan,
		       const struct rp_latency_chart *chart,
		       struct rp_err *err);
int rp_latency_scale(struct rp_latency_plan *plan, bool linear);
/* Place the labels beside their curves; `key` is set if there is no room. */
int rp_latency_labels(struct rp_latency_plan *plan);
/* Arrows for what lies above the y axis; its number joins the labels. */
int rp_latency_cuts(struct rp_latency_plan *plan);
int rp_latency_layout(struct rp_latency_plan *plan,
		      const struct rp_latency_chart *chart);
void rp_latency_plan_release(struct rp_latency_plan *plan);

/* Pixels of a value in the main panel; and back. */
double rp_latency_px(const struct rp_latency_plan *plan, double x);
double rp_latency_py(const struct rp_latency_plan *plan, double y);
double rp_latency_from_py(const struct rp_latency_plan *plan, double pixel);

void rp_latency_data(const struct rp_latency_plan *plan, struct rp_str *out);
void rp_latency_script(const struct rp_latency_plan *plan, const char *stem,
		       struct rp_str *out);

#endif
