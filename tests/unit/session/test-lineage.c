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

/* Checks that task @tid is there once, with these ids, and that there are @all tasks. */
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

static void only_the_living_are_copied(void **state)
{
	_cleanup_(lineage_done) struct lineage l = { 0 }, left = { 0 };

	(void)state;
	lineage_forked(&l, 90, 91, 90, 90, now(1));
	lineage_forked(&l, 80, 80, 90, 90, now(2));
	lineage_ended(&l, 80, now(3));
	lineage_ended(&l, 90, now(4));    /* its thread 91 continues */
	lineage_ended(&l, 12345, now(4)); /* it was not known */
	lineage_forked(&l, 70, 70, 90, 91, now(5));
	lineage_ended(&l, 70, now(20));
	lineage_copy_living(&left, &l, now(10));
	assert_task(&left, 90, 91, 90, 3);
	assert_task(&left, 70, 70, 91, 3);
	assert_true(lineage_has(&left, 90));
	assert_false(lineage_has(&left, 80));
	assert_false(lineage_has(&left, 12345));
}

static void a_tid_that_is_forked_or_executes_again_lives(void **state)
{
	_cleanup_(lineage_done) struct lineage l = { 0 }, left = { 0 };

	(void)state;
	lineage_saw(&l, 80, 80, now(1));
	lineage_saw(&l, 90, 90, now(1));
	lineage_ended(&l, 80, now(2));
	lineage_ended(&l, 90, now(2));
	lineage_forked(&l, 80, 80, 1, 1, now(3));
	lineage_executed(&l, 90, now(3));
	lineage_ended(&l, 80, (struct moment){ 2, 0 }); /* the one before */
	lineage_copy_living(&left, &l, now(10));
	assert_true(lineage_has(&left, 80));
	assert_true(lineage_has(&left, 90));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_the_living_are_copied),
		cmocka_unit_test(a_tid_that_is_forked_or_executes_again_lives),
		cmocka_unit_test(a_thread_implies_its_process),
		cmocka_unit_test(a_fork_implies_the_parent),
		cmocka_unit_test(a_tid_that_is_used_again_is_the_newer_task),
		cmocka_unit_test(what_is_told_late_of_an_earlier_task_does_not_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
