/* SPDX-License-Identifier: GPL-2.0-only */
#include "tcmu.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The kernel's header brings a struct iovec of its own, beside libc's. */
#define iovec kernel_iovec
#include <linux/target_core_user.h>
#undef iovec

static struct tcmu_mailbox *mailbox(const struct tcmu *tcmu)
{
	return (struct tcmu_mailbox *)tcmu->map;
}

static struct tcmu_cmd_entry *entry_at(const struct tcmu *tcmu, uint32_t at)
{
	return (struct tcmu_cmd_entry *)(tcmu->map + mailbox(tcmu)->cmdr_off +
					 at);
}

int tcmu_open(struct tcmu *tcmu, const char *path, size_t bytes)
{
	const struct tcmu_mailbox *box;

	*tcmu = (struct tcmu){.bytes = bytes, .fd = open(path, O_RDWR)};
	if (tcmu->fd < 0)
		return -errno;
	tcmu->map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
			 tcmu->fd, 0);
	if (tcmu->map == MAP_FAILED) {
		const int err = -errno;

		close(tcmu->fd);
		return err;
	}
	box = mailbox(tcmu);
	if (box->version != TCMU_MAILBOX_VERSION ||
	    !(box->flags & TCMU_MAILBOX_FLAG_CAP_OOOC) ||
	    box->cmdr_off > bytes || box->cmdr_size > bytes - box->cmdr_off ||
	    !box->cmdr_size) {
		tcmu_close(tcmu);
		return -EPROTONOSUPPORT;
	}
	tcmu->next = box->cmd_tail;
	return 0;
}

void tcmu_close(struct tcmu *tcmu)
{
	munmap(tcmu->map, tcmu->bytes);
	close(tcmu->fd);
}

static int take_command(const struct tcmu *tcmu,
			const struct tcmu_cmd_entry *entry, uint32_t room,
			struct request **request)
{
	const uint64_t cdb = entry->req.cdb_off;
	const uint32_t n = entry->req.iov_cnt;
	struct transfer transfer = {.n = n};
	struct piece *pieces;

	if (cdb > tcmu->bytes || tcmu->bytes - cdb < CDB_BYTES ||
	    n > room / sizeof(entry->req.iov[0]))
		return -EBADMSG;
	pieces = calloc(n + 1, sizeof(*pieces));
	if (!pieces)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		/* In the ring they are offsets. */
		const size_t at = (size_t)entry->req.iov[i].iov_base;
		const size_t length = entry->req.iov[i].iov_len;

		if (at > tcmu->bytes || length > tcmu->bytes - at) {
			free(pieces);
			return -EBADMSG;
		}
		pieces[i] = (struct piece){tcmu->map + at, length};
	}
	transfer.pieces = pieces;
	*request = request_new(entry->hdr.cmd_id, tcmu->map + cdb, &transfer);
	free(pieces);
	return *request ? 1 : -ENOMEM;
}

static int take_entry(const struct tcmu *tcmu,
		      const struct tcmu_cmd_entry *entry, uint32_t room,
		      struct tcmu_event *event)
{
	const struct tcmu_tmr_entry *tmr = (const void *)entry;

	switch (tcmu_hdr_get_op(entry->hdr.len_op)) {
	case TCMU_OP_CMD:
		return take_command(tcmu, entry, room, &event->request);
	case TCMU_OP_TMR:
		if (tmr->cmd_cnt > room / sizeof(tmr->cmd_ids[0]))
			return -EBADMSG;
		event->ids = (const uint8_t *)entry +
			     offsetof(struct tcmu_tmr_entry, cmd_ids);
		event->n_ids = tmr->cmd_cnt;
		return 1;
	default:
		return 0;
	}
}

int tcmu_take(struct tcmu *tcmu, struct tcmu_event *event)
{
	const struct tcmu_mailbox *box = mailbox(tcmu);

	*event = (struct tcmu_event){0};
	while (tcmu->next !=
	       __atomic_load_n(&box->cmd_head, __ATOMIC_ACQUIRE)) {
		const struct tcmu_cmd_entry *entry = entry_at(tcmu, tcmu->next);
		const uint32_t room = box->cmdr_size - tcmu->next;
		const uint32_t length = tcmu_hdr_get_len(entry->hdr.len_op);
		int taken;

		if (!length || length > room)
			return -EBADMSG;
		taken = take_entry(tcmu, entry, length, event);
		if (taken < 0)
			return taken;
		tcmu->next = (tcmu->next + length) % box->cmdr_size;
		if (taken)
			return taken;
	}
	return 0;
}

uint16_t tcmu_event_id(const struct tcmu_event *event, uint32_t n)
{
	uint16_t id;

	memcpy(&id, event->ids + n * sizeof(id), sizeof(id));
	return id;
}

/* The entry of the oldest command that is not given back, beyond those that
 * are none. */
static struct tcmu_cmd_entry *tail_entry(struct tcmu *tcmu)
{
	struct tcmu_mailbox *box = mailbox(tcmu);

	while (box->cmd_tail != tcmu->next) {
		struct tcmu_cmd_entry *entry = entry_at(tcmu, box->cmd_tail);

		if (tcmu_hdr_get_op(entry->hdr.len_op) == TCMU_OP_CMD)
			return entry;
		box->cmd_tail =
			(box->cmd_tail + tcmu_hdr_get_len(entry->hdr.len_op)) %
			box->cmdr_size;
	}
	return NULL;
}

/* Entries go back in order, but each may be given another command's number and
 * answer: theirs were copied when they were taken. */
void tcmu_answer(struct tcmu *tcmu, const struct request *request)
{
	struct tcmu_mailbox *box = mailbox(tcmu);
	struct tcmu_cmd_entry *entry = tail_entry(tcmu);
	uint32_t after;

	if (!entry)
		return;
	after = (box->cmd_tail + tcmu_hdr_get_len(entry->hdr.len_op)) %
		box->cmdr_size;
	entry->hdr.cmd_id = request->id;
	entry->hdr.uflags = 0;
	memset(&entry->rsp, 0, sizeof(entry->rsp));
	entry->rsp.scsi_status = request->status;
	if (request->status == SCSI_GOOD && request->read) {
		entry->hdr.uflags = TCMU_UFLAG_READ_LEN;
		entry->rsp.read_len = (uint32_t)request->read;
	}
	memcpy(entry->rsp.sense_buffer, request->sense, SENSE_BYTES);
	__atomic_store_n(&box->cmd_tail, after, __ATOMIC_RELEASE);
}

int tcmu_kick(struct tcmu *tcmu)
{
	const uint32_t any = 0;

	tail_entry(tcmu);
	if (write(tcmu->fd, &any, sizeof(any)) != (ssize_t)sizeof(any))
		return -errno;
	return 0;
}
