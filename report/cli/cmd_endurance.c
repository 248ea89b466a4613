/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>

#include "analyse/endurance.h"
#include "base/file.h"
#include "chart/endurance.h"
#include "chart/gnuplot.h"
#include "cli/command.h"
#include "cli/output.h"
#include "doc/endurance.h"
#include "load/bw_log.h"
#include "load/heat.h"

static int load(const struct rp_values *values, struct rp_endurance *endurance,
		struct rp_err *err)
{
	struct rp_bw_logs logs = {0};
	struct rp_heat heat = {0};
	int ret = 0;

	for (size_t i = 0; i < values->file_count && !ret; i++)
		ret = rp_load_bw_log(values->files[i], &logs, err);
	if (!ret && values->temperature)
		ret = rp_load_heat(values->temperature, values->point, &heat,
				   err);
	if (!ret)
		ret = rp_endurance_make(&logs, &heat, endurance, err);
	rp_bw_logs_release(&logs);
	rp_heat_release(&heat);
	return ret;
}

static int print(const struct rp_endurance *endurance,
		 const struct rp_values *values, struct rp_err *err)
{
	struct rp_doc doc = {0};
	int ret;

	rp_doc_title(&doc, "Linear write");
	if (rp_output_format(values)->for_machines)
		rp_doc_endurance_wide(&doc, endurance);
	else
		rp_doc_endurance(&doc, endurance);
	ret = rp_output_doc(&doc, values, err);
	rp_doc_release(&doc);
	return ret;
}

static int draw(const struct rp_endurance *endurance, const char *dir,
		struct rp_err *err)
{
	static const char *const stem = "endurance";
	struct rp_str sentences = RP_STR_INIT;
	struct rp_endurance_chart chart = {.title = "Linear write",
					   .endurance = endurance};
	int ret = rp_dir_make(dir, err);

	rp_endurance_sentences(endurance, &sentences);
	chart.subtitle = rp_str_text(&sentences);
	if (!ret && rp_str_failed(&sentences))
		ret = rp_err_set(err, -ENOMEM, "out of memory");
	if (!ret)
		ret = rp_endurance_chart_write(&chart, dir, stem, err);
	if (!ret)
		ret = rp_gnuplot_run(dir, &stem, 1, 0, err);
	rp_str_release(&sentences);
	return ret;
}

static int run(const struct rp_values *values, struct rp_err *err)
{
	struct rp_endurance endurance = {0};
	bool wrote = false;
	int ret = load(values, &endurance, err);

	if (!ret) {
		wrote = endurance.bytes > 0;
		ret = print(&endurance, values, err);
	}
	/* without its chart it still has its numbers */
	if (!ret && wrote && values->out)
		ret = draw(&endurance, values->out, err);
	rp_endurance_release(&endurance);
	if (ret)
		return ret;
	return wrote ? RP_EXIT_OK : RP_EXIT_NO;
}

static const char *const options[] = {"format", "colour", "temperature",
				      "point",	"out",	  NULL};

const struct rp_command rp_command_endurance = {
	.name = "endurance",
	.arguments = "FILE...",
	.summary = "a linear write: size of the cache, levels of speed",
	.description =
		"Reads the bandwidth log that fio writes with write_bw_log=NAME and\n"
		"log_avg_msec=1000; several FILEs are the logs of jobs that ran at the same\n"
		"time and are added up. A level lasts at least 5 windows and differs from its\n"
		"neighbour by 10 % or more; the cache ends where no later level comes within\n"
		"10 % of the fastest. Slower changes are a drift, short ones dips.\n"
		"--out DIR also draws DIR/endurance.svg and .png, beside the data and the\n"
		"gnuplot script that drew them.\n",
	.examples =
		"  fio-report endurance linear-write_bw.1.log\n"
		"  fio-report endurance --temperature temperature.csv write_bw.1.log\n"
		"  fio-report endurance linear-write_bw.1.log --out charts\n",
	.options = options,
	.run = run,
};
