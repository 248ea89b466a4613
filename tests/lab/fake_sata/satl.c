/* SPDX-License-Identifier: GPL-2.0-only */
#include "satl.h"

#include "pages.h"
#include "translate.h"

#include <string.h>

static bool ncq_is_off(const struct disk *disk)
{
	const struct options *options = disk->options;

	return options->drop_ncq_after &&
	       disk->errors >= options->drop_ncq_after;
}

static enum satl_way take_passthrough(const struct disk *disk,
				      struct request *request)
{
	const struct passthrough *ata = &request->ata;

	if (ata->bytes == 32 && disk->options->refuse_32) {
		request_check(request, sense_no_such_command);
		return SATL_REFUSED;
	}
	if ((ata->command.protocol == ATA_FPDMA &&
	     (ncq_is_off(disk) || disk->options->refuse_fpdma)) ||
	    !passthrough_is_sound(ata, disk->options->block_bytes,
				  transfer_bytes(&request->transfer))) {
		request_check(request, sense_invalid_field);
		return SATL_REFUSED;
	}
	return SATL_TO_DRIVE;
}

enum satl_way satl_take(const struct disk *disk, struct request *request)
{
	const struct options *options = disk->options;

	if (passthrough_decode(request->cdb, &request->ata))
		return take_passthrough(disk, request);
	if (translate_knows(request->cdb[0]))
		return translate(options, !options->no_ncq && !ncq_is_off(disk),
				 request);
	pages_answer(options, request);
	return SATL_ANSWERED;
}

static void finish_passthrough(struct request *request)
{
	const struct ata_result *result = &request->result;

	if (result->status & 1) {
		sense_ata(request->sense, sense_of_error(result->error),
			  result);
	} else if (request->ata.check_condition) {
		sense_ata(request->sense, sense_ata_registers, result);
	} else {
		return;
	}
	request->status = SCSI_CHECK_CONDITION;
}

static void finish_translated(struct request *request)
{
	const struct ata_result *result = &request->result;
	const uint64_t *lba = result->error & ATA_UNC ? &result->lba : NULL;

	if (!(result->status & 1))
		return;
	sense_fixed(request->sense, sense_of_error(result->error), lba);
	request->status = SCSI_CHECK_CONDITION;
}

void satl_finish(struct request *request)
{
	request->status = SCSI_GOOD;
	request->read = request->result.bytes;
	if (request->ata.bytes)
		finish_passthrough(request);
	else
		finish_translated(request);
}

void satl_abort(struct request *request)
{
	sense_fixed_hollow(request->sense);
	request->status = SCSI_CHECK_CONDITION;
	request->read = 0;
}

void satl_gone(struct request *request)
{
	request_check(request, sense_gone);
}
