/* SPDX-License-Identifier: GPL-2.0-only */
#include "job_options.h"

#include <errno.h>
#include <string.h>

/* clang-format off */
#define PT_OPTION(member, type, default_, help) \
	FE_OPTION(struct pt_options, member, type, default_, help)

/* A name alone means yes, as in fio's engines, and so does no name at all,
 * which fio can't say of such an option (a default is refused). */
#define PT_SWITCH_OFF(option, help_)                                           \
	{ .name = #option, .lname = #option, .type = FIO_OPT_STR_SET,          \
	  .cb = set_##option, .help = (help_),                                 \
	  .category = FIO_OPT_C_ENGINE, .group = FIO_OPT_G_INVALID }
/* clang-format on */

static int set_fixedbufs(void *data, int *value)
{
	((struct pt_options *)data)->no_fixedbufs = !*value;
	return 0;
}

static int set_registerfiles(void *data, int *value)
{
	((struct pt_options *)data)->no_registerfiles = !*value;
	return 0;
}

struct fio_option pt_options[] = {
	{PT_OPTION(cmd_type, FIO_OPT_STR, "nvme",
		   "As in jobs for io_uring_cmd; only nvme"),
	 .posval = {{.ival = "nvme", .oval = 0, .help = "NVMe commands"}}},
	{PT_OPTION(transport, FIO_OPT_STR, "auto",
		   "How commands get to the device"),
	 .posval = {{.ival = "auto",
		     .oval = PT_WAY_AUTO,
		     .help = "io_uring where device and kernel have it"},
		    {.ival = "io_uring",
		     .oval = PT_WAY_IO_URING,
		     .help = "io_uring passthrough (/dev/ngXnY)"},
		    {.ival = "ioctl",
		     .oval = PT_WAY_IOCTL,
		     .help = "ioctl on a thread for each I/O in flight"}}},
	PT_SWITCH_OFF(fixedbufs, "Map I/O buffers once (io_uring); 0: don't"),
	PT_SWITCH_OFF(registerfiles,
		      "Register the devices (io_uring); 0: don't"),
	{PT_OPTION(hipri, FIO_OPT_STR_SET, NULL,
		   "Poll for completions (io_uring; needs poll queues)")},
	{PT_OPTION(sqthread_poll, FIO_OPT_STR_SET, NULL,
		   "A kernel thread submits (io_uring)")},
	{PT_OPTION(sqthread_poll_cpu, FIO_OPT_INT, "-1",
		   "CPU of that kernel thread; -1: any")},
	{PT_OPTION(read_mode, FIO_OPT_STR, "read", "Command for reads"),
	 .posval = {{.ival = "read", .oval = PT_READ, .help = "Read"},
		    {.ival = "verify",
		     .oval = PT_VERIFY,
		     .help = "Verify: no data are transferred"}}},
	{PT_OPTION(write_mode, FIO_OPT_STR, "write", "Command for writes"),
	 .posval = {{.ival = "write", .oval = PT_WRITE, .help = "Write"},
		    {.ival = "uncor",
		     .oval = PT_WRITE_UNCORRECTABLE,
		     .help = "Write Uncorrectable"},
		    {.ival = "zeroes",
		     .oval = PT_WRITE_ZEROES,
		     .help = "Write Zeroes"},
		    {.ival = "verify", .oval = PT_VERIFY, .help = "Verify"},
		    {.ival = "compare",
		     .oval = PT_COMPARE,
		     .help = "Compare with what would be written"},
		    {.ival = "append",
		     .oval = PT_APPEND,
		     .help = "Zone Append"},
		    {.ival = "copy",
		     .oval = PT_COPY,
		     .help = "Copy from copy_distance further on"}}},
	{PT_OPTION(readfua, FIO_OPT_BOOL, "0", "Force unit access, reads")},
	{PT_OPTION(writefua, FIO_OPT_BOOL, "0", "Force unit access, writes")},
	{PT_OPTION(limited_retry, FIO_OPT_BOOL, "0",
		   "The controller shall not try hard")},
	{PT_OPTION(dsm, FIO_OPT_INT, "0",
		   "Dataset management hints of reads and writes"),
	 .maxval = 255},
	{PT_OPTION(deac, FIO_OPT_BOOL, "0", "Write Zeroes may deallocate")},
	{PT_OPTION(dir_type, FIO_OPT_INT, "0",
		   "Directive type of writes: 1 streams, 2 data placement"),
	 .maxval = 15},
	{PT_OPTION(dir_spec, FIO_OPT_INT, "0",
		   "Stream or placement identifier"),
	 .maxval = 65535},
	{PT_OPTION(trim_ranges, FIO_OPT_INT, "1",
		   "Trims that share a Dataset Management command"),
	 .minval = 1, .maxval = 256},
	{PT_OPTION(copy_distance, FIO_OPT_INT, "0",
		   "Bytes from a Copy's destination to its source")},
	{PT_OPTION(max_transfer, FIO_OPT_STR, "split",
		   "An I/O larger than the device's transfers"),
	 .posval = {{.ival = "split",
		     .oval = 0,
		     .help = "becomes several commands"},
		    {.ival = "refuse", .oval = 1, .help = "is refused"}}},
	{PT_OPTION(pi_act, FIO_OPT_BOOL, "1",
		   "The controller makes and strips protection information")},
	{PT_OPTION(pi_chk, FIO_OPT_STR_STORE, NULL,
		   "Tags to check: GUARD,APPTAG,REFTAG")},
	{PT_OPTION(apptag, FIO_OPT_INT, "0x1234", "Application tag"),
	 .maxval = 65535},
	{PT_OPTION(apptag_mask, FIO_OPT_INT, "0xffff",
		   "Bits of the application tag that are checked"),
	 .maxval = 65535},
	{PT_OPTION(md_pattern, FIO_OPT_INT, "0",
		   "Byte that metadata is filled with"),
	 .maxval = 255},
	{PT_OPTION(md_check, FIO_OPT_BOOL, "0",
		   "Reads check that metadata is of md_pattern")},
	{PT_OPTION(cmd_timeout, FIO_OPT_INT, "0",
		   "Milliseconds for a command; 0: as the driver does")},
	{PT_OPTION(retries, FIO_OPT_INT, "0",
		   "Attempts more at a command that may succeed then"),
	 .maxval = 1000},
	{PT_OPTION(status_json, FIO_OPT_STR_STORE, NULL,
		   "Write counts of statuses to THIS.JOB.json")},
	FE_OPTIONS_END};

static const struct {
	const char *name;
	uint8_t bit;
} checks[] = {
	{"GUARD", PT_CHECK_GUARD},
	{"APPTAG", PT_CHECK_APPLICATION},
	{"REFTAG", PT_CHECK_REFERENCE},
};

static uint8_t check_named(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		if (strlen(checks[i].name) == length &&
		    strncmp(checks[i].name, name, length) == 0)
			return checks[i].bit;
	}
	return 0;
}

int pt_options_pi_check(const struct pt_options *options, uint8_t *check,
			struct fe_error *err)
{
	const char *at = options->pi_chk;

	*check = 0;
	while (at && *at) {
		const size_t length = strcspn(at, ",");
		const uint8_t bit = check_named(at, length);

		if (!bit)
			return fe_error_set(
				err, -EINVAL,
				"pi_chk: \"%.*s\" is not GUARD, APPTAG or REFTAG",
				(int)length, at);
		*check |= bit;
		at += length;
		at += *at == ',';
	}
	return 0;
}

int pt_options_modifiers(const struct pt_options *options, enum fio_ddir ddir,
			 struct pt_modifiers *modifiers, struct fe_error *err)
{
	*modifiers = (struct pt_modifiers){
		.timeout_ms = options->cmd_timeout,
	};
	if (ddir == DDIR_TRIM)
		return 0;
	modifiers->limited_retry = options->limited_retry;
	modifiers->dsm = (uint8_t)options->dsm;
	modifiers->pi_act = options->pi_act;
	modifiers->apptag = (uint16_t)options->apptag;
	modifiers->apptag_mask = (uint16_t)options->apptag_mask;
	modifiers->fua =
		ddir == DDIR_READ ? options->readfua : options->writefua;
	if (ddir == DDIR_WRITE) {
		modifiers->deallocate = options->deac;
		modifiers->directive = (uint8_t)options->dir_type;
		modifiers->directive_id = (uint16_t)options->dir_spec;
	}
	return pt_options_pi_check(options, &modifiers->pi_check, err);
}
