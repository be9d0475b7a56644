/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tui/flame-view.h"

static uint32_t on(struct flame_builder *b, uint32_t below, const char *name, uint64_t weight)
{
	const uint32_t box = flame_builder_box(b, below, flame_builder_text(b, name),
					       flame_builder_text(b, ""), FLAME_USER);

	flame_builder_weigh(b, box, FLAME_AFTER, weight);
	return box;
}

/* Makes the boxes 0 all, 1 main, 2 Read, 3 copy, 4 read_more, 5 write, 6 copy. */
static struct flame *example(bool with_more)
{
	_cleanup_(flame_builder_freep) struct flame_builder *b = flame_builder_new("all");
	const uint32_t main_box = on(b, 0, "main", 1);
	const uint32_t reading = on(b, main_box, "Read", 10);

	on(b, reading, "copy", 5);
	on(b, reading, "read_more", 4);
	on(b, on(b, main_box, "write", 20), "copy", 8);
	if (with_more)
		on(b, on(b, 0, "a", 100), "main", 3);
	return flame_builder_finish(b, false);
}

static void a_box_is_found_in_a_newer_graph(void **state)
{
	_cleanup_(flame_freep) struct flame *old = example(false), *newer = example(true);
	_cleanup_(flame_path_done) struct flame_path p = { 0 };

	(void)state;
	flame_path_take(&p, old, 4);
	assert_int_equal(flame_path_find(&p, old), 4);
	assert_int_equal(flame_path_find(&p, newer), 6);
	flame_path_take(&p, newer, 2);
	/* The old one has neither an a;main nor an a. */
	assert_int_equal(flame_path_find(&p, old), 0);
	flame_path_take(&p, old, 0);
	assert_int_equal(flame_path_find(&p, newer), 0);
}

static void boxes_below_and_above(void **state)
{
	_cleanup_(flame_freep) struct flame *f = example(false);

	(void)state;
	assert_int_equal(flame_box_at_depth(f, 4, 2), 2);
	assert_int_equal(flame_box_at_depth(f, 4, 0), 0);
	assert_int_equal(flame_box_at_depth(f, 4, 9), 4);
	assert_int_equal(flame_heaviest_child(f, 1), 5);
	assert_int_equal(flame_heaviest_child(f, 3), FLAME_NONE);
}

static void matches_count_once(void **state)
{
	_cleanup_(flame_freep) struct flame *f = example(false);
	_cleanup_(flame_matches_done) struct flame_matches m = { 0 };

	(void)state;
	flame_matches_make(&m, f, "READ");
	assert_int_equal(m.count, 2);
	assert_int_equal(m.weight, 19);
	flame_matches_make(&m, f, "copy");
	assert_int_equal(m.count, 2);
	assert_int_equal(m.weight, 13);
	flame_matches_make(&m, f, "");
	assert_null(m.is_match);
	assert_int_equal(m.weight, 0);
}

static void after_the_last_match_comes_the_first(void **state)
{
	_cleanup_(flame_freep) struct flame *f = example(false);
	_cleanup_(flame_matches_done) struct flame_matches m = { 0 };

	(void)state;
	assert_int_equal(flame_matches_next(&m, f, 0, 0, 1), FLAME_NONE);
	flame_matches_make(&m, f, "copy");
	assert_int_equal(flame_matches_next(&m, f, 0, 0, 1), 3);
	assert_int_equal(flame_matches_next(&m, f, 0, 3, 1), 6);
	assert_int_equal(flame_matches_next(&m, f, 0, 6, 1), 3);
	assert_int_equal(flame_matches_next(&m, f, 0, 3, -1), 6);
	assert_int_equal(flame_matches_next(&m, f, 2, 3, 1), 3);
	assert_int_equal(flame_matches_next(&m, f, 4, 4, 1), FLAME_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_box_is_found_in_a_newer_graph),
		cmocka_unit_test(boxes_below_and_above),
		cmocka_unit_test(matches_count_once),
		cmocka_unit_test(after_the_last_match_comes_the_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
