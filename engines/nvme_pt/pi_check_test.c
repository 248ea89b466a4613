/* SPDX-License-Identifier: GPL-2.0-only */
#include "pi.h"

#include "unit.h"

#include <string.h>

#include "command.h"

#define ALL (PT_CHECK_GUARD | PT_CHECK_APPLICATION | PT_CHECK_REFERENCE)
#define BLOCKS 4
#define BLOCK 512
#define UNTOUCHED 99

/* Four good blocks from LBA FFFFFFFEh on: the tag of 32 bits rolls over. */
struct fixture {
	struct pt_namespace ns;
	struct pt_blocks blocks;
	unsigned int size;		    /* of a block's metadata */
	unsigned int apptag, reference_end; /* where they are in it */
	uint32_t bad;
	uint8_t data[BLOCKS * BLOCK], metadata[BLOCKS * 24];
};

static void make(struct fixture *f, uint8_t type, uint8_t guard_bits)
{
	const uint8_t bytes = guard_bits == 16 ? 8 : 16;

	memset(f, 0, sizeof(*f));
	f->size = bytes + 8u;
	f->apptag = 8 + guard_bits / 8u;
	f->reference_end = f->size - 1;
	f->bad = UNTOUCHED;
	f->ns = (struct pt_namespace){
		.block_bytes = BLOCK,
		.metadata_bytes = (uint16_t)f->size,
		.pi = {.type = type, .guard_bits = guard_bits, .bytes = bytes},
	};
	f->blocks = (struct pt_blocks){
		.data = f->data,
		.data_stride = BLOCK,
		.metadata = f->metadata,
		.metadata_stride = f->size,
		.count = BLOCKS,
		.slba = 0xfffffffe,
	};
	for (size_t i = 0; i < sizeof(f->data); i++)
		f->data[i] = (uint8_t)(i * 7 + i / 256);
	pt_pi_generate(&f->ns, &f->blocks, 0x1234);
}

static enum pt_pi_fault check(struct fixture *f, unsigned int which)
{
	return pt_pi_check(&f->ns, &f->blocks, which, 0x1234, 0xffff, &f->bad);
}

static uint8_t *metadata_of(struct fixture *f, unsigned int block)
{
	return f->metadata + block * f->size;
}

static const uint8_t guards[] = {16, 32, 64};

static void what_was_generated_is_good(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(guards); i++) {
		for (uint8_t type = 1; type <= 3; type++) {
			struct fixture f;

			make(&f, type, guards[i]);
			assert_int_equal(check(&f, ALL), PT_PI_GOOD);
			assert_int_equal(f.bad, UNTOUCHED);
		}
	}
}

static void a_changed_bit_of_data_is_a_wrong_guard(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(guards); i++) {
		struct fixture f;

		make(&f, 1, guards[i]);
		f.data[2 * BLOCK + 511] ^= 0x01;
		assert_int_equal(check(&f, ALL), PT_PI_GUARD);
		assert_int_equal(f.bad, 2);
		assert_int_equal(check(&f, ALL & ~PT_CHECK_GUARD), PT_PI_GOOD);
	}
}

static void a_changed_bit_of_metadata_is_a_wrong_guard(void **state)
{
	struct fixture f;

	(void)state;
	make(&f, 1, 64);
	metadata_of(&f, 3)[7] ^= 0x80;
	assert_int_equal(check(&f, ALL), PT_PI_GUARD);
	assert_int_equal(f.bad, 3);
}

static void metadata_behind_are_not_guarded(void **state)
{
	struct fixture f;

	(void)state;
	make(&f, 1, 16);
	f.ns.pi.first = true;
	pt_pi_generate(&f.ns, &f.blocks, 0x1234);
	metadata_of(&f, 0)[8] ^= 0x80;
	assert_int_equal(check(&f, ALL), PT_PI_GOOD);
	metadata_of(&f, 0)[1] ^= 0x80;
	assert_int_equal(check(&f, ALL), PT_PI_GUARD);
}

static void the_mask_says_which_bits_of_the_application_tag_count(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(guards); i++) {
		struct fixture f;

		make(&f, 1, guards[i]);
		metadata_of(&f, 1)[f.apptag] ^= 0x80;
		assert_int_equal(check(&f, ALL), PT_PI_APPLICATION);
		assert_int_equal(f.bad, 1);
		assert_int_equal(pt_pi_check(&f.ns, &f.blocks, ALL, 0x1234,
					     0x7fff, &f.bad),
				 PT_PI_GOOD);
		assert_int_equal(check(&f, ALL & ~PT_CHECK_APPLICATION),
				 PT_PI_GOOD);
	}
}

static void the_reference_tag_is_that_of_the_lba(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(guards); i++) {
		struct fixture f;

		make(&f, 2, guards[i]);
		metadata_of(&f, 3)[f.reference_end] ^= 0x10;
		assert_int_equal(check(&f, ALL), PT_PI_REFERENCE);
		assert_int_equal(f.bad, 3);
		assert_int_equal(check(&f, ALL & ~PT_CHECK_REFERENCE),
				 PT_PI_GOOD);
		make(&f, 1, guards[i]);
		f.blocks.slba++;
		assert_int_equal(check(&f, ALL), PT_PI_REFERENCE);
		assert_int_equal(f.bad, 0);
	}
}

static void all_bits_of_the_reference_tag_count(void **state)
{
	static const uint8_t first[] = {12, 16, 18};

	(void)state;
	for (size_t i = 0; i < sizeof(guards); i++) {
		struct fixture f;

		make(&f, 1, guards[i]);
		f.ns.pi.storage_bits = guards[i] == 32 ? 16 : 0;
		metadata_of(&f, 0)[first[i]] ^= 0x80;
		assert_int_equal(check(&f, PT_CHECK_REFERENCE),
				 PT_PI_REFERENCE);
	}
}

static void the_storage_tag_is_not_compared(void **state)
{
	struct fixture f;

	(void)state;
	make(&f, 1, 32);
	f.ns.pi.storage_bits = 32;
	metadata_of(&f, 0)[14] = 0xff;
	metadata_of(&f, 0)[17] = 0xff;
	assert_int_equal(check(&f, ALL), PT_PI_GOOD);
	metadata_of(&f, 0)[18] = 0xff;
	assert_int_equal(check(&f, ALL), PT_PI_REFERENCE);
}

static void the_guard_is_looked_at_before_the_tags(void **state)
{
	struct fixture f;

	(void)state;
	make(&f, 1, 16);
	metadata_of(&f, 1)[f.reference_end] ^= 1;
	assert_int_equal(check(&f, ALL), PT_PI_REFERENCE);
	metadata_of(&f, 1)[f.apptag] ^= 1;
	assert_int_equal(check(&f, ALL), PT_PI_APPLICATION);
	metadata_of(&f, 1)[f.apptag - 1] ^= 1;
	assert_int_equal(check(&f, ALL), PT_PI_GUARD);
	metadata_of(&f, 0)[f.reference_end] ^= 1;
	assert_int_equal(check(&f, ALL), PT_PI_REFERENCE);
	assert_int_equal(f.bad, 0);
}

/* 5.2.3: as blocks are that were deallocated. */
static void application_tag_ffff_means_not_checked(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(guards); i++) {
		for (uint8_t type = 1; type <= 2; type++) {
			struct fixture f;

			make(&f, type, guards[i]);
			memset(metadata_of(&f, 2) + f.apptag, 0xff, 2);
			f.data[2 * BLOCK] ^= 1;
			metadata_of(&f, 2)[f.reference_end] ^= 1;
			assert_int_equal(check(&f, ALL), PT_PI_GOOD);
			metadata_of(&f, 2)[f.apptag + 1] = 0xfe;
			assert_int_equal(check(&f, ALL), PT_PI_GUARD);
		}
	}
}

static void type_3_wants_the_reference_tag_all_ones_too(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(guards); i++) {
		struct fixture f;

		make(&f, 3, guards[i]);
		f.ns.pi.storage_bits = 20;
		f.data[2 * BLOCK] ^= 1;
		memset(metadata_of(&f, 2) + f.apptag, 0xff, 2);
		assert_int_equal(check(&f, ALL), PT_PI_GUARD);
		memset(metadata_of(&f, 2) + f.apptag, 0xff, f.size - f.apptag);
		assert_int_equal(check(&f, ALL), PT_PI_GOOD);
		metadata_of(&f, 2)[f.reference_end] = 0xfe;
		assert_int_equal(check(&f, ALL), PT_PI_GUARD);
	}
}

static void type_3_has_any_reference_tag(void **state)
{
	struct fixture f;

	(void)state;
	make(&f, 3, 16);
	metadata_of(&f, 1)[f.reference_end] = 0x77;
	assert_int_equal(check(&f, ALL), PT_PI_GOOD);
}

static void no_blocks_are_good(void **state)
{
	struct fixture f;

	(void)state;
	make(&f, 1, 16);
	f.metadata[8] ^= 1;
	f.blocks.count = 0;
	assert_int_equal(check(&f, ALL), PT_PI_GOOD);
}

static void faults_have_names(void **state)
{
	(void)state;
	assert_string_equal(pt_pi_fault_name(PT_PI_GUARD), "guard");
	assert_string_equal(pt_pi_fault_name(PT_PI_APPLICATION),
			    "application tag");
	assert_string_equal(pt_pi_fault_name(PT_PI_REFERENCE), "reference tag");
	assert_string_equal(pt_pi_fault_name(PT_PI_GOOD), "none");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_generated_is_good),
		cmocka_unit_test(a_changed_bit_of_data_is_a_wrong_guard),
		cmocka_unit_test(a_changed_bit_of_metadata_is_a_wrong_guard),
		cmocka_unit_test(metadata_behind_are_not_guarded),
		cmocka_unit_test(
			the_mask_says_which_bits_of_the_application_tag_count),
		cmocka_unit_test(the_reference_tag_is_that_of_the_lba),
		cmocka_unit_test(all_bits_of_the_reference_tag_count),
		cmocka_unit_test(the_storage_tag_is_not_compared),
		cmocka_unit_test(the_guard_is_looked_at_before_the_tags),
		cmocka_unit_test(application_tag_ffff_means_not_checked),
		cmocka_unit_test(type_3_wants_the_reference_tag_all_ones_too),
		cmocka_unit_test(type_3_has_any_reference_tag),
		cmocka_unit_test(no_blocks_are_good),
		cmocka_unit_test(faults_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
