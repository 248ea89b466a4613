/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyse/sample.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>

#include "analyse/histogram.h"

struct flow_ref {
	const struct rp_flow *flow;
	enum rp_ddir ddir;
};

typedef RP_VEC(struct flow_ref) flow_refs;

/* The percentiles of a sample, and where it keeps each of them. */
static const double wanted[] = {50, 90, 95, 99, 99.9, 99.99};

#define WANTED_COUNT (sizeof(wanted) / sizeof(wanted[0]))

static double *slot(struct rp_sample *sample, size_t i)
{
	double *const slots[WANTED_COUNT] = {
		&sample->p50_ns, &sample->p90_ns,  &sample->p95_ns,
		&sample->p99_ns, &sample->p999_ns, &sample->p9999_ns,
	};

	return slots[i];
}

static double listed_percentile(const struct rp_latency *lat, double percent)
{
	for (size_t i = 0; i < lat->percentiles.count; i++)
		if (fabs(lat->percentiles.at[i].percent - percent) < 1e-4)
			return lat->percentiles.at[i].ns;
	return NAN;
}

/* How much every flow knows of a kind of latency: the least of them counts. */
enum knowledge { KNOWS_NOTHING, KNOWS_MEAN, KNOWS_PERCENTILES, KNOWS_BINS };

static enum knowledge knowledge_of(const flow_refs *flows,
				   enum rp_lat_kind kind)
{
	enum knowledge least = KNOWS_BINS;

	for (size_t i = 0; i < flows->count; i++) {
		const struct rp_latency *lat = &flows->at[i].flow->lat[kind];
		enum knowledge here = KNOWS_NOTHING;

		if (lat->bins.count)
			here = KNOWS_BINS;
		else if (lat->percentiles.count)
			here = KNOWS_PERCENTILES;
		else if (lat->present)
			here = KNOWS_MEAN;
		if (here < least)
			least = here;
	}
	return least;
}

/* fio prints 0 where the time was too short to measure: that is no rate. */
static double rate_or_unknown(double rate, uint64_t ios)
{
	return ios && rate <= 0 ? NAN : rate;
}

static void add_counts(const flow_refs *flows, struct rp_sample *sample)
{
	uint64_t reads = 0, reads_and_writes = 0;

	for (size_t i = 0; i < flows->count; i++) {
		const struct rp_flow *flow = flows->at[i].flow;

		sample->ios += flow->ios;
		sample->bytes += flow->bytes;
		sample->iops += rate_or_unknown(flow->iops, flow->ios);
		sample->bytes_per_s +=
			rate_or_unknown(flow->bytes_per_s, flow->ios);
		if (flows->at[i].ddir == RP_READ)
			reads += flow->ios;
		if (flows->at[i].ddir <= RP_WRITE)
			reads_and_writes += flow->ios;
	}
	if (reads_and_writes)
		sample->read_percent =
			100.0 * (double)reads / (double)reads_and_writes;
}

static double weight_of(const struct rp_flow *flow,
			const struct rp_latency *lat)
{
	return (double)(lat->samples ? lat->samples : flow->ios);
}

/* Means weigh by samples. */
static double mean_of(const flow_refs *flows, enum rp_lat_kind kind)
{
	double n = 0, sum = 0;

	for (size_t i = 0; i < flows->count; i++) {
		const struct rp_flow *flow = flows->at[i].flow;
		const struct rp_latency *lat = &flow->lat[kind];
		double weight = weight_of(flow, lat);

		if (!lat->present)
			return NAN;
		n += weight;
		sum += weight * lat->mean_ns;
	}
	return n > 0 ? sum / n : NAN;
}

/* The deviation is that of the pooled samples. */
static double deviation_of(const flow_refs *flows, enum rp_lat_kind kind,
			   double mean)
{
	double n = 0, squares = 0;

	/* one flow: fio's own number, not one that went through a square */
	if (flows->count == 1)
		return flows->at[0].flow->lat[kind].stddev_ns;
	for (size_t i = 0; i < flows->count; i++) {
		const struct rp_flow *flow = flows->at[i].flow;
		const struct rp_latency *lat = &flow->lat[kind];
		double weight = weight_of(flow, lat);
		double off = lat->mean_ns - mean;

		n += weight;
		squares +=
			weight * (lat->stddev_ns * lat->stddev_ns + off * off);
	}
	return n > 0 ? sqrt(squares / n) : NAN;
}

static void add_moments(const flow_refs *flows, struct rp_sample *sample)
{
	sample->mean_ns = mean_of(flows, sample->kind);
	sample->stddev_ns = deviation_of(flows, sample->kind, sample->mean_ns);
	for (size_t i = 0; i < flows->count; i++) {
		const struct rp_latency *lat =
			&flows->at[i].flow->lat[sample->kind];

		sample->min_ns = fmin(sample->min_ns, lat->min_ns);
		sample->max_ns = fmax(sample->max_ns, lat->max_ns);
	}
}

static int percentiles_of_bins(const flow_refs *flows, struct rp_sample *sample)
{
	struct rp_histogram histogram = {0};
	int ret = 0;

	for (size_t i = 0; i < flows->count && !ret; i++)
		ret = rp_histogram_add(&histogram,
				       &flows->at[i].flow->lat[sample->kind]);
	rp_histogram_sort(&histogram);
	for (size_t i = 0; i < WANTED_COUNT; i++)
		*slot(sample, i) =
			rp_histogram_percentile(&histogram, wanted[i]);
	sample->source = RP_PCT_BINS;
	rp_histogram_release(&histogram);
	return ret;
}

/* Percentiles of several flows can't be averaged: their maximum is a bound. */
static void percentiles_of_lists(const flow_refs *flows,
				 struct rp_sample *sample)
{
	sample->source = flows->count == 1 ? RP_PCT_FIO : RP_PCT_MAX;
	for (size_t i = 0; i < WANTED_COUNT; i++) {
		double most = -INFINITY;

		for (size_t f = 0; f < flows->count; f++) {
			double value = listed_percentile(
				&flows->at[f].flow->lat[sample->kind],
				wanted[i]);

			most = isnan(value) || isnan(most) ? NAN
							   : fmax(most, value);
		}
		*slot(sample, i) = most;
	}
}

/* Total latency unless only the other kind knows its percentiles. */
static int sample_of_flows(const flow_refs *flows, struct rp_sample *sample)
{
	enum knowledge total = knowledge_of(flows, RP_LAT);
	enum knowledge completion = knowledge_of(flows, RP_CLAT);
	enum knowledge known = total >= completion ? total : completion;

	sample->kind = total >= completion ? RP_LAT : RP_CLAT;
	add_counts(flows, sample);
	sample->total_mean_ns = mean_of(flows, RP_LAT);
	if (!flows->count || known == KNOWS_NOTHING)
		return 0;
	add_moments(flows, sample);
	if (known == KNOWS_BINS)
		return percentiles_of_bins(flows, sample);
	if (known == KNOWS_PERCENTILES)
		percentiles_of_lists(flows, sample);
	return 0;
}

static void sample_init(struct rp_sample *sample)
{
	*sample = (struct rp_sample){.mean_ns = NAN,
				     .min_ns = NAN,
				     .max_ns = NAN,
				     .stddev_ns = NAN,
				     .read_percent = NAN};
	for (size_t i = 0; i < WANTED_COUNT; i++)
		*slot(sample, i) = NAN;
}

int rp_sample_of_flow(const struct rp_job *job, enum rp_ddir ddir,
		      struct rp_sample *sample)
{
	struct flow_ref ref = {&job->flow[ddir], ddir};
	flow_refs one = {.at = &ref, .count = 1};

	sample_init(sample);
	sample->errors = job->error != 0;
	return sample_of_flows(&one, sample);
}

static int add_flow(flow_refs *flows, const struct rp_job *job,
		    enum rp_ddir ddir)
{
	struct flow_ref *ref;

	if (!job->flow[ddir].present)
		return 0;
	ref = rp_vec_push(flows);
	if (!ref)
		return -ENOMEM;
	*ref = (struct flow_ref){&job->flow[ddir], ddir};
	return 0;
}

static int add_job(flow_refs *flows, const struct rp_job *job)
{
	size_t before = flows->count;
	int ret = 0;

	for (int ddir = RP_READ; ddir <= RP_TRIM && !ret; ddir++)
		ret = add_flow(flows, job, ddir);
	/* unified_rw_reporting=both repeats the others in "mixed" */
	if (!ret && flows->count == before)
		ret = add_flow(flows, job, RP_MIXED);
	return ret;
}

int rp_sample_of_result(const struct rp_result *result,
			struct rp_sample *sample)
{
	flow_refs flows = {0};
	int ret = 0;

	sample_init(sample);
	for (size_t i = 0; i < result->jobs.count && !ret; i++) {
		const struct rp_job *job = &result->jobs.at[i];

		if (job->aggregate)
			continue;
		sample->errors += job->error != 0;
		ret = add_job(&flows, job);
	}
	if (!ret)
		ret = sample_of_flows(&flows, sample);
	rp_vec_release(&flows);
	return ret;
}
