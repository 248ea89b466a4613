/* SPDX-License-Identifier: GPL-2.0-only */
#include "unit.h"

#include <math.h>

#include "curve_fixture.h"
#include "doc/curve_table.h"

/* The text of the cell in the last table's row and named column. */
static const char *cell(const struct rp_doc *doc, size_t row,
			const char *column)
{
	const struct rp_block *block = &doc->blocks.at[doc->blocks.count - 1];
	const struct rp_table *table = &block->table;

	for (size_t i = 0; i < table->columns.count; i++)
		if (!strcmp(table->columns.at[i].name, column))
			return rp_table_cell(table, row, i)->text;
	fail_msg("no column %s", column);
	return NULL;
}

static void misses_beyond_100_percent_are_called_saturated(void **state)
{
	rp_runs runs = {0};
	struct rp_review review;
	struct rp_doc doc = {0};
	struct rp_profile_run *p = fixture_profile(rp_vec_push(&runs), 0);

	(void)state;
	fixture_point(p, 0, 0, 1000, 1e5);
	fixture_point(p, 100, 1000, 900, 1e5);
	fixture_point(p, 110, 1100, 900, 1e5);
	assert_int_equal(rp_review_make(&runs, &review, NULL), 0);
	rp_doc_points(&doc, &review.profiles.at[0], false);
	assert_string_equal(cell(&doc, 0, "remark"), "");
	assert_string_equal(cell(&doc, 1, "remark"), "rate missed");
	assert_string_equal(cell(&doc, 2, "remark"), "saturated");
	assert_string_equal(cell(&doc, 0, "asked_iops"), "unlimited");
	rp_doc_release(&doc);
	rp_review_release(&review);
	rp_runs_release(&runs);
}

static void differences_carry_their_sign(void **state)
{
	rp_runs runs = {0};
	struct rp_review review;
	struct rp_doc doc = {0};

	(void)state;
	for (int i = 0; i < 3; i++)
		fixture_point(fixture_profile(rp_vec_push(&runs), 0), 0, 0,
			      1000 + 500 * (i % 2) - 250 * (i / 2), 1e5);
	assert_int_equal(rp_review_make(&runs, &review, NULL), 0);
	rp_doc_curves_wide(&doc, &review);
	assert_string_equal(cell(&doc, 0, "peak_difference_percent"), "base");
	assert_string_equal(cell(&doc, 1, "peak_difference_percent"), "+50 %");
	assert_string_equal(cell(&doc, 2, "peak_difference_percent"), "-25 %");
	rp_doc_release(&doc);
	rp_review_release(&review);
	rp_runs_release(&runs);
}

static void a_percentile_that_is_a_bound_is_marked(void **state)
{
	rp_runs runs = {0};
	struct rp_review review;
	struct rp_doc doc = {0};
	struct rp_profile_run *p = fixture_profile(rp_vec_push(&runs), 0);
	struct rp_point *point = fixture_point(p, 0, 0, 1000, 1e5);
	struct rp_job *job = &point->result.jobs.at[0];

	(void)state;
	p->read_percent = NAN;
	job->flow[RP_WRITE] = job->flow[RP_READ];
	for (int d = RP_READ; d <= RP_WRITE; d++) {
		struct rp_percentile *p99 =
			rp_vec_push(&job->flow[d].lat[RP_LAT].percentiles);

		*p99 = (struct rp_percentile){99, 2e6};
	}
	assert_int_equal(rp_review_make(&runs, &review, NULL), 0);
	assert_int_equal(review.profiles.at[0].curves.at[0].p99_1ms.state,
			 RP_CROSSING_UNKNOWN);
	rp_doc_all_points(&doc, &review);
	assert_string_equal(cell(&doc, 0, "lat_p99_ns"),
			    "\xe2\x89\xa4 2.00 ms");
	assert_string_equal(cell(&doc, 0, "percentiles"), "bound");
	rp_doc_release(&doc);
	rp_review_release(&review);
	rp_runs_release(&runs);
}

static void a_run_that_did_not_end_is_told(void **state)
{
	rp_runs runs = {0};
	struct rp_review review;
	struct rp_doc doc = {0};

	(void)state;
	fixture_point(fixture_profile(rp_vec_push(&runs), 0), 0, 0, 1000, 1e5);
	assert_int_equal(rp_review_make(&runs, &review, NULL), 0);
	rp_doc_run_notes(&doc, &review);
	assert_string_equal(
		doc.blocks.at[0].text,
		"Drive A: this run did not end: points are missing");
	rp_doc_release(&doc);
	rp_review_release(&review);
	rp_runs_release(&runs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			misses_beyond_100_percent_are_called_saturated),
		cmocka_unit_test(differences_carry_their_sign),
		cmocka_unit_test(a_percentile_that_is_a_bound_is_marked),
		cmocka_unit_test(a_run_that_did_not_end_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
