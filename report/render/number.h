/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_RENDER_NUMBER_H
#define RP_RENDER_NUMBER_H

#include "base/str.h"

/*
 * The shortest text that reads back as the same number; `unknown` for NAN
 * and infinities, which neither JSON nor CSV can hold.
 */
void rp_number_add(struct rp_str *out, double number, const char *unknown);

#endif
