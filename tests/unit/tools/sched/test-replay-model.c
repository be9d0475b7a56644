/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "example-sched.h"
#include "tools/sched/replay-model.h"

static void switches(struct sched_replay *r, uint64_t time, uint32_t cpu, uint32_t prev,
		     uint32_t next)
{
	struct sched_event e = example_switched(time, cpu, prev, 1, next);

	sched_replay_take(r, &e);
}

static void wakes(struct sched_replay *r, enum sched_kind kind, uint64_t time, uint32_t waker,
		  uint32_t tid)
{
	struct sched_event e = example_told(kind, time, 0, tid);

	e.current_tid = waker;
	sched_replay_take(r, &e);
}

static void assert_step(const struct sched_replay_task *t, size_t i, enum sched_step_kind kind,
			uint64_t ns)
{
	assert_true(i < t->n);
	assert_int_equal(t->items[i].kind, kind);
	assert_int_equal(t->items[i].ns, ns);
}

static void a_switch_is_a_run_and_a_sleep_of_who_leaves(void **state)
{
	_cleanup_(sched_replay_done) struct sched_replay r = { .all = false };

	(void)state;
	switches(&r, 100, 0, 10, 20);
	switches(&r, 350, 0, 20, 10);
	assert_int_equal(r.n, 2);
	assert_int_equal(r.runs, 2);
	assert_int_equal(r.sleeps, 4);
	assert_string_equal(r.items[0].comm, "prev");
	assert_int_equal(r.items[1].tid, 20);
	assert_step(&r.items[1], 0, SCHED_STEP_SLEEP, 0);
	assert_step(&r.items[1], 1, SCHED_STEP_RUN, 250);
	assert_step(&r.items[1], 2, SCHED_STEP_SLEEP, 0);
	assert_step(&r.items[0], 1, SCHED_STEP_RUN, 0);
}

static void a_wakeup_ends_the_sleep_it_finds_once(void **state)
{
	_cleanup_(sched_replay_done) struct sched_replay r = { .all = false };

	(void)state;
	switches(&r, 100, 0, 10, 20);
	wakes(&r, SCHED_WAKEUP, 200, 20, 10);
	assert_true(r.items[0].items[2].is_paired);
	assert_int_equal(r.items[1].items[1].kind, SCHED_STEP_WAKE);
	assert_int_equal(r.items[1].items[1].target, 0);
	assert_true(r.items[1].items[1].is_paired);
	wakes(&r, SCHED_WAKEUP_NEW, 210, 20, 10);
	assert_false(r.items[1].items[2].is_paired);
	assert_int_equal(r.wakes, 1);
	assert_int_equal(r.multi_target, 1);
	/* The last action of 20 was a wakeup, so it does not sleep. */
	wakes(&r, SCHED_WAKEUP, 220, 30, 20);
	assert_int_equal(r.targetless, 1);
	assert_string_equal(r.items[2].comm, "<unknown>");
}

static void wakings_count_when_all_is_asked_for(void **state)
{
	for (int all = 0; all < 2; all++) {
		_cleanup_(sched_replay_done) struct sched_replay r = { .all = all };

		(void)state;
		wakes(&r, SCHED_WAKING, 100, 20, 10);
		assert_int_equal(r.wakes, all);
	}
}

static void the_idle_task_has_times_since_the_beginning(void **state)
{
	_cleanup_(sched_replay_done) struct sched_replay r = { .all = false };

	(void)state;
	switches(&r, 100, 0, 10, 0);
	switches(&r, 350, 1, 0, 20);
	switches(&r, 50, 1, 0, 20);
	assert_step(&r.items[1], 1, SCHED_STEP_RUN, 250);
	assert_step(&r.items[1], 3, SCHED_STEP_RUN, 0);
}

static void forks_make_tasks_that_only_sleep(void **state)
{
	_cleanup_(sched_replay_done) struct sched_replay r = { .all = false };

	(void)state;
	sched_replay_fork(&r, 10, "a name that is too long", 11, "child");
	sched_replay_fork(&r, 10, "other", 12, "child");
	assert_int_equal(r.n, 3);
	assert_string_equal(r.items[0].comm, "a name that is ");
	assert_int_equal(r.items[1].n, 1);
	assert_int_equal(r.sleeps, 3);
}

static void times_that_go_backwards_and_strange_cpus_make_no_long_runs(void **state)
{
	_cleanup_(sched_replay_done) struct sched_replay r = { .all = false };

	(void)state;
	switches(&r, 500, 0, 10, 20);
	switches(&r, 400, 0, 20, 10);
	assert_step(&r.items[1], 1, SCHED_STEP_RUN, 0);
	switches(&r, 600, 4000000000u, 10, 20);
	assert_int_equal(r.left_out, 1);
	assert_int_equal(r.switched.n, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_switch_is_a_run_and_a_sleep_of_who_leaves),
		cmocka_unit_test(a_wakeup_ends_the_sleep_it_finds_once),
		cmocka_unit_test(wakings_count_when_all_is_asked_for),
		cmocka_unit_test(the_idle_task_has_times_since_the_beginning),
		cmocka_unit_test(forks_make_tasks_that_only_sleep),
		cmocka_unit_test(times_that_go_backwards_and_strange_cpus_make_no_long_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
