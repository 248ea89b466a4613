/* SPDX-License-Identifier: GPL-2.0-only */
#include "recover.h"

static bool in_company(const struct sn_suspect *suspect)
{
	return suspect->queued && (!suspect->alone || suspect->shared);
}

static bool holds(const struct sn_suspect *suspect, uint64_t lba)
{
	return lba >= suspect->lba && lba - suspect->lba < suspect->blocks;
}

/* Does the sense data of `from` name a block of `suspect`? */
static bool names(const struct sn_suspect *from,
		  const struct sn_suspect *suspect, uint64_t *place)
{
	return sn_sense_place(&from->outcome.sense, suspect->lba,
			      suspect->blocks, place);
}

static bool failed_beside_others(const struct sn_suspect *suspect)
{
	return in_company(suspect) && suspect->outcome.kind == SN_MEDIA;
}

/* Has another command the same right to this medium error? */
static bool contested(const struct sn_suspect *suspect,
		      const struct sn_suspect *other)
{
	uint64_t place, place_of_other;

	if (!in_company(other))
		return false;
	if (names(suspect, suspect, &place))
		return failed_beside_others(other) &&
		       names(other, other, &place_of_other) &&
		       place_of_other == place;
	return names(suspect, other, &place) ||
	       (failed_beside_others(other) &&
		!names(other, other, &place_of_other));
}

/* Is it for want of a place here that somebody else's command may have it? */
static bool may_be_a_strangers(const struct sn_suspect *suspect)
{
	uint64_t place;

	if (!suspect->shared)
		return false;
	return suspect->outcome.sense.lba_bits
		       ? !names(suspect, suspect, &place)
		       : !suspect->alone;
}

/* May it be the error of another that the command ended with? */
static bool may_be_anothers(const struct sn_suspect *suspects, size_t n,
			    const struct sn_suspect *suspect)
{
	if (!in_company(suspect))
		return false;
	if (suspect->outcome.kind == SN_ABORTED)
		return true;
	if (suspect->outcome.kind != SN_MEDIA)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (&suspects[i] != suspect && contested(suspect, &suspects[i]))
			return true;
	}
	return may_be_a_strangers(suspect);
}

/* An LBA comes with UNC and IDNF (ACS 6.2), or with the drive's own word that
 * it was the medium. */
static bool log_has_lba(const struct sn_ncq_error *log)
{
	return log && log->queued && !log->unload && log->status & SN_ATA_ERR &&
	       !(log->status & SN_ATA_BSY) &&
	       (log->error & (SN_ATA_UNC | SN_ATA_IDNF) ||
		log->key == SN_KEY_MEDIUM);
}

static bool log_fits(const struct sn_suspect *suspect,
		     const struct sn_ncq_error *log)
{
	const struct sn_sense *sense = &suspect->outcome.sense;

	return suspect->queued && holds(suspect, log->lba) &&
	       !(sense->ata && sense->error != log->error);
}

/* What the drive says, else what its registers mean: UNC as libata has it, IDNF
 * as SAT 11.7 has it of a block that does exist. */
static void set_sense(struct sn_sense *sense, const struct sn_ncq_error *log)
{
	const bool unc = log->error & SN_ATA_UNC;

	sense->key = SN_KEY_MEDIUM;
	sense->asc = unc ? 0x11 : 0x14;
	sense->ascq = unc ? 0x04 : 0x01;
	if (log->key != SN_KEY_MEDIUM)
		return;
	sense->asc = log->asc;
	sense->ascq = log->ascq;
}

static void take_error_of_log(struct sn_suspect *suspect,
			      const struct sn_ncq_error *log)
{
	suspect->has_lba = true;
	suspect->bad_lba = log->lba;
	if (suspect->outcome.kind != SN_ABORTED)
		return;
	suspect->outcome = (struct sn_outcome){
		.kind = SN_MEDIA,
		.status = SN_CHECK_CONDITION,
		.sense = {.valid = true,
			  .ata = true,
			  .status = log->status,
			  .error = log->error,
			  .device = log->device,
			  .count = log->count},
	};
	set_sense(&suspect->outcome.sense, log);
}

static void fail(struct sn_suspect *suspect, const struct sn_ncq_error *log)
{
	const enum sn_kind kind = suspect->outcome.kind;

	suspect->verdict = SN_FAIL;
	if (kind == SN_MEDIA && names(suspect, suspect, &suspect->bad_lba)) {
		suspect->has_lba = true;
	} else if ((kind == SN_MEDIA || kind == SN_ABORTED) && suspect->alone &&
		   log && log_fits(suspect, log)) {
		take_error_of_log(suspect, log);
	}
}

/* What can be said of each by itself.  Returns whether one of them ended the
 * others. */
static bool judge_each(struct sn_suspect *suspects, size_t n,
		       const struct sn_ncq_error *log)
{
	bool named = false;

	for (size_t i = 0; i < n; i++) {
		struct sn_suspect *suspect = &suspects[i];
		const enum sn_kind kind = suspect->outcome.kind;
		const bool doubtful = may_be_anothers(suspects, n, suspect);

		suspect->has_lba = false;
		suspect->bad_lba = 0;
		if ((!doubtful && kind != SN_RESET) ||
		    suspect->sent >= SN_MOST_SENT)
			fail(suspect, log);
		else
			suspect->verdict = doubtful ? SN_ALONE : SN_AGAIN;
		if (!doubtful && in_company(suspect) &&
		    (kind == SN_MEDIA || kind == SN_TIMEOUT))
			named = true;
	}
	return named;
}

/* The only one that holds the LBA of the log, NULL if that is none or not to be
 * taken at its word. */
static struct sn_suspect *find_in_log(struct sn_suspect *suspects, size_t n,
				      const struct sn_ncq_error *log)
{
	struct sn_suspect *found = NULL;

	for (size_t i = 0; log && i < n; i++) {
		if (!holds(&suspects[i], log->lba))
			continue;
		if (found)
			return NULL;
		found = &suspects[i];
	}
	if (!found || found->verdict != SN_ALONE || !log_fits(found, log))
		return NULL;
	return found;
}

void sn_judge(struct sn_suspect *suspects, size_t n,
	      const struct sn_ncq_error *log)
{
	struct sn_suspect *found;
	bool named;

	if (!log_has_lba(log))
		log = NULL;
	named = judge_each(suspects, n, log);
	found = find_in_log(suspects, n, log);
	if (found && !named) {
		found->verdict = SN_FAIL;
		take_error_of_log(found, log);
	}
	if (!found && !named)
		return;
	for (size_t i = 0; i < n; i++) {
		if (suspects[i].verdict == SN_ALONE && &suspects[i] != found)
			suspects[i].verdict = SN_AGAIN;
	}
}
