/* SPDX-License-Identifier: GPL-2.0-only */
#include "unit.h"

#include "passthrough.h"

static void registers_of_16_are_in_their_places(void **state)
{
	const uint8_t cdb[CDB_BYTES] = {0x85, 0x19, 0x3d, 0x01, 0x02,
					0x83, 0x04, 0x34, 0xbc, 0x12,
					0x9a, 0x00, 0x78, 0xc0, 0x60};
	struct passthrough pt;

	(void)state;
	assert_true(passthrough_decode(cdb, &pt));
	assert_int_equal(pt.bytes, 16);
	assert_int_equal(pt.command.protocol, ATA_FPDMA);
	assert_int_equal(pt.command.feature, 0x0102);
	assert_int_equal(pt.command.count, 0x8304);
	assert_int_equal(pt.command.lba, 0x001234789abc);
	assert_int_equal(pt.command.device, 0xc0);
	assert_int_equal(pt.command.opcode, 0x60);
	assert_int_equal(ata_priority(&pt.command), 2);
	assert_true(ata_fua(&pt.command));
	assert_true(pt.check_condition && pt.to_host);
}

static void without_extend_registers_have_8_bits(void **state)
{
	const uint8_t cdb[CDB_BYTES] = {0x85, 0x08, 0x0e, 0xff, 0x02,
					0xff, 0x04, 0xff, 0xbc, 0xff,
					0x9a, 0xff, 0x78, 0x40, 0xec};
	struct passthrough pt;

	(void)state;
	assert_true(passthrough_decode(cdb, &pt));
	assert_int_equal(pt.command.feature, 0x02);
	assert_int_equal(pt.command.count, 0x04);
	assert_int_equal(pt.command.lba, 0x789abc);
}

static void registers_of_32_are_in_their_places(void **state)
{
	const uint8_t cdb[CDB_BYTES] = {
		[0] = 0x7f,  [7] = 0x18,  [8] = 0x1f,  [9] = 0xf0,  [10] = 0x19,
		[11] = 0x15, [14] = 0x00, [15] = 0x12, [16] = 0x34, [17] = 0x78,
		[18] = 0x9a, [19] = 0xbc, [20] = 0x01, [21] = 0x02, [22] = 0x40,
		[23] = 0x28, [24] = 0x40, [25] = 0x61, [27] = 0x33, [28] = 0x81,
		[31] = 0x01};
	struct passthrough pt;

	(void)state;
	assert_true(passthrough_decode(cdb, &pt));
	assert_int_equal(pt.bytes, 32);
	assert_int_equal(pt.command.lba, 0x001234789abc);
	assert_int_equal(pt.command.feature, 0x0102);
	assert_int_equal(ata_tag_field(&pt.command), 5);
	assert_int_equal(ata_priority(&pt.command), 1);
	assert_int_equal(pt.command.icc, 0x33);
	assert_int_equal(pt.command.auxiliary, 0x81000001);
	assert_false(pt.to_host);
}

static void another_variable_cdb_is_none(void **state)
{
	uint8_t cdb[CDB_BYTES] = {0x7f, [7] = 0x18, [8] = 0x1f, [9] = 0xf1};
	struct passthrough pt;

	(void)state;
	assert_false(passthrough_decode(cdb, &pt));
	cdb[9] = 0xf0;
	cdb[7] = 0x10;
	assert_false(passthrough_decode(cdb, &pt));
}

static void no_amount_is_the_most(void **state)
{
	const struct ata_command queued = {.protocol = ATA_FPDMA,
					   .opcode = ATA_READ_FPDMA};
	const struct ata_command dma = {.protocol = ATA_DMA,
					.opcode = ATA_READ_DMA_EXT};

	(void)state;
	assert_int_equal(ata_blocks(&queued), 65536);
	assert_int_equal(ata_bytes(&dma, 4096), 65536ull * 4096);
}

static void udma_is_dma_in_its_direction(void **state)
{
	struct passthrough pt = {
		.command = {.protocol = ATA_UDMA_IN,
			    .opcode = ATA_READ_DMA_EXT,
			    .count = 1},
		.to_host = true,
		.in_units = true,
		.length = 2,
	};

	(void)state;
	assert_true(passthrough_is_sound(&pt, 512, 512));
	pt.command.protocol = ATA_UDMA_OUT;
	assert_false(passthrough_is_sound(&pt, 512, 512));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_of_16_are_in_their_places),
		cmocka_unit_test(without_extend_registers_have_8_bits),
		cmocka_unit_test(registers_of_32_are_in_their_places),
		cmocka_unit_test(another_variable_cdb_is_none),
		cmocka_unit_test(no_amount_is_the_most),
		cmocka_unit_test(udma_is_dma_in_its_direction),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
