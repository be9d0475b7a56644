/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "profile/time-strip.h"
#include "tui/strip.h"

#define WIDTH 100
#define FIRST 5000000000u
#define LAST  5999999999u

/* Returns a strip with a sample for each ms of a second. */
static struct time_strip a_second(void)
{
	struct time_strip t = { 0 };

	for (uint64_t ns = FIRST; ns <= LAST; ns += 1000000)
		time_strip_add(&t, ns, 1);
	time_strip_add(&t, LAST, 1);
	return t;
}

static struct strip drawn(void)
{
	return (struct strip){ .area = { .y = 20, .x = 0, .height = 2, .width = WIDTH } };
}

static enum strip_next press(struct strip *s, const struct time_strip *t, int key)
{
	return strip_input(s, t, &(struct screen_input){ .key = key });
}

static double sum_of(const double *columns, int n)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += columns[i];
	return sum;
}

static void columns_have_all_samples(void **state)
{
	const struct time_strip t = a_second();
	double columns[WIDTH];

	(void)state;
	strip_columns(&t, t.start, t.start + t.width * TIME_STRIP_BINS, columns, WIDTH);
	assert_true(fabs(sum_of(columns, WIDTH) - 1001) < 0.001);
}

static void columns_narrower_than_bins_share_them(void **state)
{
	const struct time_strip t = a_second();
	double columns[WIDTH];

	(void)state;
	strip_columns(&t, t.start + t.width, t.start + 2 * t.width, columns, WIDTH);
	assert_true(fabs(sum_of(columns, WIDTH) - (double)t.bins[1]) < 0.001);
	assert_true(fabs(columns[0] - columns[WIDTH - 1]) < 0.001);
}

static void columns_of_all_times_that_there_are(void **state)
{
	struct time_strip t = { 0 };
	double columns[WIDTH];

	(void)state;
	time_strip_add(&t, 1, 1);
	time_strip_add(&t, UINT64_MAX, 2);
	strip_columns(&t, 0, UINT64_MAX, columns, WIDTH);
	assert_true(fabs(sum_of(columns, WIDTH) - 3) < 0.001);
	assert_true(columns[0] > 0.9);
	assert_true(columns[WIDTH - 1] > 1.9);
}

static void keys_are_not_for_it_without_the_cursor(void **state)
{
	const struct time_strip t = a_second(), none = { 0 };
	struct strip s = drawn();

	(void)state;
	assert_int_equal(press(&s, &t, SCREEN_KEY_LEFT), STRIP_PASS);
	assert_int_equal(press(&s, NULL, SCREEN_KEY_LEFT), STRIP_PASS);
	assert_int_equal(press(&s, &none, SCREEN_KEY_LEFT), STRIP_PASS);
}

static void two_marks_are_a_selection(void **state)
{
	const struct time_strip t = a_second();
	struct strip s = drawn();
	struct time_window w;

	(void)state;
	strip_enter(&s, &t);
	assert_int_equal(press(&s, &t, SCREEN_KEY_RIGHT), STRIP_STAY);
	press(&s, &t, ' ');
	for (int i = 0; i < 10; i++)
		press(&s, &t, SCREEN_KEY_RIGHT);
	assert_int_equal(press(&s, &t, SCREEN_KEY_ENTER), STRIP_SELECTED);
	assert_true(s.is_selected);
	w = strip_window(&s);
	assert_int_equal(w.n, 1);
	assert_int_equal(w.items[0].from_ns, FIRST + 10000000);
	assert_int_equal(w.items[0].to_ns, FIRST + 110000000);
	assert_string_equal(w.text, "5.010000,5.110000");
}

static void marks_may_be_set_backwards(void **state)
{
	const struct time_strip t = a_second();
	struct strip s = drawn();

	(void)state;
	strip_enter(&s, &t);
	press(&s, &t, SCREEN_KEY_END);
	press(&s, &t, ' ');
	press(&s, &t, SCREEN_KEY_HOME);
	press(&s, &t, ' ');
	assert_true(s.is_selected);
	assert_int_equal(s.from, FIRST);
	assert_int_equal(s.to, LAST);
}

static void shift_marks_and_moves(void **state)
{
	const struct time_strip t = a_second();
	struct strip s = drawn();

	(void)state;
	strip_enter(&s, &t);
	for (int i = 0; i < 3; i++)
		assert_int_equal(press(&s, &t, SCREEN_KEY_SHIFT_RIGHT), STRIP_STAY);
	press(&s, &t, SCREEN_KEY_SHIFT_LEFT);
	assert_int_equal(press(&s, &t, SCREEN_KEY_ENTER), STRIP_SELECTED);
	assert_int_equal(s.from, FIRST);
	assert_int_equal(s.to, FIRST + 20000000);
}

static void escape_takes_back_step_by_step(void **state)
{
	const struct time_strip t = a_second();
	struct strip s = drawn();

	(void)state;
	strip_enter(&s, &t);
	press(&s, &t, SCREEN_KEY_ENTER);
	assert_true(s.is_selected);
	assert_false(s.has_keys);
	strip_enter(&s, &t);
	press(&s, &t, ' ');
	assert_int_equal(press(&s, &t, SCREEN_KEY_ESCAPE), STRIP_STAY);
	assert_true(s.is_selected);
	assert_int_equal(press(&s, &t, SCREEN_KEY_ESCAPE), STRIP_SELECTED);
	assert_false(s.is_selected);
	assert_int_equal(strip_window(&s).n, 0);
	assert_int_equal(press(&s, &t, SCREEN_KEY_ESCAPE), STRIP_LEAVE);
	assert_false(s.has_keys);
}

static void the_cursor_stays_within_the_times(void **state)
{
	const struct time_strip t = a_second();
	struct strip s = drawn();

	(void)state;
	strip_enter(&s, &t);
	press(&s, &t, SCREEN_KEY_LEFT);
	assert_int_equal(s.cursor, FIRST);
	press(&s, &t, SCREEN_KEY_END);
	press(&s, &t, SCREEN_KEY_RIGHT);
	press(&s, &t, SCREEN_KEY_PAGE_DOWN);
	assert_int_equal(s.cursor, LAST);
}

static void zooming_keeps_the_cursor_in_sight(void **state)
{
	const struct time_strip t = a_second();
	struct strip s = drawn();

	(void)state;
	strip_enter(&s, &t);
	for (int i = 0; i < 30; i++)
		press(&s, &t, SCREEN_KEY_RIGHT);
	for (int i = 0; i < 40; i++) {
		press(&s, &t, '+');
		assert_in_range(s.cursor, s.view_from, s.view_to);
		assert_true(s.view_from >= t.first && s.view_to <= t.last + 1);
	}
	assert_true(s.view_to - s.view_from >= WIDTH);
	for (int i = 0; i < 300; i++)
		press(&s, &t, SCREEN_KEY_RIGHT);
	assert_in_range(s.cursor, s.view_from, s.view_to);
	for (int i = 0; i < 40; i++)
		press(&s, &t, '-');
	assert_int_equal(s.view_to, 0);
}

static void dragging_selects(void **state)
{
	const struct time_strip t = a_second();
	struct strip s = drawn();
	const struct screen_input in = {
		.key = SCREEN_KEY_MOUSE, .mouse = MOUSE_DRAG, .y0 = 20, .x0 = 50, .y = 3, .x = 20
	};

	(void)state;
	assert_int_equal(strip_input(&s, &t, &in), STRIP_SELECTED);
	assert_int_equal(s.from, FIRST + 200000000);
	assert_int_equal(s.to, FIRST + 510000000);
}

static void clicks_elsewhere_are_not_for_it(void **state)
{
	const struct time_strip t = a_second();
	struct strip s = drawn();
	struct screen_input in = { .key = SCREEN_KEY_MOUSE, .mouse = MOUSE_CLICK, .y = 3, .x = 20 };

	(void)state;
	assert_int_equal(strip_input(&s, &t, &in), STRIP_PASS);
	in.y = 21;
	assert_int_equal(strip_input(&s, &t, &in), STRIP_STAY);
	assert_true(s.has_keys);
	assert_int_equal(s.cursor, FIRST + 200000000);
}

static void a_window_of_the_command_line_is_a_selection(void **state)
{
	struct time_range r = { .from_ns = 7, .to_ns = TIME_OPEN };
	struct strip s = drawn();

	(void)state;
	strip_take_window(&s, &(struct time_window){ .items = &r, .n = 1 });
	assert_true(s.is_selected);
	assert_int_equal(s.to, TIME_OPEN);
	strip_take_window(&s, &(struct time_window){ .items = &r, .n = 1, .relative = true });
	assert_false(s.is_selected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_have_all_samples),
		cmocka_unit_test(columns_narrower_than_bins_share_them),
		cmocka_unit_test(columns_of_all_times_that_there_are),
		cmocka_unit_test(keys_are_not_for_it_without_the_cursor),
		cmocka_unit_test(two_marks_are_a_selection),
		cmocka_unit_test(marks_may_be_set_backwards),
		cmocka_unit_test(shift_marks_and_moves),
		cmocka_unit_test(escape_takes_back_step_by_step),
		cmocka_unit_test(the_cursor_stays_within_the_times),
		cmocka_unit_test(zooming_keeps_the_cursor_in_sight),
		cmocka_unit_test(dragging_selects),
		cmocka_unit_test(clicks_elsewhere_are_not_for_it),
		cmocka_unit_test(a_window_of_the_command_line_is_a_selection),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
