/* SPDX-License-Identifier: GPL-2.0-only */
#include "doc/endurance.h"

#include <math.h>
#include <stdio.h>

#include "base/units.h"
#include "doc/metric_cells.h"

#define GIB 0x1p30

/* 8.41, 42.1, 1,907: a column of one unit can be compared at a glance. */
static void gib_cell(struct rp_table *table, double bytes)
{
	double gib = bytes / GIB;
	char text[RP_NUMBER_MAX];

	if (fabs(gib) < 99.95)
		snprintf(text, sizeof(text), "%.*f", gib < 9.995 ? 2 : 1, gib);
	else
		rp_fmt_count(text, sizeof(text), round(gib));
	rp_table_number(table, bytes, text, RP_MARK_NONE);
}

static void speed_cell(struct rp_table *table, double bytes_per_s)
{
	rp_unit_cell(table, RP_UNIT_BANDWIDTH, bytes_per_s, RP_MARK_NONE);
}

static void second_cell(struct rp_table *table, double value)
{
	char text[RP_NUMBER_MAX];

	rp_fmt_count(text, sizeof(text), value < 10 ? value : round(value));
	rp_table_number(table, value, text, RP_MARK_NONE);
}

static void plain_cell(struct rp_table *table, double value, int digits)
{
	char text[RP_NUMBER_MAX];

	if (isnan(value))
		rp_fmt_count(text, sizeof(text), value);
	else
		snprintf(text, sizeof(text), "%.*f", digits, value);
	rp_table_number(table, value, text, RP_MARK_NONE);
}

static void number_column(struct rp_table *table, const char *name,
			  const char *title, const char *unit)
{
	rp_table_column(table, name, title, unit, RP_ALIGN_RIGHT);
}

static void add_levels(struct rp_doc *doc, const struct rp_endurance *e)
{
	struct rp_table *table = rp_doc_table(doc, "levels", "");

	number_column(table, "from_bytes", "from", "GiB");
	number_column(table, "to_bytes", "to", "GiB");
	number_column(table, "seconds", "time", "s");
	number_column(table, "bytes_per_s", "mean", "MB/s");
	number_column(table, "median_bytes_per_s", "median", "MB/s");
	number_column(table, "min_bytes_per_s", "minimum", "MB/s");
	number_column(table, "max_bytes_per_s", "maximum", "MB/s");
	if (e->heat.known)
		number_column(table, "celsius", "temperature", "\u00b0C");
	for (size_t i = 0; i < e->levels.count; i++) {
		const struct rp_level *level = &e->levels.at[i];

		gib_cell(table, level->from_bytes);
		gib_cell(table, level->to_bytes);
		second_cell(table, level->end_s - level->begin_s);
		speed_cell(table, level->mean);
		speed_cell(table, level->median);
		speed_cell(table, level->least);
		speed_cell(table, level->most);
		if (e->heat.known)
			plain_cell(table, level->celsius, 0);
	}
}

static void add_notes(struct rp_doc *doc, const struct rp_endurance *e)
{
	for (size_t i = 0; i < e->warnings.count; i++)
		rp_doc_note(doc, "%s", e->warnings.at[i]);
}

static void add_paragraph(struct rp_doc *doc, const struct rp_endurance *e,
			  void (*say)(const struct rp_endurance *,
				      struct rp_str *))
{
	struct rp_str text = RP_STR_INIT;

	say(e, &text);
	if (rp_str_failed(&text))
		doc->failed = true;
	else if (text.len)
		rp_doc_paragraph(doc, "%s", rp_str_text(&text));
	rp_str_release(&text);
}

void rp_doc_endurance(struct rp_doc *doc, const struct rp_endurance *endurance)
{
	add_paragraph(doc, endurance, rp_endurance_sentences);
	add_paragraph(doc, endurance, rp_heat_sentences);
	add_levels(doc, endurance);
	add_notes(doc, endurance);
}

static void add_all_numbers(struct rp_doc *doc, const struct rp_endurance *e)
{
	bool fell = rp_endurance_fell(e);
	const struct rp_level *fast = rp_endurance_last_fast(e);
	const struct rp_heat_sight *sight = &e->heat;
	struct rp_table *table = rp_doc_table(doc, "endurance", "");
	/* what is not known or not there is empty */
	const struct {
		const char *name;
		double value;
	} numbers[] = {
		{"bytes", e->bytes},
		{"seconds", e->seconds},
		{"bytes_per_s", e->mean},
		{"min_bytes_per_s", e->least},
		{"max_bytes_per_s", e->most},
		{"levels", (double)e->levels.count},
		{"cache_bytes", fell ? fast->to_bytes : NAN},
		{"cache_end_s", fell ? fast->end_s : NAN},
		{"before_bytes_per_s", fell ? e->before : NAN},
		{"after_bytes_per_s", fell ? e->after : NAN},
		{"first_tenth_bytes_per_s", e->first_tenth},
		{"last_tenth_bytes_per_s", e->last_tenth},
		{"dips", (double)e->dips.count},
		{"dip_seconds", e->dips.seconds},
		{"coldest_celsius", sight->known ? sight->coldest : NAN},
		{"hottest_celsius", sight->known ? sight->hottest : NAN},
		{"hot_begin_s", sight->known ? sight->hot_begin_s : NAN},
		{"hot_end_s", sight->known ? sight->hot_end_s : NAN},
		{"cache_end_celsius", fell ? fast->end_celsius : NAN},
		{"heat_correlation", sight->correlation},
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		number_column(table, numbers[i].name, numbers[i].name, "");
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		plain_cell(table, numbers[i].value, 3);
}

void rp_doc_endurance_wide(struct rp_doc *doc,
			   const struct rp_endurance *endurance)
{
	add_all_numbers(doc, endurance);
	add_levels(doc, endurance);
	add_notes(doc, endurance);
}
