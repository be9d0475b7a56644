/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "session/lineage.h"
#include "session/machine.h"

static uint64_t turn;

static struct moment now(uint64_t time)
{
	return (struct moment){ time, ++turn };
}

struct wanted {
	struct task task;
	size_t met, all;
};

static void look(void *arg, const struct task *t)
{
	struct wanted *w = arg;

	w->all++;
	if (t->tid != w->task.tid)
		return;
	w->met++;
	assert_int_equal(t->pid, w->task.pid);
	assert_int_equal(t->ptid, w->task.ptid);
}

/* Task @tid is there once, as told; @all there are in all. */
static void assert_task(const struct lineage *l, uint32_t pid, uint32_t tid, int64_t ptid,
			size_t all)
{
	struct wanted w = { .task = { .pid = pid, .tid = tid, .ptid = ptid } };

	lineage_for_each(l, look, &w);
	assert_int_equal(w.met, 1);
	assert_int_equal(w.all, all);
}

static void a_thread_implies_its_process(void **state)
{
	_cleanup_(lineage_done) struct lineage l = { 0 };

	(void)state;
	lineage_saw(&l, 90, 91, now(1));
	assert_task(&l, 90, 91, TASK_NOBODY, 2);
	assert_task(&l, 90, 90, TASK_NOBODY, 2);
}

static void a_fork_implies_the_parent(void **state)
{
	_cleanup_(lineage_done) struct lineage l = { 0 };

	(void)state;
	lineage_forked(&l, 60, 60, 40, 41, now(1));
	assert_task(&l, 60, 60, 41, 2);
	assert_task(&l, 40, 41, TASK_NOBODY, 2);
}

static void a_tid_that_is_used_again_is_the_newer_task(void **state)
{
	_cleanup_(lineage_done) struct lineage l = { 0 };

	(void)state;
	lineage_forked(&l, 70, 70, 1, 1, now(10));
	lineage_forked(&l, 2, 70, 2, 2, now(20));
	assert_task(&l, 2, 70, 2, 3);
}

static void what_is_told_late_of_an_earlier_task_does_not_count(void **state)
{
	_cleanup_(lineage_done) struct lineage l = { 0 };

	(void)state;
	lineage_forked(&l, 70, 70, 2, 2, now(20));
	lineage_forked(&l, 1, 70, 1, 1, now(10));
	lineage_saw(&l, 1, 70, now(11));
	assert_task(&l, 70, 70, 2, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_implies_its_process),
		cmocka_unit_test(a_fork_implies_the_parent),
		cmocka_unit_test(a_tid_that_is_used_again_is_the_newer_task),
		cmocka_unit_test(what_is_told_late_of_an_earlier_task_does_not_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
