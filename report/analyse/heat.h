/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_ANALYSE_HEAT_H
#define RP_ANALYSE_HEAT_H

#include "analyse/endurance.h"

/*
 * Fill what `endurance` tells of temperature, in its windows and levels too,
 * which are there already.  0 or -ENOMEM.
 */
int rp_heat_beside(const struct rp_heat *heat, struct rp_endurance *endurance);

#endif
