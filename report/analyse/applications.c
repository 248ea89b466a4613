/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyse/applications.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/review.h"

void rp_review_application_release(struct rp_review_application *application)
{
	free(application->stem);
	rp_vec_release(&application->results);
	rp_strings_release(&application->warnings);
	*application = (struct rp_review_application){0};
}

static struct rp_review_application *
application_for(struct rp_review *review, const struct rp_application *of)
{
	struct rp_review_application *application;
	char *stem;

	for (size_t i = 0; i < review->applications.count; i++)
		if (!strcmp(review->applications.at[i].id, of->id))
			return &review->applications.at[i];
	stem = rp_review_stem(review, of->id);
	application = stem ? rp_vec_push(&review->applications) : NULL;
	if (!application) {
		free(stem);
		return NULL;
	}
	application->id = of->id;
	application->title = of->title;
	application->method = of->method;
	application->is_iops = of->is_iops;
	application->stem = stem;
	return application;
}

/* Equal ones stay in the order of the runs. */
static int add_sorted(struct rp_review_application *application, size_t run,
		      const struct rp_application *of)
{
	struct rp_application_result *place =
		rp_vec_push(&application->results);

	if (!place)
		return -ENOMEM;
	while (place > application->results.at &&
	       place[-1].of->rate < of->rate) {
		*place = place[-1];
		place--;
	}
	*place = (struct rp_application_result){run, of};
	return 0;
}

static int add_result(struct rp_review_application *application, size_t run,
		      const char *label, const struct rp_application *of)
{
	if (!of->failure && !application->results.count)
		application->is_iops = of->is_iops;
	if (of->failure || of->is_iops != application->is_iops) {
		application->unmeasured++;
		return rp_strings_addf(&application->warnings, "%s, %s", label,
				       of->failure ? of->failure
						   : "another kind of rate");
	}
	if (strcmp(application->method, of->method) &&
	    rp_strings_addf(&application->warnings,
			    "%s was measured in another way: %s", label,
			    of->method))
		return -ENOMEM;
	return add_sorted(application, run, of);
}

int rp_review_add_applications(struct rp_review *review, size_t index)
{
	const struct rp_run *run = &review->runs->at[index];

	for (size_t i = 0; i < run->applications.count; i++) {
		const struct rp_application *of = &run->applications.at[i];
		struct rp_review_application *application =
			application_for(review, of);
		int ret = application ? add_result(application, index,
						   review->labels.at[index], of)
				      : -ENOMEM;

		if (ret)
			return ret;
	}
	return 0;
}
