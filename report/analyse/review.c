/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyse/review.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

static void profile_release(struct rp_review_profile *profile)
{
	free(profile->stem);
	for (size_t i = 0; i < profile->curves.count; i++)
		rp_curve_release(&profile->curves.at[i]);
	rp_vec_release(&profile->curves);
	rp_vec_release(&profile->runs);
	rp_strings_release(&profile->warnings);
}

void rp_review_release(struct rp_review *review)
{
	rp_strings_release(&review->labels);
	for (size_t i = 0; i < review->profiles.count; i++)
		profile_release(&review->profiles.at[i]);
	rp_vec_release(&review->profiles);
	for (size_t i = 0; i < review->applications.count; i++)
		rp_review_application_release(&review->applications.at[i]);
	rp_vec_release(&review->applications);
	rp_vec_release(&review->singles);
	*review = (struct rp_review){0};
}

static bool label_taken(const struct rp_review *review, const char *label)
{
	for (size_t i = 0; i < review->labels.count; i++)
		if (!strcmp(review->labels.at[i], label))
			return true;
	return false;
}

/* Two runs of one drive: "PM9A3", "PM9A3 (2)". */
static int add_label(struct rp_review *review, const char *label)
{
	char *unique = strdup(label);
	int ret;

	for (unsigned n = 2; unique && label_taken(review, unique); n++) {
		free(unique);
		unique = rp_strf("%s (%u)", label, n);
	}
	if (!unique)
		return -ENOMEM;
	ret = rp_strings_add(&review->labels, unique);
	free(unique);
	return ret;
}

static bool stem_taken(const struct rp_review *review, const char *stem)
{
	for (size_t i = 0; i < review->profiles.count; i++)
		if (review->profiles.at[i].stem &&
		    !strcmp(review->profiles.at[i].stem, stem))
			return true;
	for (size_t i = 0; i < review->applications.count; i++)
		if (!strcmp(review->applications.at[i].stem, stem))
			return true;
	return false;
}

/* A file name of harmless characters, whatever the profile is called. */
static char *stem_of(const char *id)
{
	struct rp_str s = RP_STR_INIT;

	for (; *id && s.len < 80; id++) {
		bool plain = (*id >= 'a' && *id <= 'z') ||
			     (*id >= '0' && *id <= '9');

		if (*id >= 'A' && *id <= 'Z')
			rp_str_add_char(&s, (char)(*id - 'A' + 'a'));
		else if (plain)
			rp_str_add_char(&s, *id);
		else if (s.len && s.buf[s.len - 1] != '-')
			rp_str_add_char(&s, '-');
	}
	if (!s.len)
		rp_str_add(&s, "profile");
	return rp_str_detach(&s);
}

char *rp_review_stem(const struct rp_review *review, const char *id)
{
	char *base = stem_of(id);
	char *stem = base ? strdup(base) : NULL;

	for (unsigned n = 2; stem && stem_taken(review, stem); n++) {
		free(stem);
		stem = rp_strf("%s-%u", base, n);
	}
	free(base);
	return stem;
}

static struct rp_review_profile *profile_for(struct rp_review *review,
					     const struct rp_profile_run *run)
{
	struct rp_review_profile *profile;
	char *stem;

	for (size_t i = 0; i < review->profiles.count; i++)
		if (!strcmp(review->profiles.at[i].id, run->id))
			return &review->profiles.at[i];
	stem = rp_review_stem(review, run->id);
	profile = stem ? rp_vec_push(&review->profiles) : NULL;
	if (!profile) {
		free(stem);
		return NULL;
	}
	profile->id = run->id;
	profile->title = run->title;
	profile->method = run->method;
	profile->stem = stem;
	return profile;
}

static int add_curve(struct rp_review_profile *profile, size_t run_index,
		     const char *label, const struct rp_run *run,
		     const struct rp_profile_run *profile_run)
{
	struct rp_err err = {0};
	struct rp_curve curve;
	struct rp_curve *place;
	size_t *index;
	int ret = rp_curve_make(run, profile_run, &curve, &err);

	if (ret) {
		rp_curve_release(&curve);
		profile->unmeasured++;
		return ret == -ENOMEM
			       ? ret
			       : rp_strings_addf(&profile->warnings, "%s, %s",
						 label, err.message);
	}
	place = rp_vec_push(&profile->curves);
	index = place ? rp_vec_push(&profile->runs) : NULL;
	if (!index) {
		rp_curve_release(&curve);
		return -ENOMEM;
	}
	*place = curve;
	place->label = label;
	*index = run_index;
	if (!strcmp(profile->method, profile_run->method))
		return 0;
	return rp_strings_addf(&profile->warnings,
			       "%s was measured in another way: %s", label,
			       profile_run->method);
}

static int add_single(struct rp_review *review, const char *label,
		      const struct rp_profile_run *profile)
{
	struct rp_single *single = rp_vec_push(&review->singles);

	if (!single)
		return -ENOMEM;
	*single = (struct rp_single){.profile = profile, .label = label};
	return 0;
}

static int add_profile(struct rp_review *review, size_t index,
		       const struct rp_profile_run *profile_run)
{
	const char *label = review->labels.at[index];
	struct rp_review_profile *profile;

	if (profile_run->single)
		return add_single(review, label, profile_run);
	profile = profile_for(review, profile_run);
	return profile ? add_curve(profile, index, label,
				   &review->runs->at[index], profile_run)
		       : -ENOMEM;
}

static int add_run(struct rp_review *review, size_t index)
{
	const struct rp_run *run = &review->runs->at[index];

	for (size_t i = 0; i < run->profiles.count; i++) {
		int ret = add_profile(review, index, &run->profiles.at[i]);

		if (ret)
			return ret;
	}
	return 0;
}

static size_t count_points(const struct rp_single *single, bool measured)
{
	size_t count = 0;

	for (size_t i = 0; i < single->profile->points.count; i++)
		count += !single->profile->points.at[i].failure == measured;
	return count;
}

static bool has_results(const struct rp_review *review)
{
	for (size_t i = 0; i < review->applications.count; i++)
		if (review->applications.at[i].results.count)
			return true;
	for (size_t i = 0; i < review->singles.count; i++)
		if (count_points(&review->singles.at[i], true))
			return true;
	for (size_t i = 0; i < review->profiles.count; i++)
		if (review->profiles.at[i].curves.count)
			return true;
	return false;
}

static const char *first_reason(const struct rp_review *review)
{
	for (size_t i = 0; i < review->profiles.count; i++)
		if (review->profiles.at[i].warnings.count)
			return review->profiles.at[i].warnings.at[0];
	for (size_t i = 0; i < review->applications.count; i++)
		if (review->applications.at[i].warnings.count)
			return review->applications.at[i].warnings.at[0];
	for (size_t i = 0; i < review->singles.count; i++)
		if (review->singles.at[i].profile->points.count)
			return review->singles.at[i]
				.profile->points.at[0]
				.failure;
	return "the runs hold no profile";
}

int rp_review_make(const rp_runs *runs, struct rp_review *review,
		   struct rp_err *err)
{
	int ret = 0;

	*review = (struct rp_review){.runs = runs};
	for (size_t i = 0; i < runs->count && !ret; i++)
		ret = add_label(review, runs->at[i].label);
	for (size_t i = 0; i < runs->count && !ret; i++)
		ret = add_run(review, i);
	for (size_t i = 0; i < runs->count && !ret; i++)
		ret = rp_review_add_applications(review, i);
	if (ret)
		return rp_err_set(err, ret, "out of memory");
	if (!has_results(review))
		return rp_err_set(err, -EBADMSG, "nothing was measured: %s",
				  first_reason(review));
	return 0;
}

bool rp_review_has_failures(const struct rp_review *review)
{
	for (size_t i = 0; i < review->applications.count; i++)
		if (review->applications.at[i].unmeasured)
			return true;
	for (size_t i = 0; i < review->singles.count; i++)
		if (count_points(&review->singles.at[i], false))
			return true;
	for (size_t p = 0; p < review->profiles.count; p++) {
		const struct rp_review_profile *profile =
			&review->profiles.at[p];

		if (profile->unmeasured)
			return true;
		for (size_t i = 0; i < profile->curves.count; i++)
			if (profile->curves.at[i].failed)
				return true;
	}
	return false;
}
