/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "example-usage.h"

static void a_task_runs_from_switch_to_switch(void **state)
{
	_cleanup_(kwork_usage_done) struct kwork_usage u;
	const struct kwork_item *item;

	(void)state;
	kwork_usage_init(&u, &usage_classes);
	switched(&u, 100, 0, 5, 6, "six");
	switched(&u, 300, 0, 6, 7, "seven");
	switched(&u, 350, 0, 7, 6, "renamed");
	switched(&u, 450, 0, 6, 0, "idle");
	item = kwork_items_find(&u.items, KWORK_SCHED, 0, 6);
	assert_int_equal(item->count, 2);
	assert_int_equal(item->sum_ns, 300);
	assert_string_equal(item->name, "six");
	assert_int_equal(u.unmatched, 1);
}

static void a_begin_without_an_end_gives_way(void **state)
{
	_cleanup_(kwork_usage_done) struct kwork_usage u;

	(void)state;
	kwork_usage_init(&u, &usage_classes);
	switched(&u, 100, 0, 5, 6, "six");
	switched(&u, 200, 0, 7, 8, "eight");
	switched(&u, 250, 0, 8, 6, "six");
	switched(&u, 300, 0, 6, 0, "idle");
	assert_int_equal(kwork_items_find(&u.items, KWORK_SCHED, 0, 6)->sum_ns, 50);
	assert_int_equal(u.unmatched, 3);
}

static void interrupts_are_those_of_the_task(void **state)
{
	_cleanup_(kwork_usage_done) struct kwork_usage u;

	(void)state;
	kwork_usage_init(&u, &usage_classes);
	interrupted(&u, KWORK_IRQ, 6, 100, 110);
	interrupted(&u, KWORK_SOFTIRQ, 6, 120, 125);
	interrupted(&u, KWORK_IRQ, 7, 200, 201);
	assert_int_equal(kwork_items_find(&u.items, KWORK_IRQ, 0, 6)->sum_ns, 10);
	assert_int_equal(kwork_items_find(&u.items, KWORK_SOFTIRQ, 0, 6)->sum_ns, 5);
	assert_int_equal(kwork_items_find(&u.items, KWORK_IRQ, 0, 7)->sum_ns, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_task_runs_from_switch_to_switch),
		cmocka_unit_test(a_begin_without_an_end_gives_way),
		cmocka_unit_test(interrupts_are_those_of_the_task),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
