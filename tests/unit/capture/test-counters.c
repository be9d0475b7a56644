/* SPDX-License-Identifier: MIT */
/*
 * Counts software events on children and CPUs of this machine, because they count the same
 * everywhere.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "counting.h"

static void a_task_is_counted_from_begin_to_end(void **state)
{
	struct bench *b = *state;

	add_task_clock(&b->events);
	add_faults(&b->events);
	add_switches(&b->events);
	must_open(b);
	child_work(&b->child);
	assert_int_equal(counters_read(&b->opened), 0);
	assert_int_equal(count_of(b, 1)->value, 0);
	count_some_work(b);
	assert_true(count_of(b, 0)->value > 0);
	assert_in_range(count_of(b, 1)->value, 64, 1000);
	/* The switches happen in the kernel, which an ordinary user may not count. */
	assert_true(count_of(b, 2)->value > 0 || b->events.items[2]->attr.exclude_kernel);
	assert_true(count_of(b, 0)->enabled > 0);
	assert_int_equal(count_of(b, 0)->enabled, count_of(b, 0)->running);
}

static void what_comes_after_the_end_is_not_counted(void **state)
{
	struct bench *b = *state;

	add_faults(&b->events);
	must_open(b);
	count_some_work(b);

	uint64_t before = count_of(b, 0)->value;

	child_work(&b->child);
	assert_int_equal(counters_read(&b->opened), 0);
	assert_int_equal(count_of(b, 0)->value, before);
}

static void a_group_is_counted_together(void **state)
{
	struct bench *b = *state;

	add_switches(&b->events);
	add_faults(&b->events);
	add_task_clock(&b->events);
	make_group(&b->events, 0);
	must_open(b);
	count_some_work(b);
	assert_in_range(count_of(b, 1)->value, 64, 1000);
	assert_true(count_of(b, 2)->value > 0);
	for (size_t i = 1; i < 3; i++) {
		assert_int_equal(b->opened.items[i].leader, 0);
		assert_int_equal(count_of(b, i)->enabled, count_of(b, 0)->enabled);
		assert_int_equal(b->events.items[i]->attr.disabled, 0);
	}
}

static void the_threads_of_a_process_add_up(void **state)
{
	struct bench *b = *state;
	struct child c = child_new(3);
	uint64_t sum = 0;

	task_list_done(&b->tasks);
	assert_int_equal(task_list_add_process(&b->tasks, c.pid, &b->diag), 0);
	add_faults(&b->events);
	must_open(b);
	assert_int_equal(b->opened.items[0].n_tasks, 4);
	opened_events_begin(&b->opened);
	child_work(&c);
	opened_events_disable(&b->opened);
	assert_int_equal(counters_read(&b->opened), 0);
	for (size_t i = 0; i < 4; i++)
		sum += b->opened.items[0].counts[i].value;
	assert_in_range(sum, 64, 1000);
	opened_events_close(&b->opened);
	child_done(&c);
}

static void all_cpus_together_see_the_work(void **state)
{
	struct bench *b = *state;
	uint64_t clock = 0, faults = 0;

	on_cpus(b);
	event_add(&b->events, "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	add_faults(&b->events);
	make_group(&b->events, 0);
	must_open(b);
	count_some_work(b);
	assert_int_equal(b->opened.items[0].n_cpus, b->cpus.n);
	for (size_t i = 0; i < b->cpus.n; i++) {
		assert_int_equal(b->opened.items[0].cpus[i], b->cpus.items[i]);
		clock += b->opened.items[0].counts[i].value;
		faults += b->opened.items[1].counts[i].value;
	}
	assert_true(clock > 0);
	assert_true(faults >= 64);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		on_bench(a_task_is_counted_from_begin_to_end),
		on_bench(what_comes_after_the_end_is_not_counted),
		on_bench(a_group_is_counted_together),
		on_bench(the_threads_of_a_process_add_up),
		on_bench(all_cpus_together_see_the_work),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
