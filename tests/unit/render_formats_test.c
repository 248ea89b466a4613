/* SPDX-License-Identifier: GPL-2.0-only */
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "render/render.h"

static const char hostile[] = "</style><script>alert('x')</script>\x1b[2J|`\"";

static char *render(const struct rp_doc *doc, const char *format,
		    const struct rp_render_context *context)
{
	static const struct rp_render_context plain;
	const struct rp_format *f = rp_format_find(format);
	struct rp_str out = RP_STR_INIT;
	struct rp_err err = {0};

	assert_non_null(f);
	assert_int_equal(f->render(doc, context ? context : &plain, &out, &err),
			 0);
	return rp_str_detach(&out);
}

static void assert_part(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("\"%s\" is not in:\n%s", part, text);
}

static void assert_no_part(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("\"%s\" is in:\n%s", part, text);
}

static void assert_renders(const struct rp_doc *doc, const char *format,
			   const struct rp_render_context *context,
			   const char *expected)
{
	char *text = render(doc, format, context);

	assert_string_equal(text, expected);
	free(text);
}

static void add_drives(struct rp_doc *doc)
{
	struct rp_table *table = rp_doc_table(doc, "drives", "Two drives");

	rp_table_column(table, "drive", "drive", "", RP_ALIGN_LEFT);
	rp_table_column(table, "peak_iops", "peak", "IOPS", RP_ALIGN_RIGHT);
	rp_table_column(table, "lat_ns", "mean", "", RP_ALIGN_RIGHT);
	rp_table_text(table, "A");
	rp_table_number(table, 701456.5, "701,456", RP_MARK_BEST);
	rp_table_number(table, 82100, "82.1 µs", RP_MARK_NONE);
	rp_table_text(table, "Long B");
	rp_table_number(table, 9, "9", RP_MARK_NONE);
	rp_table_number(table, NAN, "–", RP_MARK_BAD);
}

static void tables_are_aligned_on_a_terminal(void **state)
{
	struct rp_doc doc = {0};

	(void)state;
	add_drives(&doc);
	assert_renders(&doc, "tty", NULL,
		       "Two drives\n"
		       "drive      peak      mean\n"
		       "           IOPS\n"
		       "--------------------------\n"
		       "A       701,456*  82.1 µs\n"
		       "Long B        9         –!\n"
		       "* best   ! bad\n");
	rp_doc_release(&doc);
}

static void wide_characters_keep_columns_straight(void **state)
{
	struct rp_doc doc = {0};
	struct rp_table *table = rp_doc_table(&doc, "t", "");

	(void)state;
	rp_table_column(table, "a", "a", "", RP_ALIGN_LEFT);
	rp_table_column(table, "b", "b", "", RP_ALIGN_RIGHT);
	rp_table_text(table, "中文");
	rp_table_number(table, 1, "1", RP_MARK_NONE);
	rp_table_text(table, "e\u0301abc");
	rp_table_number(table, 2, "2", RP_MARK_NONE);
	assert_renders(&doc, "tty", NULL,
		       "a     b\n"
		       "-------\n"
		       "中文  1\n"
		       "e\u0301abc  2\n");
	rp_doc_release(&doc);
}

static void narrow_terminals_continue_a_table_below(void **state)
{
	const struct rp_render_context context = {.width = 18};
	struct rp_doc doc = {0};

	(void)state;
	add_drives(&doc);
	assert_renders(&doc, "tty", &context,
		       "Two drives\n"
		       "drive      peak\n"
		       "           IOPS\n"
		       "----------------\n"
		       "A       701,456*\n"
		       "Long B        9\n"
		       "\n"
		       "drive      mean\n"
		       "----------------\n"
		       "A       82.1 µs\n"
		       "Long B        –!\n"
		       "* best   ! bad\n");
	rp_doc_release(&doc);
}

static void text_is_wrapped_to_the_width(void **state)
{
	const struct rp_render_context context = {.width = 20};
	struct rp_doc doc = {0};

	(void)state;
	rp_doc_heading(&doc, 1, "Title");
	rp_doc_paragraph(&doc, "One two three four five six.");
	rp_doc_note(&doc, "Something is odd here.");
	assert_renders(&doc, "tty", &context,
		       "Title\n=====\n\n"
		       "One two three four\nfive six.\n\n"
		       "warning: Something\nis odd here.\n");
	rp_doc_release(&doc);
}

static void colour_comes_only_when_asked_for(void **state)
{
	const struct rp_render_context colour = {.colour = true};
	struct rp_doc doc = {0};
	char *text;

	(void)state;
	add_drives(&doc);
	text = render(&doc, "tty", NULL);
	assert_no_part(text, "\x1b");
	free(text);
	text = render(&doc, "tty", &colour);
	assert_part(text, "\x1b[1;32m701,456\x1b[0m*");
	free(text);
	rp_doc_release(&doc);
}

static void markdown_has_tables_of_github(void **state)
{
	struct rp_doc doc = {0};

	(void)state;
	rp_doc_heading(&doc, 2, "Results");
	add_drives(&doc);
	rp_doc_figure(&doc, "charts/a", "What it shows", "");
	rp_doc_note(&doc, "odd");
	assert_renders(&doc, "md", NULL,
		       "## Results\n\n"
		       "*Two drives*\n\n"
		       "| drive | peak (IOPS) | mean |\n"
		       "| --- | ---: | ---: |\n"
		       "| A | **701,456** | 82.1 µs |\n"
		       "| Long B | 9 | – (!) |\n"
		       "\n**bold**: best · (!): bad\n\n"
		       "![What it shows](charts/a.svg)\n\n"
		       "> **Warning:** odd\n");
	rp_doc_release(&doc);
}

static void one_table_is_pure_csv(void **state)
{
	struct rp_doc doc = {0};

	(void)state;
	rp_doc_heading(&doc, 1, "Not in CSV");
	add_drives(&doc);
	assert_renders(&doc, "csv", NULL,
		       "drive,peak_iops,lat_ns\n"
		       "A,701456.5,82100\n"
		       "Long B,9,\n");
	rp_doc_release(&doc);
}

static void several_tables_are_told_apart_in_csv(void **state)
{
	struct rp_doc doc = {0};
	char *text;

	(void)state;
	add_drives(&doc);
	add_drives(&doc);
	text = render(&doc, "csv", NULL);
	assert_memory_equal(text, "# drives\ndrive,", 15);
	assert_part(text, "\n\n# drives-2\ndrive,");
	free(text);
	rp_doc_release(&doc);
}

static void json_holds_raw_numbers_and_null(void **state)
{
	struct rp_doc doc = {0};

	(void)state;
	doc.title = strdup("T");
	add_drives(&doc);
	rp_doc_paragraph(&doc, "p");
	rp_doc_note(&doc, "a \"quote\"");
	assert_renders(
		&doc, "json", NULL,
		"{\n  \"title\": \"T\",\n  \"tables\": {\n    \"drives\": [\n"
		"      {\"drive\": \"A\", \"peak_iops\": 701456.5, "
		"\"lat_ns\": 82100},\n"
		"      {\"drive\": \"Long B\", \"peak_iops\": 9, "
		"\"lat_ns\": null}\n    ]\n  },\n"
		"  \"figures\": [],\n"
		"  \"text\": [\n    \"p\"\n  ],\n"
		"  \"warnings\": [\n    \"a \\\"quote\\\"\"\n  ]\n}\n");
	rp_doc_release(&doc);
}

static void equal_names_give_distinct_json_keys(void **state)
{
	struct rp_doc doc = {0};
	struct rp_table *table = rp_doc_table(&doc, "t", "");
	char *text;

	(void)state;
	rp_table_column(table, "x", "", "", RP_ALIGN_LEFT);
	rp_table_column(table, "x", "", "", RP_ALIGN_LEFT);
	rp_table_text(table, "1");
	rp_table_text(table, "2");
	rp_doc_table(&doc, "t", "");
	text = render(&doc, "json", NULL);
	assert_part(text, "{\"x\": \"1\", \"x-2\": \"2\"}");
	assert_part(text, "\"t-2\": []");
	free(text);
	rp_doc_release(&doc);
}

static void page_is_closed_to_the_world(void **state)
{
	struct rp_doc doc = {0};
	char *text;

	(void)state;
	rp_doc_heading(&doc, 1, "T");
	text = render(&doc, "html", NULL);
	assert_part(text, "default-src 'none'; img-src data:; "
			  "style-src 'unsafe-inline'");
	assert_part(text, "<html lang=\"en\">");
	assert_no_part(text, "http://");
	assert_no_part(text, "https://");
	assert_no_part(text, "<script");
	assert_no_part(text, "<link");
	free(text);
	rp_doc_release(&doc);
}

static void page_marks_tables_up_for_everybody(void **state)
{
	struct rp_doc doc = {0};
	char *text;

	(void)state;
	add_drives(&doc);
	text = render(&doc, "html", NULL);
	assert_part(text, "<caption>Two drives</caption>");
	assert_part(text, "<th scope=\"col\" class=\"num\">peak "
			  "<span class=\"unit\">IOPS</span></th>");
	assert_part(text, "<th scope=\"row\">A</th>");
	assert_part(text, "aria-label=\"best\"");
	free(text);
	rp_doc_release(&doc);
}

static void page_lists_its_headings(void **state)
{
	struct rp_doc doc = {0};
	char *text;

	(void)state;
	rp_doc_heading(&doc, 1, "Title");
	rp_doc_heading(&doc, 2, "One & only");
	rp_doc_heading(&doc, 3, "Two");
	rp_doc_heading(&doc, 2, "Three");
	text = render(&doc, "html", NULL);
	assert_part(text, "<h1>Title</h1>");
	assert_no_part(text, ">Title</h2>");
	assert_part(text, "<a href=\"#s1\">One &amp; only</a>");
	assert_part(text, "<h2 id=\"s1\">One &amp; only</h2>");
	assert_part(text, "<li class=\"sub\"><a href=\"#s2\">Two</a>");
	free(text);
	rp_doc_release(&doc);
}

static void pictures_are_inside_the_page(void **state)
{
	char dir[] = "/tmp/render-test-XXXXXX";
	struct rp_render_context context = {.dir = dir};
	struct rp_doc doc = {0};
	struct rp_err err = {0};
	char *path, *text;

	(void)state;
	assert_non_null(mkdtemp(dir));
	path = rp_strf("%s/a.svg", dir);
	assert_int_equal(rp_file_write(path, "foobar", 6, &err), 0);
	rp_doc_figure(&doc, "a", "alt \"text\"", "caption");
	text = render(&doc, "html", &context);
	assert_part(text, "<img alt=\"alt &quot;text&quot;\" "
			  "src=\"data:image/svg+xml;base64,Zm9vYmFy\">");
	assert_part(text, "<figcaption>caption</figcaption>");
	free(text);
	unlink(path);
	rmdir(dir);
	free(path);
	rp_doc_release(&doc);
}

static void pictures_outside_the_folder_stay_outside(void **state)
{
	char dir[] = "/tmp/render-test-XXXXXX";
	struct rp_render_context context = {.dir = dir};
	struct rp_doc doc = {0};
	struct rp_err err = {0};
	char *path, *stem, *text;

	(void)state;
	assert_non_null(mkdtemp(dir));
	path = rp_strf("%s/a.svg", dir);
	stem = rp_strf("..%s/a", strrchr(dir, '/'));
	assert_int_equal(rp_file_write(path, "foobar", 6, &err), 0);
	rp_doc_figure(&doc, stem, "", "");
	text = render(&doc, "html", &context);
	unlink(path);
	rmdir(dir);
	assert_no_part(text, "<img");
	free(text);
	free(stem);
	free(path);
	rp_doc_release(&doc);
}

static void missing_pictures_are_said(void **state)
{
	static const char *const stems[] = {"none", "../../etc/passwd",
					    "/etc/passwd"};

	(void)state;
	for (size_t i = 0; i < sizeof(stems) / sizeof(stems[0]); i++) {
		struct rp_doc doc = {0};
		char *text;

		rp_doc_figure(&doc, stems[i], "", "");
		text = render(&doc, "html", NULL);
		assert_part(text, "Missing picture");
		assert_no_part(text, "<img");
		free(text);
		rp_doc_release(&doc);
	}
}

static void add_hostile(struct rp_doc *doc)
{
	struct rp_table *table;

	doc->title = strdup(hostile);
	rp_doc_heading(doc, 1, "%s", hostile);
	for (int level = 1; level < 4; level++)
		rp_doc_heading(doc, level, "%s", hostile);
	rp_doc_paragraph(doc, "%s", hostile);
	rp_doc_note(doc, "%s", hostile);
	rp_doc_figure(doc, hostile, hostile, hostile);
	table = rp_doc_table(doc, hostile, hostile);
	rp_table_column(table, hostile, hostile, hostile, RP_ALIGN_LEFT);
	rp_table_text(table, hostile);
	rp_table_number(table, 1, hostile, RP_MARK_BEST);
	rp_doc_table(doc, hostile, hostile);
}

static void hostile_text_does_nothing_anywhere(void **state)
{
	const struct rp_render_context context = {.width = 30};
	struct rp_doc doc = {0};

	(void)state;
	add_hostile(&doc);
	for (size_t i = 0; i < rp_format_count; i++) {
		char *text = render(&doc, rp_formats[i].name, &context);

		assert_no_part(text, "\x1b");
		if (!strcmp(rp_formats[i].name, "html"))
			assert_no_part(text, "<script");
		if (!strcmp(rp_formats[i].name, "md"))
			assert_no_part(text, "><script");
		free(text);
	}
	rp_doc_release(&doc);
}

static void empty_documents_are_fine(void **state)
{
	struct rp_doc doc = {0};

	(void)state;
	for (size_t i = 0; i < rp_format_count; i++)
		free(render(&doc, rp_formats[i].name, NULL));
}

static void failed_document_is_an_error(void **state)
{
	struct rp_doc doc = {.failed = true};
	struct rp_render_context context = {0};
	struct rp_str out = RP_STR_INIT;

	(void)state;
	for (size_t i = 0; i < rp_format_count; i++)
		assert_true(rp_formats[i].render(&doc, &context, &out, NULL) <
			    0);
	rp_str_release(&out);
}

static void unknown_format_is_not_found(void **state)
{
	(void)state;
	assert_null(rp_format_find("pdf"));
	assert_null(rp_format_find(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_are_aligned_on_a_terminal),
		cmocka_unit_test(wide_characters_keep_columns_straight),
		cmocka_unit_test(narrow_terminals_continue_a_table_below),
		cmocka_unit_test(text_is_wrapped_to_the_width),
		cmocka_unit_test(colour_comes_only_when_asked_for),
		cmocka_unit_test(markdown_has_tables_of_github),
		cmocka_unit_test(one_table_is_pure_csv),
		cmocka_unit_test(several_tables_are_told_apart_in_csv),
		cmocka_unit_test(json_holds_raw_numbers_and_null),
		cmocka_unit_test(equal_names_give_distinct_json_keys),
		cmocka_unit_test(page_is_closed_to_the_world),
		cmocka_unit_test(page_marks_tables_up_for_everybody),
		cmocka_unit_test(page_lists_its_headings),
		cmocka_unit_test(pictures_are_inside_the_page),
		cmocka_unit_test(pictures_outside_the_folder_stay_outside),
		cmocka_unit_test(missing_pictures_are_said),
		cmocka_unit_test(hostile_text_does_nothing_anywhere),
		cmocka_unit_test(empty_documents_are_fine),
		cmocka_unit_test(failed_document_is_an_error),
		cmocka_unit_test(unknown_format_is_not_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
