/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "tui/flame-bars.h"

/* Makes boxes of lines: "a;b;c 5|a;d 3". */
static struct flame *boxes_of(const char *lines)
{
	_cleanup_(flame_builder_freep) struct flame_builder *b = flame_builder_new("all");
	_cleanup_(freep) char *copy = xstrdup(lines);
	char *rest = copy, *line;

	while ((line = strsep(&rest, "|"))) {
		char *count = strrchr(line, ' '), *name;
		uint32_t box = 0;

		*count++ = '\0';
		while ((name = strsep(&line, ";")))
			box = flame_builder_box(b, box, flame_builder_text(b, name),
						flame_builder_text(b, ""), FLAME_USER);
		flame_builder_weigh(b, box, FLAME_AFTER, strtoull(count, NULL, 10));
	}
	return flame_builder_finish(b, false);
}

/* Returns each row as text: the name's first letter in all cells of a bar, '~' for narrow ones. */
static char *picture(const struct flame_bars *l, const struct flame *f)
{
	struct text t = TEXT_EMPTY;

	for (size_t row = 0; row < l->n_rows; row++) {
		for (int x = 0; x < l->width; x++) {
			const struct flame_bar *bar = flame_bars_at(l, row, x);

			text_add_char(&t, !bar            ? '.'
					  : bar->n_merged ? '~'
							  : f->boxes[bar->box].name[0]);
		}
		text_add_char(&t, '|');
	}
	return text_take(&t);
}

static void assert_picture(const char *lines, uint32_t root, int width, const char *wanted)
{
	_cleanup_(flame_freep) struct flame *f = boxes_of(lines);
	_cleanup_(flame_bars_done) struct flame_bars l = { 0 };
	_cleanup_(freep) char *got = NULL;

	flame_bars_make(&l, f, root, width);
	got = picture(&l, f);
	assert_string_equal(got, wanted);
}

static void bars_are_as_wide_as_their_share(void **state)
{
	(void)state;
	assert_picture("m;r 6|m;w 2", 0, 8, "aaaaaaaa|mmmmmmmm|rrrrrrww|");
}

static void what_a_box_has_by_itself_is_free_at_its_end(void **state)
{
	(void)state;
	assert_picture("m;r 2|m 6|n;b 8", 0, 8, "aaaaaaaa|mmmmnnnn|r...bbbb|");
}

static void a_box_can_be_the_root(void **state)
{
	(void)state;
	/* Boxes: 0 all, 1 m, 2 r, 3 x, 4 n. */
	assert_picture("m;r;x 4|n 4", 1, 4, "mmmm|rrrr|xxxx|");
}

static void narrow_boxes_are_put_together(void **state)
{
	(void)state;
	assert_picture("a 5|b 1|c 1|d 1|e 8", 0, 8, "aaaaaaaa|aa~~eeee|");
}

static void narrow_boxes_do_not_hide_wide_ones(void **state)
{
	(void)state;
	assert_picture("a 1|b 100|c 1", 0, 4, "aaaa|bbb~|");
}

static void what_stands_on_narrow_boxes_is_not_shown(void **state)
{
	(void)state;
	assert_picture("a 6|b;x 1|c;x 1", 0, 4, "aaaa|aaa~|");
}

static void nothing_has_no_rows(void **state)
{
	_cleanup_(flame_builder_freep) struct flame_builder *b = flame_builder_new("all");
	_cleanup_(flame_freep) struct flame *f = flame_builder_finish(b, false);
	_cleanup_(flame_bars_done) struct flame_bars l = { 0 };
	size_t row;

	(void)state;
	flame_bars_make(&l, f, 0, 80);
	assert_int_equal(l.n_rows, 0);
	assert_null(flame_bars_at(&l, 0, 0));
	assert_null(flame_bars_find(&l, 0, &row));
}

static void absurd_weights_stay_within_the_width(void **state)
{
	(void)state;
	assert_picture("a 18446744073709551615|b 18446744073709551615|c 1", 0, 4, "aaaa|aaaa|");
}

static void the_bar_of_a_box_is_found(void **state)
{
	/* 0 all, 1 a, 2 b, 3 x, 4 c, 5 x, 6 y, 7 d. */
	_cleanup_(flame_freep) struct flame *f = boxes_of("a 10|b;x 1|c;x;y 1|d 4");
	_cleanup_(flame_bars_done) struct flame_bars l = { 0 };
	const struct flame_bar *bar;
	size_t row = 9;

	(void)state;
	flame_bars_make(&l, f, 0, 8);
	bar = flame_bars_find(&l, 7, &row);
	assert_int_equal(row, 1);
	assert_int_equal(bar->box, 7);
	bar = flame_bars_find(&l, 6, &row);
	assert_int_equal(row, 1);
	assert_int_equal(bar->n_merged, 2);
	assert_int_equal(bar->first, 2);
	assert_int_equal(bar->end, 7);
	assert_int_equal(flame_bars_find(&l, 0, &row)->box, 0);
	assert_int_equal(row, 0);
	flame_bars_make(&l, f, 1, 8);
	assert_null(flame_bars_find(&l, 7, &row));
}

static void neighbours_are_of_the_same_row(void **state)
{
	_cleanup_(flame_freep) struct flame *f = boxes_of("a;x 4|b;y 4");
	_cleanup_(flame_bars_done) struct flame_bars l = { 0 };
	const struct flame_bar *x, *y;

	(void)state;
	flame_bars_make(&l, f, 0, 8);
	x = flame_bars_at(&l, 2, 0);
	y = flame_bars_beside(&l, 2, x, 1);
	assert_string_equal(f->boxes[y->box].name, "y");
	assert_ptr_equal(flame_bars_beside(&l, 2, y, -1), x);
	assert_null(flame_bars_beside(&l, 2, y, 1));
	assert_null(flame_bars_beside(&l, 2, x, -1));
}

static void a_million_boxes_that_are_narrow_are_passed_over(void **state)
{
	_cleanup_(flame_builder_freep) struct flame_builder *b = flame_builder_new("all");
	_cleanup_(flame_freep) struct flame *f = NULL;
	_cleanup_(flame_bars_done) struct flame_bars l = { 0 };

	(void)state;
	for (unsigned i = 0; i < 1000; i++) {
		char name[16];
		uint32_t box;

		snprintf(name, sizeof(name), "f%03u", i);
		box = flame_builder_box(b, 0, flame_builder_text(b, name),
					flame_builder_text(b, ""), FLAME_USER);
		for (unsigned k = 0; k < 100; k++) {
			box = flame_builder_box(b, box, flame_builder_text(b, name),
						flame_builder_text(b, ""), FLAME_USER);
			flame_builder_weigh(b, box, FLAME_AFTER, 1);
		}
	}
	f = flame_builder_finish(b, false);
	flame_bars_make(&l, f, 0, 200);
	assert_int_equal(l.n_rows, 2);
	assert_int_equal(l.bars.n, 2);
	assert_int_equal(l.bars.items[1].n_merged, 1000);
	assert_int_equal(l.bars.items[1].width, 200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bars_are_as_wide_as_their_share),
		cmocka_unit_test(what_a_box_has_by_itself_is_free_at_its_end),
		cmocka_unit_test(a_box_can_be_the_root),
		cmocka_unit_test(narrow_boxes_are_put_together),
		cmocka_unit_test(narrow_boxes_do_not_hide_wide_ones),
		cmocka_unit_test(what_stands_on_narrow_boxes_is_not_shown),
		cmocka_unit_test(nothing_has_no_rows),
		cmocka_unit_test(absurd_weights_stay_within_the_width),
		cmocka_unit_test(the_bar_of_a_box_is_found),
		cmocka_unit_test(neighbours_are_of_the_same_row),
		cmocka_unit_test(a_million_boxes_that_are_narrow_are_passed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
