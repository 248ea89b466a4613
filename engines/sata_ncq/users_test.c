/* SPDX-License-Identifier: GPL-2.0-only */
#include "users.h"

#include "unit.h"

static void each_disk_has_its_users(void **state)
{
	const unsigned int *first = sn_users_add("sda", "sg0");
	const unsigned int *second = sn_users_add("sdb", "sg1");

	(void)state;
	assert_int_equal(*first, 1);
	assert_int_equal(*second, 1);
	assert_ptr_equal(sn_users_add("sda", "sg0"), first);
	assert_int_equal(*first, 2);
	assert_int_equal(*second, 1);
}

static void a_name_may_be_missing(void **state)
{
	const unsigned int *block = sn_users_add("sdc", "");
	const unsigned int *generic = sn_users_add("", "sdc");

	(void)state;
	assert_ptr_not_equal(block, generic);
	assert_ptr_equal(sn_users_add("", "sdc"), generic);
	assert_int_equal(*block, 1);
	assert_int_equal(*generic, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_disk_has_its_users),
		cmocka_unit_test(a_name_may_be_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
