/* SPDX-License-Identifier: GPL-2.0-only */
#include "chart/latency_iops.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "chart/latency_plan.h"

static bool is_stem(const char *stem)
{
	return *stem && !stem[strspn(stem, "abcdefghijklmnopqrstuvwxyz"
					   "0123456789-")];
}

static int write_file(const char *dir, const char *stem, const char *suffix,
		      const struct rp_str *text, struct rp_err *err)
{
	char *path = rp_strf("%s/%s%s", dir, stem, suffix);
	int ret;

	if (!path || rp_str_failed(text))
		ret = rp_err_set(err, -ENOMEM, "out of memory for a chart");
	else
		ret = rp_file_write(path, rp_str_text(text), text->len, err);
	free(path);
	return ret;
}

static int write_plan(const struct rp_latency_plan *plan, const char *dir,
		      const char *stem, struct rp_err *err)
{
	struct rp_str data = RP_STR_INIT, script = RP_STR_INIT;
	int ret;

	rp_latency_data(plan, &data);
	rp_latency_script(plan, stem, &script);
	ret = write_file(dir, stem, ".dat", &data, err);
	if (!ret)
		ret = write_file(dir, stem, ".gp", &script, err);
	rp_str_release(&data);
	rp_str_release(&script);
	return ret;
}

int rp_latency_chart_write(const struct rp_latency_chart *chart,
			   const char *dir, const char *stem,
			   struct rp_err *err)
{
	struct rp_latency_plan plan = {0};
	int ret;

	if (!is_stem(stem))
		return rp_err_set(err, -EINVAL,
				  "a chart's file name may hold only a-z, 0-9 "
				  "and -");
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
