/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SN_SUPPORT_FIXTURE_H
#define SN_SUPPORT_FIXTURE_H

#include "support.h"

#include "unit.h"

#include <errno.h>

/* A drive that can do everything, and a job that reads and writes. */
struct fixture {
	struct sn_identity id;
	struct sn_node node;
	struct sn_plan plan;
	struct sn_abilities abilities;
};

static inline int set_up(void **state)
{
	static struct fixture f;

	f = (struct fixture){
		.id = {.blocks = 1 << 20,
		       .block_bytes = 512,
		       .physical_bytes = 4096,
		       .ncq = true,
		       .depth = 32,
		       .ncq_priority = true,
		       .ncq_send_receive = true,
		       .lba48 = true,
		       .flush_ext = true,
		       .fua_ext = true,
		       .trim = true,
		       .trim_units = 8},
		.node = {.libata = true,
			 .trim = "queued",
			 .queue_depth = 32,
			 .max_bytes = 128 << 10,
			 .priority_on = 1},
		.plan = {.reads = true,
			 .writes = true,
			 .queued = true,
			 .depth = 32,
			 .min_bytes = {[SN_READ] = 4096, [SN_WRITE] = 4096},
			 .max_bytes = {[SN_READ] = 65536, [SN_WRITE] = 65536}},
	};
	*state = &f;
	return 0;
}

static inline void use_trim(struct fixture *f)
{
	f->plan.trims = true;
	f->plan.min_bytes[SN_TRIM] = 4096;
	f->plan.max_bytes[SN_TRIM] = 1 << 20;
}

/* What the job is told. */
static inline const char *allowed(struct fixture *f)
{
	struct fe_error err = {""};
	const int ret = sn_support_check(&f->id, &f->node, &f->plan,
					 &f->abilities, &err);

	assert_string_equal(err.text, "");
	assert_int_equal(ret, 0);
	return f->abilities.note;
}

static inline void assert_refused(struct fixture *f, int code,
				  const char *sentence)
{
	struct fe_error err = {""};

	assert_int_equal(sn_support_check(&f->id, &f->node, &f->plan,
					  &f->abilities, &err),
			 code);
	assert_string_equal(err.text, sentence);
}

#define TEST(name) cmocka_unit_test_setup(name, set_up)

#endif
