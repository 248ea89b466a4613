/* SPDX-License-Identifier: GPL-2.0-only */
#include "chart/latency_plan.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "chart/text.h"

#define LABEL_GAP 9.0 /* from the last mark to the text */
#define LABEL_HEIGHT 16.0
#define STEP 8.0 /* pixels that a label gives way at a time */
#define MOST_STEPS 14
#define MARGIN 4.0	 /* kept free left and right of a text */
#define LEADER_FROM 20.0 /* a label moved further gets a line */
#define NEAR_MARK 40.0	 /* a maximum so close is kept free as well */

/* Does the segment from a to b cross the box?  (Liang-Barsky) */
static bool crosses(const struct rp_box *box, double ax, double ay, double bx,
		    double by)
{
	const double step[4] = {ax - bx, bx - ax, ay - by, by - ay};
	const double room[4] = {ax - box->left, box->right - ax, ay - box->top,
				box->bottom - ay};
	double from = 0, to = 1;

	for (unsigned i = 0; i < 4; i++) {
		if (step[i] == 0 && room[i] < 0)
			return false;
		if (step[i] < 0)
			from = fmax(from, room[i] / step[i]);
		else if (step[i] > 0)
			to = fmin(to, room[i] / step[i]);
	}
	return from <= to;
}

static bool hits_curve(const struct rp_latency_plan *plan,
		       const struct rp_series *series, const struct rp_box *box)
{
	for (size_t i = 0; i < series->dots.count; i++) {
		const struct rp_dot *b = &series->dots.at[i];
		const struct rp_dot *a = i ? b - 1 : b;

		if (crosses(box, rp_latency_px(plan, a->x),
			    rp_latency_py(plan, a->mean),
			    rp_latency_px(plan, b->x),
			    rp_latency_py(plan, b->mean)))
			return true;
	}
	return false;
}

static bool hits_any_curve(const struct rp_latency_plan *plan,
			   const struct rp_box *box)
{
	for (size_t i = 0; i < plan->series.count; i++)
		if (hits_curve(plan, &plan->series.at[i], box))
			return true;
	return false;
}

/* `x` and `y` of a label are in pixels until all are placed. */
static struct rp_box label_box(const struct rp_latency_plan *plan,
			       const struct rp_place *label, double y)
{
	double width = rp_chart_text_width(plan->series.at[label->series].label,
					   RP_LABEL_SIZE);

	return (struct rp_box){
		.left = label->x + LABEL_GAP - MARGIN,
		.right = label->x + LABEL_GAP + width + MARGIN,
		.top = y - LABEL_HEIGHT / 2 + 0.1,
		.bottom = y + LABEL_HEIGHT / 2 - 0.1,
	};
}

static bool hits_label(const struct rp_latency_plan *plan, size_t placed,
		       const struct rp_box *box)
{
	for (size_t i = 0; i < placed; i++) {
		const struct rp_place *other = &plan->labels.at[i];
		struct rp_box taken = label_box(plan, other, other->y);

		if (box->left < taken.right && taken.left < box->right &&
		    box->top < taken.bottom && taken.top < box->bottom)
			return true;
	}
	return false;
}

/* The free place nearest to the curve's end; false if there is none. */
static bool place_label(struct rp_latency_plan *plan, size_t index,
			bool over_curves)
{
	struct rp_place *label = &plan->labels.at[index];

	for (unsigned i = 0; i < 2 * MOST_STEPS; i++) {
		/* 0, -1, 1, -2, 2 ... */
		double steps = (i + 1) / 2 * (i % 2 ? -1.0 : 1.0);
		double y = label->y + steps * STEP;
		struct rp_box box = label_box(plan, label, y);

		if (y < plan->main.top || y > plan->main.bottom - STEP ||
		    hits_label(plan, index, &box) ||
		    (!over_curves && hits_any_curve(plan, &box)))
			continue;
		label->y = y;
		return true;
	}
	return false;
}

/* The last dot in view, or the first where the curve leaves the view. */
static const struct rp_dot *label_anchor(const struct rp_latency_plan *plan,
					 const struct rp_series *series)
{
	size_t i = 0;

	while (i + 1 < series->dots.count &&
	       series->dots.at[i].mean <= plan->y.max)
		i++;
	return &series->dots.at[i];
}

static void start_label(const struct rp_latency_plan *plan,
			struct rp_place *label)
{
	const struct rp_series *series = &plan->series.at[label->series];
	const struct rp_dot *dot = label_anchor(plan, series);

	label->x = rp_latency_px(plan, dot->x);
	label->y = rp_latency_py(plan, fmin(dot->mean, plan->y.max));
	label->from_y = label->y;
	for (size_t i = 0; i < series->maxima.count; i++) {
		double x = rp_latency_px(plan, series->maxima.at[i].x);

		if (x > label->x && x - label->x < NEAR_MARK)
			label->x = x;
	}
}

static int from_right(const void *a, const void *b)
{
	const struct rp_place *p = a, *q = b;

	if (p->x != q->x)
		return p->x < q->x ? 1 : -1;
	return p->series < q->series ? -1 : 1;
}

int rp_latency_labels(struct rp_latency_plan *plan)
{
	for (size_t i = 0; i < plan->series.count; i++) {
		struct rp_place *label = rp_vec_push(&plan->labels);

		if (!label)
			return -ENOMEM;
		label->series = i;
		start_label(plan, label);
	}
	qsort(plan->labels.at, plan->labels.count, sizeof(*plan->labels.at),
	      from_right);
	for (size_t i = 0; i < plan->labels.count; i++)
		if (!place_label(plan, i, false) && !place_label(plan, i, true))
			plan->key = true;
	for (size_t i = 0; i < plan->labels.count; i++) {
		struct rp_place *label = &plan->labels.at[i];

		label->x = rp_axis_value(
			&plan->x, (label->x - plan->main.left) /
					  (plan->main.right - plan->main.left));
		label->moved = fabs(label->y - label->from_y) > LEADER_FROM;
		label->y = rp_latency_from_py(plan, label->y);
		label->from_y = rp_latency_from_py(plan, label->from_y);
	}
	return 0;
}
