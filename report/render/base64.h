/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_RENDER_BASE64_H
#define RP_RENDER_BASE64_H

#include "base/str.h"

void rp_base64_add(struct rp_str *out, const char *bytes, size_t n);

#endif
