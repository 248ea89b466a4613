/* SPDX-License-Identifier: GPL-2.0-only */
#include "namespace_parse.h"

#include "unit.h"

#include <string.h>
#include <sys/mman.h>

/* A page of descriptors, and one that can't be read behind it. */
static int set_up(void **state)
{
	uint8_t *page =
		mmap(NULL, 2 * PT_IDENTIFY_BYTES, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(page, MAP_FAILED);
	assert_int_equal(mprotect(page + PT_IDENTIFY_BYTES, PT_IDENTIFY_BYTES,
				  PROT_NONE),
			 0);
	*state = page;
	return 0;
}

static int tear_down(void **state)
{
	return munmap(*state, 2 * PT_IDENTIFY_BYTES);
}

static void the_command_set_is_found_behind_other_descriptors(void **state)
{
	uint8_t *d = *state;

	memset(d, 0, PT_IDENTIFY_BYTES);
	d[0] = 3; /* UUID */
	d[1] = 16;
	memset(d + 4, 0xff, 16);
	d[20] = 4;
	d[21] = 1;
	d[24] = 2;
	assert_int_equal(pt_namespace_csi(d), 2);
}

static void descriptors_end_with_their_page(void **state)
{
	uint8_t *d = *state;

	for (unsigned int length = 0; length < 256; length++) {
		for (size_t i = 0; i < PT_IDENTIFY_BYTES; i++)
			d[i] = i % (4 + length) == 1 ? (uint8_t)length : 1;
		assert_int_equal(pt_namespace_csi(d), PT_CSI_NVM);
	}
	memset(d, 0xff, PT_IDENTIFY_BYTES);
	assert_int_equal(pt_namespace_csi(d), PT_CSI_NVM);
}

/* Head in the last four bytes, and nothing behind it. */
static void a_descriptor_that_is_cut_off_says_nothing(void **state)
{
	uint8_t *d = *state;
	unsigned int at;

	for (at = 0; at < PT_IDENTIFY_BYTES - 16; at += 4 + 251) {
		d[at] = 3;
		d[at + 1] = 251;
	}
	d[at] = 3;
	d[at + 1] = 8;
	d[PT_IDENTIFY_BYTES - 4] = 4;
	d[PT_IDENTIFY_BYTES - 3] = 1;
	assert_int_equal(at, PT_IDENTIFY_BYTES - 16);
	assert_int_equal(pt_namespace_csi(d), PT_CSI_NVM);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_command_set_is_found_behind_other_descriptors),
		TEST(descriptors_end_with_their_page),
		TEST(a_descriptor_that_is_cut_off_says_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
