/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "tools/kwork/items-model.h"

static void an_item_is_found_by_class_cpu_and_number(void **state)
{
	_cleanup_(kwork_items_done) struct kwork_items t;
	struct kwork_item *a;

	(void)state;
	kwork_items_init(&t);
	assert_null(kwork_items_find(&t, KWORK_IRQ, 1, 5));
	a = kwork_items_get(&t, KWORK_IRQ, 1, 5);
	assert_ptr_equal(kwork_items_get(&t, KWORK_IRQ, 1, 5), a);
	assert_ptr_equal(kwork_items_find(&t, KWORK_IRQ, 1, 5), a);
	assert_ptr_not_equal(kwork_items_get(&t, KWORK_IRQ, 2, 5), a);
	assert_ptr_not_equal(kwork_items_get(&t, KWORK_IRQ, 1, 6), a);
	assert_ptr_not_equal(kwork_items_get(&t, KWORK_SOFTIRQ, 1, 5), a);
	assert_int_equal(t.n, 4);
}

static void many_items_keep_their_place(void **state)
{
	_cleanup_(kwork_items_done) struct kwork_items t;

	(void)state;
	kwork_items_init(&t);
	for (uint64_t i = 0; i < 5000; i++)
		kwork_items_get(&t, KWORK_WORKQUEUE, (uint32_t)i % 3, i << 6)->count = i;
	assert_int_equal(t.n, 5000);
	for (uint64_t i = 0; i < 5000; i++)
		assert_int_equal(
			kwork_items_find(&t, KWORK_WORKQUEUE, (uint32_t)i % 3, i << 6)->count, i);
}

static void the_first_of_the_longest_runs_is_kept(void **state)
{
	struct kwork_item item = { 0 };

	(void)state;
	kwork_item_add(&item, 100, 100);
	assert_int_equal(item.max_begin, 100);
	kwork_item_add(&item, 200, 205);
	kwork_item_add(&item, 300, 305);
	kwork_item_add(&item, 400, 404);
	assert_int_equal(item.count, 4);
	assert_int_equal(item.sum_ns, 14);
	assert_int_equal(item.max_ns, 5);
	assert_int_equal(item.max_begin, 200);
	assert_int_equal(item.max_end, 205);
}

static void an_end_before_its_begin_took_no_time(void **state)
{
	struct kwork_item item = { 0 };

	(void)state;
	kwork_item_add(&item, 100, 90);
	assert_int_equal(item.count, 1);
	assert_int_equal(item.sum_ns, 0);
}

static void the_last_begin_is_taken_first(void **state)
{
	_cleanup_(kwork_items_done) struct kwork_items t;
	struct kwork_begins *b;
	struct kwork_begin got;

	(void)state;
	kwork_items_init(&t);
	b = &kwork_items_get(&t, KWORK_IRQ, 0, 1)->begun;
	assert_false(kwork_begins_pop(b, &got));
	kwork_begins_push(b, (struct kwork_begin){ .time = 1 });
	kwork_begins_push(b, (struct kwork_begin){ .time = 2 });
	assert_int_equal(kwork_begins_unmatched(b), 2);
	assert_true(kwork_begins_pop(b, &got));
	assert_int_equal(got.time, 2);
	assert_true(kwork_begins_pop(b, &got));
	assert_int_equal(got.time, 1);
	assert_false(kwork_begins_pop(b, &got));
}

static void begins_that_pile_up_are_given_up_and_counted(void **state)
{
	_cleanup_(kwork_items_done) struct kwork_items t;
	struct kwork_begins *b;
	struct kwork_begin got;

	(void)state;
	kwork_items_init(&t);
	b = &kwork_items_get(&t, KWORK_IRQ, 0, 1)->begun;
	for (uint64_t i = 0; i < 10 * KWORK_BEGINS_MAX; i++)
		kwork_begins_push(b, (struct kwork_begin){ .time = i, .stack = xstrdup("x") });
	assert_true(b->n <= KWORK_BEGINS_MAX);
	assert_int_equal(kwork_begins_unmatched(b), 10 * KWORK_BEGINS_MAX);
	assert_true(kwork_begins_pop(b, &got));
	assert_int_equal(got.time, 10 * KWORK_BEGINS_MAX - 1);
	freep(&got.stack);
}

static void a_difference_has_what_happened_since(void **state)
{
	_cleanup_(kwork_items_done) struct kwork_items old, now, since;

	(void)state;
	kwork_items_init(&old);
	kwork_items_init(&now);
	kwork_items_init(&since);
	*kwork_items_get(&old, KWORK_SCHED, 0, 6) =
		(struct kwork_item){ .class = KWORK_SCHED, .id = 6, .count = 2, .sum_ns = 50 };
	kwork_item_add(kwork_items_get(&old, KWORK_SCHED, 0, 7), 0, 10);
	kwork_items_get(&now, KWORK_SCHED, 0, 6)->count = 2;
	kwork_items_get(&now, KWORK_SCHED, 0, 6)->sum_ns = 80;
	kwork_items_get(&now, KWORK_SCHED, 0, 7)->sum_ns = 9;
	kwork_items_get(&now, KWORK_SCHED, 0, 8)->count = 1;
	kwork_items_get(&now, KWORK_SCHED, 0, 8)->name = xstrdup("new");
	kwork_items_subtract(&now, &old, &since);
	assert_int_equal(since.n, 3);
	assert_int_equal(kwork_items_find(&since, KWORK_SCHED, 0, 6)->sum_ns, 30);
	assert_int_equal(kwork_items_find(&since, KWORK_SCHED, 0, 6)->count, 1);
	assert_int_equal(kwork_items_find(&since, KWORK_SCHED, 0, 7)->sum_ns, 0);
	assert_int_equal(kwork_items_find(&since, KWORK_SCHED, 0, 7)->count, 0);
	assert_string_equal(kwork_items_find(&since, KWORK_SCHED, 0, 8)->name, "new");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_item_is_found_by_class_cpu_and_number),
		cmocka_unit_test(many_items_keep_their_place),
		cmocka_unit_test(the_first_of_the_longest_runs_is_kept),
		cmocka_unit_test(an_end_before_its_begin_took_no_time),
		cmocka_unit_test(the_last_begin_is_taken_first),
		cmocka_unit_test(begins_that_pile_up_are_given_up_and_counted),
		cmocka_unit_test(a_difference_has_what_happened_since),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
