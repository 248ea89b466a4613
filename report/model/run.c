/* SPDX-License-Identifier: GPL-2.0-only */
#include "model/run.h"

#include <stdlib.h>
#include <string.h>

void rp_point_release(struct rp_point *point)
{
	free(point->file);
	free(point->failure);
	rp_result_release(&point->result);
	*point = (struct rp_point){0};
}

void rp_profile_run_release(struct rp_profile_run *profile)
{
	free(profile->id);
	free(profile->title);
	free(profile->method);
	for (size_t i = 0; i < profile->points.count; i++)
		rp_point_release(&profile->points.at[i]);
	rp_vec_release(&profile->points);
	*profile = (struct rp_profile_run){0};
}

static void fact_release(struct rp_fact *fact)
{
	free(fact->name);
	free(fact->title);
	free(fact->value);
}

void rp_run_release(struct rp_run *run)
{
	free(run->path);
	free(run->label);
	for (size_t i = 0; i < run->facts.count; i++)
		fact_release(&run->facts.at[i]);
	rp_vec_release(&run->facts);
	for (size_t i = 0; i < run->profiles.count; i++)
		rp_profile_run_release(&run->profiles.at[i]);
	rp_vec_release(&run->profiles);
	for (size_t i = 0; i < run->applications.count; i++)
		rp_application_release(&run->applications.at[i]);
	rp_vec_release(&run->applications);
	rp_strings_release(&run->warnings);
	*run = (struct rp_run){0};
}

void rp_runs_release(rp_runs *runs)
{
	for (size_t i = 0; i < runs->count; i++)
		rp_run_release(&runs->at[i]);
	rp_vec_release(runs);
}

const char *rp_run_fact(const struct rp_run *run, const char *name)
{
	for (size_t i = 0; i < run->facts.count; i++)
		if (!strcmp(run->facts.at[i].name, name))
			return run->facts.at[i].value;
	return NULL;
}
