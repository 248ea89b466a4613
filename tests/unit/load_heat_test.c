/* SPDX-License-Identifier: GPL-2.0-only */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "load/heat.h"

static int load(const char *text, const char *point, struct rp_heat *heat,
		struct rp_err *err)
{
	*heat = (struct rp_heat){0};
	*err = (struct rp_err){0};
	return rp_load_heat_text("csv", text, strlen(text), point, heat, err);
}

static void columns_may_stand_in_any_order(void **state)
{
	static const char *const texts[] = {
		"time,seconds,point,celsius\nx,0.5,p,40\nx,1.5,p,41.5\n",
		"celsius,point,more,seconds\r\n40,p,,0.5\r\n41.5,p,,1.5\r\n",
		"\"point\",celsius,seconds\np,40,0.5\n\n\"p\",41.5,1.5",
	};
	struct rp_heat heat;
	struct rp_err err;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		assert_int_equal(load(texts[i], NULL, &heat, &err), 0);
		assert_int_equal(heat.readings.count, 2);
		assert_near(heat.readings.at[1].seconds, 1.5, 0);
		assert_near(heat.readings.at[1].celsius, 41.5, 0);
		assert_string_equal(heat.point, "p");
		rp_heat_release(&heat);
	}
}

static void one_point_of_several_is_picked(void **state)
{
	const char *text = "seconds,point,celsius\n0,\"a,\"\"b\",30\n"
			   "0,c,40\n1,\"a,\"\"b\",31\n1,c,41\n";
	struct rp_heat heat;
	struct rp_err err;

	(void)state;
	assert_int_equal(load(text, NULL, &heat, &err), -EINVAL);
	assert_non_null(strstr(err.message, "--point"));
	assert_int_equal(err.line, 3);
	rp_heat_release(&heat);
	assert_int_equal(load(text, "a,\"b", &heat, &err), 0);
	assert_int_equal(heat.readings.count, 2);
	assert_near(heat.readings.at[1].celsius, 31, 0);
	rp_heat_release(&heat);
	assert_int_equal(load(text, "d", &heat, &err), -EBADMSG);
	assert_non_null(strstr(err.message, "of the point \"d\""));
	rp_heat_release(&heat);
}

static void of_a_point_begun_again_the_last_try_counts(void **state)
{
	struct rp_heat heat;
	struct rp_err err;

	(void)state;
	assert_int_equal(load("seconds,celsius\n0,30\n1,31\n2,32\n0,50\n1,51\n",
			      NULL, &heat, &err),
			 0);
	assert_int_equal(heat.readings.count, 2);
	assert_near(heat.readings.at[0].celsius, 50, 0);
	rp_heat_release(&heat);
}

static void bad_tables_are_named(void **state)
{
	static const struct {
		const char *text;
		unsigned line;
		const char *says;
	} cases[] = {
		{"", 0, "holds no temperature"},
		{"seconds,celsius\n", 0, "holds no temperature"},
		{"1,2,3\n", 1, "no column \"seconds\""},
		{"seconds,temp\n1,2\n", 1, "no column \"celsius\""},
		{"seconds,celsius\n1\n", 2, "has 1 cells; expected 2"},
		{"seconds,celsius\n1,x\n", 2, "celsius is \"x\""},
		{"seconds,celsius\n1,nan\n", 2, "celsius is \"nan\""},
		{"seconds,celsius\n1,\n", 2, "celsius is \"\""},
		{"seconds,celsius\n-1,30\n", 2, "seconds is \"-1\""},
		{"seconds,celsius\n1,30\n2,\"31\n", 3, "quote"},
	};
	struct rp_heat heat;
	struct rp_err err;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(load(cases[i].text, NULL, &heat, &err),
				 -EBADMSG);
		if (!strstr(err.message, cases[i].says))
			fail_msg("case %zu: %s", i, err.message);
		assert_int_equal(err.line, cases[i].line);
		rp_heat_release(&heat);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_may_stand_in_any_order),
		cmocka_unit_test(one_point_of_several_is_picked),
		cmocka_unit_test(of_a_point_begun_again_the_last_try_counts),
		cmocka_unit_test(bad_tables_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
