/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PT_FLUSH_H
#define PT_FLUSH_H

#include <stdint.h>

/* Flush a namespace and wait for it: 0, -errno or a positive NVMe status. */
int pt_flush(int fd, uint32_t nsid, uint32_t timeout_ms);

#endif
