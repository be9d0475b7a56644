/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tools/trace/held-calls-model.h"
#include "tools/trace/tasks-model.h"

struct world {
	struct trace_tasks *tasks;
	struct trace_task *a, *b;
	struct held_calls held;
};

static struct world world;

static int setup(void **state)
{
	(void)state;
	world = (struct world){ .tasks = trace_tasks_new(false) };
	world.a = trace_tasks_named(world.tasks, 5, 5, "a");
	world.b = trace_tasks_named(world.tasks, 6, 6, "b");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	held_calls_done(&world.held);
	trace_tasks_free(world.tasks);
	return 0;
}

static void add(struct trace_task *task, uint64_t exit_ns, int nr)
{
	struct trace_call c = { .task = task, .exit_ns = exit_ns, .nr = nr };

	held_calls_add(&world.held, &c);
}

static void a_call_is_found_by_thread_number_result_and_time(void **state)
{
	struct held_calls *l = &world.held;

	(void)state;
	add(world.a, 100, 1);
	add(world.b, 200, 1);
	add(world.a, 300, 1);
	assert_int_equal(held_calls_match(l, 5, 1, 0, 310)->kept.call.exit_ns, 300);
	assert_int_equal(held_calls_match(l, 5, 1, 0, 90)->kept.call.exit_ns, 100);
	assert_int_equal(held_calls_match(l, 6, 1, 0, 310)->kept.call.exit_ns, 200);
	assert_null(held_calls_match(l, 7, 1, 0, 310));
	assert_null(held_calls_match(l, 5, 2, 0, 310));
	assert_null(held_calls_match(l, 5, 1, 4, 310));
	assert_null(held_calls_match(l, 5, 1, 0, 100000000));
	assert_int_equal(held_calls_of_task(l, world.b)->kept.call.exit_ns, 200);
}

static void a_call_is_overdue_when_clearly_younger_samples_came(void **state)
{
	(void)state;
	assert_null(held_calls_overdue(&world.held, UINT64_MAX));
	add(world.a, 100, 1);
	assert_null(held_calls_overdue(&world.held, 50));
	assert_null(held_calls_overdue(&world.held, 1000));
	assert_non_null(held_calls_overdue(&world.held, 10000000));
}

static void those_in_the_middle_can_go(void **state)
{
	struct held_calls *l = &world.held;

	(void)state;
	add(world.a, 100, 1);
	add(world.b, 200, 1);
	add(world.a, 300, 1);
	held_calls_remove(l, held_calls_of_task(l, world.b));
	assert_int_equal(l->n, 2);
	held_calls_remove(l, held_calls_first(l));
	assert_int_equal(held_calls_first(l)->kept.call.exit_ns, 300);
	held_calls_remove(l, held_calls_first(l));
	assert_null(held_calls_first(l));
	add(world.a, 400, 1);
	assert_int_equal(held_calls_first(l)->kept.call.exit_ns, 400);
}

static void many_calls_are_many(void **state)
{
	static uint8_t bytes[1 << 20];
	struct call_data d = { .size = sizeof(bytes), .bytes = bytes };
	struct trace_call c = { .task = world.a, .data = &d, .n_data = 1 };

	(void)state;
	for (int i = 0; i < 16; i++)
		held_calls_add(&world.held, &c);
	assert_false(held_calls_are_many(&world.held));
	held_calls_add(&world.held, &c);
	assert_true(held_calls_are_many(&world.held));
	held_calls_remove(&world.held, held_calls_first(&world.held));
	assert_false(held_calls_are_many(&world.held));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_call_is_found_by_thread_number_result_and_time),
		TEST(a_call_is_overdue_when_clearly_younger_samples_came),
		TEST(those_in_the_middle_can_go),
		TEST(many_calls_are_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
