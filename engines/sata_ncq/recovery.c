/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * After an error: nothing new is sent to the disk until its queue is empty;
 * then it is found out which command was to blame, and the others are sent
 * again.
 */
#include "job.h"

#include <errno.h>

#include "execute.h"

static void outcome_of(const struct sn_slot *slot, struct sn_outcome *outcome)
{
	if (slot->error)
		sn_outcome_errno(slot->error, outcome);
	else
		sn_outcome_of(&slot->header, outcome);
}

FE_COLD void sn_suspect(struct thread_data *td, struct sn_part *part)
{
	struct sn_job *job = td->io_ops_data;
	struct sn_outcome outcome;

	outcome_of(part->slot, &outcome);
	if (outcome.kind == SN_GOOD) /* with a word about it, such as a
				      * recovered error */
		sn_finish(job, part, 0);
	else
		sn_list_push(&job->devices[part->slot->device]->suspects,
			     &part->link);
}

static void describe(const struct sn_device *device, const struct sn_part *part,
		     struct sn_suspect *suspect)
{
	*suspect = (struct sn_suspect){
		.lba = part->lba,
		.blocks = part->blocks,
		/* Of SCSI's commands the translation decides. */
		.queued = part->stream->queued || device->plan.scsi,
		.shared = sn_device_is_shared(device),
		.alone = part->alone,
		.sent = part->sent,
	};
	outcome_of(part->slot, &suspect->outcome);
}

/* FPDMA is refused by a drive that took it before: Linux has turned NCQ off,
 * or the drive has.  Unless it is this command alone that is refused, such as a
 * queued trim, which needs ATA PASS-THROUGH(32). */
static bool ncq_is_lost(const struct sn_device *device,
			const struct sn_suspect *suspects, unsigned int n)
{
	if (device->plan.scsi || device->ncq_lost)
		return false;
	for (unsigned int i = 0; i < n; i++) {
		if (suspects[i].queued &&
		    suspects[i].outcome.kind == SN_REFUSED)
			return !sn_device_takes_ncq(device);
	}
	return false;
}

/* What is sent next must not be what the slot had before. */
static void forget_commands(struct sn_job *job, const struct sn_device *device)
{
	for (unsigned int i = 0; i < job->transport->n_slots; i++) {
		if (job->transport->slots[i].device == device->index)
			job->parts[i].stream = NULL;
	}
}

static void lose_ncq(struct thread_data *td, struct sn_device *device)
{
	const struct sn_options *o = td->eo;
	struct sn_job *job = td->io_ops_data;

	device->ncq_lost = true;
	job->stats.ncq_lost = true;
	log_err("sata_ncq: %s: %s: NCQ was turned off after errors (queue depth %u): %s\n",
		td->o.name, device->path,
		sn_node_queue_depth("/sys", &device->node),
		o->ncq_lost == SN_LOST_CONTINUE
			? "the job goes on without"
			: "the job ends (ncq_lost=continue goes on without)");
	if (o->ncq_lost == SN_LOST_CONTINUE) {
		sn_device_lose_ncq(device);
		forget_commands(job, device);
		return;
	}
	td_verror(td, EIO, "NCQ was turned off");
	fio_mark_td_terminate(td);
}

static void fail(struct thread_data *td, struct sn_part *part,
		 const struct sn_suspect *suspect, bool tell)
{
	struct sn_job *job = td->io_ops_data;
	struct sn_outcome outcome = suspect->outcome;
	char text[256];

	if (suspect->has_lba) {
		outcome.sense.has_lba = true;
		outcome.sense.lba = suspect->bad_lba;
	}
	sn_stats_failure(&job->stats, &outcome);
	sn_outcome_text(&outcome, text, sizeof(text));
	if (tell)
		fe_tell(td, &job->told, part->request->io_u, text);
	sn_finish(job, part, sn_outcome_to_errno(&outcome));
}

/* The same command, or what does the same without NCQ. */
static void again(struct thread_data *td, struct sn_part *part)
{
	struct sn_job *job = td->io_ops_data;

	job->stats.requeued++;
	sn_send_again(td, part);
}

static void apply(struct thread_data *td, struct sn_device *device,
		  struct sn_part *part, const struct sn_suspect *suspect)
{
	struct sn_job *job = td->io_ops_data;
	const struct sn_options *o = td->eo;
	const bool lost = suspect->queued && device->ncq_lost &&
			  suspect->outcome.kind == SN_REFUSED;

	part->alone = false;
	if ((lost && o->ncq_lost == SN_LOST_CONTINUE) ||
	    suspect->verdict == SN_AGAIN) {
		again(td, part);
	} else if (suspect->verdict == SN_ALONE) {
		job->stats.requeued++;
		sn_list_push(&device->alone, &part->link);
	} else {
		fail(td, part, suspect, !lost); /* that was told already */
	}
}

static bool read_log(const struct sn_device *device, struct sn_ncq_error *log)
{
	uint8_t page[512];

	return device->identity.logs &&
	       sn_read_log(device->fd, SN_LOG_NCQ_ERROR, page) &&
	       !sn_ncq_error_parse(page, log);
}

static void judge(struct thread_data *td, struct sn_device *device)
{
	struct sn_job *job = td->io_ops_data;
	const unsigned int n = device->suspects.n;
	struct sn_ncq_error log;

	for (unsigned int i = 0; i < n; i++) {
		job->suspected[i] = sn_list_pop(&device->suspects);
		describe(device, job->suspected[i], &job->suspects[i]);
	}
	sn_judge(job->suspects, n, read_log(device, &log) ? &log : NULL);
	job->stats.errors_judged++;
	if (ncq_is_lost(device, job->suspects, n))
		lose_ncq(td, device);
	for (unsigned int i = 0; i < n; i++)
		apply(td, device, job->suspected[i], &job->suspects[i]);
}

FE_COLD void sn_recover(struct thread_data *td, struct sn_device *device)
{
	while (!device->in_flight && sn_is_recovering(device)) {
		struct sn_part *part;

		if (device->suspects.n) {
			judge(td, device);
			continue;
		}
		part = sn_list_pop(&device->alone);
		part->alone = true;
		sn_send_again(td, part);
		device->closed = device->in_flight;
	}
}
