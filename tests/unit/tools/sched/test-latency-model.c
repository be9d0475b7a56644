/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include "example-sched.h"
#include "tools/sched/latency-task-model.h"
#include "tools/sched/latency-model.h"
#include "base/cpu-list.h"

#define ASLEEP    1
#define PREEMPTED 0x100

static struct sched_latency begun(struct sched_latency_options o)
{
	struct sched_latency l;

	sched_latency_init(&l, &o);
	return l;
}

static void switches(struct sched_latency *l, uint64_t time, uint32_t cpu, uint32_t prev,
		     uint64_t state, uint32_t next)
{
	struct sched_event e = example_switched(time, cpu, prev, state, next);

	sched_latency_take(l, &e);
}

static void happens(struct sched_latency *l, enum sched_kind kind, uint64_t time, uint32_t tid)
{
	struct sched_event e = example_told(kind, time, 0, tid);

	sched_latency_take(l, &e);
}

static const struct sched_latency_task *task(const struct sched_latency *l, uint32_t tid)
{
	return u64_map_find(&l->by_tid, tid);
}

static void a_wait_lasts_from_the_wakeup_to_the_switch(void **state)
{
	_cleanup_(sched_latency_done) struct sched_latency l =
		begun((struct sched_latency_options){ 0 });
	const struct sched_latency_task *t;

	(void)state;
	switches(&l, 100, 0, 10, ASLEEP, 0);
	happens(&l, SCHED_WAKEUP, 500, 10);
	switches(&l, 700, 0, 0, 0, 10);
	switches(&l, 800, 0, 10, ASLEEP, 0);
	happens(&l, SCHED_WAKEUP_NEW, 900, 10);
	switches(&l, 950, 0, 0, 0, 10);
	t = task(&l, 10);
	assert_int_equal(t->n, 2);
	assert_int_equal(t->sum_ns, 250);
	assert_int_equal(t->max_ns, 200);
	assert_int_equal(t->max_begin, 500);
	assert_int_equal(t->max_end, 700);
	assert_int_equal(l.counts.wakeups, 2);
	assert_null(task(&l, 0));
}

static void a_task_that_is_first_seen_when_it_comes_waited_not_at_all(void **state)
{
	_cleanup_(sched_latency_done) struct sched_latency l =
		begun((struct sched_latency_options){ 0 });

	(void)state;
	switches(&l, 100, 0, 0, 0, 10);
	assert_int_equal(task(&l, 10)->n, 1);
	assert_int_equal(task(&l, 10)->sum_ns, 0);
	/* A task that is first seen running counts as ready since then. */
	happens(&l, SCHED_RUNTIME, 200, 20);
	switches(&l, 500, 0, 10, ASLEEP, 20);
	assert_int_equal(task(&l, 20)->sum_ns, 300);
}

static void who_would_have_gone_on_waits_from_the_switch_on(void **state)
{
	_cleanup_(sched_latency_done) struct sched_latency l =
		begun((struct sched_latency_options){ 0 });

	(void)state;
	switches(&l, 100, 0, 10, 0, 20);
	happens(&l, SCHED_WAKEUP, 200, 10);
	switches(&l, 300, 0, 20, ASLEEP, 10);
	assert_int_equal(task(&l, 10)->sum_ns, 200);
	assert_int_equal(l.counts.needless, 1);
	assert_int_equal(l.counts.wakeups, 0);
}

static void wakings_and_preemptions_count_when_all_is_asked_for(void **state)
{
	for (int all = 0; all < 2; all++) {
		_cleanup_(sched_latency_done) struct sched_latency l =
			begun((struct sched_latency_options){ .all = all });

		(void)state;
		switches(&l, 100, 0, 10, PREEMPTED, 20);
		switches(&l, 300, 0, 20, ASLEEP, 10);
		happens(&l, SCHED_WAKING, 400, 20);
		switches(&l, 500, 0, 10, ASLEEP, 20);
		assert_int_equal(task(&l, 10)->sum_ns, all ? 200 : 0);
		assert_int_equal(task(&l, 20)->sum_ns, all ? 100 : 0);
		assert_int_equal(l.counts.left_out_preempted, all ? 0 : 1);
		assert_int_equal(l.counts.left_out_waking, all ? 0 : 1);
	}
}

static void on_one_cpu_the_last_wakeup_or_migration_counts(void **state)
{
	_cleanup_(sched_latency_done) struct sched_latency l =
		begun((struct sched_latency_options){ .one_cpu = true });

	(void)state;
	switches(&l, 100, 0, 10, ASLEEP, 0);
	happens(&l, SCHED_WAKEUP, 200, 10);
	happens(&l, SCHED_WAKEUP, 300, 10);
	happens(&l, SCHED_MIGRATE, 350, 10);
	switches(&l, 400, 0, 0, 0, 10);
	happens(&l, SCHED_MIGRATE, 500, 20);
	switches(&l, 700, 0, 10, ASLEEP, 20);
	assert_int_equal(task(&l, 10)->sum_ns, 50);
	assert_int_equal(task(&l, 20)->sum_ns, 200);
	assert_int_equal(l.counts.wakeups, 4);
}

static void another_who_leaves_than_who_came_is_counted(void **state)
{
	_cleanup_(sched_latency_done) struct sched_latency l =
		begun((struct sched_latency_options){ 0 });

	(void)state;
	switches(&l, 100, 3, 10, ASLEEP, 20);
	switches(&l, 200, 3, 10, ASLEEP, 20);
	switches(&l, 300, 1, 20, ASLEEP, 10);
	switches(&l, 400, 3, 20, ASLEEP, 10);
	assert_int_equal(l.counts.switch_bugs, 1);
}

static void times_that_go_backwards_make_no_waits(void **state)
{
	_cleanup_(sched_latency_done) struct sched_latency l =
		begun((struct sched_latency_options){ 0 });

	(void)state;
	switches(&l, 500, 0, 10, ASLEEP, 0);
	happens(&l, SCHED_WAKEUP, 400, 10);
	assert_int_equal(l.counts.early_wakeups, 1);
	happens(&l, SCHED_WAKEUP, 600, 10);
	switches(&l, 550, 0, 0, 0, 10);
	assert_int_equal(task(&l, 10)->n, 0);
	switches(&l, 700, 0, 0, 0, 10);
	assert_int_equal(task(&l, 10)->n, 0);
}

static void cpus_that_no_machine_has_cost_nothing(void **state)
{
	_cleanup_(sched_latency_done) struct sched_latency l =
		begun((struct sched_latency_options){ 0 });

	(void)state;
	switches(&l, 100, 4000000000u, 10, ASLEEP, 20);
	switches(&l, 200, CPU_MAX, 10, ASLEEP, 20);
	assert_int_equal(l.current.n, 0);
	assert_int_equal(l.counts.switch_bugs, 0);
	assert_int_equal(task(&l, 20)->n, 1);
}

static void a_number_that_is_given_again_is_another_task(void **state)
{
	_cleanup_(sched_latency_done) struct sched_latency l =
		begun((struct sched_latency_options){ 0 });

	(void)state;
	switches(&l, 100, 0, 0, 0, 10);
	sched_latency_forget(&l, 10, 200);
	sched_latency_forget(&l, 11, 200);
	switches(&l, 300, 0, 0, 0, 10);
	assert_int_equal(l.tasks.n, 2);
	assert_int_equal(l.tasks.items[0]->until, 200);
	assert_int_equal(l.tasks.items[1]->until, UINT64_MAX);
}

static void a_new_table_keeps_those_who_wait_or_run(void **state)
{
	_cleanup_(sched_latency_done) struct sched_latency l =
		begun((struct sched_latency_options){ .keeps_names = true });
	struct sched_event e = example_switched(100, 0, 10, ASLEEP, 20);

	(void)state;
	e.comm = (struct sched_comm){ "ten", 3 };
	e.next_comm = (struct sched_comm){ "a name that is too long", 23 };
	sched_latency_take(&l, &e);
	assert_string_equal(task(&l, 10)->comm, "ten");
	assert_string_equal(task(&l, 20)->comm, "a name that is t");
	happens(&l, SCHED_WAKEUP, 150, 30);
	sched_latency_renew(&l);
	/* Task 10 sleeps, or has ended. */
	assert_null(task(&l, 10));
	assert_int_equal(l.tasks.n, 2);
	assert_int_equal(task(&l, 20)->n, 0);
	/* A wait that continues is counted at its end. */
	switches(&l, 200, 0, 20, ASLEEP, 30);
	assert_int_equal(task(&l, 30)->max_ns, 50);
	/* A task that slept is known again when it wakes up. */
	happens(&l, SCHED_WAKEUP, 300, 10);
	switches(&l, 350, 0, 30, ASLEEP, 10);
	assert_int_equal(task(&l, 10)->max_ns, 50);
}

static void memory_does_not_grow_with_tasks_that_have_ended(void **state)
{
	_cleanup_(sched_latency_done) struct sched_latency l =
		begun((struct sched_latency_options){ .keeps_names = true });

	(void)state;
	for (uint32_t tid = 1; tid < 100000; tid++) {
		switches(&l, tid * 10, 0, tid, ASLEEP, tid + 1);
		if (tid % 10 == 0)
			sched_latency_renew(&l);
		assert_true(l.tasks.n + l.unused.n <= 13);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_wait_lasts_from_the_wakeup_to_the_switch),
		cmocka_unit_test(a_task_that_is_first_seen_when_it_comes_waited_not_at_all),
		cmocka_unit_test(who_would_have_gone_on_waits_from_the_switch_on),
		cmocka_unit_test(wakings_and_preemptions_count_when_all_is_asked_for),
		cmocka_unit_test(on_one_cpu_the_last_wakeup_or_migration_counts),
		cmocka_unit_test(another_who_leaves_than_who_came_is_counted),
		cmocka_unit_test(times_that_go_backwards_make_no_waits),
		cmocka_unit_test(cpus_that_no_machine_has_cost_nothing),
		cmocka_unit_test(a_number_that_is_given_again_is_another_task),
		cmocka_unit_test(a_new_table_keeps_those_who_wait_or_run),
		cmocka_unit_test(memory_does_not_grow_with_tasks_that_have_ended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
