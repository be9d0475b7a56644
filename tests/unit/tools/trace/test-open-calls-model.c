/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tools/trace/open-calls-model.h"
#include "tools/trace/tasks-model.h"

static struct open_call *add(struct open_calls *l, struct trace_task *task)
{
	struct trace_call c = { .task = task };

	return open_calls_add(l, &c);
}

static void a_task_knows_the_call_it_is_in(void **state)
{
	struct trace_task task = { .tid = 5 };
	struct open_calls l = { 0 };
	struct open_call *o = add(&l, &task);

	(void)state;
	assert_ptr_equal(task.open_call, o);
	open_calls_remove(&l, o);
	assert_null(task.open_call);
	assert_null(open_calls_first(&l));
	assert_ptr_equal(add(&l, &task), o);
	open_calls_done(&l);
	assert_null(task.open_call);
}

static void calls_that_wait_are_in_the_order_in_which_they_began_to(void **state)
{
	struct trace_task tasks[3] = { 0 };
	struct open_calls l = { 0 };
	struct open_call *a = add(&l, &tasks[0]), *b = add(&l, &tasks[1]), *c = add(&l, &tasks[2]);

	(void)state;
	assert_ptr_equal(open_calls_first(&l), a);
	assert_null(open_calls_waiting(&l));
	open_calls_waits(&l, b, 10);
	open_calls_waits(&l, c, 20);
	open_calls_waits(&l, b, 30);
	assert_ptr_equal(open_calls_waiting(&l), b);
	assert_int_equal(b->waits_since_ns, 10);
	open_calls_no_longer_waits(&l, b);
	open_calls_no_longer_waits(&l, b);
	assert_ptr_equal(open_calls_waiting(&l), c);
	open_calls_remove(&l, c);
	assert_null(open_calls_waiting(&l));
	open_calls_done(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_task_knows_the_call_it_is_in),
		cmocka_unit_test(calls_that_wait_are_in_the_order_in_which_they_began_to),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
