/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tui/list.h"

static const struct area ten_rows = { .y = 2, .x = 0, .height = 10, .width = 40 };

static void press(struct list *l, int key)
{
	assert_true(list_input(l, &(struct screen_input){ .key = key }));
}

static void the_cursor_stays_in_sight(void **state)
{
	struct list l = { 0 };

	(void)state;
	list_settle(&l, 100, ten_rows);
	for (int i = 0; i < 12; i++)
		press(&l, SCREEN_KEY_DOWN);
	assert_int_equal(l.cursor, 12);
	assert_int_equal(l.top, 3);
	press(&l, SCREEN_KEY_PAGE_DOWN);
	assert_int_equal(l.cursor, 22);
	assert_int_equal(l.top, 13);
	press(&l, SCREEN_KEY_PAGE_UP);
	assert_int_equal(l.cursor, 12);
	assert_int_equal(l.top, 3);
	press(&l, SCREEN_KEY_END);
	assert_int_equal(l.cursor, 99);
	assert_int_equal(l.top, 90);
	press(&l, SCREEN_KEY_DOWN);
	assert_int_equal(l.cursor, 99);
	press(&l, SCREEN_KEY_HOME);
	press(&l, SCREEN_KEY_UP);
	assert_int_equal(l.cursor, 0);
	assert_int_equal(l.top, 0);
}

static void rows_that_go_take_the_cursor_along(void **state)
{
	struct list l = { 0 };

	(void)state;
	list_settle(&l, 100, ten_rows);
	press(&l, SCREEN_KEY_END);
	list_settle(&l, 5, ten_rows);
	assert_int_equal(l.cursor, 4);
	assert_int_equal(l.top, 0);
	list_settle(&l, 0, ten_rows);
	assert_int_equal(l.cursor, 0);
	press(&l, SCREEN_KEY_DOWN);
	press(&l, SCREEN_KEY_PAGE_UP);
	press(&l, SCREEN_KEY_END);
	assert_int_equal(l.cursor, 0);
}

static bool click(struct list *l, enum mouse_action action, int y, int x)
{
	return list_input(l, &(struct screen_input){
				     .key = SCREEN_KEY_MOUSE, .mouse = action, .y = y, .x = x });
}

static void a_mouse_moves_the_cursor(void **state)
{
	struct list l = { 0 };

	(void)state;
	list_settle(&l, 100, ten_rows);
	assert_true(click(&l, MOUSE_CLICK, 5, 7));
	assert_int_equal(l.cursor, 3);
	assert_true(click(&l, MOUSE_WHEEL_DOWN, 0, 0));
	assert_int_equal(l.cursor, 6);
	assert_true(click(&l, MOUSE_WHEEL_UP, 0, 0));
	assert_int_equal(l.cursor, 3);
	/* The scroll bar. */
	assert_true(click(&l, MOUSE_CLICK, 11, 39));
	assert_int_equal(l.cursor, 99);
	assert_false(click(&l, MOUSE_CLICK, 1, 7));
}

static void a_list_without_room_survives(void **state)
{
	struct list l = { 0 };

	(void)state;
	list_settle(&l, 3, (struct area){ 0 });
	press(&l, SCREEN_KEY_PAGE_DOWN);
	press(&l, SCREEN_KEY_END);
	assert_int_equal(l.cursor, 2);
}

static void sideways_keys_are_the_panels_unless_it_scrolls(void **state)
{
	struct list l = { 0 };

	(void)state;
	list_settle(&l, 3, ten_rows);
	assert_false(list_input(&l, &(struct screen_input){ .key = SCREEN_KEY_RIGHT }));
	l.free_scroll = true;
	press(&l, SCREEN_KEY_RIGHT);
	assert_true(l.left > 0);
	press(&l, SCREEN_KEY_LEFT);
	press(&l, SCREEN_KEY_LEFT);
	assert_int_equal(l.left, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_cursor_stays_in_sight),
		cmocka_unit_test(rows_that_go_take_the_cursor_along),
		cmocka_unit_test(a_mouse_moves_the_cursor),
		cmocka_unit_test(a_list_without_room_survives),
		cmocka_unit_test(sideways_keys_are_the_panels_unless_it_scrolls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
