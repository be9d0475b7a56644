/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "example-timechart.h"

static const struct chart_options usual = { .io_merge_ns = 1000 };

static const struct chart_task *task(struct chart *c, uint32_t tid)
{
	for (size_t i = 0; i < c->tasks.n; i++)
		if (c->tasks.items[i].tid == tid)
			return &c->tasks.items[i];
	fail();
	return NULL;
}

static const struct lane *lane_of(struct chart *c, uint32_t tid)
{
	return &c->lanes.items[task(c, tid)->lane];
}

static uint64_t us_in(struct chart *c, uint32_t tid, enum chart_state s)
{
	return chart_task_ns(c, task(c, tid), s) / US;
}

/* Task one runs, sleeps, is woken by two, waits, and runs. */
static void make_usual(struct chart *c)
{
	chart_init(c, &usual);
	switch_at(c, 100, 0, 1, TASK_STATE_SLEEPING, 2);
	wake_at(c, 300, SCHED_WAKEUP, 2, 1, 0);
	switch_at(c, 450, 0, 2, TASK_STATE_RUNNABLE, 1);
	switch_at(c, 500, 0, 1, TASK_STATE_BLOCKED, 2);
	switch_at(c, 600, 0, 2, TASK_STATE_SLEEPING, 0);
	chart_finish(c);
}

static void states_follow_from_switches_and_wakeups(void **state)
{
	struct chart c;

	(void)state;
	make_usual(&c);
	assert_int_equal(us_in(&c, 1, CHART_SLEEPING), 200);
	assert_int_equal(us_in(&c, 1, CHART_RUNNABLE), 150);
	assert_int_equal(us_in(&c, 1, CHART_RUNNING), 50);
	assert_int_equal(us_in(&c, 1, CHART_BLOCKED), 100);
	assert_int_equal(us_in(&c, 2, CHART_RUNNING), 350 + 100);
	assert_int_equal(us_in(&c, 2, CHART_RUNNABLE), 50);
	chart_done(&c);
}

static void times_in_all_states_are_the_span_of_a_thread(void **state)
{
	struct chart c;

	(void)state;
	make_usual(&c);
	for (size_t i = 0; i < c.tasks.n; i++) {
		const struct lane *lane = &c.lanes.items[c.tasks.items[i].lane];
		uint64_t sum = 0;

		for (size_t s = 0; s < LANE_STATES; s++)
			sum += lane->ns[s];
		assert_int_equal(sum, lane->end - lane->begin);
	}
	chart_done(&c);
}

static void a_wakeup_says_who_did_it(void **state)
{
	struct chart c;
	const struct lane_piece *p;

	(void)state;
	make_usual(&c);
	p = &lane_of(&c, 1)->items[piece_at(lane_of(&c, 1), 400 * US)];
	assert_int_equal(p->mark.state, CHART_RUNNABLE);
	assert_int_equal(c.tasks.items[p->mark.by].tid, 2);
	assert_int_equal(p->mark.flags, 0);
	assert_int_equal(p->mark.stack, 202);
	assert_int_equal(task(&c, 1)->wakeups, 1);
	chart_done(&c);
}

static void a_thread_that_had_to_leave_names_who_came(void **state)
{
	struct chart c;
	const struct lane_piece *p;

	(void)state;
	make_usual(&c);
	p = &lane_of(&c, 2)->items[piece_at(lane_of(&c, 2), 460 * US)];
	assert_int_equal(p->mark.flags, CHART_PREEMPTED);
	assert_int_equal(c.tasks.items[p->mark.by].tid, 1);
	chart_done(&c);
}

static void an_interrupt_is_not_the_thread_it_interrupts(void **state)
{
	struct chart c;
	const struct lane_piece *p;

	(void)state;
	chart_init(&c, &usual);
	switch_at(&c, 1, 0, 1, TASK_STATE_SLEEPING, 2);
	wake_at(&c, 5, SCHED_WAKEUP, 0, 1, 1);
	chart_finish(&c);
	p = &lane_of(&c, 1)->items[lane_of(&c, 1)->n - 1];
	assert_int_equal(p->mark.flags, CHART_INTERRUPT);
	assert_int_equal(p->mark.by, LANE_NONE);
	assert_int_equal(p->mark.cpu, 1);
	chart_done(&c);
}

static void the_waker_of_a_waking_is_kept_for_the_wakeup(void **state)
{
	struct chart c;
	const struct lane *lane;

	(void)state;
	chart_init(&c, &usual);
	switch_at(&c, 1, 0, 1, TASK_STATE_SLEEPING, 2);
	wake_at(&c, 5, SCHED_WAKING, 3, 1, 0);
	wake_at(&c, 7, SCHED_WAKEUP, 0, 1, 1);
	chart_finish(&c);
	lane = lane_of(&c, 1);
	assert_int_equal(lane->items[lane->n - 1].start, 7 * US);
	assert_int_equal(c.tasks.items[lane->items[lane->n - 1].mark.by].tid, 3);
	chart_done(&c);
}

static void without_wakeups_a_waking_is_one(void **state)
{
	struct chart c;
	const struct lane *lane;

	(void)state;
	chart_init(&c, &(struct chart_options){ .waking_is_wakeup = true });
	switch_at(&c, 1, 0, 1, TASK_STATE_SLEEPING, 2);
	wake_at(&c, 5, SCHED_WAKING, 2, 1, 0);
	chart_finish(&c);
	lane = lane_of(&c, 1);
	assert_int_equal(lane->items[lane->n - 1].mark.state, CHART_RUNNABLE);
	chart_done(&c);
}

static void waking_a_running_thread_changes_nothing(void **state)
{
	struct chart c;

	(void)state;
	chart_init(&c, &usual);
	switch_at(&c, 1, 0, 1, TASK_STATE_SLEEPING, 2);
	wake_at(&c, 2, SCHED_WAKEUP, 1, 2, 0);
	switch_at(&c, 10, 0, 2, TASK_STATE_SLEEPING, 0);
	chart_finish(&c);
	assert_int_equal(us_in(&c, 2, CHART_RUNNING), 9);
	assert_int_equal(us_in(&c, 2, CHART_RUNNABLE), 0);
	chart_done(&c);
}

static void a_blocked_thread_may_turn_out_to_wait_for_io(void **state)
{
	struct chart c;
	const struct sched_event io = { .kind = SCHED_STAT_IOWAIT, .time = 40 * US, .tid = 1 };

	(void)state;
	chart_init(&c, &usual);
	switch_at(&c, 10, 0, 1, TASK_STATE_BLOCKED, 2);
	chart_sched(&c, &io, LANE_NONE);
	wake_at(&c, 41, SCHED_WAKEUP, 2, 1, 0);
	switch_at(&c, 50, 0, 2, TASK_STATE_SLEEPING, 1);
	chart_finish(&c);
	assert_int_equal(us_in(&c, 1, CHART_IO_WAIT), 31);
	assert_int_equal(us_in(&c, 1, CHART_BLOCKED), 0);
	chart_done(&c);
}

static void a_thread_that_is_moved_waits_for_another_cpu(void **state)
{
	struct chart c;
	const struct sched_event move = {
		.kind = SCHED_MIGRATE, .time = 30 * US, .tid = 1, .from_cpu = 0, .target_cpu = 5
	};
	const struct lane *lane;

	(void)state;
	chart_init(&c, &usual);
	switch_at(&c, 10, 0, 1, TASK_STATE_SLEEPING, 2);
	wake_at(&c, 20, SCHED_WAKEUP, 2, 1, 0);
	chart_sched(&c, &move, LANE_NONE);
	chart_finish(&c);
	lane = lane_of(&c, 1);
	assert_int_equal(lane->items[lane->n - 1].mark.cpu, 5);
	assert_int_equal(lane->items[lane->n - 2].mark.cpu, 0);
	chart_done(&c);
}

static void a_number_is_another_thread_after_an_end(void **state)
{
	struct chart c;
	size_t n = 0;

	(void)state;
	chart_init(&c, &usual);
	switch_at(&c, 10, 0, 4, TASK_STATE_DEAD, 1);
	switch_at(&c, 20, 0, 1, TASK_STATE_SLEEPING, 4);
	switch_at(&c, 35, 0, 4, TASK_STATE_SLEEPING, 0);
	chart_finish(&c);
	for (size_t i = 0; i < c.tasks.n; i++)
		n += c.tasks.items[i].tid == 4;
	assert_int_equal(n, 2);
	assert_true(task(&c, 4)->has_ended);
	chart_done(&c);
}

static void a_new_name_keeps_the_one_before(void **state)
{
	struct chart_task t = { 0 };

	(void)state;
	chart_set_comm(&t, "sh", 2);
	chart_set_comm(&t, "du", 2);
	assert_string_equal(t.comm, "du");
	assert_string_equal(t.before, "sh");
	chart_set_comm(&t, "a-name-of-more-than-sixteen", 27);
	assert_memory_equal(t.comm, "a-name-of-more-t", 16);
}

static void a_switch_that_does_not_follow_is_counted(void **state)
{
	struct chart c;

	(void)state;
	chart_init(&c, &usual);
	switch_at(&c, 10, 0, 1, TASK_STATE_SLEEPING, 2);
	switch_at(&c, 30, 0, 3, TASK_STATE_SLEEPING, 1);
	chart_finish(&c);
	assert_int_equal(c.unexpected, 1);
	assert_int_equal(us_in(&c, 2, CHART_RUNNING), 20);
	chart_done(&c);
}

static void cpus_say_who_ran_and_are_sorted(void **state)
{
	struct chart c;
	const struct lane *lane;

	(void)state;
	chart_init(&c, &usual);
	switch_at(&c, 10, 7, 1, TASK_STATE_SLEEPING, 2);
	switch_at(&c, 20, 3, 0, TASK_STATE_RUNNABLE, 3);
	switch_at(&c, 30, 7, 2, TASK_STATE_SLEEPING, 0);
	chart_finish(&c);
	assert_int_equal(c.cpus.n, 2);
	assert_int_equal(c.cpus.items[0].number, 3);
	assert_int_equal(c.cpus.items[1].number, 7);
	lane = &c.lanes.items[c.cpus.items[1].lane];
	assert_int_equal(lane->ns[CHART_BUSY], 20 * US);
	assert_int_equal(c.tasks.items[lane->items[0].mark.by].tid, 2);
	chart_done(&c);
}

static void power_states_are_lanes_of_their_cpu(void **state)
{
	struct chart c;
	const struct chart_cpu *cpu;

	(void)state;
	chart_init(&c, &usual);
	chart_idle(&c, 10 * US, 4294967294u, 2);
	chart_frequency(&c, 15 * US, 4294967294u, 1200000);
	chart_idle(&c, 30 * US, 4294967294u, UINT32_MAX);
	chart_idle(&c, 40 * US, 4294967294u, 99);
	chart_frequency(&c, 50 * US, 4294967294u, 600000);
	chart_finish(&c);
	cpu = &c.cpus.items[0];
	assert_int_equal(c.lanes.items[cpu->idle_lane].ns[3], 20 * US);
	assert_int_equal(c.lanes.items[cpu->idle_lane].ns[CHART_C_STATES], 10 * US);
	assert_int_equal(c.lanes.items[cpu->frequency_lane].items[0].mark.by, 1200000);
	chart_done(&c);
}

static void times_that_go_backwards_are_the_last_time(void **state)
{
	struct chart c;

	(void)state;
	chart_init(&c, &usual);
	switch_at(&c, 100, 0, 1, TASK_STATE_SLEEPING, 2);
	switch_at(&c, 50, 0, 2, TASK_STATE_SLEEPING, 1);
	switch_at(&c, 120, 0, 1, TASK_STATE_SLEEPING, 0);
	chart_finish(&c);
	assert_int_equal(us_in(&c, 1, CHART_RUNNING), 20);
	assert_int_equal(c.first, 100 * US);
	chart_done(&c);
}

/* The waits that were reported. */
struct told {
	uint64_t us;
	size_t n;
};

static void take_wait(void *arg, const struct chart_task *t, const struct lane_mark *mark,
		      uint64_t from, uint64_t to)
{
	struct told *told = arg;

	assert_int_equal(mark->stack, 100 + t->tid); /* the thread's, not the waker's */
	told->us += (to - from) / US;
	told->n++;
}

static void waits_are_told_with_the_stack_of_the_thread(void **state)
{
	struct told told = { 0 };
	struct chart c;

	(void)state;
	chart_init(&c, &(struct chart_options){ .waited = take_wait, .arg = &told });
	switch_at(&c, 100, 0, 1, TASK_STATE_SLEEPING, 2);
	wake_at(&c, 300, SCHED_WAKEUP, 2, 1, 0);
	switch_at(&c, 450, 0, 2, TASK_STATE_RUNNABLE, 1);
	switch_at(&c, 500, 0, 1, TASK_STATE_BLOCKED, 2);
	chart_finish(&c);
	assert_int_equal(told.n, 2);
	assert_int_equal(told.us, 200 + 50);
	chart_done(&c);
}

static void a_chart_without_events_is_empty(void **state)
{
	struct chart c;

	(void)state;
	chart_init(&c, &usual);
	chart_finish(&c);
	assert_int_equal(c.last, 0);
	assert_int_equal(c.tasks.n + c.cpus.n, 0);
	chart_done(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(states_follow_from_switches_and_wakeups),
		cmocka_unit_test(times_in_all_states_are_the_span_of_a_thread),
		cmocka_unit_test(a_wakeup_says_who_did_it),
		cmocka_unit_test(a_thread_that_had_to_leave_names_who_came),
		cmocka_unit_test(an_interrupt_is_not_the_thread_it_interrupts),
		cmocka_unit_test(the_waker_of_a_waking_is_kept_for_the_wakeup),
		cmocka_unit_test(without_wakeups_a_waking_is_one),
		cmocka_unit_test(waking_a_running_thread_changes_nothing),
		cmocka_unit_test(a_blocked_thread_may_turn_out_to_wait_for_io),
		cmocka_unit_test(a_thread_that_is_moved_waits_for_another_cpu),
		cmocka_unit_test(a_number_is_another_thread_after_an_end),
		cmocka_unit_test(a_new_name_keeps_the_one_before),
		cmocka_unit_test(a_switch_that_does_not_follow_is_counted),
		cmocka_unit_test(cpus_say_who_ran_and_are_sorted),
		cmocka_unit_test(power_states_are_lanes_of_their_cpu),
		cmocka_unit_test(times_that_go_backwards_are_the_last_time),
		cmocka_unit_test(waits_are_told_with_the_stack_of_the_thread),
		cmocka_unit_test(a_chart_without_events_is_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
