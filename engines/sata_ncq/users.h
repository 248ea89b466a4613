/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many use a disk: a drive ends all that it has queued when one command
 * fails, whoever sent it.  Knows nothing of fio.
 */
#ifndef SN_USERS_H
#define SN_USERS_H

/* One more uses the disk of these two names, of which one may be "".  Points to
 * the number of its users from now on, as long as the process lives; NULL: no
 * memory. */
const unsigned int *sn_users_add(const char *block, const char *generic);

#endif
