/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What Linux says of a device in sysfs: found by device number, as nodes may
 * have any name.  Knows nothing of fio.  `sys` is "/sys".
 */
#ifndef FE_SYSFS_H
#define FE_SYSFS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct fe_place {
	char name[64];	       /* the kernel's */
	char folder[PATH_MAX]; /* that has the device's in sysfs */
};

/* Where a block or character device is; false, with empty strings, if it is
 * neither or the kernel does not know it. */
bool fe_sysfs_locate(const char *sys, mode_t mode, dev_t device,
		     struct fe_place *place);

/* A number in FOLDER/NAME/ATTRIBUTE; false if there is none. */
bool fe_sysfs_number(const char *folder, const char *name,
		     const char *attribute, uint64_t *number);

/* Text of FOLDER/NAME/ATTRIBUTE, without the newline; false if it is longer
 * than size or can't be read. */
bool fe_sysfs_text(const char *folder, const char *name, const char *attribute,
		   char *text, size_t size);

bool fe_sysfs_exists(const char *folder, const char *name,
		     const char *attribute);

/* Does the link FOLDER/NAME/LINK lead to something that has this name? */
bool fe_sysfs_link_is(const char *folder, const char *name, const char *link,
		      const char *wanted);

/* Is it the prefix, then numbers with the letters between them?  "nvme12n3" has
 * the prefix "nvme" and the letters "n". */
bool fe_sysfs_name_is(const char *name, const char *prefix,
		      const char *letters);

/*
 * Lowers *bytes, of which 0 stands for no limit, to the most of a command that
 * is passed through from or to whole pages, by a block device's limits.  For
 * these max_sectors_kb does not count.
 */
void fe_sysfs_transfer_limit(const char *folder, const char *name,
			     uint64_t *bytes);

/* Calls back for each entry of a folder but hidden ones; until it returns
 * false.  Nothing if there is no such folder. */
void fe_sysfs_each(const char *folder, bool (*one)(const char *name, void *),
		   void *context);

#endif
