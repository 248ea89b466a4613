/* SPDX-License-Identifier: GPL-2.0-only */
#include "load/application.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "load/json_value.h"

/* No machine does a tenth of it. */
#define MOST_PER_SECOND 1e12
#define MOST_NS 1e18

static int copy(char **to, const json_t *object, const char *key,
		const char *missing)
{
	const char *text = rp_json_text(object, key);

	*to = strdup(text ? text : missing);
	return *to ? 0 : -ENOMEM;
}

static double positive(const json_t *metrics, const char *key, double most)
{
	double value = rp_json_number(metrics, key, NAN);

	return value > 0 && value < most ? value : NAN;
}

static void read_metrics(const json_t *metrics,
			 struct rp_application *application)
{
	application->rate = positive(metrics, "tps", MOST_PER_SECOND);
	application->is_iops = isnan(application->rate);
	if (application->is_iops)
		application->rate = positive(metrics, "iops", MOST_PER_SECOND);
	application->mean_ns = positive(metrics, "mean_ns", MOST_NS);
	application->p99_ns = positive(metrics, "p99_ns", MOST_NS);
}

static int fail(struct rp_application *application, const char *reason)
{
	application->failure = strdup(reason);
	return application->failure ? 0 : -ENOMEM;
}

static int judge_state(const json_t *object, struct rp_application *application)
{
	const char *state = rp_json_text(object, "state");
	const char *reason = rp_json_text(object, "reason");

	if (state && !strcmp(state, "done"))
		return isnan(application->rate)
			       ? fail(application,
				      "run.json has no usable rate of it")
			       : 0;
	application->pending = !state || !strcmp(state, "pending");
	if (application->pending)
		return fail(application, "not measured yet");
	return fail(application, reason && *reason
					 ? reason
					 : "failed, no reason was recorded");
}

int rp_application_read(const json_t *object,
			struct rp_application *application)
{
	const json_t *metrics = json_object_get(object, "metrics");
	int ret = copy(&application->id, object, "id", "");

	if (!ret)
		ret = copy(&application->title, object, "title",
			   application->id);
	if (!ret)
		ret = copy(&application->method, object, "method", "");
	if (!ret)
		ret = copy(&application->p99_kind, metrics, "p99_kind", "");
	if (ret)
		return ret;
	read_metrics(metrics, application);
	return judge_state(object, application);
}
