/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace.h"

#include <inttypes.h>

#include "disk.h"

static const char *way_of(const struct request *request)
{
	switch (request->ata.bytes) {
	case 16:
		return "pt16";
	case 32:
		return "pt32";
	}
	return "scsi";
}

static bool add_range(void *context, uint64_t lba, uint32_t blocks)
{
	struct trace *trace = context;

	fprintf(trace->out, "%" PRIu64 "+%u,", lba, blocks);
	return true;
}

static void print_end(struct trace *trace, const struct request *request,
		      enum trace_end end)
{
	static const char *const words[] = {
		[TRACE_DONE] = "good",	     [TRACE_ABORTED] = "aborted",
		[TRACE_REFUSED] = "refused", [TRACE_GIVEN_UP] = "given-up",
		[TRACE_GONE] = "gone",
	};
	const struct ata_result *result = &request->result;

	if (end == TRACE_DONE && (result->status & 1))
		fprintf(trace->out, " result=%02x/%02x at=%" PRIu64 "\n",
			result->status, result->error, result->lba);
	else
		fprintf(trace->out, " result=%s\n", words[end]);
}

void trace_request(struct trace *trace, const struct request *request,
		   enum trace_end end, uint64_t us)
{
	const struct ata_command *command = &request->ata.command;

	fprintf(trace->out,
		"seq=%" PRIu64 " arrived=%" PRIu64 " ended=%" PRIu64
		" via=%s op=%02x protocol=%d field=%u tag=%u prio=%u fua=%d"
		" icc=%02x aux=%08x feature=%04x count=%04x device=%02x"
		" lba=%" PRIu64 " blocks=%u outstanding=%u",
		request->sequence, request->arrived_us, us, way_of(request),
		command->opcode, (int)command->protocol, ata_tag_field(command),
		request->tag, ata_priority(command), ata_fua(command),
		command->icc, command->auxiliary, command->feature,
		command->count, command->device, command->lba,
		ata_blocks(command), request->outstanding);
	if (ata_is_trim(command)) {
		fputs(" ranges=", trace->out);
		disk_ranges(command, &request->drive_transfer, add_range,
			    trace);
	}
	print_end(trace, request, end);
}
