/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_BASE_UNITS_H
#define RP_BASE_UNITS_H

#include <stddef.h>

/*
 * Numbers as people read them.  Every function writes into `buf` and returns
 * it; NAN (not known) gives an en dash.  32 bytes are always enough.
 */
#define RP_NUMBER_MAX 32

/* 80209 -> "80,209"; 0.5 -> "0.5" (below 10, one decimal unless whole) */
const char *rp_fmt_count(char *buf, size_t size, double value);
/* ns -> "203 µs", "1.59 ms", "12.4 s": three significant digits, own unit */
const char *rp_fmt_latency(char *buf, size_t size, double ns);
/* bytes/s -> "2,590 MB/s" (decimal, 1 MB = 10^6 bytes) */
const char *rp_fmt_bandwidth(char *buf, size_t size, double bytes_per_s);
/* bytes -> "4 KiB", "1.5 GiB": powers of 1024 */
const char *rp_fmt_bytes(char *buf, size_t size, double bytes);
/* 3.14159 -> "3.1 %" */
const char *rp_fmt_percent(char *buf, size_t size, double percent);

#endif
