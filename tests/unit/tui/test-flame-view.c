/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/memory.h"
#include "tui/flame-view.h"

/* Makes boxes of "a;b;c 5|a;d 3". */
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

static const char *selected(const struct flame_view *v)
{
	return v->flame->boxes[v->selected].name;
}

static const char *root(const struct flame_view *v)
{
	return v->flame->boxes[v->root].name;
}

static void arrows_lead_to_parents_children_and_neighbours(void **state)
{
	_cleanup_(flame_view_done) struct flame_view v = { 0 };

	(void)state;
	flame_view_take(&v, boxes_of("m;r;x 4|m;w;y 6|n 2"));
	flame_view_fit(&v, 60, 10);
	assert_false(flame_view_up(&v));
	assert_false(flame_view_beside(&v, 1));
	assert_true(flame_view_down(&v));
	assert_true(flame_view_down(&v));
	assert_string_equal(selected(&v), "w");
	assert_true(flame_view_beside(&v, -1));
	assert_string_equal(selected(&v), "r");
	assert_false(flame_view_beside(&v, -1));
	assert_true(flame_view_down(&v));
	/* The neighbour need not have the same parent. */
	assert_true(flame_view_beside(&v, 1));
	assert_string_equal(selected(&v), "y");
	assert_false(flame_view_down(&v));
	assert_true(flame_view_up(&v));
	assert_string_equal(selected(&v), "w");
}

static void zooms_are_left_in_the_order_they_were_made(void **state)
{
	_cleanup_(flame_view_done) struct flame_view v = { 0 };

	(void)state;
	flame_view_take(&v, boxes_of("m;r;x;y 4|n 2"));
	flame_view_fit(&v, 60, 10);
	assert_false(flame_view_zoom_in(&v));
	flame_view_select(&v, 2);
	assert_true(flame_view_zoom_in(&v));
	assert_string_equal(root(&v), "r");
	assert_int_equal(v.bars.bars.items[0].width, 60);
	assert_false(flame_view_up(&v));
	flame_view_select(&v, 4);
	assert_true(flame_view_zoom_in(&v));
	assert_true(flame_view_zoom_out(&v));
	assert_string_equal(root(&v), "r");
	assert_string_equal(selected(&v), "y");
	assert_true(flame_view_zoom_out(&v));
	assert_string_equal(root(&v), "all");
	assert_string_equal(selected(&v), "r");
	assert_false(flame_view_zoom_out(&v));
}

static void newer_data_keeps_zoom_and_selection_by_name(void **state)
{
	_cleanup_(flame_view_done) struct flame_view v = { 0 };

	(void)state;
	flame_view_take(&v, boxes_of("m;r;x 4|n 2"));
	flame_view_fit(&v, 60, 10);
	flame_view_select(&v, 2);
	flame_view_zoom_in(&v);
	flame_view_select(&v, 3);
	flame_view_take(&v, boxes_of("a;r;x 7|m;r;x 5|m;r;b 4|n 2"));
	assert_string_equal(root(&v), "r");
	assert_string_equal(selected(&v), "x");
	assert_string_equal(v.flame->boxes[v.flame->boxes[v.root].parent].name, "m");
	/* If the box is gone, the box below it is shown. */
	flame_view_take(&v, boxes_of("m;q 4|n 2"));
	assert_string_equal(root(&v), "m");
	assert_string_equal(selected(&v), "m");
	assert_true(flame_view_zoom_out(&v));
	assert_string_equal(root(&v), "all");
	flame_view_take(&v, boxes_of("z 1"));
	assert_string_equal(selected(&v), "all");
}

static void deep_stacks_scroll_with_the_selection(void **state)
{
	_cleanup_(flame_view_done) struct flame_view v = { 0 };

	(void)state;
	flame_view_take(&v, boxes_of("a;b;c;d;e;f;g;h 1"));
	flame_view_fit(&v, 20, 3);
	for (int i = 0; i < 8; i++)
		assert_true(flame_view_down(&v));
	assert_int_equal(v.top, 6);
	flame_view_scroll(&v, -100);
	assert_int_equal(v.top, 0);
	flame_view_scroll(&v, 100);
	assert_int_equal(v.top, 6);
	flame_view_fit(&v, 20, 100);
	assert_int_equal(v.top, 0);
	flame_view_fit(&v, 20, 2);
	assert_int_equal(v.top, 7);
}

static void matches_are_visited_where_one_is(void **state)
{
	_cleanup_(flame_view_done) struct flame_view v = { 0 };

	(void)state;
	flame_view_take(&v, boxes_of("m;r;x 4|n;x 2"));
	flame_view_fit(&v, 60, 10);
	assert_false(flame_view_next_match(&v, 1));
	flame_view_search(&v, "X");
	assert_int_equal(v.matches.weight, 6);
	assert_true(flame_view_next_match(&v, 1));
	assert_true(flame_view_next_match(&v, 1));
	assert_int_equal(v.flame->boxes[v.selected].depth, 2);
	/* Newer data is searched as well. */
	flame_view_take(&v, boxes_of("m;r;x 40|n;x 20"));
	assert_int_equal(v.matches.weight, 60);
	flame_view_search(&v, NULL);
	assert_false(flame_view_next_match(&v, 1));
	assert_false(flame_view_heaviest_match(&v));
}

static void matches_with_a_bar_come_before_hidden_ones(void **state)
{
	_cleanup_(flame_view_done) struct flame_view v = { 0 };

	(void)state;
	flame_view_take(&v, boxes_of("a;xa 100|b;xb 1|c;xc 200|d;xd 1"));
	flame_view_fit(&v, 10, 10);
	flame_view_search(&v, "x");
	assert_true(flame_view_heaviest_match(&v));
	assert_string_equal(selected(&v), "xc");
	assert_true(flame_view_next_match(&v, 1));
	assert_string_equal(selected(&v), "xa");
	assert_true(flame_view_next_match(&v, -1));
	assert_string_equal(selected(&v), "xc");
	/* If all of them are hidden, they are visited nevertheless. */
	flame_view_search(&v, "xb");
	assert_true(flame_view_next_match(&v, 1));
	assert_string_equal(selected(&v), "xb");
}

static void nothing_can_be_moved_in(void **state)
{
	_cleanup_(flame_view_done) struct flame_view v = { 0 };

	(void)state;
	flame_view_fit(&v, 60, 10);
	assert_false(flame_view_down(&v));
	assert_false(flame_view_up(&v));
	assert_false(flame_view_beside(&v, 1));
	assert_false(flame_view_zoom_in(&v));
	assert_false(flame_view_zoom_out(&v));
	flame_view_search(&v, "x");
	assert_false(flame_view_next_match(&v, 1));
	flame_view_scroll(&v, 3);
	assert_int_equal(v.top, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arrows_lead_to_parents_children_and_neighbours),
		cmocka_unit_test(zooms_are_left_in_the_order_they_were_made),
		cmocka_unit_test(newer_data_keeps_zoom_and_selection_by_name),
		cmocka_unit_test(deep_stacks_scroll_with_the_selection),
		cmocka_unit_test(matches_are_visited_where_one_is),
		cmocka_unit_test(matches_with_a_bar_come_before_hidden_ones),
		cmocka_unit_test(nothing_can_be_moved_in),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
