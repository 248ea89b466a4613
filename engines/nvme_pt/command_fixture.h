/* SPDX-License-Identifier: GPL-2.0-only */
/* For tests of commands. */
#ifndef PT_COMMAND_FIXTURE_H
#define PT_COMMAND_FIXTURE_H

#include "command.h"

/* Each field different from all others, and from 0. */
/* clang-format off */
#define EVERY_MODIFIER(directive_type)                                         \
	{                                                                      \
		.fua = true,                                                   \
		.limited_retry = true,                                         \
		.deallocate = true,                                            \
		.dsm = 0x95,                                                   \
		.directive = (directive_type),                                 \
		.directive_id = 0xabcd,                                        \
		.pi_act = true,                                                \
		.pi_check = PT_CHECK_GUARD | PT_CHECK_REFERENCE,               \
		.apptag = 0x1234,                                              \
		.apptag_mask = 0xf0f0,                                         \
		.timeout_ms = 5000,                                            \
	}
/* clang-format on */

#endif
