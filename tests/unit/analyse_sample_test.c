/* SPDX-License-Identifier: GPL-2.0-only */
#include "unit.h"

#include <math.h>

#include "analyse/histogram.h"
#include "analyse/sample.h"

static void add_bin(struct rp_latency *lat, double ns, uint64_t count)
{
	struct rp_bin *bin = rp_vec_push(&lat->bins);

	*bin = (struct rp_bin){ns, count};
	lat->present = true;
	lat->samples += count;
}

static void add_percentile(struct rp_latency *lat, double percent, double ns)
{
	struct rp_percentile *p = rp_vec_push(&lat->percentiles);

	*p = (struct rp_percentile){percent, ns};
	lat->present = true;
}

static struct rp_job *add_job(struct rp_result *result)
{
	return rp_vec_push(&result->jobs);
}

static struct rp_flow *flow_of(struct rp_job *job, enum rp_ddir ddir,
			       uint64_t ios, double mean_ns)
{
	struct rp_flow *flow = &job->flow[ddir];

	flow->present = true;
	flow->ios = ios;
	flow->bytes = ios * 4096;
	flow->iops = (double)ios;
	flow->bytes_per_s = (double)ios * 4096;
	flow->lat[RP_LAT].present = true;
	flow->lat[RP_LAT].mean_ns = mean_ns;
	flow->lat[RP_LAT].min_ns = mean_ns / 2;
	flow->lat[RP_LAT].max_ns = mean_ns * 2;
	return flow;
}

static void a_percentile_is_the_bin_that_reaches_its_share(void **state)
{
	struct rp_latency lat = {0};
	struct rp_histogram h = {0};

	(void)state;
	add_bin(&lat, 30, 1);
	add_bin(&lat, 10, 50);
	add_bin(&lat, 20, 49);
	assert_int_equal(rp_histogram_add(&h, &lat), 0);
	rp_histogram_sort(&h);
	assert_near(rp_histogram_percentile(&h, 1), 10, 0);
	assert_near(rp_histogram_percentile(&h, 50), 10, 0);
	assert_near(rp_histogram_percentile(&h, 50.1), 20, 0);
	assert_near(rp_histogram_percentile(&h, 99), 20, 0);
	assert_near(rp_histogram_percentile(&h, 99.9), 30, 0);
	assert_near(rp_histogram_percentile(&h, 100), 30, 0);
	rp_histogram_release(&h);
	rp_latency_release(&lat);
}

static void an_empty_histogram_knows_no_percentile(void **state)
{
	struct rp_histogram h = {0};

	(void)state;
	rp_histogram_sort(&h);
	assert_true(isnan(rp_histogram_percentile(&h, 50)));
}

static void jobs_add_up_and_means_weigh_by_ios(void **state)
{
	struct rp_result result = {0};
	struct rp_sample s;

	(void)state;
	flow_of(add_job(&result), RP_READ, 300, 1000);
	flow_of(add_job(&result), RP_WRITE, 100, 5000);
	assert_int_equal(rp_sample_of_result(&result, &s), 0);
	assert_int_equal(s.ios, 400);
	assert_near(s.iops, 400, 0);
	assert_near(s.mean_ns, 2000, 1e-9);
	assert_near(s.min_ns, 500, 0);
	assert_near(s.max_ns, 10000, 0);
	assert_near(s.read_percent, 75, 1e-9);
	assert_int_equal(s.source, RP_PCT_NONE);
	assert_true(isnan(s.p99_ns));
	rp_result_release(&result);
}

static void
the_deviation_of_several_flows_is_that_of_their_samples(void **state)
{
	struct rp_result result = {0};
	struct rp_sample s;

	(void)state;
	/* 1000 and 5000, each alone constant: 3000 +- 2000 */
	flow_of(add_job(&result), RP_READ, 100, 1000);
	flow_of(add_job(&result), RP_WRITE, 100, 5000);
	assert_int_equal(rp_sample_of_result(&result, &s), 0);
	assert_near(s.stddev_ns, 2000, 1e-9);
	result.jobs.at[0].flow[RP_READ].lat[RP_LAT].stddev_ns = 1500;
	result.jobs.at[1].flow[RP_WRITE].lat[RP_LAT].stddev_ns = 1500;
	assert_int_equal(rp_sample_of_result(&result, &s), 0);
	assert_near(s.stddev_ns, 2500, 1e-9);
	rp_result_release(&result);
}

static void all_clients_and_a_repeated_mix_are_not_added(void **state)
{
	struct rp_result result = {0};
	struct rp_job *job = add_job(&result), *all;
	struct rp_sample s;

	(void)state;
	flow_of(job, RP_READ, 10, 1000);
	flow_of(job, RP_MIXED, 10, 1000);
	all = add_job(&result);
	all->aggregate = true;
	flow_of(all, RP_READ, 10, 1000);
	assert_int_equal(rp_sample_of_result(&result, &s), 0);
	assert_int_equal(s.ios, 10);
	rp_result_release(&result);
}

static void a_mix_alone_counts(void **state)
{
	struct rp_result result = {0};
	struct rp_sample s;

	(void)state;
	flow_of(add_job(&result), RP_MIXED, 10, 1000);
	assert_int_equal(rp_sample_of_result(&result, &s), 0);
	assert_int_equal(s.ios, 10);
	assert_true(isnan(s.read_percent));
	rp_result_release(&result);
}

static void percentiles_merge_from_bins(void **state)
{
	struct rp_result result = {0};
	struct rp_flow *a = flow_of(add_job(&result), RP_READ, 90, 10);
	struct rp_flow *b = flow_of(add_job(&result), RP_READ, 10, 1000);
	struct rp_sample s;

	(void)state;
	add_bin(&a->lat[RP_LAT], 10, 90);
	add_bin(&b->lat[RP_LAT], 1000, 10);
	assert_int_equal(rp_sample_of_result(&result, &s), 0);
	assert_int_equal(s.source, RP_PCT_BINS);
	assert_near(s.p90_ns, 10, 0);
	assert_near(s.p99_ns, 1000, 0);
	rp_result_release(&result);
}

static void without_bins_only_a_bound_is_given(void **state)
{
	struct rp_result result = {0};
	struct rp_flow *a = flow_of(add_job(&result), RP_READ, 90, 10);
	struct rp_flow *b = flow_of(add_job(&result), RP_READ, 10, 1000);
	struct rp_sample s;

	(void)state;
	add_percentile(&a->lat[RP_LAT], 99, 20);
	add_percentile(&b->lat[RP_LAT], 99, 2000);
	assert_int_equal(rp_sample_of_result(&result, &s), 0);
	assert_int_equal(s.source, RP_PCT_MAX);
	assert_near(s.p99_ns, 2000, 0);
	assert_true(isnan(s.p50_ns));
	rp_result_release(&result);
}

static void one_flow_keeps_fios_own_percentiles(void **state)
{
	struct rp_job job = {0};
	struct rp_flow *flow = flow_of(&job, RP_READ, 100, 10);
	struct rp_sample s;

	(void)state;
	add_percentile(&flow->lat[RP_LAT], 99, 123);
	assert_int_equal(rp_sample_of_flow(&job, RP_READ, &s), 0);
	assert_int_equal(s.source, RP_PCT_FIO);
	assert_near(s.p99_ns, 123, 0);
	rp_job_release(&job);
}

static void
completion_latency_serves_where_only_it_has_percentiles(void **state)
{
	struct rp_job job = {0};
	struct rp_flow *flow = flow_of(&job, RP_READ, 100, 10);
	struct rp_sample s;

	(void)state;
	flow->lat[RP_CLAT].mean_ns = 9;
	add_percentile(&flow->lat[RP_CLAT], 99, 12);
	assert_int_equal(rp_sample_of_flow(&job, RP_READ, &s), 0);
	assert_int_equal(s.kind, RP_CLAT);
	assert_near(s.mean_ns, 9, 0);
	assert_near(s.p99_ns, 12, 0);
	rp_job_release(&job);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_percentile_is_the_bin_that_reaches_its_share),
		cmocka_unit_test(an_empty_histogram_knows_no_percentile),
		cmocka_unit_test(jobs_add_up_and_means_weigh_by_ios),
		cmocka_unit_test(
			the_deviation_of_several_flows_is_that_of_their_samples),
		cmocka_unit_test(all_clients_and_a_repeated_mix_are_not_added),
		cmocka_unit_test(a_mix_alone_counts),
		cmocka_unit_test(percentiles_merge_from_bins),
		cmocka_unit_test(without_bins_only_a_bound_is_given),
		cmocka_unit_test(one_flow_keeps_fios_own_percentiles),
		cmocka_unit_test(
			completion_latency_serves_where_only_it_has_percentiles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
