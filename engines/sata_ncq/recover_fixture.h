/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SN_RECOVER_FIXTURE_H
#define SN_RECOVER_FIXTURE_H

#include "recover.h"

#include "unit.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Eight blocks from `lba` on, of a queue. */
static inline struct sn_suspect ended(enum sn_kind kind, uint64_t lba)
{
	return (struct sn_suspect){
		.lba = lba,
		.blocks = 8,
		.queued = true,
		.sent = 1,
		.outcome = {.kind = kind, .sense = {.valid = true}},
		.verdict = (enum sn_verdict)99,
	};
}

static inline struct sn_suspect ended_at(uint64_t lba, uint64_t place)
{
	struct sn_suspect suspect = ended(SN_MEDIA, lba);

	suspect.outcome.sense.has_lba = true;
	suspect.outcome.sense.lba_bits = 64;
	suspect.outcome.sense.lba = place;
	return suspect;
}

static inline struct sn_ncq_error log_of(uint64_t lba)
{
	return (struct sn_ncq_error){
		.queued = true, .status = 0x41, .error = 0x40, .lba = lba};
}

static inline void expect(const struct sn_suspect *suspect,
			  enum sn_verdict verdict)
{
	assert_int_equal(suspect->verdict, verdict);
	assert_false(suspect->has_lba);
}

static inline void expect_failed_at(const struct sn_suspect *suspect,
				    uint64_t lba)
{
	assert_int_equal(suspect->verdict, SN_FAIL);
	assert_true(suspect->has_lba);
	assert_int_equal(suspect->bad_lba, lba);
}

#endif
