/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "tools/sched/label-view.h"
#include "tools/sched/timehist-tasks-model.h"

static void assert_label(struct timehist_task t, const char *wanted)
{
	_cleanup_(task_labels_done) struct task_labels l = { 0 };

	assert_string_equal(task_label(&l, &t)->chars, wanted);
	assert_int_equal(task_label(&l, &t)->length, strlen(wanted));
}

static void threads_have_both_numbers(void **state)
{
	(void)state;
	assert_label((struct timehist_task){ .comm = "sh", .tid = 5, .pid = 5 }, "sh[5]");
	assert_label((struct timehist_task){ .comm = "sh", .tid = 6, .pid = 5 }, "sh[6/5]");
	assert_label((struct timehist_task){ .tid = -1, .pid = 5, .index = 9 }, ":-1[-1/5]");
	assert_label((struct timehist_task){ .tid = 7, .pid = TIMEHIST_NO_PID }, ":7");
	assert_label((struct timehist_task){ .comm = "<idle>", .is_idle = true }, "<idle>");
}

static void names_are_harmless_and_cut(void **state)
{
	(void)state;
	assert_label((struct timehist_task){ .comm = "a\033b\n", .tid = 5, .pid = 5 },
		     "a\\x1bb\\n[5]");
	assert_label(
		(struct timehist_task){ .comm = "fifteen-letters", .tid = 4000000, .pid = 4000001 },
		"fifteen-letters[4000000/4000001");
}

static void a_new_name_makes_a_new_label(void **state)
{
	_cleanup_(task_labels_done) struct task_labels l = { 0 };
	struct timehist_task t = { .comm = "sh", .tid = 5, .pid = 5 };

	(void)state;
	task_label(&l, &t);
	t.comm = "ls";
	assert_string_equal(task_label(&l, &t)->chars, "ls[5]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_have_both_numbers),
		cmocka_unit_test(names_are_harmless_and_cut),
		cmocka_unit_test(a_new_name_makes_a_new_label),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
