/* SPDX-License-Identifier: GPL-2.0-only */
#include "load/json_value.h"

#include <ctype.h>
#include <limits.h>

uint64_t rp_json_count(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	if (json_is_integer(value))
		return (uint64_t)json_integer_value(value);
	if (json_is_real(value)) {
		double real = json_real_value(value);

		if (real >= 0 && real < 18446744073709551616.0)
			return (uint64_t)real;
	}
	return 0;
}

double rp_json_number(const json_t *object, const char *key, double missing)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : missing;
}

int rp_json_int(const json_t *object, const char *key)
{
	json_int_t value = json_integer_value(json_object_get(object, key));

	if (value < INT_MIN || value > INT_MAX)
		return value < 0 ? INT_MIN : INT_MAX;
	return (int)value;
}

const char *rp_json_text(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

bool rp_json_has(const json_t *object, const char *key)
{
	return json_object_get(object, key) != NULL;
}

bool rp_parse_decimal(const char *text, double *value)
{
	double digits = 0, scale = 1;
	bool any = false, fraction = false;

	for (; *text; text++) {
		if (*text == '.' && !fraction) {
			fraction = true;
			continue;
		}
		if (!isdigit((unsigned char)*text))
			return false;
		any = true;
		digits = digits * 10 + (*text - '0');
		if (fraction)
			scale *= 10;
	}
	/* one division of two exact numbers: rounded once, as strtod() does */
	*value = digits / scale;
	return any && scale < 1e18 && digits < 1e18;
}
