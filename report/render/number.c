/* SPDX-License-Identifier: GPL-2.0-only */
#include "render/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_DIGITS 17	 /* of a double */
#define WHOLE_BELOW 1e15 /* written without an exponent */

void rp_number_add(struct rp_str *out, double number, const char *unknown)
{
	char text[40];

	if (!isfinite(number)) {
		rp_str_add(out, unknown);
		return;
	}
	if (number == nearbyint(number) && fabs(number) < WHOLE_BELOW) {
		rp_str_addf(out, "%.0f", number == 0 ? 0 : number);
		return;
	}
	for (int digits = 1; digits <= MOST_DIGITS; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, number);
		if (strtod(text, NULL) == number)
			break;
	}
	rp_str_add(out, text);
}
