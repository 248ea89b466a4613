/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_LOAD_JSON_VALUE_H
#define RP_LOAD_JSON_VALUE_H

/* Values of JSON objects that may be missing or of the wrong kind. */

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* 0 if missing or no number; fio prints 64-bit counters as signed. */
uint64_t rp_json_count(const json_t *object, const char *key);
/* `missing` if it is no number (a NaN was made null). */
double rp_json_number(const json_t *object, const char *key, double missing);
int rp_json_int(const json_t *object, const char *key);
/* NULL if missing or no string. */
const char *rp_json_text(const json_t *object, const char *key);
bool rp_json_has(const json_t *object, const char *key);

/*
 * A key that is a decimal number ("99.950000", "1499136").  False if it is
 * none.  Unlike strtod() it does not depend on the locale.
 */
bool rp_parse_decimal(const char *text, double *value);

#endif
