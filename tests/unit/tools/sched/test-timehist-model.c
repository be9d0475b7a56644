/* SPDX-License-Identifier: MIT */
#include "sched-story.h"

#include <stdlib.h>

#include "tools/sched/timehist-model.h"
#include "base/cpu-list.h"
#include "base/id-list.h"

#define R     0
#define SLEEP 1

/* The rows that the model delivered last. */
struct told {
	struct timehist_row rows[8];
	size_t n;
	uint32_t chain;
};

static void on_row(void *arg, const struct timehist_row *row)
{
	struct told *t = arg;

	assert_in_range(t->n, 0, 7);
	t->rows[t->n++] = *row;
}

static uint32_t on_chain(void *arg, const struct sched_event *e)
{
	struct told *t = arg;

	(void)e;
	return t->chain;
}

static struct timehist *model(struct told *told, struct timehist_options o)
{
	*told = (struct told){ .chain = 1 };
	o.row = on_row;
	o.chain = on_chain;
	o.arg = told;
	return timehist_new(&o);
}

static void take(struct timehist *t, struct sched_event e)
{
	timehist_take(t, &e);
}

static void assert_row(const struct timehist_row *r, uint64_t wait, uint64_t delay, uint64_t run)
{
	assert_int_equal(r->wait_ns, wait * US);
	assert_int_equal(r->delay_ns, delay * US);
	assert_int_equal(r->run_ns, run * US);
}

static void a_task_waits_is_delayed_and_runs(void **state)
{
	struct told told;
	_cleanup_(timehist_freep) struct timehist *t = model(&told, (struct timehist_options){ 0 });

	(void)state;
	take(t, story_switch(10, 0, 7, SLEEP, 8));
	take(t, story_event(SCHED_WAKING, 30, 0, 8, 7));
	take(t, story_event(SCHED_WAKING, 35, 0, 8, 7)); /* it is awake already */
	take(t, story_switch(40, 0, 8, R, 7));
	take(t, story_switch(100, 0, 7, SLEEP, 8));
	assert_int_equal(told.n, 5);
	assert_row(&told.rows[0], 0, 0, 0); /* nothing is known yet */
	assert_row(&told.rows[3], 0, 0, 30);
	assert_row(&told.rows[4], 30, 10, 60);
	assert_int_equal(told.rows[4].task->tid, 7);
	assert_int_equal(told.rows[4].state, 'S');
	assert_int_equal(told.rows[4].task->sleep_ns, 30 * US);
	assert_int_equal(told.rows[4].task->run_ns, 60 * US);
	assert_int_equal(timehist_sums(t).last_ns - timehist_sums(t).first_ns, 90 * US);
}

static void times_that_run_backwards_are_no_times(void **state)
{
	struct told told;
	_cleanup_(timehist_freep) struct timehist *t = model(&told, (struct timehist_options){ 0 });

	(void)state;
	take(t, story_switch(100, 1, 7, SLEEP, 8));
	take(t, story_event(SCHED_WAKING, 90, 0, 9, 7));
	take(t, story_switch(50, 0, 9, R, 7));
	take(t, story_switch(60, 0, 7, SLEEP, 8));
	assert_row(&told.rows[3], 0, 0, 10);
	take(t, story_switch(5, 4000000000U, 7, SLEEP, 8)); /* no machine has this CPU */
	assert_int_equal(told.n, 4);
}

static void what_lies_outside_of_the_span_is_cut_off(void **state)
{
	const struct timehist_options o = { .from_ns = 20 * US, .to_ns = 50 * US };
	struct told told;
	_cleanup_(timehist_freep) struct timehist *t = model(&told, o);

	(void)state;
	take(t, story_switch(10, 0, 7, R, 8));
	take(t, story_switch(30, 0, 8, R, 7));
	take(t, story_switch(70, 0, 7, R, 8));
	take(t, story_switch(80, 0, 8, R, 7));
	assert_int_equal(told.n, 2);
	assert_row(&told.rows[0], 0, 0, 10);
	assert_row(&told.rows[1], 20, 0, 20);
	assert_int_equal(told.rows[1].time_ns, 50 * US);
}

static void only_chosen_tasks_have_rows(void **state)
{
	int tids[] = { 7 };
	const struct id_list list = { .items = tids, .n = 1 };
	struct told told;
	_cleanup_(timehist_freep) struct timehist *t =
		model(&told, (struct timehist_options){ .tids = &list });

	(void)state;
	take(t, story_event(SCHED_WAKING, 5, 0, 9, 7));
	take(t, story_event(SCHED_WAKING, 6, 0, 9, 10));
	take(t, story_switch(10, 0, 9, SLEEP, 7));
	take(t, story_switch(30, 0, 7, SLEEP, 9));
	assert_int_equal(told.n, 2);
	assert_int_equal(told.rows[0].kind, TIMEHIST_WAKEUP);
	assert_row(&told.rows[1], 0, 5, 20);
	assert_int_equal(timehist_sums(t).skipped, 1);
}

static void only_chosen_cpus_and_priorities_have_rows(void **state)
{
	unsigned cpus[] = { 1 };
	const struct cpu_list list = { .items = cpus, .n = 1 };
	const struct timehist_prio_range prios[] = { { 0, 99 }, { 120, 120 } };
	struct told told;
	struct timehist *t = model(&told, (struct timehist_options){ .cpus = &list });
	struct sched_event low = story_switch(30, 1, 7, SLEEP, 9);

	(void)state;
	take(t, story_switch(10, 0, 7, SLEEP, 9));
	take(t, story_switch(20, 1, 9, SLEEP, 7));
	take(t, story_switch(30, 1, 7, SLEEP, 9));
	assert_int_equal(told.n, 2);
	assert_row(&told.rows[1], 10, 0, 10); /* CPU 0 is not shown, but it is known */
	timehist_free(t);

	t = model(&told, (struct timehist_options){ .prios = prios, .n_prios = 2 });
	take(t, low);
	low.prio = 130;
	take(t, low);
	low.prio = -1;
	take(t, low);
	assert_int_equal(told.n, 1);
	timehist_free(t);
}

static void idle_time_counts_for_who_left_the_cpu(void **state)
{
	struct told told;
	_cleanup_(timehist_freep) struct timehist *t =
		model(&told, (struct timehist_options){ .idle = true });
	_cleanup_(freep) struct timehist_idle_chain *chains = NULL;
	size_t n;

	(void)state;
	take(t, story_switch(10, 0, 0, R, 7)); /* the task before is not known */
	take(t, story_switch(15, 0, 7, R, 8)); /* does not matter for idle times */
	take(t, story_switch(20, 0, 8, SLEEP, 0));
	take(t, story_switch(50, 0, 0, R, 8));
	assert_int_equal(told.n, 2);
	assert_row(&told.rows[0], 0, 0, 0);
	assert_row(&told.rows[1], 10, 0, 30);
	assert_int_equal(told.rows[1].state, 'I');
	assert_int_equal(told.rows[0].task->run_ns, 30 * US);
	assert_int_equal(timehist_task_find_idle(timehist_tasks(t), 0)->run_ns, 30 * US);
	chains = timehist_idle_chains(t, &n);
	assert_int_equal(n, 1);
	assert_int_equal(chains[0].idle_ns, 30 * US);
}

static void a_preempted_task_wants_to_run_in_newer_ways(void **state)
{
	struct told told;
	_cleanup_(timehist_freep) struct timehist *t =
		model(&told, (struct timehist_options){ .newer = true, .count_moves = true });

	(void)state;
	take(t, story_switch(10, 0, 7, 0x100, 8));
	take(t, story_event(SCHED_MIGRATE, 30, 0, 8, 7));
	take(t, story_switch(40, 0, 8, R, 7));
	take(t, story_switch(60, 0, 7, SLEEP, 8));
	assert_row(&told.rows[3], 30, 30, 20);
	assert_int_equal(told.rows[3].pre_migration_ns, 20 * US);
	assert_int_equal(told.rows[0].state, 'R');
	assert_int_equal(told.rows[3].task->migrations, 1);
}

static void states_have_letters(void **state)
{
	(void)state;
	assert_int_equal(timehist_state_char(0, false), 'R');
	assert_int_equal(timehist_state_char(2, false), 'D');
	assert_int_equal(timehist_state_char(0x20, false), 'X');
	assert_int_equal(timehist_state_char(0x20, true), 'Z');
	assert_int_equal(timehist_state_char(0x80, true), 'I');
	assert_int_equal(timehist_state_char(UINT64_C(1) << 63, true), '?');
	assert_int_equal(timehist_state_char(UINT64_C(1) << 63, false), '?');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_task_waits_is_delayed_and_runs),
		cmocka_unit_test(times_that_run_backwards_are_no_times),
		cmocka_unit_test(what_lies_outside_of_the_span_is_cut_off),
		cmocka_unit_test(only_chosen_tasks_have_rows),
		cmocka_unit_test(only_chosen_cpus_and_priorities_have_rows),
		cmocka_unit_test(idle_time_counts_for_who_left_the_cpu),
		cmocka_unit_test(a_preempted_task_wants_to_run_in_newer_ways),
		cmocka_unit_test(states_have_letters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
