/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/text.h"
#include "flame-sample.h"
#include "printed.h"
#include "view/picture/flame-svg.h"
#include "view/picture/palette.h"

static char *drawn(const struct flame *f, const struct flame_picture *picture)
{
	struct printed p;

	printed_open(&p);
	assert_int_equal(flame_svg_print(f, picture, p.out), 0);
	fclose(p.out);
	return p.text;
}

static void assert_in(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("%s is missing", part);
}

static void assert_not_in(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("%s should not be there", part);
}

static void boxes_have_the_places_and_titles_of_flamegraph(void **state)
{
	_cleanup_(flame_freep) struct flame *f = FLAME_OF("sh;main 1500", "sh 500",
							  "cat;main 2000");
	_cleanup_(freep) char *svg = drawn(f, &(struct flame_picture){ 0 });

	(void)state;
	assert_in(svg, "<title>all (4,000 samples, 100%)</title>"
		       "<rect x=\"10\" y=\"88\" width=\"1180\" height=\"16\"/>");
	assert_in(svg, "<title>cat (2,000 samples, 50.00%)</title>"
		       "<rect x=\"10\" y=\"71\" width=\"590\" height=\"16\"/>");
	assert_in(svg, "<title>main (1,500 samples, 37.50%)</title>"
		       "<rect x=\"600\" y=\"54\" width=\"442.5\" height=\"16\"/>");
}

static void an_icicle_has_its_first_box_on_top(void **state)
{
	_cleanup_(flame_freep) struct flame *f = FLAME_OF("sh;main 1");
	_cleanup_(freep) char *svg = drawn(f, &(struct flame_picture){ .is_icicle = true });

	(void)state;
	assert_in(svg, "<title>all (1 samples, 100%)</title><rect x=\"10\" y=\"54\"");
	assert_in(svg, "<title>main (1 samples, 100.00%)</title><rect x=\"10\" y=\"88\"");
}

static void words_are_those_that_were_asked_for(void **state)
{
	_cleanup_(flame_freep) struct flame *f = FLAME_OF("sh;main 3", "sh;small 1");
	const struct flame_picture picture = {
		.title = "<b>",
		.subtitle = "sub & title",
		.count_name = "\xc2\xb5s",
		.palette = palette_find("hot"),
		.width = 620,
		.min_percent = 26,
	};
	_cleanup_(freep) char *svg = drawn(f, &picture);

	(void)state;
	assert_in(svg, "width=\"620\"");
	assert_in(svg, "<title>&lt;b&gt;</title>");
	assert_in(svg, ">sub &amp; title</text>");
	assert_in(svg, "<title>main (3 \xc2\xb5s, 75.00%)</title>"
		       "<rect x=\"10\" y=\"54\" width=\"450\"");
	assert_not_in(svg, "small");
	assert_not_in(svg, ">user</text>");
}

static void hostile_names_stay_text(void **state)
{
	struct flame_builder *b = flame_builder_new("all");
	char *name = xcalloc(1, 10001);
	uint32_t box;

	(void)state;
	memset(name, 'x', 10000);
	box = flame_builder_box(b, 0, flame_builder_text(b, "</title><script>\x1b\xff]]>"),
				flame_builder_text(b, ""), FLAME_USER);
	flame_builder_weigh(b, box, FLAME_AFTER, 1);
	box = flame_builder_box(b, 0, flame_builder_text(b, name), flame_builder_text(b, "\"'"),
				FLAME_USER);
	flame_builder_weigh(b, box, FLAME_AFTER, 1);

	_cleanup_(flame_freep) struct flame *f = flame_builder_finish(b, false);
	_cleanup_(freep) char *svg = drawn(f, &(struct flame_picture){ 0 });

	assert_in(
		svg,
		"<title>&lt;/title&gt;&lt;script&gt;\\x1b\\xff]]&gt; (1 samples, 50.00%)</title>");
	assert_not_in(svg, "<script>\x1b");
	assert_in(svg, "xxx\xe2\x80\xa6</text>");
	flame_builder_free(b);
	free(name);
}

static void a_comparison_tells_both_shares_and_the_direction(void **state)
{
	_cleanup_(flame_freep) struct flame *f = FLAME_COMPARED("a 600", "b 400", "-a 500",
								"-b 400", "-gone 100");
	_cleanup_(freep) char *svg = NULL;

	(void)state;
	f->boxes[1].change = FLAME_MORE;
	f->boxes[3].change = FLAME_LESS;
	svg = drawn(f, &(struct flame_picture){ .before = "old.data", .after = "new.data" });
	assert_in(svg, "class=\"flame difference\"");
	assert_in(svg, "after: new.data, compared with before: old.data");
	assert_in(svg, "red: takes a larger share than before");
	assert_in(svg, "gone since before: 10.00%");
	assert_in(svg, "a (600 samples, 60.00%; before 50.00%: +10.00 points)");
	assert_in(svg, "b (400 samples, 40.00%; before 40.00%: +0.00 points, "
		       "no change of its own beyond chance)");
	assert_in(svg, " d0 gone\"><title>gone (0 samples, 0.00%; before 10.00%: -10.00 points)");
}

static void times_are_as_people_read_them(void **state)
{
	_cleanup_(flame_freep) struct flame *f =
		FLAME_OF("sh;sleep 6508465035", "sh;short 12300000", "sh;(1 ns, 2%) 1000000000");
	_cleanup_(freep) char *svg = drawn(f, &(struct flame_picture){ .count_name = "ns" });
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	assert_in(svg, "<title>sleep (6.508 s, 86.54%)</title>");
	assert_in(svg, "<title>short (12.3 ms, 0.16%)</title>");
	flame_amount_add(&t, 0, "ns");
	assert_string_equal(t.chars, "0 ns");
}

static void a_picture_of_nothing_is_a_picture(void **state)
{
	struct flame_builder *b = flame_builder_new("all");
	_cleanup_(flame_freep) struct flame *f = flame_builder_finish(b, false);
	_cleanup_(freep) char *svg = drawn(f, &(struct flame_picture){ 0 });

	(void)state;
	flame_builder_free(b);
	assert_in(svg, "<title>all (0 samples, 100%)</title>");
	assert_in(svg, "</svg>\n");
}

static void a_full_disk_is_told(void **state)
{
	_cleanup_(flame_freep) struct flame *f = FLAME_OF("sh;main 1");
	_cleanup_(fclosep) FILE *full = fopen("/dev/full", "w");

	(void)state;
	assert_non_null(full);
	setvbuf(full, NULL, _IONBF, 0);
	assert_int_equal(flame_svg_print(f, &(struct flame_picture){ 0 }, full), -ENOSPC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(boxes_have_the_places_and_titles_of_flamegraph),
		cmocka_unit_test(an_icicle_has_its_first_box_on_top),
		cmocka_unit_test(words_are_those_that_were_asked_for),
		cmocka_unit_test(hostile_names_stay_text),
		cmocka_unit_test(a_comparison_tells_both_shares_and_the_direction),
		cmocka_unit_test(times_are_as_people_read_them),
		cmocka_unit_test(a_picture_of_nothing_is_a_picture),
		cmocka_unit_test(a_full_disk_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
