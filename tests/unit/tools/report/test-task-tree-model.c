/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include "base/text.h"
#include "tools/report/task-tree-model.h"

/* Checks the tids of the tree except that of the idle task, each with its level. */
static void assert_tree(struct recording *rec, const char *wanted)
{
	_cleanup_(session_freep) struct session *s = opened(rec, false);
	_cleanup_(task_tree_done) struct task_tree tree;
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	assert_int_equal(session_scan(s, NULL), 0);
	task_tree_init(&tree, s);
	assert_int_equal(tree.items[0].task.tid, 0);
	for (size_t i = 1; i < tree.n; i++)
		text_addf(&t, " %u:%u", tree.items[i].task.tid, tree.items[i].level);
	assert_string_equal(t.chars, wanted);
}

static void children_come_behind_their_parents(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();

	comm(&rec, 10, 10, "sh", 1);
	forks(&rec, 10, 10, 11, 11, 2);
	forks(&rec, 11, 11, 11, 12, 3);
	forks(&rec, 10, 10, 13, 13, 5);
	assert_tree(&rec, " 10:0 11:1 12:2 13:1");
}

static void tasks_come_by_the_lower_byte_of_their_tid(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();

	comm(&rec, 3, 3, "three", 1);
	comm(&rec, 513, 513, "second list", 1);
	comm(&rec, 257, 257, "second list", 1);
	/*
	 * The ancestor is linked together with the task, and so comes before those of lower lists.
	 */
	forks(&rec, 250, 250, 512, 512, 2);
	assert_tree(&rec, " 250:0 512:1 257:0 513:0 3:0");
}

static void a_task_that_is_its_own_ancestor_is_there_once(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();

	forks(&rec, 101, 101, 100, 100, 1);
	forks(&rec, 100, 100, 101, 101, 2);
	forks(&rec, 200, 200, 200, 200, 3);
	assert_tree(&rec, " 101:0 100:1 200:0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(children_come_behind_their_parents),
		cmocka_unit_test(tasks_come_by_the_lower_byte_of_their_tid),
		cmocka_unit_test(a_task_that_is_its_own_ancestor_is_there_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
