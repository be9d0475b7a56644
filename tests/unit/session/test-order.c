/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "session/order.h"

/* Adds records with these times; their positions increase. */
static void add(struct order *o, size_t n, const uint64_t *times)
{
	static uint64_t position;

	for (size_t i = 0; i < n; i++)
		order_add(o, (struct waiting){ .time = times[i], .place = ++position });
}

#define ADD(o, ...)                                                                                \
	add(o, sizeof((uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t), (uint64_t[]){ __VA_ARGS__ })

/*
 * Returns the times of all records that are due, separated by blanks. Records of equal time must be
 * in the order of position.
 */
static const char *due(struct order *o, struct text *t)
{
	const struct waiting *w;
	uint64_t last_time = 0, last_position = 0;
	size_t n;

	text_clear(t);
	while ((w = order_next(o, SIZE_MAX, &n)))
		for (size_t i = 0; i < n; i++) {
			text_addf(t, "%s%d", t->length ? " " : "", (int)w[i].time);
			assert_true(w[i].time > last_time ||
				    (w[i].time == last_time && w[i].place > last_position));
			last_time = w[i].time;
			last_position = w[i].place;
		}
	return t->chars;
}

static void nothing_is_due_before_the_second_round(void **state)
{
	_cleanup_(order_done) struct order o = { 0 };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	ADD(&o, 10, 20, 30);
	assert_string_equal(due(&o, &t), "");
	order_round(&o);
	assert_string_equal(due(&o, &t), "");
	ADD(&o, 25, 40);
	order_round(&o);
	assert_string_equal(due(&o, &t), "10 20 25 30");
	order_finish(&o);
	assert_string_equal(due(&o, &t), "40");
}

static void a_round_lets_out_what_the_one_before_had_seen(void **state)
{
	_cleanup_(order_done) struct order o = { 0 };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	ADD(&o, 5, 9);
	order_round(&o);
	ADD(&o, 7, 12, 8, 20);
	order_round(&o);
	assert_string_equal(due(&o, &t), "5 7 8 9");
	ADD(&o, 11, 30);
	order_round(&o);
	assert_string_equal(due(&o, &t), "11 12 20");
	order_round(&o);
	assert_string_equal(due(&o, &t), "30");
	order_finish(&o);
	assert_string_equal(due(&o, &t), "");
}

static void the_end_lets_out_everything_in_order(void **state)
{
	_cleanup_(order_done) struct order o = { 0 };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	ADD(&o, 4, 5, 6, 1, 2, 9, 3, 7, 8);
	order_finish(&o);
	assert_string_equal(due(&o, &t), "1 2 3 4 5 6 7 8 9");
}

/* due() checks the positions. */
static void equal_times_keep_the_order_of_the_file(void **state)
{
	_cleanup_(order_done) struct order o = { 0 };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	ADD(&o, 2, 2, 3, 1, 2, 3, 1, 1, 2, 2, 3);
	order_finish(&o);
	assert_string_equal(due(&o, &t), "1 1 1 2 2 2 2 2 3 3 3");
}

static void order_backwards_is_put_right(void **state)
{
	_cleanup_(order_done) struct order o = { 0 };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	ADD(&o, 7, 6, 5, 4, 3, 2, 1);
	order_finish(&o);
	assert_string_equal(due(&o, &t), "1 2 3 4 5 6 7");
}

static void what_comes_too_late_comes_as_soon_as_it_can(void **state)
{
	_cleanup_(order_done) struct order o = { 0 };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	ADD(&o, 10);
	order_round(&o);
	order_round(&o);
	assert_string_equal(due(&o, &t), "10");
	ADD(&o, 3, 11);
	order_round(&o);
	assert_string_equal(due(&o, &t), "3");
	order_finish(&o);
	assert_string_equal(due(&o, &t), "11");
}

static void records_that_do_not_wait_move_the_limit(void **state)
{
	_cleanup_(order_done) struct order o = { 0 };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	ADD(&o, 10);
	order_saw(&o, 50);
	order_round(&o);
	ADD(&o, 40);
	order_round(&o);
	assert_string_equal(due(&o, &t), "10 40");
}

static void spans_are_as_long_as_asked_for(void **state)
{
	_cleanup_(order_done) struct order o = { 0 };
	size_t n;

	(void)state;
	ADD(&o, 1, 2, 3, 4, 5);
	order_finish(&o);
	assert_int_equal(order_next(&o, 2, &n)->time, 1);
	assert_int_equal(n, 2);
	assert_int_equal(order_next(&o, 1, &n)->time, 3);
	assert_int_equal(n, 1);
	assert_int_equal(order_next(&o, 10, &n)->time, 4);
	assert_int_equal(n, 2);
	assert_null(order_next(&o, 10, &n));
}

static void what_is_left_over_may_be_added_to(void **state)
{
	_cleanup_(order_done) struct order o = { 0 };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	size_t n;

	(void)state;
	ADD(&o, 1, 5, 2, 6);
	order_finish(&o);
	assert_int_equal(order_next(&o, 1, &n)->time, 1);
	ADD(&o, 3);
	order_finish(&o);
	assert_string_equal(due(&o, &t), "2 3 5 6");
}

static void the_first_that_waits_is_known(void **state)
{
	_cleanup_(order_done) struct order o = { 0 };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	assert_int_equal(order_first_position(&o, 77), 77);
	order_add(&o, (struct waiting){ .time = 9, .place = 100 });
	order_add(&o, (struct waiting){ .time = 3, .place = 200 });
	order_add(&o, (struct waiting){ .time = 4, .place = 300 });
	assert_int_equal(order_first_position(&o, 77), 100);
	order_saw(&o, 3);
	o.newest_before = 3;
	order_round(&o);
	assert_string_equal(due(&o, &t), "3");
	assert_int_equal(order_first_position(&o, 77), 100);
	order_finish(&o);
	due(&o, &t);
	assert_int_equal(order_first_position(&o, 77), 77);
}

static void a_time_may_be_named(void **state)
{
	_cleanup_(order_done) struct order o = { 0 };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	ADD(&o, 10, 30, 20);
	order_until(&o, 15);
	assert_string_equal(due(&o, &t), "10");
	order_until(&o, 25);
	assert_string_equal(due(&o, &t), "20");
	order_until(&o, 25);
	assert_string_equal(due(&o, &t), "");
	ADD(&o, 24);
	order_until(&o, 30);
	assert_string_equal(due(&o, &t), "24 30");
}

static int by_time(const void *a, const void *b)
{
	const struct waiting *wa = a, *wb = b;

	if (wa->time != wb->time)
		return wa->time < wb->time ? -1 : 1;
	return wa->place < wb->place ? -1 : 1;
}

static void any_mixture_comes_out_as_a_stable_sort_has_it(void **state)
{
	(void)state;
	srand(1);
	for (int round = 0; round < 200; round++) {
		_cleanup_(order_done) struct order o = { 0 };
		struct waiting all[300];
		const struct waiting *w;
		size_t n, at = 0;

		for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
			all[i] = (struct waiting){ .time = (uint64_t)(rand() % (1 + round)) + 1,
						   .place = i };
			order_add(&o, all[i]);
		}
		qsort(all, ARRAY_SIZE(all), sizeof(all[0]), by_time);
		order_finish(&o);
		while ((w = order_next(&o, 1 + (size_t)rand() % 9, &n)))
			for (size_t i = 0; i < n; i++)
				assert_int_equal(w[i].place, all[at++].place);
		assert_int_equal(at, ARRAY_SIZE(all));
	}
}

static void too_much_that_waits_is_let_out(void **state)
{
	_cleanup_(order_done) struct order o = { 0 };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	ADD(&o, 10, 30, 20);
	order_flush(&o);
	assert_string_equal(due(&o, &t), "10 20 30");
	ADD(&o, 15, 40, 50);
	order_round(&o);
	assert_string_equal(due(&o, &t), "15");
	order_round(&o);
	assert_string_equal(due(&o, &t), "40 50");
}

static void a_run_goes_on_with_equal_times(void **state)
{
	_cleanup_(order_done) struct order o = { 0 };

	(void)state;
	order_add_first(&o, (struct waiting){ .time = 5, .place = 1 });
	order_add_first(&o, (struct waiting){ .time = 5, .place = 2 });
	assert_int_equal(o.runs.n, 1);
	order_add_first(&o, (struct waiting){ .time = 4, .place = 3 });
	assert_int_equal(o.runs.n, 2);
	assert_int_equal(o.runs.items[0].end, 2);
	assert_int_equal(o.runs.items[1].at, 2);
	assert_int_equal(o.runs.items[1].end, 3);
}

/* due() checks the positions. */
static void equal_times_at_the_limit_keep_the_order_of_the_file(void **state)
{
	_cleanup_(order_done) struct order o = { 0 };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	ADD(&o, 5, 6, 3, 5, 7, 4, 5, 8);
	order_until(&o, 5);
	assert_string_equal(due(&o, &t), "3 4 5 5 5");
	order_finish(&o);
	assert_string_equal(due(&o, &t), "6 7 8");
}

static void what_has_gone_takes_no_room(void **state)
{
	_cleanup_(order_done) struct order o = { 0 };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	ADD(&o, 1, 2, 9, 3, 8);
	order_until(&o, 3);
	assert_string_equal(due(&o, &t), "1 2 3");
	order_until(&o, 3);
	assert_int_equal(o.n, 2);
	assert_int_equal(o.runs.n, 2);
	order_until(&o, 8);
	assert_string_equal(due(&o, &t), "8");
	ADD(&o, 9);
	assert_int_equal(o.n, 2);
	assert_int_equal(o.runs.n, 1);
	order_finish(&o);
	assert_string_equal(due(&o, &t), "9 9");
	order_finish(&o);
	assert_int_equal(o.n, 0);
	assert_int_equal(o.runs.n, 0);
	/* Runs that continue with the same time become one. */
	ADD(&o, 11, 15, 12, 15);
	order_until(&o, 12);
	assert_string_equal(due(&o, &t), "11 12");
	order_until(&o, 12);
	assert_int_equal(o.n, 2);
	assert_int_equal(o.runs.n, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_due_before_the_second_round),
		cmocka_unit_test(a_round_lets_out_what_the_one_before_had_seen),
		cmocka_unit_test(the_end_lets_out_everything_in_order),
		cmocka_unit_test(equal_times_keep_the_order_of_the_file),
		cmocka_unit_test(order_backwards_is_put_right),
		cmocka_unit_test(what_comes_too_late_comes_as_soon_as_it_can),
		cmocka_unit_test(records_that_do_not_wait_move_the_limit),
		cmocka_unit_test(spans_are_as_long_as_asked_for),
		cmocka_unit_test(what_is_left_over_may_be_added_to),
		cmocka_unit_test(the_first_that_waits_is_known),
		cmocka_unit_test(a_time_may_be_named),
		cmocka_unit_test(any_mixture_comes_out_as_a_stable_sort_has_it),
		cmocka_unit_test(too_much_that_waits_is_let_out),
		cmocka_unit_test(a_run_goes_on_with_equal_times),
		cmocka_unit_test(equal_times_at_the_limit_keep_the_order_of_the_file),
		cmocka_unit_test(what_has_gone_takes_no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
