/* SPDX-License-Identifier: GPL-2.0-only */
/* One command at a time, for what a job asks the disk beside its I/O.  Knows
 * nothing of fio. */
#ifndef SN_EXECUTE_H
#define SN_EXECUTE_H

#include "cdb.h"
#include "identify.h"
#include "log.h"
#include "outcome.h"

/*
 * By ioctl(SG_IO) on /dev/sgN or /dev/sdX.  A transfer that came short is no
 * success.  Sent again after a signal, and a few times if a reset was in the
 * way (SN_RESET).  Not while queued commands are with the disk that must not
 * wait: a command that is not queued waits for all that are.
 */
void sn_execute(int fd, const struct sn_cdb *cdb, enum sn_direction direction,
		void *data, unsigned int bytes, unsigned int timeout_ms,
		struct sn_outcome *outcome);

/* An ATA command whose data are 512 bytes, or none. */
void sn_execute_ata(int fd, const struct sn_command *command, void *data,
		    struct sn_outcome *outcome);

/* 0, or -errno with a sentence. */
int sn_identify(int fd, const char *path, struct sn_identity *identity,
		struct fe_error *err);

/* One page of a log; false: the drive does not give it. */
bool sn_read_log(int fd, uint8_t address, uint8_t page[512]);

/* How many counters of the link there are now, 0 without them. */
unsigned int
sn_read_phy_events(int fd, const struct sn_identity *identity,
		   struct sn_phy_counter counters[SN_PHY_COUNTERS]);

#endif
