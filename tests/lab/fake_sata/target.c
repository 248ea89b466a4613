/* SPDX-License-Identifier: GPL-2.0-only */
#include "target.h"

#include "satl.h"

void target_init(struct target *target, const struct options *options,
		 uint8_t *media, struct trace *trace)
{
	*target = (struct target){.trace = trace};
	disk_init(&target->disk, options, media);
	TAILQ_INIT(&target->waiting);
	TAILQ_INIT(&target->queue);
	TAILQ_INIT(&target->done);
}

void target_begin(struct target *target, const struct options *options)
{
	target->disk.options = options;
	target->disk.commands = 0;
	target->disk.errors = 0;
	target->arrivals = 0;
}

static bool is_queued(const struct request *request)
{
	return request->ata.command.protocol == ATA_FPDMA;
}

static void answer(struct target *target, struct request *request, uint64_t us,
		   enum trace_end end)
{
	trace_request(target->trace, request, end, us);
	TAILQ_INSERT_TAIL(&target->done, request, link);
}

static void leave_queue(struct target *target, struct request *request)
{
	TAILQ_REMOVE(&target->queue, request, link);
	target->depth--;
	if (!request->silent)
		target->workable--;
	if (is_queued(request))
		target->tags &= ~(UINT32_C(1) << request->tag);
}

/* Ends all of a list in the same way. */
static void end_all(struct target *target, struct request_list *list,
		    void (*say)(struct request *), enum trace_end end,
		    uint64_t us)
{
	struct request *request;

	while ((request = TAILQ_FIRST(list))) {
		if (list == &target->queue)
			leave_queue(target, request);
		else
			TAILQ_REMOVE(list, request, link);
		say(request);
		answer(target, request, us, end);
	}
}

void target_submit(struct target *target, struct request *request, uint64_t us)
{
	request->arrived_us = us;
	if (target->vanished) {
		satl_gone(request);
		TAILQ_INSERT_TAIL(&target->done, request, link);
		return;
	}
	switch (satl_take(&target->disk, request)) {
	case SATL_ANSWERED:
		TAILQ_INSERT_TAIL(&target->done, request, link);
		return;
	case SATL_REFUSED:
		request->sequence = target->arrivals++;
		answer(target, request, us, TRACE_REFUSED);
		return;
	case SATL_TO_DRIVE:
		request->sequence = target->arrivals++;
		TAILQ_INSERT_TAIL(&target->waiting, request, link);
		return;
	}
}

/* A command that is not queued must be alone, SATA 13.6.2. */
static bool may_enter(const struct target *target,
		      const struct request *request)
{
	const struct request *first = TAILQ_FIRST(&target->queue);

	if (!first)
		return true;
	return is_queued(request) && is_queued(first) && ~target->tags;
}

static void enter(struct target *target, struct request *request, uint64_t us)
{
	TAILQ_REMOVE(&target->waiting, request, link);
	TAILQ_INSERT_TAIL(&target->queue, request, link);
	request->outstanding = ++target->depth;
	request->silent = disk_is_silent(&target->disk, &request->ata.command);
	if (!request->silent && !target->workable++)
		target->turn_us = us + target->disk.options->latency_us;
	if (is_queued(request)) {
		request->tag = (uint8_t)__builtin_ctz(~target->tags);
		target->tags |= UINT32_C(1) << request->tag;
	}
}

static void fill_queue(struct target *target, uint64_t us)
{
	struct request *request;

	while ((request = TAILQ_FIRST(&target->waiting)) &&
	       may_enter(target, request))
		enter(target, request, us);
}

/* Isochronous ones are between high priority and the others. */
static unsigned int rank(const struct target *target,
			 const struct request *request)
{
	if (!target->disk.options->priority_first)
		return 0;
	return ata_priority(&request->ata.command);
}

/* Out of order on purpose: the newest and the oldest one by turns, so that
 * none waits for ever. */
static struct request *pick(struct target *target)
{
	const bool newest = !(target->turns++ & 1);
	struct request *best = NULL, *request;

	TAILQ_FOREACH(request, &target->queue, link)
	{
		if (request->silent)
			continue;
		if (!best || rank(target, request) > rank(target, best) ||
		    (newest && rank(target, request) == rank(target, best)))
			best = request;
	}
	return best;
}

static void vanish(struct target *target, uint64_t us)
{
	target->vanished = true;
	end_all(target, &target->queue, satl_gone, TRACE_GONE, us);
	end_all(target, &target->waiting, satl_gone, TRACE_GONE, us);
}

static void do_one(struct target *target, uint64_t us)
{
	const struct options *options = target->disk.options;
	struct request *request = pick(target);

	disk_execute(&target->disk, &request->ata.command, request->tag,
		     &request->drive_transfer, &request->result);
	leave_queue(target, request);
	if (options->ncq_abort && is_queued(request) &&
	    (request->result.status & 1)) {
		satl_abort(request);
		answer(target, request, us, TRACE_DONE);
		end_all(target, &target->queue, satl_abort, TRACE_ABORTED, us);
	} else {
		satl_finish(request);
		answer(target, request, us, TRACE_DONE);
	}
	if (options->vanish_after &&
	    target->disk.commands >= options->vanish_after)
		vanish(target, us);
}

void target_run(struct target *target, uint64_t us)
{
	fill_queue(target, us);
	while (target->workable && target->turn_us <= us) {
		target->turn_us += target->disk.options->latency_us;
		do_one(target, us);
		fill_queue(target, us);
	}
}

int64_t target_wait_us(const struct target *target, uint64_t us)
{
	if (!target->workable)
		return -1;
	return target->turn_us > us ? (int64_t)(target->turn_us - us) : 0;
}

static struct request *find(const struct request_list *list, uint16_t id)
{
	struct request *request;

	TAILQ_FOREACH(request, list, link)
	{
		if (request->id == id)
			return request;
	}
	return NULL;
}

void target_abort(struct target *target, uint16_t id, uint64_t us)
{
	struct request *request = find(&target->queue, id);

	if (request) {
		leave_queue(target, request);
	} else {
		request = find(&target->waiting, id);
		if (!request)
			return;
		TAILQ_REMOVE(&target->waiting, request, link);
	}
	satl_abort(request);
	answer(target, request, us, TRACE_GIVEN_UP);
}

struct request *target_done(struct target *target)
{
	struct request *request = TAILQ_FIRST(&target->done);

	if (request)
		TAILQ_REMOVE(&target->done, request, link);
	return request;
}
