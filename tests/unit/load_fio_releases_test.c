/* SPDX-License-Identifier: GPL-2.0-only */
/* Units, keys and derived numbers of each fio release. */
#include "load_help.h"

static const struct rp_job *only_job(const rp_results *results)
{
	assert_int_equal(results->count, 1);
	assert_int_equal(results->at[0].jobs.count, 1);
	return &results->at[0].jobs.at[0];
}

static void old_releases_count_kib_and_microseconds(void **state)
{
	rp_results results = {0};
	const struct rp_job *job;
	const struct rp_flow *flow;

	(void)state;
	load_file(FIO("2.1.10-group.json"), &results);
	job = only_job(&results);
	assert_string_equal(results.at[0].fio_version, "fio-2.1.10");
	assert_int_equal(results.at[0].timestamp_s, 0);
	flow = &job->flow[RP_READ];
	assert_true(flow->present);
	assert_int_equal(flow->bytes, 183600ull * 1024);
	assert_number(flow->bytes_per_s, 5922580.0 * 1024);
	assert_number(flow->runtime_s, 0.031);
	assert_number(flow->lat[RP_CLAT].mean_ns, 210);
	assert_number(flow->lat[RP_CLAT].max_ns, 7418000);
	assert_number(percentile(&flow->lat[RP_CLAT], 99), 1000);
	assert_false(job->flow[RP_TRIM].present);
	rp_results_release(&results);
}

static void ios_are_derived_where_fio_did_not_count(void **state)
{
	rp_results results = {0};

	(void)state;
	/* 1480645 IOPS in 31 ms would be 45899.995 */
	load_file(FIO("2.1.10-group.json"), &results);
	assert_int_equal(only_job(&results)->flow[RP_READ].ios, 45900);
	rp_results_release(&results);
	/* 703 IOPS in 364 ms would be 255.9 */
	load_file(FIO("2.1.10-fsync.json"), &results);
	assert_int_equal(only_job(&results)->flow[RP_WRITE].ios, 256);
	rp_results_release(&results);
}

static void padding_percentiles_are_dropped(void **state)
{
	rp_results results = {0};
	const struct rp_latency *lat;

	(void)state;
	load_file(FIO("2.99-json+.json"), &results);
	lat = &only_job(&results)->flow[RP_READ].lat[RP_CLAT];
	assert_int_equal(lat->percentiles.count, 17);
	assert_number(lat->percentiles.at[0].percent, 1);
	assert_number(lat->percentiles.at[16].percent, 99.99);
	assert_number(lat->percentiles.at[16].ns, 36096);
	rp_results_release(&results);
}

static void bins_of_nanosecond_releases_are_midpoints(void **state)
{
	rp_results results = {0};
	const struct rp_latency *lat;
	uint64_t sum = 0;

	(void)state;
	load_file(FIO("2.99-json+.json"), &results);
	lat = &only_job(&results)->flow[RP_READ].lat[RP_CLAT];
	assert_int_equal(lat->bins.count, 19);
	assert_number(lat->bins.at[0].ns, 20);
	assert_int_equal(lat->bins.at[0].count, 315);
	assert_number(lat->bins.at[18].ns, 36096);
	for (size_t i = 0; i < lat->bins.count; i++)
		sum += lat->bins.at[i].count;
	assert_int_equal(sum, only_job(&results)->flow[RP_READ].ios);
	rp_results_release(&results);
}

static void bins_of_2_16_are_indices_of_microseconds(void **state)
{
	rp_results results = {0};
	const struct rp_latency *lat;

	(void)state;
	load_file(FIO("2.16-json+.json"), &results);
	lat = &only_job(&results)->flow[RP_READ].lat[RP_CLAT];
	assert_int_equal(lat->bins.count, 3);
	assert_number(lat->bins.at[1].ns, 1000);
	assert_int_equal(lat->bins.at[1].count, 384);
	assert_number(lat->bins.at[2].ns, 25000);
	rp_results_release(&results);
}

static const char *const one_job =
	"{\"fio version\":\"%s\",\"jobs\":[{\"jobname\":\"j\",\"error\":0,"
	"\"job options\":{%s},\"read\":{\"io_bytes\":40960,%s"
	"\"bw\":10,\"iops\":10.0,\"runtime\":1000,\"total_ios\":10,%s}}]}";

static void load_made_up(const char *version, const char *options,
			 const char *bytes, const char *latencies,
			 rp_results *results)
{
	struct rp_str text = RP_STR_INIT;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	rp_str_addf(&text, one_job, version, options, bytes, latencies);
#pragma GCC diagnostic pop
	load_text(text.buf, text.len, results);
	rp_str_release(&text);
}

static void bin_indices_follow_fio_s_histogram(void **state)
{
	rp_results results = {0};
	const struct rp_latency *lat;

	(void)state;
	load_made_up("fio-2.15", "", "",
		     "\"clat\":{\"min\":1,\"max\":400,\"mean\":9,\"stddev\":1,"
		     "\"bins\":{\"127\":1,\"128\":2,\"200\":3,\"1855\":4,"
		     "\"1856\":5,\"FIO_IO_U_PLAT_NR\":1856}}",
		     &results);
	lat = &only_job(&results)->flow[RP_READ].lat[RP_CLAT];
	assert_int_equal(lat->bins.count, 4);
	assert_number(lat->bins.at[0].ns, 127e3);
	assert_number(lat->bins.at[1].ns, 129e3);
	assert_number(lat->bins.at[2].ns, 290e3);
	/* the last of 29 groups of 64 buckets: 127.5 x 2^27 */
	assert_number(lat->bins.at[3].ns, 127.5 * 134217728 * 1e3);
	rp_results_release(&results);
}

static void bins_of_2_20_are_microseconds(void **state)
{
	rp_results results = {0};
	const struct rp_latency *lat;

	(void)state;
	load_made_up("fio-2.20", "", "",
		     "\"clat\":{\"min\":1,\"max\":400,\"mean\":9,\"stddev\":1,"
		     "\"bins\":{\"290\":3}}",
		     &results);
	lat = &only_job(&results)->flow[RP_READ].lat[RP_CLAT];
	assert_int_equal(lat->bins.count, 1);
	assert_number(lat->bins.at[0].ns, 290e3);
	rp_results_release(&results);
}

static void io_kbytes_tells_that_io_bytes_are_bytes(void **state)
{
	rp_results results = {0};

	(void)state;
	load_made_up("fio-2.21", "", "\"io_kbytes\":40,",
		     "\"clat\":{\"max\":1,\"mean\":1}", &results);
	assert_int_equal(only_job(&results)->flow[RP_READ].bytes, 40960);
	rp_results_release(&results);
	load_made_up("fio-2.20", "", "", "\"clat\":{\"max\":1,\"mean\":1}",
		     &results);
	assert_int_equal(only_job(&results)->flow[RP_READ].bytes, 40960 * 1024);
	rp_results_release(&results);
}

#define TOTAL_IN_CLAT                                                          \
	"\"clat_ns\":{\"min\":1,\"max\":9,\"mean\":5,\"percentile\":"          \
	"{\"99.000000\":777},\"bins\":{\"777\":10}},"                          \
	"\"lat_ns\":{\"min\":2,\"max\":800,\"mean\":6}"

static void total_latency_percentiles_of_3_12_move_to_lat(void **state)
{
	rp_results results = {0};
	const struct rp_flow *flow;

	(void)state;
	load_made_up("fio-3.12", "\"lat_percentiles\":\"1\"", "", TOTAL_IN_CLAT,
		     &results);
	flow = &only_job(&results)->flow[RP_READ];
	assert_int_equal(flow->lat[RP_CLAT].percentiles.count, 0);
	assert_int_equal(flow->lat[RP_CLAT].bins.count, 0);
	assert_number(flow->lat[RP_CLAT].mean_ns, 5);
	assert_number(percentile(&flow->lat[RP_LAT], 99), 777);
	assert_int_equal(flow->lat[RP_LAT].bins.count, 1);
	rp_results_release(&results);
}

static void clat_percentiles_stay_where_they_are_right(void **state)
{
	static const char *const cases[][2] = {
		{"fio-3.12", ""},
		{"fio-3.12", "\"lat_percentiles\":\"0\""},
		{"fio-3.13", "\"lat_percentiles\":\"1\""},
		{"fio-3.0", "\"lat_percentiles\":\"1\""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		rp_results results = {0};
		const struct rp_flow *flow;

		load_made_up(cases[i][0], cases[i][1], "", TOTAL_IN_CLAT,
			     &results);
		flow = &only_job(&results)->flow[RP_READ];
		assert_number(percentile(&flow->lat[RP_CLAT], 99), 777);
		assert_int_equal(flow->lat[RP_LAT].percentiles.count, 0);
		rp_results_release(&results);
	}
}

static void bandwidth_before_3_2_is_kib(void **state)
{
	rp_results results = {0};

	(void)state;
	load_file(FIO("3.1-json+.json"), &results);
	assert_number(only_job(&results)->flow[RP_READ].bytes_per_s,
		      4080000.0 * 1024);
	rp_results_release(&results);
	load_file(FIO("3.12-json+.json"), &results);
	assert_number(only_job(&results)->flow[RP_READ].bytes_per_s,
		      6684672000.0);
	assert_int_equal(only_job(&results)->flow[RP_READ].bytes, 33423360);
	rp_results_release(&results);
}

static void latencies_not_measured_are_absent(void **state)
{
	rp_results results = {0};
	const struct rp_flow *flow;

	(void)state;
	load_file(FIO("3.1-nolat.json"), &results);
	flow = &only_job(&results)->flow[RP_READ];
	assert_true(flow->present);
	assert_int_equal(flow->ios, 16384);
	for (int kind = 0; kind < RP_LAT_KIND_COUNT; kind++)
		assert_false(flow->lat[kind].present);
	assert_int_equal(flow->lat[RP_CLAT].percentiles.count, 0);
	rp_results_release(&results);
}

static void percentiles_of_each_kind_stay_apart(void **state)
{
	rp_results results = {0};
	const struct rp_flow *flow;

	(void)state;
	load_file(FIO("3.33-all-percentiles.json"), &results);
	flow = &only_job(&results)->flow[RP_READ];
	assert_int_equal(flow->lat[RP_CLAT].samples, 8160);
	assert_number(percentile(&flow->lat[RP_CLAT], 99.9), 302);
	assert_number(percentile(&flow->lat[RP_LAT], 99.9), 382);
	assert_false(flow->lat[RP_SLAT].present);
	assert_int_equal(flow->lat[RP_LAT].bins.count, 36);
	rp_results_release(&results);
}

static void sync_latency_is_read(void **state)
{
	rp_results results = {0};
	const struct rp_job *job;

	(void)state;
	load_file(FIO("3.33-fsync.json"), &results);
	job = only_job(&results);
	assert_true(job->sync.present);
	assert_int_equal(job->sync.samples, 255);
	assert_number(job->sync.mean_ns, 3370726.317647);
	assert_number(percentile(&job->sync, 99.9), 15925248);
	assert_number(job->cpu_sys_percent, 4.382930);
	assert_string_equal(rp_options_get(&job->options, "fdatasync"), "1");
	assert_false(job->flow[RP_READ].present);
	rp_results_release(&results);
}

static void unified_reporting_gives_mixed(void **state)
{
	rp_results results = {0};
	const struct rp_job *job;

	(void)state;
	load_file(FIO("2.16-unified.json"), &results);
	job = only_job(&results);
	assert_false(job->flow[RP_READ].present);
	assert_true(job->flow[RP_MIXED].present);
	assert_int_equal(job->flow[RP_MIXED].bytes, 65536 * 1024);
	rp_results_release(&results);
	load_file(FIO("3.28-unified-both.json"), &results);
	job = only_job(&results);
	assert_int_equal(job->flow[RP_READ].ios, 8160);
	assert_int_equal(job->flow[RP_WRITE].ios, 8224);
	assert_int_equal(job->flow[RP_MIXED].ios, 16384);
	rp_results_release(&results);
}

static void clients_keep_their_host_and_the_sum_is_marked(void **state)
{
	rp_results results = {0};
	const struct rp_result *result;

	(void)state;
	load_file(FIO("3.39-client.json"), &results);
	result = &results.at[0];
	assert_int_equal(result->jobs.count, 3);
	assert_string_equal(result->jobs.at[0].host, "127.0.0.1:18765");
	assert_false(result->jobs.at[0].aggregate);
	assert_false(result->jobs.at[1].aggregate);
	assert_true(result->jobs.at[2].aggregate);
	assert_true(result->jobs.at[2].flow[RP_READ].lat[RP_CLAT].present);
	assert_null(result->jobs.at[2].failure);
	assert_string_equal(rp_job_option(result, &result->jobs.at[0], "bs"),
			    "4k");
	rp_results_release(&results);
}

static void two_old_clients_have_no_sum(void **state)
{
	rp_results results = {0};

	(void)state;
	load_file(FIO("2.1.10-client.json"), &results);
	assert_int_equal(results.at[0].jobs.count, 2);
	assert_false(results.at[0].jobs.at[1].aggregate);
	assert_true(has_warning(&results.at[0].warnings, "8 lines of other"));
	rp_results_release(&results);
}

static void wrong_latencies_of_all_clients_are_left_out(void **state)
{
	rp_results results = {0};
	const struct rp_job *sum;

	(void)state;
	load_file(FIO("3.28-client.json"), &results);
	sum = &results.at[0].jobs.at[2];
	assert_true(sum->aggregate);
	assert_int_equal(sum->flow[RP_READ].ios, 3990);
	assert_false(sum->flow[RP_READ].lat[RP_CLAT].present);
	rp_results_release(&results);
}

static void options_without_a_value_are_kept(void **state)
{
	rp_results results = {0};
	const struct rp_job *job;

	(void)state;
	load_file(FIO("3.41-group.json"), &results);
	job = only_job(&results);
	assert_string_equal(rp_options_get(&job->options, "group_reporting"),
			    "");
	assert_int_equal(results.at[0].timestamp_s, 1796063897);
	rp_results_release(&results);
}

static void options_of_another_member_of_a_group_are_told(void **state)
{
	rp_results results = {0};

	(void)state;
	load_made_up("fio-3.33", "\"name\":\"last\"", "",
		     "\"clat_ns\":{\"N\":0}", &results);
	assert_true(
		has_warning(&results.at[0].warnings,
			    "group \"j\" are those of its last job \"last\""));
	rp_results_release(&results);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(old_releases_count_kib_and_microseconds),
		cmocka_unit_test(ios_are_derived_where_fio_did_not_count),
		cmocka_unit_test(padding_percentiles_are_dropped),
		cmocka_unit_test(bins_of_nanosecond_releases_are_midpoints),
		cmocka_unit_test(bins_of_2_16_are_indices_of_microseconds),
		cmocka_unit_test(bin_indices_follow_fio_s_histogram),
		cmocka_unit_test(bins_of_2_20_are_microseconds),
		cmocka_unit_test(io_kbytes_tells_that_io_bytes_are_bytes),
		cmocka_unit_test(total_latency_percentiles_of_3_12_move_to_lat),
		cmocka_unit_test(clat_percentiles_stay_where_they_are_right),
		cmocka_unit_test(bandwidth_before_3_2_is_kib),
		cmocka_unit_test(latencies_not_measured_are_absent),
		cmocka_unit_test(percentiles_of_each_kind_stay_apart),
		cmocka_unit_test(sync_latency_is_read),
		cmocka_unit_test(unified_reporting_gives_mixed),
		cmocka_unit_test(clients_keep_their_host_and_the_sum_is_marked),
		cmocka_unit_test(two_old_clients_have_no_sum),
		cmocka_unit_test(wrong_latencies_of_all_clients_are_left_out),
		cmocka_unit_test(options_without_a_value_are_kept),
		cmocka_unit_test(options_of_another_member_of_a_group_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
