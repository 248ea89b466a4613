/* SPDX-License-Identifier: GPL-2.0-only */
#include "chart/frame.h"

void rp_ticks_script(const struct rp_axis *axis, const char *name, bool labels,
		     struct rp_str *out)
{
	/* gnuplot checks each range against the scale of before */
	rp_str_addf(out, "unset logscale %s; set %srange [%.9g:%.9g]\n", name,
		    name, axis->min, axis->max);
	if (axis->log)
		rp_str_addf(out, "set logscale %s\n", name);
	rp_str_addf(out, "set %stics scale 0 (", name);
	for (size_t i = 0; i < axis->ticks.count; i++)
		rp_str_addf(out, "%s'%s' %.9g", i ? ", " : "",
			    labels ? axis->ticks.at[i].text : "",
			    axis->ticks.at[i].at);
	rp_str_add(out, ")\n");
}

void rp_box_script(const struct rp_box *box, struct rp_str *out)
{
	rp_str_addf(out,
		    "set lmargin at screen px(%.0f); "
		    "set rmargin at screen px(%.0f)\n"
		    "set tmargin at screen py(%.0f); "
		    "set bmargin at screen py(%.0f)\n",
		    box->left, box->right, box->top, box->bottom);
}

void rp_frame_script(struct rp_str *out)
{
	rp_str_add(out,
		   "# A base line and horizontal rules, nothing else.\n"
		   "set border 1 lc rgb '#888888'\n"
		   "set grid noxtics ytics back lt 1 lw 1 lc rgb '#e3e3e3'\n"
		   "set tics textcolor rgb '#444444'\n"
		   "set xtics nomirror; set ytics nomirror\n");
}
