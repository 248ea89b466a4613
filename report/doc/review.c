/* SPDX-License-Identifier: GPL-2.0-only */
#include "doc/review.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "doc/applications.h"
#include "doc/curve_table.h"
#include "doc/metric_cells.h"
#include "doc/sentence.h"
#include "doc/single_table.h"

static void labels_joined(const struct rp_review *review, struct rp_str *out)
{
	for (size_t i = 0; i < review->labels.count; i++) {
		if (i)
			rp_str_add(out, i + 1 == review->labels.count ? " and "
								      : ", ");
		rp_str_add(out, review->labels.at[i]);
	}
}

static void add_title(struct rp_doc *doc, const struct rp_review *review)
{
	struct rp_str labels = RP_STR_INIT;

	labels_joined(review, &labels);
	rp_doc_title(doc, "%s: %s", rp_str_text(&labels),
		     review->profiles.count  ? "latency versus IOPS"
		     : review->singles.count ? "results"
					     : "applications");
	rp_doc_heading(doc, 1, "%s", doc->title ? doc->title : "");
	rp_str_release(&labels);
}

static void add_sentences(struct rp_doc *doc,
			  const struct rp_review_profile *profile)
{
	for (size_t i = 0; i < profile->curves.count; i++) {
		struct rp_str text = RP_STR_INIT;

		rp_curve_sentences(&profile->curves.at[i], &text);
		if (rp_str_failed(&text))
			doc->failed = true;
		rp_doc_paragraph(doc, "%s", rp_str_text(&text));
		rp_str_release(&text);
	}
}

/* The union of the runs' facts in the order in which they come up. */
static void fact_names(const rp_runs *runs, rp_strings *names,
		       rp_strings *titles, struct rp_doc *doc)
{
	for (size_t r = 0; r < runs->count; r++)
		for (size_t f = 0; f < runs->at[r].facts.count; f++) {
			const struct rp_fact *fact = &runs->at[r].facts.at[f];
			bool known = false;

			for (size_t i = 0; i < names->count && !known; i++)
				known = !strcmp(names->at[i], fact->name);
			if (!known && (rp_strings_add(names, fact->name) ||
				       rp_strings_add(titles, fact->title)))
				doc->failed = true;
		}
}

static void add_environment(struct rp_doc *doc, const struct rp_review *review)
{
	rp_strings names = {0}, titles = {0};
	struct rp_table *table;

	fact_names(review->runs, &names, &titles, doc);
	if (names.count && !doc->failed) {
		rp_doc_heading(doc, 2, "Test environment");
		table = rp_doc_table(doc, "environment", "");
		rp_table_column(table, "fact", "", "", RP_ALIGN_LEFT);
		for (size_t r = 0; r < review->labels.count; r++)
			rp_table_column(table, review->labels.at[r],
					review->labels.at[r], "",
					RP_ALIGN_LEFT);
		for (size_t i = 0; i < names.count; i++) {
			rp_table_text(table, titles.at[i]);
			for (size_t r = 0; r < review->runs->count; r++)
				rp_table_text(table,
					      rp_run_fact(&review->runs->at[r],
							  names.at[i]));
		}
	}
	rp_strings_release(&names);
	rp_strings_release(&titles);
}

/* Runs that fio-review made.  Loose files may come from any method. */
static size_t count_our_runs(const struct rp_review *review)
{
	size_t ours = 0;

	for (size_t i = 0; i < review->runs->count; i++)
		ours += rp_run_fact(&review->runs->at[i], "method.arrivals") !=
			NULL;
	return ours;
}

/* The others are of applications alone. */
static size_t count_runs_with_profiles(const struct rp_review *review)
{
	size_t count = 0;

	for (size_t i = 0; i < review->runs->count; i++)
		count += review->runs->at[i].profiles.count > 0;
	return count;
}

/* "total", "completion", or "total or completion" (the axes say which). */
static const char *latency_words(const struct rp_review *review)
{
	bool seen[RP_LAT_KIND_COUNT] = {false};

	for (size_t p = 0; p < review->profiles.count; p++) {
		const struct rp_review_profile *profile =
			&review->profiles.at[p];

		for (size_t i = 0; i < profile->curves.count; i++)
			seen[profile->curves.at[i].kind] = true;
	}
	if (seen[RP_LAT] && seen[RP_CLAT])
		return "total or completion";
	return rp_latency_word(seen[RP_CLAT] ? RP_CLAT : RP_LAT);
}

static void add_method(struct rp_doc *doc, const struct rp_review *review)
{
	size_t ours = count_our_runs(review);

	rp_doc_heading(doc, 2, "Method");
	if (ours)
		rp_doc_paragraph(
			doc,
			"Each profile first runs without a rate, which gives its maximum. Then fio is asked for a share of that maximum, point by point, by N threads with one I/O each and random (Poisson) arrivals. Where more was asked for than the drive can do, every thread is busy and the latency is N divided by the IOPS.");
	if (review->singles.count)
		rp_doc_paragraph(
			doc,
			"Profiles without a curve are one call of fio without a rate. The rows of a table ran one after the other or at once, as the profile has it; they are never added up.");
	if (ours < count_runs_with_profiles(review))
		rp_doc_paragraph(
			doc,
			"%s come from fio results that were given as files; how those were measured is up to whoever ran fio.",
			ours ? "Other points" : "The points");
	rp_doc_paragraph(
		doc,
		"A curve shows what was achieved, not what was asked for; its points are joined in the order of load. Latency is fio's %s latency. A point that fell short of its rate by more than %.0f %% is marked as missed. IOPS times mean latency must give the number of outstanding I/Os (Little's law); a point that is off by more than %.0f %% is named with its profile. The knee is where the curve bends most (its greatest distance below the line between its ends, both axes scaled).",
		latency_words(review), RP_MISSED_PERCENT, RP_LITTLE_PERCENT);
}

static void add_figure(struct rp_doc *doc,
		       const struct rp_review_profile *profile)
{
	char *stem = rp_strf(RP_CHART_DIR "/%s", profile->stem);
	char *alt = rp_strf(
		"Latency over achieved IOPS for %s: the numbers are in the table below the chart",
		profile->title);
	char *caption = rp_strf("%s: %s", profile->title, profile->method);

	if (!stem || !alt || !caption)
		doc->failed = true;
	else
		rp_doc_figure(doc, stem, alt, caption);
	free(stem);
	free(alt);
	free(caption);
}

static void add_profile(struct rp_doc *doc, const struct rp_review *review,
			const struct rp_review_profile *profile, bool charts)
{
	rp_doc_heading(doc, 2, "%s", profile->title);
	add_sentences(doc, profile);
	if (charts && profile->curves.count)
		add_figure(doc, profile);
	if (profile->curves.count)
		rp_doc_points(doc, profile, review->runs->count > 1);
	rp_doc_curve_notes(doc, profile);
}

void rp_doc_review(struct rp_doc *doc, const struct rp_review *review,
		   bool charts)
{
	add_title(doc, review);
	rp_doc_run_notes(doc, review);
	if (review->profiles.count) {
		rp_doc_heading(doc, 2, "Results at a glance");
		rp_doc_curves(doc, review);
	}
	rp_doc_applications(doc, review, charts);
	for (size_t i = 0; i < review->profiles.count; i++)
		add_profile(doc, review, &review->profiles.at[i], charts);
	rp_doc_singles(doc, review);
	add_environment(doc, review);
	if (review->profiles.count)
		add_method(doc, review);
}

/* A fact that all runs have in common, or NULL. */
static const char *shared_fact(const struct rp_review *review, const char *name)
{
	const char *first = rp_run_fact(&review->runs->at[0], name);

	for (size_t i = 1; i < review->runs->count && first; i++) {
		const char *other = rp_run_fact(&review->runs->at[i], name);

		if (!other || strcmp(first, other))
			return NULL;
	}
	return first;
}

void rp_review_footer(const struct rp_review *review, struct rp_str *out)
{
	static const char *const names[] = {
		"fio.version",	"fio.engine",	   "host.kernel",
		"target.model", "target.firmware", "method.date",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *value = shared_fact(review, names[i]);

		if (!value)
			continue;
		if (out->len)
			rp_str_add(out, "  \xc2\xb7  ");
		rp_str_add(out, value);
	}
}
