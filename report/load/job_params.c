/* SPDX-License-Identifier: GPL-2.0-only */
#include "load/job_params.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define BLOCK_DEFAULT 4096.0 /* fio's own */

/* The whole number at *text, which is moved behind it; 0 if none. */
static double take_number(const char **text)
{
	double value = 0;

	for (; isdigit((unsigned char)**text); (*text)++)
		value = value * 10 + (**text - '0');
	return value;
}

/* fio's default kb_base: k is 1024, and so is ki. */
static double size_factor(char unit)
{
	static const char units[] = "kmgtp";
	const char *found =
		unit ? strchr(units, tolower((unsigned char)unit)) : NULL;

	return found ? pow(1024, (double)(found - units + 1)) : 1;
}

/* "4k", "1000"; only the first of a list like "8k,4k". */
static double parse_size(const char *text, double missing)
{
	double value;

	if (!isdigit((unsigned char)*text))
		return missing;
	value = take_number(&text);
	return value * size_factor(*text);
}

static double parse_seconds(const char *text)
{
	static const struct {
		const char *unit;
		double seconds;
	} units[] = {{"us", 1e-6},
		     {"ms", 1e-3},
		     {"m", 60},
		     {"h", 3600},
		     {"d", 86400}};
	double value = take_number(&text);

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strcasecmp(text, units[i].unit))
			return value * units[i].seconds;
	return value;
}

static const char *option(const struct rp_result *result,
			  const struct rp_job *job, const char *name,
			  const char *missing)
{
	const char *value = rp_job_option(result, job, name);

	return value ? value : missing;
}

/* Reads and writes asked of each job: "1000" is for both, "700,300" each. */
static double asked_rate(const char *text, double read_percent)
{
	const char *comma = strchr(text, ',');
	double reads = parse_size(text, 0);
	double writes = comma ? parse_size(comma + 1, 0) : reads;

	if (read_percent >= 100)
		return reads;
	if (read_percent <= 0)
		return writes;
	/* a side without a rate is not limited, so the whole is not */
	return reads > 0 && writes > 0 ? reads + writes : 0;
}

static double read_share(const struct rp_result *result,
			 const struct rp_job *job, const char *rw)
{
	const char *writes = rp_job_option(result, job, "rwmixwrite");

	if (strstr(rw, "trim"))
		return NAN;
	if (!strstr(rw, "rw") && !strstr(rw, "readwrite"))
		return strstr(rw, "write") ? 0 : 100;
	if (writes)
		return 100 - fmin(parse_size(writes, 50), 100);
	return fmin(parse_size(option(result, job, "rwmixread", ""), 50), 100);
}

/* These do one I/O at a time, whatever iodepth says. */
static bool is_synchronous(const char *engine)
{
	static const char *const engines[] = {"sync",	"psync",   "vsync",
					      "pvsync", "pvsync2", "mmap"};

	for (size_t i = 0; i < sizeof(engines) / sizeof(*engines); i++)
		if (!strcmp(engine, engines[i]))
			return true;
	return false;
}

static double depth(const struct rp_result *result, const struct rp_job *job)
{
	if (is_synchronous(option(result, job, "ioengine", "psync")))
		return 1;
	return fmax(1, parse_size(option(result, job, "iodepth", "1"), 1));
}

/* Options other than rate_iops that keep a job from going as fast as it can. */
static bool is_held_back(const struct rp_result *result,
			 const struct rp_job *job)
{
	static const char *const names[] = {"rate", "thinktime", "flow",
					    "rate_min", "latency_target"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (parse_size(option(result, job, names[i], ""), 0) > 0)
			return true;
	return false;
}

void rp_job_params_read(const struct rp_result *result,
			const struct rp_job *job, struct rp_job_params *params)
{
	const char *rw = option(result, job, "rw", NULL);
	const char *rate = option(result, job, "rate_iops", "");

	*params = (struct rp_job_params){.read_percent = NAN};
	params->known = job->options.count || result->globals.count;
	if (!params->known)
		return;
	if (!rw)
		rw = option(result, job, "readwrite", "read");
	params->random = !strncmp(rw, "rand", 4);
	params->read_percent = read_share(result, job, rw);
	params->jobs =
		fmax(1, parse_size(option(result, job, "numjobs", "1"), 1));
	params->iodepth = depth(result, job);
	params->asked_iops = params->jobs *
			     (isnan(params->read_percent)
				      ? parse_size(rate, 0)
				      : asked_rate(rate, params->read_percent));
	params->held_back =
		params->asked_iops <= 0 && is_held_back(result, job);
	params->runtime_s = parse_seconds(option(result, job, "runtime", ""));
	/* a mix of sizes has no one size */
	if (!rp_job_option(result, job, "bssplit") &&
	    !rp_job_option(result, job, "bsrange"))
		params->block_bytes = parse_size(option(result, job, "bs", ""),
						 BLOCK_DEFAULT);
}
