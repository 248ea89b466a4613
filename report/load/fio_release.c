/* SPDX-License-Identifier: GPL-2.0-only */
#include "load/fio_release.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define RELEASE(major, minor) ((major)*1000L + (minor))

/* 3012 for "fio-3.12-7-gabc"; 0 if it is no fio version. */
static long parse(const char *version)
{
	long major, minor;
	char *end;

	if (strncmp(version, "fio-", 4) || !isdigit((unsigned char)version[4]))
		return 0;
	major = strtol(version + 4, &end, 10);
	if (*end != '.' || !isdigit((unsigned char)end[1]))
		return 0;
	minor = strtol(end + 1, NULL, 10);
	if (major > 999 || minor > 999)
		return 0;
	return RELEASE(major, minor);
}

bool rp_fio_puts_lat_in_clat(const char *version)
{
	long release = parse(version);

	return release >= RELEASE(3, 1) && release <= RELEASE(3, 12);
}

bool rp_fio_clients_latency_wrong(const char *version)
{
	long release = parse(version);

	return release && release < RELEASE(3, 33);
}
