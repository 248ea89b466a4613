/* SPDX-License-Identifier: GPL-2.0-only */
/* fio's hooks for zonemode=zbd. */
#ifndef PT_ZONED_H
#define PT_ZONED_H

#include "common/fio_engine.h"

int pt_get_zoned_model(struct thread_data *td, struct fio_file *file,
		       enum zbd_zoned_model *model);
int pt_report_zones(struct thread_data *td, struct fio_file *file,
		    uint64_t offset, struct zbd_zone *zones,
		    unsigned int n_zones);
int pt_reset_wp(struct thread_data *td, struct fio_file *file, uint64_t offset,
		uint64_t length);
int pt_get_max_open_zones(struct thread_data *td, struct fio_file *file,
			  unsigned int *max_open_zones);

#endif
