/* SPDX-License-Identifier: GPL-2.0-only */
#include "command_fixture.h"

#include "unit.h"

#include <string.h>

/*
 * All of a command as dwords: what it is, what it is expected to be.  Dwords 2
 * to 17 of struct nvme_uring_cmd are cdw2, cdw3, metadata (2), addr (2),
 * metadata_len, data_len, cdw10 to cdw15, timeout_ms and rsvd2.
 */
struct golden {
	uint32_t opcode, nsid, cdw2, cdw3, metadata[2], addr[2], metadata_len,
		data_len, cdw10, cdw11, cdw12, cdw13, cdw14, cdw15, timeout,
		reserved;
};

static void assert_command(const struct nvme_uring_cmd *command,
			   const struct golden *expected)
{
	uint32_t got[18], want[18];

	_Static_assert(sizeof(*command) == sizeof(want), "72 bytes");
	_Static_assert(sizeof(*expected) == sizeof(want), "72 bytes");
	memcpy(got, command, sizeof(got));
	memcpy(want, expected, sizeof(want));
	for (unsigned int i = 0; i < 18; i++) {
		if (got[i] != want[i])
			fail_msg("dword %u of the structure is %08x, not %08x",
				 i, got[i], want[i]);
	}
}

static const struct pt_namespace plain = {.nsid = 7, .block_bytes = 512};

static struct pt_namespace protected(uint8_t type, uint8_t guard_bits,
				     uint8_t storage_bits)
{
	const uint8_t bytes = guard_bits == 16 ? 8 : 16;

	return (struct pt_namespace){
		.nsid = 7,
		.block_bytes = 4096,
		.metadata_bytes = bytes,
		.pi = {.type = type,
		       .guard_bits = guard_bits,
		       .bytes = bytes,
		       .storage_bits = storage_bits},
	};
}

static const struct pt_modifiers none;

static const struct pt_modifiers all = EVERY_MODIFIER(2);

#define SLBA UINT64_C(0x0123456789abcdef)

/* What the engine does for one I/O, but for its buffers. */
static struct nvme_uring_cmd placed(enum pt_op op,
				    const struct pt_namespace *ns,
				    const struct pt_modifiers *modifiers)
{
	struct nvme_uring_cmd command;

	memset(&command, 0xff, sizeof(command));
	pt_command_prepare(&command, op, ns, modifiers);
	pt_command_place(&command, SLBA, 8);
	return command;
}

static void ops_are_named_as_in_the_specification(void **state)
{
	(void)state;
	assert_string_equal(pt_op_name(PT_READ), "Read");
	assert_string_equal(pt_op_name(PT_DEALLOCATE), "Dataset Management");
	assert_string_equal(pt_op_name(PT_ZONE_RESET), "Zone Management Send");
	for (enum pt_op op = 0; op < PT_OPS; op++)
		assert_non_null(pt_op_name(op));
}

static void data_pass_in_one_direction_at_most(void **state)
{
	(void)state;
	for (enum pt_op op = 0; op < PT_OPS; op++) {
		assert_int_equal(pt_op_from_device(op), op == PT_READ);
		assert_int_equal(pt_op_to_device(op),
				 op == PT_WRITE || op == PT_COMPARE ||
					 op == PT_APPEND ||
					 op == PT_DEALLOCATE || op == PT_COPY);
	}
}

static void only_transfers_and_zeroes_have_a_pi_action(void **state)
{
	(void)state;
	for (enum pt_op op = 0; op < PT_OPS; op++)
		assert_int_equal(pt_op_has_pi_action(op),
				 op == PT_READ || op == PT_WRITE ||
					 op == PT_WRITE_ZEROES ||
					 op == PT_COPY || op == PT_APPEND);
}

/* Base 2.0, figure "Opcodes for I/O commands", NVM Command Set figure 11 and
 * ZNS figure 22. */
static void without_modifiers_there_is_opcode_and_place(void **state)
{
	static const struct {
		enum pt_op op;
		uint32_t opcode;
	} ops[] = {
		{PT_READ, 0x02},
		{PT_WRITE, 0x01},
		{PT_COMPARE, 0x05},
		{PT_VERIFY, 0x0c},
		{PT_WRITE_ZEROES, 0x08},
		{PT_APPEND, 0x7d},
		{PT_WRITE_UNCORRECTABLE, 0x04},
		{PT_COPY, 0x19},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		const struct nvme_uring_cmd command =
			placed(ops[i].op, &plain, &none);
		const struct golden expected = {
			.opcode = ops[i].opcode,
			.nsid = 7,
			.cdw10 = 0x89abcdef,
			.cdw11 = 0x01234567,
			.cdw12 = 0x00000007,
		};

		assert_command(&command, &expected);
	}
}

static void placing_again_leaves_the_modifiers(void **state)
{
	struct nvme_uring_cmd command = placed(PT_WRITE, &plain, &all);

	(void)state;
	pt_command_place(&command, 1, 65536);
	assert_int_equal(command.cdw10, 1);
	assert_int_equal(command.cdw11, 0);
	assert_int_equal(command.cdw12, 0xc020ffff);
	pt_command_place(&command, 2, 1);
	assert_int_equal(command.cdw12, 0xc0200000);
}

/* Protection that the namespace does not have is not asked for. */
static void write_has_directive_and_hints(void **state)
{
	const struct nvme_uring_cmd command = placed(PT_WRITE, &plain, &all);

	(void)state;
	assert_command(&command, &(struct golden){
					 .opcode = 0x01,
					 .nsid = 7,
					 .cdw10 = 0x89abcdef,
					 .cdw11 = 0x01234567,
					 .cdw12 = 0xc0200007, /* figure 63 */
					 .cdw13 = 0xabcd0095, /* figure 64 */
					 .timeout = 5000,
				 });
}

static void read_has_hints_but_no_directive(void **state)
{
	const struct nvme_uring_cmd command = placed(PT_READ, &plain, &all);

	(void)state;
	assert_command(&command, &(struct golden){
					 .opcode = 0x02,
					 .nsid = 7,
					 .cdw10 = 0x89abcdef,
					 .cdw11 = 0x01234567,
					 .cdw12 = 0xc0000007, /* figure 48 */
					 .cdw13 = 0x00000095, /* figure 49 */
					 .timeout = 5000,
				 });
}

static void no_directive_type_means_no_directive_specific(void **state)
{
	struct pt_modifiers modifiers = all;
	struct nvme_uring_cmd command;

	(void)state;
	modifiers.directive = 0;
	command = placed(PT_WRITE, &plain, &modifiers);
	assert_int_equal(command.cdw12, 0xc0000007);
	assert_int_equal(command.cdw13, 0x00000095);
}

static void each_flag_is_its_own_bit(void **state)
{
	const struct pt_namespace ns = protected(1, 16, 0);
	static const struct {
		struct pt_modifiers modifiers;
		uint32_t cdw12;
	} flags[] = {
		{{.limited_retry = true}, 0x80000007},
		{{.fua = true}, 0x40000007},
		{{.pi_act = true}, 0x20000007},
		{{.pi_check = PT_CHECK_GUARD}, 0x10000007},
		{{.pi_check = PT_CHECK_APPLICATION}, 0x08000007},
		{{.pi_check = PT_CHECK_REFERENCE}, 0x04000007},
		{{.directive = 15}, 0x00f00007},
		{{.directive = 1}, 0x00100007},
		{{.deallocate = true}, 0x00000007},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		const struct nvme_uring_cmd command =
			placed(PT_WRITE, &ns, &flags[i].modifiers);

		assert_int_equal(command.cdw12, flags[i].cdw12);
	}
}

static void write_has_protection_and_tags(void **state)
{
	const struct pt_namespace ns = protected(1, 16, 0);
	struct nvme_uring_cmd command = placed(PT_WRITE, &ns, &all);

	(void)state;
	pt_command_reference(&command, &ns, SLBA);
	assert_command(&command, &(struct golden){
					 .opcode = 0x01,
					 .nsid = 7,
					 .cdw10 = 0x89abcdef,
					 .cdw11 = 0x01234567,
					 .cdw12 = 0xf4200007, /* figure 63 */
					 .cdw13 = 0xabcd0095, /* figure 64 */
					 .cdw14 = 0x89abcdef, /* figure 65 */
					 .cdw15 = 0xf0f01234, /* figure 66 */
					 .timeout = 5000,
				 });
}

static void read_has_protection_and_tags(void **state)
{
	const struct pt_namespace ns = protected(1, 16, 0);
	struct nvme_uring_cmd command = placed(PT_READ, &ns, &all);

	(void)state;
	pt_command_reference(&command, &ns, SLBA);
	assert_command(&command, &(struct golden){
					 .opcode = 0x02,
					 .nsid = 7,
					 .cdw10 = 0x89abcdef,
					 .cdw11 = 0x01234567,
					 .cdw12 = 0xf4000007, /* figure 48 */
					 .cdw13 = 0x00000095, /* figure 49 */
					 .cdw14 = 0x89abcdef, /* figure 50 */
					 .cdw15 = 0xf0f01234, /* figure 51 */
					 .timeout = 5000,
				 });
}

/* Figures 23 and 55: PRACT is cleared to 0 by the host. */
static void compare_and_verify_check_but_have_no_pi_action(void **state)
{
	const struct pt_namespace ns = protected(2, 16, 0);
	struct golden expected = {
		.nsid = 7,
		.cdw10 = 0x89abcdef,
		.cdw11 = 0x01234567,
		.cdw12 = 0xd4000007, /* figures 23 and 55 */
		.cdw14 = 0x89abcdef, /* figures 24 and 56 */
		.cdw15 = 0xf0f01234, /* figures 25 and 57 */
		.timeout = 5000,
	};
	struct nvme_uring_cmd command = placed(PT_COMPARE, &ns, &all);

	(void)state;
	pt_command_reference(&command, &ns, SLBA);
	expected.opcode = 0x05;
	assert_command(&command, &expected);
	command = placed(PT_VERIFY, &ns, &all);
	pt_command_reference(&command, &ns, SLBA);
	expected.opcode = 0x0c;
	assert_command(&command, &expected);
}

/* Figure 73: PRCHK shall be cleared to 000b; there are no DSM hints. */
static void write_zeroes_checks_nothing_and_may_deallocate(void **state)
{
	const struct pt_namespace ns = protected(1, 16, 0);
	struct nvme_uring_cmd command = placed(PT_WRITE_ZEROES, &ns, &all);

	(void)state;
	pt_command_reference(&command, &ns, SLBA);
	assert_command(&command, &(struct golden){
					 .opcode = 0x08,
					 .nsid = 7,
					 .cdw10 = 0x89abcdef,
					 .cdw11 = 0x01234567,
					 .cdw12 = 0xe2200007, /* figure 73 */
					 .cdw13 = 0xabcd0000,
					 .cdw14 = 0x89abcdef, /* figure 74 */
					 .cdw15 = 0xf0f01234, /* figure 75 */
					 .timeout = 5000,
				 });
}

static void write_uncorrectable_has_place_and_directive_only(void **state)
{
	const struct pt_namespace ns = protected(1, 16, 0);
	const struct nvme_uring_cmd command =
		placed(PT_WRITE_UNCORRECTABLE, &ns, &all);

	(void)state;
	assert_command(&command, &(struct golden){
					 .opcode = 0x04,
					 .nsid = 7,
					 .cdw10 = 0x89abcdef,
					 .cdw11 = 0x01234567,
					 .cdw12 = 0x00200007, /* figure 69 */
					 .cdw13 = 0xabcd0000,
					 .timeout = 5000,
				 });
}

static void flush_names_the_namespace_only(void **state)
{
	const struct pt_namespace ns = protected(1, 16, 0);
	struct nvme_uring_cmd command;

	(void)state;
	pt_command_prepare(&command, PT_FLUSH, &ns, &all);
	assert_command(&command, &(struct golden){.opcode = 0x00, /* 7.1 */
						  .nsid = 7,
						  .timeout = 5000});
}

/* ZNS figures 26 to 29; 3.4.1.1 for PIREMAP and the zone's tag. */
static void append_remaps_the_tags_of_the_zones_start(void **state)
{
	for (uint8_t type = 1; type <= 2; type++) {
		const struct pt_namespace ns = protected(type, 16, 0);
		struct nvme_uring_cmd command;

		pt_command_prepare(&command, PT_APPEND, &ns, &all);
		pt_command_place(&command, 0x300000000, 16);
		pt_command_reference(&command, &ns, 0x300000080);
		assert_command(&command, &(struct golden){
						 .opcode = 0x7d,
						 .nsid = 7,
						 .cdw10 = 0x00000000,
						 .cdw11 = 0x00000003,
						 .cdw12 = 0xf620000f,
						 .cdw13 = 0xabcd0000,
						 .cdw14 = 0x00000080,
						 .cdw15 = 0xf0f01234,
						 .timeout = 5000,
					 });
	}
	(void)state;
}

/* ZNS figure 26: with type 3 the bit is Invalid Protection Information. */
static void append_of_type_3_remaps_nothing(void **state)
{
	const struct pt_namespace ns = protected(3, 16, 0);
	const struct nvme_uring_cmd command = placed(PT_APPEND, &ns, &all);

	(void)state;
	assert_int_equal(command.cdw12, 0xf4200007);
}

static void append_without_protection_remaps_nothing(void **state)
{
	const struct nvme_uring_cmd command = placed(PT_APPEND, &plain, &all);

	(void)state;
	assert_int_equal(command.cdw12, 0xc0200007);
}

/* ZNS 3.4.3: Select All is bit 8 of dword 13. */
static void all_zones_are_reset_by_one_command(void **state)
{
	const struct pt_namespace ns = protected(0, 16, 0);
	struct nvme_uring_cmd command;

	(void)state;
	pt_command_prepare(&command, PT_ZONE_RESET, &ns, &all);
	pt_command_all_zones(&command);
	assert_int_equal(command.cdw13, 0x104);
}

/* ZNS 3.4.3: Zone Send Action 04h, of one zone. */
static void a_zone_is_reset_by_zone_management_send(void **state)
{
	const struct pt_namespace ns = protected(1, 16, 0);
	struct nvme_uring_cmd command;

	(void)state;
	pt_command_prepare(&command, PT_ZONE_RESET, &ns, &all);
	pt_command_place(&command, 0x300000080, 1);
	assert_command(&command, &(struct golden){
					 .opcode = 0x79,
					 .nsid = 7,
					 .cdw10 = 0x00000080,
					 .cdw11 = 0x00000003,
					 .cdw13 = 0x00000004,
					 .timeout = 5000,
				 });
}

static void deallocate_has_ranges_and_the_attribute(void **state)
{
	const struct pt_namespace ns = protected(1, 16, 0);
	struct nvme_uring_cmd command = placed(PT_DEALLOCATE, &ns, &all);

	(void)state;
	pt_command_ranges(&command, 256);
	assert_command(&command, &(struct golden){
					 .opcode = 0x09,
					 .nsid = 7,
					 .cdw10 = 0x000000ff, /* figure 39 */
					 .cdw11 = 0x00000004, /* figure 40 */
					 .timeout = 5000,
				 });
	pt_command_ranges(&command, 1);
	assert_int_equal(command.cdw10, 0);
}

static void a_range_is_sixteen_bytes(void **state)
{
	static const uint8_t expected[16] = {
		0,    0,    0,	  0,	/* figure 41: context attributes */
		0x04, 0x03, 0x02, 0x01, /* length in logical blocks */
		0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01,
	};
	struct pt_dsm_range range;

	(void)state;
	memset(&range, 0xff, sizeof(range));
	pt_dsm_range_set(&range, SLBA, 0x01020304);
	assert_int_equal(sizeof(range), 16);
	assert_memory_equal(&range, expected, sizeof(expected));
}

struct reference {
	uint8_t type, guard_bits, storage_bits;
	uint32_t cdw2, cdw3, cdw14;
};

/* Figure 125, and the examples of figures 126 to 131. */
static void reference_tags_leave_room_for_storage_tags(void **state)
{
	static const struct reference references[] = {
		{1, 16, 0, 0, 0, 0x89abcdef},
		{2, 16, 0, 0, 0, 0x89abcdef},
		{3, 16, 0, 0, 0, 0},
		{0, 16, 0, 0, 0, 0},
		{1, 16, 12, 0, 0, 0x000bcdef},
		{1, 16, 32, 0, 0, 0},
		{1, 32, 16, 0, 0x01234567, 0x89abcdef},
		{1, 32, 32, 0, 0x00004567, 0x89abcdef},
		{2, 32, 64, 0, 0, 0x0000cdef},
		{3, 32, 32, 0, 0, 0},
		{1, 64, 0, 0, 0x00004567, 0x89abcdef},
		{1, 64, 18, 0, 0, 0x09abcdef},
		{2, 64, 48, 0, 0, 0},
		{3, 64, 0, 0, 0, 0},
		/* no device should say that */
		{1, 16, 255, 0, 0, 0},
		{1, 32, 0, 0, 0x01234567, 0x89abcdef},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(references) / sizeof(references[0]);
	     i++) {
		const struct reference *r = &references[i];
		const struct pt_namespace ns =
			protected(r->type, r->guard_bits, r->storage_bits);
		struct nvme_uring_cmd command;

		memset(&command, 0xff, sizeof(command));
		pt_command_reference(&command, &ns, SLBA);
		assert_int_equal(command.cdw2, r->cdw2);
		assert_int_equal(command.cdw3, r->cdw3);
		assert_int_equal(command.cdw14, r->cdw14);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ops_are_named_as_in_the_specification),
		cmocka_unit_test(data_pass_in_one_direction_at_most),
		cmocka_unit_test(only_transfers_and_zeroes_have_a_pi_action),
		cmocka_unit_test(without_modifiers_there_is_opcode_and_place),
		cmocka_unit_test(placing_again_leaves_the_modifiers),
		cmocka_unit_test(write_has_directive_and_hints),
		cmocka_unit_test(read_has_hints_but_no_directive),
		cmocka_unit_test(no_directive_type_means_no_directive_specific),
		cmocka_unit_test(each_flag_is_its_own_bit),
		cmocka_unit_test(write_has_protection_and_tags),
		cmocka_unit_test(read_has_protection_and_tags),
		cmocka_unit_test(
			compare_and_verify_check_but_have_no_pi_action),
		cmocka_unit_test(
			write_zeroes_checks_nothing_and_may_deallocate),
		cmocka_unit_test(
			write_uncorrectable_has_place_and_directive_only),
		cmocka_unit_test(flush_names_the_namespace_only),
		cmocka_unit_test(append_remaps_the_tags_of_the_zones_start),
		cmocka_unit_test(append_of_type_3_remaps_nothing),
		cmocka_unit_test(append_without_protection_remaps_nothing),
		cmocka_unit_test(a_zone_is_reset_by_zone_management_send),
		cmocka_unit_test(all_zones_are_reset_by_one_command),
		cmocka_unit_test(deallocate_has_ranges_and_the_attribute),
		cmocka_unit_test(a_range_is_sixteen_bytes),
		cmocka_unit_test(reference_tags_leave_room_for_storage_tags),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
