/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "profile/wait-times.h"
#include "session/sample-filter.h"

#define NO WAIT_NO_STACK

/* Returns the time that was added up for these, or all zeros. */
static struct wait_time time_of(const struct wait_times *w, uint32_t stack, enum wait_state state,
				uint32_t waker)
{
	for (size_t i = 0; i < w->times.n; i++) {
		const struct wait_time *t = &w->times.items[i];

		if (t->stack == stack && t->state == state && t->waker == waker)
			return *t;
	}
	return (struct wait_time){ 0 };
}

static uint64_t total_of(const struct wait_times *w)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < w->times.n; i++)
		sum += w->times.items[i].ns;
	return sum;
}

static void a_wait_lasts_from_switch_to_switch(void **state)
{
	(void)state;
	_cleanup_(wait_times_done) struct wait_times w;

	wait_times_init(&w, &(struct wait_times_options){ 0 });
	wait_times_out(&w, 7, 1000, WAIT_SLEEPING, 3);
	wait_times_in(&w, 7, 1500);
	wait_times_out(&w, 7, 2000, WAIT_SLEEPING, 3);
	wait_times_in(&w, 7, 2100);
	wait_times_out(&w, 7, 3000, WAIT_RUNNABLE, 4);
	wait_times_in(&w, 7, 3001);
	wait_times_finish(&w);
	assert_int_equal(w.times.n, 2);
	assert_int_equal(time_of(&w, 3, WAIT_SLEEPING, NO).ns, 600);
	assert_int_equal(time_of(&w, 3, WAIT_SLEEPING, NO).count, 2);
	assert_int_equal(time_of(&w, 4, WAIT_RUNNABLE, NO).ns, 1);
	assert_int_equal(w.counts.waits, 3);
	assert_int_equal(w.counts.unended, 0);
}

static void from_its_wake_up_on_a_thread_is_runnable(void **state)
{
	(void)state;
	_cleanup_(wait_times_done) struct wait_times w;

	wait_times_init(&w, &(struct wait_times_options){ 0 });
	wait_times_out(&w, 7, 1000, WAIT_SLEEPING, 3);
	wait_times_wake(&w, 7, 1400, 9);
	wait_times_wake(&w, 7, 1450, 10); /* sched_wakeup after sched_waking */
	wait_times_in(&w, 7, 1500);
	wait_times_finish(&w);
	assert_int_equal(time_of(&w, 3, WAIT_SLEEPING, 9).ns, 400);
	assert_int_equal(time_of(&w, 3, WAIT_RUNNABLE, NO).ns, 100);
	assert_int_equal(total_of(&w), 500);
	assert_int_equal(w.counts.waits, 1);
}

static void wake_ups_of_threads_that_do_not_wait_mean_nothing(void **state)
{
	(void)state;
	_cleanup_(wait_times_done) struct wait_times w;

	wait_times_init(&w, &(struct wait_times_options){ 0 });
	wait_times_wake(&w, 7, 900, 9);
	wait_times_out(&w, 7, 1000, WAIT_RUNNABLE, 3);
	wait_times_wake(&w, 7, 1400, 9);
	wait_times_in(&w, 7, 1500);
	wait_times_wake(&w, 7, 1600, 9);
	wait_times_finish(&w);
	assert_int_equal(w.times.n, 1);
	assert_int_equal(time_of(&w, 3, WAIT_RUNNABLE, NO).ns, 500);
}

static void what_has_not_ended_counts_up_to_the_end(void **state)
{
	(void)state;
	_cleanup_(wait_times_done) struct wait_times w;

	wait_times_init(&w, &(struct wait_times_options){ 0 });
	wait_times_out(&w, 7, 1000, WAIT_BLOCKED, 3);
	wait_times_out(&w, 8, 1000, WAIT_DEAD, 4);
	wait_times_in(&w, 9, 5000);
	wait_times_finish(&w);
	assert_int_equal(w.times.n, 1);
	assert_int_equal(time_of(&w, 3, WAIT_BLOCKED, NO).ns, 4000);
	assert_int_equal(w.counts.unended, 1);
	assert_int_equal(w.counts.unbegun, 0); /* thread 9 was not recorded */
}

static void a_wait_whose_end_was_not_seen_does_not_count(void **state)
{
	(void)state;
	_cleanup_(wait_times_done) struct wait_times w;

	wait_times_init(&w, &(struct wait_times_options){ 0 });
	wait_times_out(&w, 7, 1000, WAIT_SLEEPING, 3);
	wait_times_out(&w, 7, 9000, WAIT_SLEEPING, 4);
	wait_times_in(&w, 7, 9100);
	wait_times_in(&w, 7, 9200); /* told twice */
	wait_times_finish(&w);
	assert_int_equal(total_of(&w), 100);
	assert_int_equal(w.counts.lost_ends, 1);
}

static void threads_without_a_stack_do_not_count(void **state)
{
	(void)state;
	_cleanup_(wait_times_done) struct wait_times w;

	wait_times_init(&w, &(struct wait_times_options){ .with_running = true });
	wait_times_out(&w, 7, 1000, WAIT_SLEEPING, NO);
	wait_times_in(&w, 7, 2000);
	wait_times_sample(&w, 7, 2100, NO, 1);
	wait_times_out(&w, 7, 3000, WAIT_SLEEPING, NO);
	wait_times_finish(&w);
	assert_int_equal(w.times.n, 0);
	assert_int_equal(w.counts.waits, 0);
}

static void only_waits_of_a_fit_length_count(void **state)
{
	(void)state;
	_cleanup_(wait_times_done) struct wait_times w;

	wait_times_init(&w, &(struct wait_times_options){ .min_ns = 100, .max_ns = 1000 });
	for (uint32_t i = 0; i < 4; i++)
		wait_times_out(&w, i, 1000, WAIT_SLEEPING, i);
	wait_times_in(&w, 0, 1099);
	wait_times_in(&w, 1, 1100);
	wait_times_in(&w, 2, 2000);
	wait_times_in(&w, 3, 2001);
	wait_times_finish(&w);
	assert_int_equal(w.times.n, 2);
	assert_int_equal(time_of(&w, 1, WAIT_SLEEPING, NO).ns, 100);
	assert_int_equal(time_of(&w, 2, WAIT_SLEEPING, NO).ns, 1000);
	assert_int_equal(w.counts.unfit, 2);
}

static void only_the_part_within_the_spans_counts(void **state)
{
	(void)state;
	const struct time_span spans[] = { { 1200, 1300 }, { 1900, 5000 } };
	_cleanup_(wait_times_done) struct wait_times w;

	wait_times_init(&w, &(struct wait_times_options){ .spans = spans, .n_spans = 2 });
	wait_times_out(&w, 7, 1000, WAIT_SLEEPING, 3);
	wait_times_in(&w, 7, 2000);
	wait_times_out(&w, 8, 1000, WAIT_SLEEPING, 4);
	wait_times_in(&w, 8, 1100);
	wait_times_finish(&w);
	assert_int_equal(w.times.n, 1);
	assert_int_equal(time_of(&w, 3, WAIT_SLEEPING, NO).ns, 200);
}

/* 300 ns pass from switch to switch, with samples, one of which weighs twice as much. */
static void running_time_is_divided_among_samples(void **state)
{
	(void)state;
	_cleanup_(wait_times_done) struct wait_times w;

	wait_times_init(&w, &(struct wait_times_options){ .with_running = true });
	wait_times_fork(&w, 7, 1000);
	wait_times_in(&w, 7, 1010);
	wait_times_sample(&w, 7, 1050, 3, 10);
	wait_times_sample(&w, 7, 1100, 4, 20);
	wait_times_out(&w, 7, 1310, WAIT_SLEEPING, 5);
	wait_times_in(&w, 7, 1400);
	wait_times_out(&w, 7, 1400, WAIT_DEAD, 6);
	wait_times_finish(&w);
	assert_int_equal(time_of(&w, 3, WAIT_RUNNING, NO).ns, 100);
	assert_int_equal(time_of(&w, 4, WAIT_RUNNING, NO).ns, 200);
	assert_int_equal(time_of(&w, 5, WAIT_SLEEPING, NO).ns, 90);
	assert_int_equal(time_of(&w, 3, WAIT_FIRST_CPU, NO).ns, 10);
	assert_int_equal(total_of(&w), 400); /* its life */
}

static void a_thread_that_was_never_sampled_runs_unseen(void **state)
{
	(void)state;
	_cleanup_(wait_times_done) struct wait_times w;

	wait_times_init(&w, &(struct wait_times_options){ .with_running = true });
	wait_times_in(&w, 1, 1000);                    /* the recording begins */
	wait_times_out(&w, 7, 1100, WAIT_SLEEPING, 5); /* the thread ran since the beginning */
	wait_times_in(&w, 7, 1300);
	wait_times_in(&w, 8, 1400); /* the thread waited since the beginning */
	wait_times_out(&w, 8, 1450, WAIT_SLEEPING, 6);
	wait_times_in(&w, 1, 2000); /* and ends */
	wait_times_finish(&w);
	assert_int_equal(time_of(&w, 5, WAIT_RUNNING_UNSEEN, NO).ns, 100 + 700);
	assert_int_equal(time_of(&w, 5, WAIT_SLEEPING, NO).ns, 200);
	assert_int_equal(time_of(&w, 6, WAIT_FROM_BEFORE, NO).ns, 400);
	assert_int_equal(time_of(&w, 6, WAIT_RUNNING_UNSEEN, NO).ns, 50);
	assert_int_equal(time_of(&w, 6, WAIT_SLEEPING, NO).ns, 550);
}

/* If only the thread was recorded, its last switch is missing. */
static void a_thread_runs_until_it_ends(void **state)
{
	(void)state;
	_cleanup_(wait_times_done) struct wait_times w;

	wait_times_init(&w, &(struct wait_times_options){ .with_running = true });
	wait_times_out(&w, 7, 1000, WAIT_SLEEPING, 3);
	wait_times_in(&w, 7, 1100);
	wait_times_sample(&w, 7, 1200, 4, 1);
	wait_times_exit(&w, 7, 1500);
	wait_times_out(&w, 7, 1510, WAIT_SLEEPING, 5);
	wait_times_in(&w, 7, 1520);
	wait_times_out(&w, 7, 1530, WAIT_DEAD, 5);
	wait_times_fork(&w, 7, 5000); /* another one */
	wait_times_in(&w, 7, 5000);
	wait_times_exit(&w, 7, 5010);
	wait_times_in(&w, 8, 9000);
	wait_times_finish(&w);
	assert_int_equal(time_of(&w, 4, WAIT_RUNNING, NO).ns, 400 + 10);
	assert_int_equal(total_of(&w), 510);
}

static void times_that_go_backwards_are_counted(void **state)
{
	(void)state;
	_cleanup_(wait_times_done) struct wait_times w;

	wait_times_init(&w, &(struct wait_times_options){ 0 });
	wait_times_out(&w, 7, 1000, WAIT_SLEEPING, 3);
	wait_times_in(&w, 7, 900);
	wait_times_finish(&w);
	assert_int_equal(total_of(&w), 0);
	assert_int_equal(w.counts.backwards, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_wait_lasts_from_switch_to_switch),
		cmocka_unit_test(from_its_wake_up_on_a_thread_is_runnable),
		cmocka_unit_test(wake_ups_of_threads_that_do_not_wait_mean_nothing),
		cmocka_unit_test(what_has_not_ended_counts_up_to_the_end),
		cmocka_unit_test(a_wait_whose_end_was_not_seen_does_not_count),
		cmocka_unit_test(threads_without_a_stack_do_not_count),
		cmocka_unit_test(only_waits_of_a_fit_length_count),
		cmocka_unit_test(only_the_part_within_the_spans_counts),
		cmocka_unit_test(running_time_is_divided_among_samples),
		cmocka_unit_test(a_thread_that_was_never_sampled_runs_unseen),
		cmocka_unit_test(a_thread_runs_until_it_ends),
		cmocka_unit_test(times_that_go_backwards_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
