/* SPDX-License-Identifier: GPL-2.0-only */
#include "job_options.h"

/* clang-format off */
#define SN_OPTION(member, type, default_, help) \
	FE_OPTION(struct sn_options, member, type, default_, help)

/* As in fio's engines, which set them for reads and writes. */
#define SN_PRIORITY(option, member, help_)                                     \
	.name = #option, .lname = #option, .type = FIO_OPT_INT,                \
	.off1 = offsetof(struct sn_options, priority.member[DDIR_READ]),       \
	.off2 = offsetof(struct sn_options, priority.member[DDIR_WRITE]),      \
	.help = (help_),                                                       \
	.category = FIO_OPT_C_ENGINE, .group = FIO_OPT_G_INVALID
/* clang-format on */

struct fio_option sn_options[] = {
	{SN_OPTION(transport, FIO_OPT_STR, "auto",
		   "How commands get to the disk"),
	 .posval = {{.ival = "auto",
		     .oval = SN_WAY_AUTO,
		     .help = "async where there is a node of sg"},
		    {.ival = "async",
		     .oval = SN_WAY_ASYNC,
		     .help = "written to and read from handles of /dev/sgN"},
		    {.ival = "sync",
		     .oval = SN_WAY_SYNC,
		     .help = "ioctl on a thread for each I/O in flight"}}},
	{SN_OPTION(commands, FIO_OPT_STR, "ata", "Whose commands are sent"),
	 .posval = {{.ival = "ata",
		     .oval = SN_COMMANDS_ATA,
		     .help = "ATA's, by ATA PASS-THROUGH"},
		    {.ival = "scsi",
		     .oval = SN_COMMANDS_SCSI,
		     .help = "READ(16), WRITE(16), which are translated"},
		    {.ival = "auto",
		     .oval = SN_COMMANDS_AUTO,
		     .help = "scsi where NCQ is not passed through"}}},
	{SN_OPTION(ncq, FIO_OPT_BOOL, "1",
		   "Queued commands; 0: READ and WRITE DMA EXT")},
	{SN_OPTION(ncq_lost, FIO_OPT_STR, "fail",
		   "When the kernel or the drive gives up NCQ"),
	 .posval = {{.ival = "fail",
		     .oval = SN_LOST_FAIL,
		     .help = "the job ends with an error"},
		    {.ival = "continue",
		     .oval = SN_LOST_CONTINUE,
		     .help = "it goes on without NCQ"}}},
	{SN_OPTION(over_depth, FIO_OPT_STR, "cap",
		   "An iodepth above what the drive queues"),
	 .posval = {{.ival = "cap",
		     .oval = SN_DEPTH_CAP,
		     .help = "I/Os wait in the engine"},
		    {.ival = "queue",
		     .oval = SN_DEPTH_QUEUE,
		     .help = "commands wait in the kernel"},
		    {.ival = "refuse",
		     .oval = SN_DEPTH_REFUSE,
		     .help = "the job does not begin"}}},
	{SN_OPTION(readfua, FIO_OPT_BOOL, "0", "Force unit access, reads")},
	{SN_OPTION(writefua, FIO_OPT_BOOL, "0", "Force unit access, writes")},
	{SN_PRIORITY(cmdprio_percentage, percentage,
		     "Percent of I/Os with high priority: reads,writes"),
	 .maxval = 100},
	{SN_PRIORITY(cmdprio_class, class,
		     "Their class; 1 (default) is the drive's high priority"),
	 .minval = 1, .maxval = 3},
	{SN_PRIORITY(cmdprio, level, "Their level, for fio's statistics"),
	 .maxval = 7},
	{.name = "cmdprio_bssplit",
	 .lname = "cmdprio_bssplit",
	 .type = FIO_OPT_STR_STORE,
	 .off1 = offsetof(struct sn_options, priority.bssplit_str),
	 .help = "Percent of high priority by block size",
	 .category = FIO_OPT_C_ENGINE,
	 .group = FIO_OPT_G_INVALID},
	{SN_OPTION(trim_mode, FIO_OPT_STR, "auto", "Command for trims"),
	 .posval = {{.ival = "auto",
		     .oval = SN_TRIM_AUTO,
		     .help = "queued where drive and kernel have it"},
		    {.ival = "queued",
		     .oval = SN_TRIM_QUEUED,
		     .help = "SEND FPDMA QUEUED"},
		    {.ival = "dsm",
		     .oval = SN_TRIM_DSM,
		     .help = "DATA SET MANAGEMENT, not queued"}}},
	{SN_OPTION(max_transfer, FIO_OPT_STR, "split",
		   "An I/O larger than a command may be"),
	 .posval = {{.ival = "split",
		     .oval = 0,
		     .help = "becomes several commands"},
		    {.ival = "refuse", .oval = 1, .help = "is refused"}}},
	{SN_OPTION(cmd_timeout, FIO_OPT_INT, "30000",
		   "Milliseconds for a command"),
	 .minval = 1},
	{SN_OPTION(queue_stats, FIO_OPT_BOOL, "0",
		   "Watch the queue and the link, and tell at the end")},
	{SN_OPTION(status_json, FIO_OPT_STR_STORE, NULL,
		   "Write what stats and errors came to to THIS.JOB.json")},
	FE_OPTIONS_END};

/* Writes are read back even where the job itself does not read. */
static bool reads(const struct thread_data *td)
{
	return td_read(td) || td->o.verify != VERIFY_NONE;
}

static bool has_priority(const struct sn_options *o, int ddir)
{
	return o->priority.percentage[ddir] || o->priority.bssplit_str;
}

void sn_options_plan(const struct thread_data *td, struct sn_plan *plan)
{
	const struct sn_options *o = td->eo;

	*plan = (struct sn_plan){
		.reads = reads(td),
		.writes = td_write(td),
		.trims = td_trim(td) || td->o.trim_percentage,
		.flushes = td->o.fsync_blocks || td->o.fdatasync_blocks ||
			   td->o.end_fsync || td->o.fsync_on_close,
		.queued = o->ncq,
		.scsi = o->commands == SN_COMMANDS_SCSI,
		.goes_on = o->ncq_lost == SN_LOST_CONTINUE,
		.read_fua = o->readfua,
		.write_fua = o->writefua,
		.read_prio = has_priority(o, DDIR_READ),
		.write_prio = has_priority(o, DDIR_WRITE),
		.trim_mode = (enum sn_trim_mode)o->trim_mode,
		.split = o->max_transfer == 0,
		.depth = td->o.iodepth,
		.over_depth = (enum sn_over_depth)o->over_depth,
		.offset = td->o.start_offset,
	};
	for (int ddir = 0; ddir < DDIR_RWDIR_CNT; ddir++) {
		plan->min_bytes[ddir] = td->o.min_bs[ddir];
		plan->max_bytes[ddir] = td->o.max_bs[ddir];
	}
}
