/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/units.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char unknown[] = "\xe2\x80\x93"; /* en dash */

/* Three significant digits as people write them: 1.59, 20.3, 203. */
static int digits_after_point(double value)
{
	value = fabs(value);
	if (value < 9.995)
		return 2;
	return value < 99.95 ? 1 : 0;
}

/* Insert commas between thousands into the digits of `plain`. */
static void group_thousands(char *buf, size_t size, const char *plain)
{
	size_t digits = strspn(plain + (*plain == '-'), "0123456789");
	size_t used = 0;

	if (*plain == '-' && used + 1 < size)
		buf[used++] = *plain++;
	for (size_t i = 0; plain[i] && used + 2 < size; i++) {
		if (i && i < digits && (digits - i) % 3 == 0)
			buf[used++] = ',';
		buf[used++] = plain[i];
	}
	buf[used] = '\0';
}

const char *rp_fmt_count(char *buf, size_t size, double value)
{
	char plain[RP_NUMBER_MAX];
	bool whole = value == nearbyint(value);

	if (!isfinite(value)) {
		snprintf(buf, size, "%s", unknown);
		return buf;
	}
	if (fabs(value) >= 1e18)
		snprintf(plain, sizeof(plain), "%.4g", value);
	else
		snprintf(plain, sizeof(plain), "%.*f",
			 !whole && fabs(value) < 9.95 ? 1 : 0, value);
	group_thousands(buf, size, plain);
	return buf;
}

/* The largest unit of the table that leaves a number of at least 1. */
struct scale {
	double factor;
	const char *unit;
};

static const char *scaled(char *buf, size_t size, double value,
			  const struct scale *scales, size_t count)
{
	const struct scale *s = scales;

	if (!isfinite(value)) {
		snprintf(buf, size, "%s", unknown);
		return buf;
	}
	/* 0.9995: what rounds up to 1 of a unit is written in that unit */
	while (s + 1 < scales + count && fabs(value) < s->factor * 0.9995)
		s++;
	value /= s->factor;
	if (fabs(value) >= 1e12)
		snprintf(buf, size, "%.3g %s", value, s->unit);
	else
		snprintf(buf, size, "%.*f %s", digits_after_point(value), value,
			 s->unit);
	return buf;
}

const char *rp_fmt_latency(char *buf, size_t size, double ns)
{
	static const struct scale scales[] = {
		{1e9, "s"},
		{1e6, "ms"},
		{1e3, "\xc2\xb5s"},
		{1, "ns"},
	};

	return scaled(buf, size, ns, scales,
		      sizeof(scales) / sizeof(scales[0]));
}

const char *rp_fmt_bandwidth(char *buf, size_t size, double bytes_per_s)
{
	char number[RP_NUMBER_MAX], plain[RP_NUMBER_MAX];
	double mb = bytes_per_s / 1e6;

	if (!isfinite(mb)) {
		snprintf(buf, size, "%s", unknown);
		return buf;
	}
	if (fabs(mb) >= 1e12)
		snprintf(number, sizeof(number), "%.3g", mb);
	else {
		snprintf(plain, sizeof(plain), "%.*f", digits_after_point(mb),
			 mb);
		group_thousands(number, sizeof(number), plain);
	}
	snprintf(buf, size, "%.20s MB/s", number);
	return buf;
}

const char *rp_fmt_bytes(char *buf, size_t size, double bytes)
{
	static const struct scale scales[] = {
		{0x1p40, "TiB"}, {0x1p30, "GiB"}, {0x1p20, "MiB"},
		{0x1p10, "KiB"}, {1, "B"},
	};
	size_t len;
	char *point;

	scaled(buf, size, bytes, scales, sizeof(scales) / sizeof(scales[0]));
	/* block sizes are whole numbers: 4 KiB, not 4.00 KiB */
	point = strstr(buf, ".00 ");
	len = strlen(buf);
	if (point)
		memmove(point, point + 3, len + 1 - (size_t)(point + 3 - buf));
	return buf;
}

const char *rp_fmt_percent(char *buf, size_t size, double percent)
{
	if (!isfinite(percent))
		snprintf(buf, size, "%s", unknown);
	else
		snprintf(buf, size, "%.*f %%",
			 percent == nearbyint(percent) ? 0 : 1, percent);
	return buf;
}
