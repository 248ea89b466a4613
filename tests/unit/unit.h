/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TESTS_UNIT_UNIT_H
#define TESTS_UNIT_UNIT_H

/* cmocka wants these four first and in this order. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#define assert_near(value, expected, tolerance)                                \
	assert_float_equal((value), (expected), (tolerance))

#endif
