/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "example-sched.h"
#include "tools/sched/replay-model.h"
#include "tools/sched/replay-work.h"

#define MS UINT64_C(1000000)

static const struct sched_calibration no_overheads;

static void switches(struct sched_replay *r, uint64_t time, uint32_t prev, uint32_t next)
{
	struct sched_event e = example_switched(time, 0, prev, 1, next);

	sched_replay_take(r, &e);
}

static void wakes(struct sched_replay *r, uint64_t time, uint32_t waker, uint32_t tid)
{
	struct sched_event e = example_told(SCHED_WAKEUP, time, 0, tid);

	e.current_tid = waker;
	sched_replay_take(r, &e);
}

/* Task 10 runs for 4 ms and wakes 20, which runs for 3 ms and wakes 10; the CPU is idle then. */
static void threads_run_for_as_long_as_the_tasks_and_wait_for_each_other(void **state)
{
	_cleanup_(sched_replay_done) struct sched_replay r = { .all = false };
	_cleanup_(sched_replayer_freep) struct sched_replayer *p = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	switches(&r, 1 * MS, 0, 10);
	wakes(&r, 5 * MS, 10, 20);
	switches(&r, 5 * MS, 10, 20);
	wakes(&r, 8 * MS, 20, 10);
	switches(&r, 8 * MS, 20, 0);
	switches(&r, 9 * MS, 0, 10);
	assert_int_equal(sched_replayer_new(&r, &no_overheads, &p, &diag), 0);
	for (int i = 0; i < 2; i++) {
		struct sched_round round = sched_replayer_run(p);

		assert_true(round.cpu_ns >= 7 * MS);
		assert_true(round.wall_ns >= 8 * MS);
	}
}

static void a_recording_without_tasks_is_done_at_once(void **state)
{
	const struct sched_replay r = { .all = false };
	_cleanup_(sched_replayer_freep) struct sched_replayer *p = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(sched_replayer_new(&r, &no_overheads, &p, &diag), 0);
	sched_replayer_run(p);
}

static void too_many_tasks_are_a_sentence(void **state)
{
	_cleanup_(sched_replay_done) struct sched_replay r = { .all = false };
	struct sched_replayer *p = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	for (uint32_t i = 0; i <= SCHED_REPLAY_THREADS_MAX; i++)
		switches(&r, i + 1, i + 1, 0);
	assert_int_equal(sched_replayer_new(&r, &no_overheads, &p, &diag), -E2BIG);
	assert_non_null(strstr(diag.message, "10001 tasks"));
	assert_null(p);
}

static void overheads_are_small_and_tests_take_a_millisecond(void **state)
{
	struct sched_calibration c = sched_calibrate();

	(void)state;
	assert_true(c.run_test >= MS / 2);
	assert_true(c.sleep_test >= MS);
	assert_true(c.run_overhead < 100 * MS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_run_for_as_long_as_the_tasks_and_wait_for_each_other),
		cmocka_unit_test(a_recording_without_tasks_is_done_at_once),
		cmocka_unit_test(too_many_tasks_are_a_sentence),
		cmocka_unit_test(overheads_are_small_and_tests_take_a_millisecond),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
