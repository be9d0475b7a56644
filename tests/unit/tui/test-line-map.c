/* SPDX-License-Identifier: MIT */
#include "tui/line-map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void items_are_one_line_high_at_first(void **state)
{
	struct line_map m = { 0 };
	size_t sub;

	(void)state;
	line_map_init(&m, 5);
	assert_int_equal(line_map_lines(&m), 5);
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(line_map_start(&m, i), i);
		assert_int_equal(line_map_find(&m, i, &sub), i);
		assert_int_equal(sub, 0);
	}
	assert_int_equal(line_map_find(&m, 5, &sub), 5);
	line_map_done(&m);
}

static void lines_of_a_higher_item_are_found(void **state)
{
	struct line_map m = { 0 };
	size_t sub;

	(void)state;
	line_map_init(&m, 4);
	line_map_set(&m, 1, 4);
	assert_int_equal(line_map_lines(&m), 7);
	assert_int_equal(line_map_find(&m, 1, &sub), 1);
	assert_int_equal(sub, 0);
	assert_int_equal(line_map_find(&m, 4, &sub), 1);
	assert_int_equal(sub, 3);
	assert_int_equal(line_map_find(&m, 5, &sub), 2);
	assert_int_equal(sub, 0);
	assert_int_equal(line_map_start(&m, 3), 6);
	assert_int_equal(line_map_start(&m, 4), 7);
	line_map_done(&m);
}

static void a_height_shrinks_again(void **state)
{
	struct line_map m = { 0 };
	size_t sub;

	(void)state;
	line_map_init(&m, 3);
	line_map_set(&m, 0, 100);
	line_map_set(&m, 0, 1);
	line_map_set(&m, 2, 2);
	assert_int_equal(line_map_lines(&m), 4);
	assert_int_equal(line_map_height(&m, 2), 2);
	assert_int_equal(line_map_find(&m, 3, &sub), 2);
	assert_int_equal(sub, 1);
	line_map_done(&m);
}

static void both_ways_agree_among_many(void **state)
{
	struct line_map m = { 0 };
	size_t line = 0;

	(void)state;
	line_map_init(&m, 1000);
	for (size_t i = 0; i < 1000; i++)
		line_map_set(&m, i, (uint32_t)(1 + i * 7 % 5));
	for (size_t i = 0; i < 1000; i++) {
		assert_int_equal(line_map_start(&m, i), line);
		for (size_t k = 0, sub; k < 1 + i * 7 % 5; k++, line++) {
			assert_int_equal(line_map_find(&m, line, &sub), i);
			assert_int_equal(sub, k);
		}
	}
	assert_int_equal(line_map_lines(&m), line);
	line_map_done(&m);
}

static void nothing_has_no_lines(void **state)
{
	struct line_map m = { 0 };
	size_t sub;

	(void)state;
	line_map_init(&m, 0);
	assert_int_equal(line_map_lines(&m), 0);
	assert_int_equal(line_map_find(&m, 0, &sub), 0);
	assert_int_equal(line_map_start(&m, 0), 0);
	line_map_set(&m, 0, 7);
	assert_int_equal(line_map_lines(&m), 0);
	line_map_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(items_are_one_line_high_at_first),
		cmocka_unit_test(lines_of_a_higher_item_are_found),
		cmocka_unit_test(a_height_shrinks_again),
		cmocka_unit_test(both_ways_agree_among_many),
		cmocka_unit_test(nothing_has_no_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
