/* SPDX-License-Identifier: MIT */
#include "session/recording.h"
#include "view/printed.h"

#include "tools/report/tasks-view.h"

#define TITLE   "#      pid      tid     ppid  comm\n"
#define SWAPPER "         0        0       -1 |swapper\n"

static void assert_tasks(struct recording *rec, bool with_maps, const char *wanted)
{
	_cleanup_(session_freep) struct session *s = opened(rec, false);
	struct printed p;

	assert_int_equal(session_scan(s, NULL), 0);
	printed_open(&p);
	report_tasks_print(s, with_maps, p.out);
	assert_printed(&p, wanted);
}

static void children_stand_below_their_parents(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();

	comm(&rec, 10, 10, "sh", 1);
	forks(&rec, 10, 10, 11, 11, 2);
	forks(&rec, 11, 11, 11, 12, 3);
	comm(&rec, 11, 12, "worker", 4);
	forks(&rec, 10, 10, 13, 13, 5);
	comm(&rec, 13, 13, "ls\033[1m", 6);
	assert_tasks(&rec, false,
		     TITLE SWAPPER "        10       10       -1 |sh\n"
				   "        11       11       10 | sh\n"
				   "        11       12       11 |  worker\n"
				   "        13       13       10 | ls\\x1b[1m\n");
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
	assert_tasks(&rec, false,
		     TITLE SWAPPER "       250      250       -1 |:250\n"
				   "       512      512      250 | :512\n"
				   "       257      257       -1 |second list\n"
				   "       513      513       -1 |second list\n"
				   "         3        3       -1 |three\n");
}

static void a_task_that_is_its_own_ancestor_is_shown_once(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();

	forks(&rec, 101, 101, 100, 100, 1);
	forks(&rec, 100, 100, 101, 101, 2);
	forks(&rec, 200, 200, 200, 200, 3);
	assert_tasks(&rec, false,
		     TITLE SWAPPER "       101      101      100 |:101\n"
				   "       100      100      101 | :100\n"
				   "       200      200      200 |:200\n");
}

static void maps_show_what_later_ones_left_of_them(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();

	comm(&rec, 10, 10, "sh", 1);
	mmaps(&rec, 10, 0x1000, 0x3000, "/a", 2);
	forks(&rec, 10, 10, 11, 11, 3);
	mmaps(&rec, 10, 0x8000, 0x1000, "/late", 4);
	mmaps(&rec, 11, 0x2000, 0x1000, "/b", 5);
	assert_tasks(&rec, true,
		     TITLE SWAPPER
		     "        10       10       -1 |sh\n"
		     "                                1000-4000 r-xp 00000000 0 /a\n"
		     "                                8000-9000 r-xp 00000000 0 /late\n"
		     "        11       11       10 | sh\n"
		     "                                 1000-2000 r-xp 00000000 0 /a\n"
		     "                                 2000-3000 r-xp 00000000 0 /b\n"
		     "                                 3000-4000 r-xp 00002000 0 /a\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(children_stand_below_their_parents),
		cmocka_unit_test(tasks_come_by_the_lower_byte_of_their_tid),
		cmocka_unit_test(a_task_that_is_its_own_ancestor_is_shown_once),
		cmocka_unit_test(maps_show_what_later_ones_left_of_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
