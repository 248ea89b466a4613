/* SPDX-License-Identifier: GPL-2.0-only */
#include "model/bandwidth.h"

#include <stdlib.h>

void rp_bw_logs_release(struct rp_bw_logs *logs)
{
	for (size_t i = 0; i < logs->jobs.count; i++) {
		free(logs->jobs.at[i].path);
		rp_vec_release(&logs->jobs.at[i].windows);
	}
	rp_vec_release(&logs->jobs);
	rp_strings_release(&logs->warnings);
}

void rp_heat_release(struct rp_heat *heat)
{
	free(heat->point);
	heat->point = NULL;
	rp_vec_release(&heat->readings);
}
