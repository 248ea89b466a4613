/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyse/curve.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/str.h"

#define ONE_MS 1e6

typedef RP_VEC(struct rp_xy) xy_list;

void rp_curve_release(struct rp_curve *curve)
{
	rp_vec_release(&curve->points);
	rp_strings_release(&curve->warnings);
	*curve = (struct rp_curve){0};
}

const char *rp_point_name(const struct rp_point *point, char *buf, size_t size)
{
	if (point->load_percent != RP_LOAD_PEAK)
		snprintf(buf, size, "%d %%", point->load_percent);
	else if (point->held_back)
		snprintf(buf, size, "limited");
	else if (point->outstanding > 0)
		snprintf(buf, size, "%.0f outstanding", point->outstanding);
	else
		snprintf(buf, size, "maximum");
	return buf;
}

/* I/Os that the point's threads keep up if nothing holds them back. */
static double kept_up(const struct rp_curve *curve,
		      const struct rp_point *point)
{
	return point->outstanding > 0 ? point->outstanding
				      : curve->profile->outstanding;
}

static bool is_missed(const struct rp_point *point,
		      const struct rp_sample *sample)
{
	double allowed = RP_MISSED_PERCENT / 100.0;
	double asked = point->asked_iops;

	if (asked <= 0)
		return false;
	if (point->runtime_s > 0)
		allowed = fmax(allowed, 3 / sqrt(asked * point->runtime_s));
	return sample->iops < asked * (1 - allowed);
}

/* Does nothing hold the point's threads back? */
static bool is_saturated(const struct rp_curve_point *cp)
{
	if (cp->point->asked_iops <= 0)
		return !cp->point->held_back;
	return cp->missed && cp->point->load_percent >= 100;
}

static bool is_little_off(const struct rp_curve_point *cp, double n)
{
	double deviation = (cp->outstanding - n) / n * 100;

	if (n <= 0 || isnan(deviation))
		return false;
	return deviation > RP_LITTLE_PERCENT ||
	       (is_saturated(cp) && deviation < -RP_LITTLE_PERCENT);
}

static int warn_failed(struct rp_curve *curve, const struct rp_point *point,
		       const char *reason)
{
	char name[RP_POINT_NAME_MAX];

	curve->failed++;
	return rp_strings_addf(&curve->warnings, "%s: no measurement: %s",
			       rp_point_name(point, name, sizeof(name)),
			       reason);
}

static int add_point(struct rp_curve *curve, const struct rp_point *point)
{
	struct rp_curve_point *cp;
	struct rp_sample sample;
	int ret;

	if (point->pending) {
		curve->pending++;
		return 0;
	}
	if (point->failure)
		return warn_failed(curve, point, point->failure);
	ret = rp_sample_of_result(&point->result, &sample);
	if (ret)
		return ret;
	if (!(sample.iops > 0))
		return warn_failed(curve, point, "too short for a rate");
	cp = rp_vec_push(&curve->points);
	if (!cp)
		return -ENOMEM;
	cp->point = point;
	cp->sample = sample;
	cp->missed = is_missed(point, &cp->sample);
	cp->outstanding = cp->sample.iops * cp->sample.total_mean_ns / 1e9;
	cp->little_off = is_little_off(cp, kept_up(curve, point));
	return 0;
}

static int add_points(struct rp_curve *curve)
{
	int ret = 0;

	for (size_t i = 0; i < curve->profile->points.count && !ret; i++)
		ret = add_point(curve, &curve->profile->points.at[i]);
	return ret;
}

static void find_peak(struct rp_curve *curve)
{
	curve->peak = 0;
	for (size_t i = 1; i < curve->points.count; i++)
		if (curve->points.at[i].sample.iops >
		    curve->points.at[curve->peak].sample.iops)
			curve->peak = i;
	curve->kind = curve->points.at[curve->peak].sample.kind;
}

/* Latencies of two kinds can't stand on one curve. */
static int check_kinds(struct rp_curve *curve)
{
	for (size_t i = 0; i < curve->points.count; i++)
		if (curve->points.at[i].sample.kind != curve->kind)
			return rp_strings_addf(
				&curve->warnings,
				"some points know only %s, others %s: their latencies are not comparable",
				rp_lat_kind_name[RP_CLAT],
				rp_lat_kind_name[RP_LAT]);
	return 0;
}

/* One warning for all points of the curve, each with its number. */
static int warn_little(struct rp_curve *curve)
{
	struct rp_str text = RP_STR_INIT;
	char name[RP_POINT_NAME_MAX];
	int ret = 0;

	for (size_t i = 0; i < curve->points.count; i++) {
		const struct rp_curve_point *cp = &curve->points.at[i];

		if (cp->little_off)
			rp_str_addf(
				&text, "%s %.3g of %.0f (%s)",
				text.len ? "," : "", cp->outstanding,
				kept_up(curve, cp->point),
				rp_point_name(cp->point, name, sizeof(name)));
	}
	if (rp_str_failed(&text))
		ret = -ENOMEM;
	else if (text.len)
		ret = rp_strings_addf(
			&curve->warnings,
			"IOPS x mean latency does not give the outstanding I/Os (Little's law):%s; I/O did not reach the drive, or the host could not keep all threads busy",
			text.buf);
	rp_str_release(&text);
	return ret;
}

/*
 * Does the share of reads stay within half a point of the profile's, and
 * within what chance explains (three standard deviations)?
 */
static bool is_mix_off(const struct rp_curve_point *cp, double wanted)
{
	double share = wanted / 100;
	double chance =
		300 * sqrt(share * (1 - share) / (double)(cp->sample.ios + 1));

	return fabs(cp->sample.read_percent - wanted) > fmax(0.5, chance);
}

static int warn_mix(struct rp_curve *curve)
{
	double wanted = curve->profile->read_percent;
	char name[RP_POINT_NAME_MAX];

	if (isnan(wanted))
		return 0;
	for (size_t i = 0; i < curve->points.count; i++) {
		const struct rp_curve_point *cp = &curve->points.at[i];

		if (is_mix_off(cp, wanted))
			return rp_strings_addf(
				&curve->warnings,
				"%s: %.1f %% of the I/Os were reads where the profile has %.1f %%",
				rp_point_name(cp->point, name, sizeof(name)),
				cp->sample.read_percent, wanted);
	}
	return 0;
}

static int warn_pending(struct rp_curve *curve)
{
	if (!curve->pending)
		return 0;
	return rp_strings_addf(&curve->warnings,
			       "%zu of %zu points not measured yet",
			       curve->pending, curve->profile->points.count);
}

typedef double (*sample_value)(const struct rp_sample *sample);

static double mean_of(const struct rp_sample *sample)
{
	return sample->mean_ns;
}

static double p99_of(const struct rp_sample *sample)
{
	return sample->p99_ns;
}

static int add_xy(const struct rp_curve_point *cp, sample_value value,
		  xy_list *list)
{
	struct rp_xy *xy = rp_vec_push(list);

	if (!xy)
		return -ENOMEM;
	*xy = (struct rp_xy){cp->sample.iops, value(&cp->sample)};
	return 0;
}

static bool is_maximum(const struct rp_curve_point *cp)
{
	return cp->point->load_percent == RP_LOAD_PEAK &&
	       cp->point->outstanding <= 0;
}

/*
 * A latency over IOPS in load order, up to the peak: what comes after it is
 * fewer IOPS at a higher load.  `with_maximum`: the maximum ends it if it is
 * the peak.
 */
static int collect(const struct rp_curve *curve, sample_value value,
		   bool with_maximum, xy_list *list)
{
	const struct rp_curve_point *peak = &curve->points.at[curve->peak];

	for (size_t i = 0; i < curve->points.count; i++) {
		const struct rp_curve_point *cp = &curve->points.at[i];
		int ret;

		if (is_maximum(cp))
			continue;
		ret = add_xy(cp, value, list);
		if (ret || cp == peak)
			return ret;
	}
	return with_maximum ? add_xy(peak, value, list) : 0;
}

static bool any_above(const struct rp_curve *curve, sample_value value)
{
	for (size_t i = 0; i < curve->points.count; i++)
		if (value(&curve->points.at[i].sample) > ONE_MS)
			return true;
	return false;
}

static int find_crossing(const struct rp_curve *curve, sample_value value,
			 struct rp_crossing *crossing)
{
	xy_list way = {0};
	int ret = collect(curve, value, true, &way);

	if (!ret)
		*crossing = rp_crossing_find(way.at, way.count, ONE_MS);
	rp_vec_release(&way);
	if (crossing->state == RP_CROSSING_NEVER && any_above(curve, value))
		crossing->state = RP_CROSSING_PAST_PEAK;
	return ret;
}

/* A bound below 1 ms proves something; one above it proves nothing. */
static void doubt_bounds(struct rp_curve *curve)
{
	for (size_t i = 0; i < curve->points.count; i++)
		if (curve->points.at[i].sample.source == RP_PCT_MAX &&
		    curve->p99_1ms.state != RP_CROSSING_NEVER)
			curve->p99_1ms.state = RP_CROSSING_UNKNOWN;
}

/* Between points with a rate; the maximum is no neighbour of any of them. */
static double mean_at_load(const struct rp_curve *curve, const xy_list *rated,
			   int load_percent)
{
	const struct rp_sample *peak = &curve->points.at[curve->peak].sample;

	for (size_t i = 0; i < curve->points.count; i++)
		if (curve->points.at[i].point->load_percent == load_percent)
			return curve->points.at[i].sample.mean_ns;
	if (load_percent == 100)
		return peak->mean_ns;
	return rp_interpolate(rated->at, rated->count,
			      peak->iops * load_percent / 100.0);
}

static void find_latencies(struct rp_curve *curve, const xy_list *rated)
{
	curve->lat10_ns = mean_at_load(curve, rated, 10);
	curve->lat50_ns = mean_at_load(curve, rated, 50);
	curve->lat90_ns = mean_at_load(curve, rated, 90);
	curve->lat100_ns = mean_at_load(curve, rated, 100);
}

static void find_knee(struct rp_curve *curve, const xy_list *means)
{
	long knee = rp_knee_find(means->at, means->count);

	curve->knee_iops = knee < 0 ? NAN : means->at[knee].x;
	curve->knee_ns = knee < 0 ? NAN : means->at[knee].y;
}

static int find_features(struct rp_curve *curve)
{
	xy_list means = {0}, rated = {0};
	int ret = find_crossing(curve, mean_of, &curve->mean_1ms);

	if (!ret)
		ret = find_crossing(curve, p99_of, &curve->p99_1ms);
	if (!ret)
		ret = collect(curve, mean_of, true, &means);
	if (!ret)
		ret = collect(curve, mean_of, false, &rated);
	if (!ret) {
		doubt_bounds(curve);
		find_latencies(curve, &rated);
		find_knee(curve, &means);
	}
	rp_vec_release(&means);
	rp_vec_release(&rated);
	return ret;
}

static void count_missed(struct rp_curve *curve)
{
	for (size_t i = 0; i < curve->points.count; i++)
		if (curve->points.at[i].missed &&
		    curve->points.at[i].point->load_percent <= 100)
			curve->missed++;
}

static const char *why_empty(const struct rp_curve *curve)
{
	if (curve->warnings.count)
		return curve->warnings.at[0];
	return curve->pending ? "not measured yet" : "no point was planned";
}

int rp_curve_make(const struct rp_run *run,
		  const struct rp_profile_run *profile, struct rp_curve *curve,
		  struct rp_err *err)
{
	int ret;

	*curve = (struct rp_curve){.profile = profile, .label = run->label};
	ret = add_points(curve);
	if (!ret && !curve->points.count)
		return rp_err_set(err, -EBADMSG, "%s", why_empty(curve));
	if (!ret) {
		find_peak(curve);
		count_missed(curve);
		ret = check_kinds(curve);
	}
	if (!ret)
		ret = warn_little(curve);
	if (!ret)
		ret = warn_mix(curve);
	if (!ret)
		ret = warn_pending(curve);
	if (!ret)
		ret = find_features(curve);
	if (ret)
		return rp_err_set(err, ret, "out of memory");
	return 0;
}
