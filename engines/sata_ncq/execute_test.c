/* SPDX-License-Identifier: GPL-2.0-only */
#include "execute.h"

#include "sg_fixture.h"

#include "identify_fixture.h"

/* Its place in ATA PASS-THROUGH(16), SAT 12.2.2, and ACS by name */
#define COMMAND 14
#define IDENTIFY_DEVICE 0xec
#define READ_LOG_EXT 0x2f
#define FLUSH_CACHE_EXT 0xea

/* What the disk does, and what it saw. */
static struct disk {
	uint8_t page[512]; /* what it answers */
	uint8_t status, sense[32];
	uint16_t host_status;
	int resid, error;
	unsigned int attentions; /* calls that end with UNIT ATTENTION */
	struct sg_io_hdr seen;
	uint8_t cdb[SN_CDB_MAX];
	unsigned int calls;
} disk;

/* Power on, reset or bus device reset occurred; SPC-5 4.4.3 */
static const uint8_t attention[32] = {
	[0] = 0x70, [2] = 6, [7] = 10, [12] = 0x29};

static int answer(struct sg_io_hdr *header, uint8_t status,
		  const uint8_t *sense, size_t bytes)
{
	assert_true(header->mx_sb_len >= bytes);
	memcpy(header->sbp, sense, bytes);
	header->sb_len_wr = (unsigned char)bytes;
	header->info = SG_INFO_CHECK;
	header->status = status;
	return 0;
}

static int perform(int fd, struct sg_io_hdr *header)
{
	(void)fd;
	disk.calls++;
	if (fake_interrupted())
		return fake_fail(EINTR);
	disk.seen = *header;
	assert_true(header->cmd_len <= sizeof(disk.cdb));
	memcpy(disk.cdb, header->cmdp, header->cmd_len);
	if (disk.error)
		return fake_fail(disk.error);
	if (disk.calls <= disk.attentions)
		return answer(header, 2, attention, sizeof(attention));
	if (header->dxfer_direction == SG_DXFER_FROM_DEV)
		memcpy(header->dxferp, disk.page, header->dxfer_len);
	if (disk.status)
		answer(header, disk.status, disk.sense, sizeof(disk.sense));
	header->host_status = disk.host_status;
	header->resid = disk.resid;
	return 0;
}

static int set_up(void **state)
{
	static int fd;

	load_disk(NULL);
	begin_fake();
	fake.sg_io = perform;
	memset(&disk, 0, sizeof(disk));
	memcpy(disk.page, data, sizeof(disk.page));
	fd = open(FAKE_NODE "0", O_RDWR | O_CLOEXEC);
	*state = &fd;
	return 0;
}

static int tear_down(void **state)
{
	close(*(int *)*state);
	end_fake();
	return 0;
}

/* Of a sector that can't be read, fixed format, SPC-5 4.4.3 */
static void fail_by_sense(void)
{
	static const uint8_t sense[] = {
		[0] = 0xf0, [2] = 3, [6] = 9, [7] = 10, [12] = 0x11};

	disk.status = 2;
	memcpy(disk.sense, sense, sizeof(sense));
}

static struct sn_outcome execute(int fd, enum sn_direction direction,
				 void *memory, unsigned int bytes)
{
	const struct sn_cdb cdb = {.bytes = {0x88, 1, 2}, .length = 16};
	struct sn_outcome outcome;

	memset(&outcome, 0xff, sizeof(outcome));
	sn_execute(fd, &cdb, direction, memory, bytes, 4321, &outcome);
	return outcome;
}

static void a_command_is_sent_as_it_is(void **state)
{
	uint8_t memory[512] = {0};

	assert_int_equal(
		execute(*(int *)*state, SN_FROM_DEVICE, memory, 512).kind,
		SN_GOOD);
	assert_memory_equal(disk.cdb, "\x88\1\2\0", 4);
	assert_int_equal(disk.seen.interface_id, 'S');
	assert_int_equal(disk.seen.cmd_len, 16);
	assert_int_equal(disk.seen.timeout, 4321);
	assert_int_equal(disk.seen.dxfer_len, 512);
	assert_memory_equal(memory, disk.page, 512);
}

static void data_go_the_way_of_the_command(void **state)
{
	const int fd = *(int *)*state;
	uint8_t memory[8] = {0};

	execute(fd, SN_TO_DEVICE, memory, sizeof(memory));
	assert_int_equal(disk.seen.dxfer_direction, SG_DXFER_TO_DEV);
	execute(fd, SN_FROM_DEVICE, memory, sizeof(memory));
	assert_int_equal(disk.seen.dxfer_direction, SG_DXFER_FROM_DEV);
	execute(fd, SN_NO_DATA, NULL, 0);
	assert_int_equal(disk.seen.dxfer_direction, SG_DXFER_NONE);
}

static void what_the_drive_says_is_the_outcome(void **state)
{
	struct sn_outcome outcome;

	fail_by_sense();
	outcome = execute(*(int *)*state, SN_NO_DATA, NULL, 0);
	assert_int_equal(outcome.kind, SN_MEDIA);
	assert_int_equal(outcome.sense.asc, 0x11);
	assert_int_equal(sn_outcome_to_errno(&outcome), ENODATA);
}

static void a_call_that_fails_is_its_errno(void **state)
{
	struct sn_outcome outcome;

	disk.error = ENODEV;
	outcome = execute(*(int *)*state, SN_NO_DATA, NULL, 0);
	assert_int_equal(outcome.kind, SN_GONE);
	assert_int_equal(outcome.error, ENODEV);
	assert_int_equal(disk.calls, 1);
}

static void after_a_signal_it_is_sent_again(void **state)
{
	fake.interrupts = 2;
	assert_int_equal(execute(*(int *)*state, SN_NO_DATA, NULL, 0).kind,
			 SN_GOOD);
	assert_int_equal(disk.calls, 3);
}

static void after_resets_it_is_sent_again(void **state)
{
	struct sn_outcome outcome;
	uint8_t memory[512] = {0};

	disk.attentions = 3;
	outcome = execute(*(int *)*state, SN_FROM_DEVICE, memory, 512);
	assert_int_equal(outcome.kind, SN_GOOD);
	assert_int_equal(disk.calls, 4);
	assert_memory_equal(memory, disk.page, 512);
}

static void resets_without_end_are_an_error(void **state)
{
	struct sn_outcome outcome;

	disk.attentions = 1000;
	outcome = execute(*(int *)*state, SN_NO_DATA, NULL, 0);
	assert_int_equal(outcome.kind, SN_RESET);
	assert_int_equal(outcome.sense.asc, 0x29);
	assert_int_equal(disk.calls, 4);
}

static void fewer_bytes_than_asked_are_no_success(void **state)
{
	uint8_t memory[512];

	disk.resid = 512;
	assert_int_equal(
		execute(*(int *)*state, SN_FROM_DEVICE, memory, 512).kind,
		SN_FAILED);
}

static void an_ata_command_has_512_bytes_or_none(void **state)
{
	const int fd = *(int *)*state;
	struct sn_command command;
	struct sn_outcome outcome;
	uint8_t memory[512];

	sn_command_flush(&command);
	sn_execute_ata(fd, &command, memory, &outcome);
	assert_int_equal(disk.cdb[COMMAND], FLUSH_CACHE_EXT);
	assert_int_equal(disk.seen.dxfer_len, 0);
	assert_int_equal(disk.seen.dxfer_direction, SG_DXFER_NONE);
	sn_command_identify(&command);
	sn_execute_ata(fd, &command, memory, &outcome);
	assert_int_equal(outcome.kind, SN_GOOD);
	assert_int_equal(disk.cdb[COMMAND], IDENTIFY_DEVICE);
	assert_int_equal(disk.seen.dxfer_len, 512);
	assert_memory_equal(memory, disk.page, 512);
}

static void a_drive_tells_what_it_is(void **state)
{
	struct sn_identity identity;
	struct fe_error err = {""};

	assert_int_equal(
		sn_identify(*(int *)*state, "/dev/sg7", &identity, &err), 0);
	assert_string_equal(err.text, "");
	assert_string_equal(identity.model, "QEMU HARDDISK");
	assert_int_equal(identity.blocks, (256 << 20) / 512);
}

static void assert_no_drive(int fd, int code, const char *sentence)
{
	struct sn_identity identity;
	struct fe_error err = {""};

	assert_int_equal(sn_identify(fd, "/dev/sg7", &identity, &err), code);
	assert_string_equal(err.text, sentence);
}

static void who_takes_no_ata_commands_is_no_sata_drive(void **state)
{
	/* INVALID COMMAND OPERATION CODE, fixed format */
	static const uint8_t sense[] = {
		[0] = 0x70, [2] = 5, [7] = 10, [12] = 0x20};

	disk.status = 2;
	memcpy(disk.sense, sense, sizeof(sense));
	assert_no_drive(
		*(int *)*state, -ENOTTY,
		"/dev/sg7 takes no ATA commands (IDENTIFY DEVICE by ATA PASS-THROUGH: Invalid command (5/20/00h)): it is no SATA drive, or its adapter does not pass them on");
}

static void an_answer_that_came_short_is_not_believed(void **state)
{
	disk.resid = 256;
	assert_no_drive(
		*(int *)*state, -ENOTTY,
		"/dev/sg7 takes no ATA commands (IDENTIFY DEVICE by ATA PASS-THROUGH: Remote I/O error): it is no SATA drive, or its adapter does not pass them on");
}

static void an_answer_that_can_not_be_names_the_node(void **state)
{
	struct sn_identity identity;
	struct fe_error err = {""};

	memset(disk.page, 0, sizeof(disk.page));
	assert_int_equal(
		sn_identify(*(int *)*state, "/dev/sg7", &identity, &err),
		-ENODEV);
	assert_memory_equal(err.text, "/dev/sg7: ", 10);
}

static void a_log_is_read_by_its_address(void **state)
{
	uint8_t page[512];

	memset(disk.page, 0x5a, sizeof(disk.page));
	assert_true(sn_read_log(*(int *)*state, SN_LOG_NCQ_ERROR, page));
	assert_int_equal(disk.cdb[COMMAND], READ_LOG_EXT);
	assert_int_equal(disk.cdb[8], SN_LOG_NCQ_ERROR); /* LBA 7:0 */
	assert_int_equal(disk.cdb[6], 1);		 /* COUNT */
	assert_memory_equal(page, disk.page, 512);
}

static void a_log_that_the_drive_does_not_give_is_empty(void **state)
{
	static const uint8_t zeroes[512];
	uint8_t page[512];

	memset(page, 0xff, sizeof(page));
	disk.error = EIO;
	assert_false(sn_read_log(*(int *)*state, SN_LOG_NCQ_ERROR, page));
	assert_memory_equal(page, zeroes, sizeof(page));
	disk.error = 0;
	fail_by_sense();
	assert_false(sn_read_log(*(int *)*state, SN_LOG_NCQ_ERROR, page));
}

/* One counter, of the link's CRC errors: SATA 13.7.4 */
static void make_counters(void)
{
	static const uint8_t counter[] = {0x01, 0x20, 7, 0};

	memset(disk.page, 0, sizeof(disk.page));
	memcpy(disk.page + 4, counter, sizeof(counter));
	for (size_t i = 0; i < 511; i++)
		disk.page[511] = (uint8_t)(disk.page[511] - disk.page[i]);
}

static void the_links_counters_are_read(void **state)
{
	const struct sn_identity identity = {.logs = true, .phy_events = true};
	struct sn_phy_counter counters[SN_PHY_COUNTERS];

	make_counters();
	assert_int_equal(
		sn_read_phy_events(*(int *)*state, &identity, counters), 1);
	assert_int_equal(disk.cdb[8], SN_LOG_PHY_EVENTS);
	assert_int_equal(counters[0].value, 7);
}

static void counters_that_are_wrong_are_none(void **state)
{
	const struct sn_identity identity = {.logs = true, .phy_events = true};
	struct sn_phy_counter counters[SN_PHY_COUNTERS];

	make_counters();
	disk.page[511]++;
	assert_int_equal(
		sn_read_phy_events(*(int *)*state, &identity, counters), 0);
	disk.page[511]--;
	disk.error = EIO;
	assert_int_equal(
		sn_read_phy_events(*(int *)*state, &identity, counters), 0);
}

static void a_drive_without_counters_is_not_asked(void **state)
{
	const struct sn_identity without[] = {{.phy_events = true},
					      {.logs = true}};
	struct sn_phy_counter counters[SN_PHY_COUNTERS];

	make_counters();
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(sn_read_phy_events(*(int *)*state, &without[i],
						    counters),
				 0);
	assert_int_equal(disk.calls, 0);
}

#define WITH_DISK(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_DISK(a_command_is_sent_as_it_is),
		WITH_DISK(data_go_the_way_of_the_command),
		WITH_DISK(what_the_drive_says_is_the_outcome),
		WITH_DISK(a_call_that_fails_is_its_errno),
		WITH_DISK(after_a_signal_it_is_sent_again),
		WITH_DISK(after_resets_it_is_sent_again),
		WITH_DISK(resets_without_end_are_an_error),
		WITH_DISK(fewer_bytes_than_asked_are_no_success),
		WITH_DISK(an_ata_command_has_512_bytes_or_none),
		WITH_DISK(a_drive_tells_what_it_is),
		WITH_DISK(who_takes_no_ata_commands_is_no_sata_drive),
		WITH_DISK(an_answer_that_came_short_is_not_believed),
		WITH_DISK(an_answer_that_can_not_be_names_the_node),
		WITH_DISK(a_log_is_read_by_its_address),
		WITH_DISK(a_log_that_the_drive_does_not_give_is_empty),
		WITH_DISK(the_links_counters_are_read),
		WITH_DISK(counters_that_are_wrong_are_none),
		WITH_DISK(a_drive_without_counters_is_not_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
