/* SPDX-License-Identifier: GPL-2.0-only */
#include "chart/latency_iops.h"

#include "chart/files.h"
#include "chart/latency_plan.h"

static int write_plan(const struct rp_latency_plan *plan, const char *dir,
		      const char *stem, struct rp_err *err)
{
	struct rp_str data = RP_STR_INIT, script = RP_STR_INIT;
	int ret;

	rp_latency_data(plan, &data);
	rp_latency_script(plan, stem, &script);
	ret = rp_chart_files_write(dir, stem, &data, &script, err);
	rp_str_release(&data);
	rp_str_release(&script);
	return ret;
}

int rp_latency_chart_write(const struct rp_latency_chart *chart,
			   const char *dir, const char *stem,
			   struct rp_err *err)
{
	struct rp_latency_plan plan = {0};
	int ret = rp_chart_stem_check(stem, err);

	if (!ret)
		ret = rp_latency_collect(&plan, chart, err);
	if (!ret) {
		ret = rp_latency_scale(&plan, chart->linear);
		if (!ret)
			ret = rp_latency_layout(&plan, chart);
		if (ret)
			rp_err_set(err, ret, "out of memory for a chart");
	}
	if (!ret)
		ret = write_plan(&plan, dir, stem, err);
	rp_latency_plan_release(&plan);
	return ret;
}
