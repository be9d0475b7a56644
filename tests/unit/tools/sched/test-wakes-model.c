/* SPDX-License-Identifier: MIT */
#include "wake-story.h"

#include <stdlib.h>

#include "base/cleanup.h"

static void edges_tell_who_woke_whom(void **state)
{
	_cleanup_(wakes_done) struct wakes w = { 0 };
	_cleanup_(freep) struct wake_edge *edges = NULL;
	size_t n;

	(void)state;
	wake_story(&w);
	edges = wakes_edges(&w, &n);
	assert_int_equal(n, 3);
	assert_int_equal(w.tasks.items[edges[0].woken].tid, 3);
	assert_int_equal(w.tasks.items[edges[0].waker].tid, 2);
	assert_int_equal(edges[0].waited_ns, 50 * US);
	assert_int_equal(w.tasks.items[edges[1].waker].tid, 1);
	assert_int_equal(edges[1].waited_ns, 40 * US);
	assert_int_equal(edges[2].waker, WAKER_INTERRUPT);
}

static void only_the_interval_is_kept(void **state)
{
	_cleanup_(wakes_done) struct wakes w = { .from_ns = 45 * US, .to_ns = 65 * US };
	_cleanup_(freep) struct wake_edge *edges = NULL;
	size_t n;

	(void)state;
	wake_story(&w);
	edges = wakes_edges(&w, &n);
	assert_int_equal(n, 1);
	assert_int_equal(edges[0].waited_ns, 15 * US);
	for (size_t i = 0; i < w.tasks.n; i++)
		assert_in_range(w.tasks.items[i].moments.n, 1, 2);
}

static void who_is_awake_is_not_woken(void **state)
{
	_cleanup_(wakes_done) struct wakes w = { 0 };
	struct sched_event e = story_event(SCHED_WAKING, 5, 0, 9, 3);
	size_t n;

	(void)state;
	wakes_take(&w, &e);
	e.kind = SCHED_WAKEUP;
	e.time++;
	wakes_take(&w, &e);
	free(wakes_edges(&w, &n));
	assert_int_equal(n, 1);
	assert_int_equal(w.tasks.items[1].moments.n, 1);
}

static void interrupts_and_nobody_wake_too(void **state)
{
	_cleanup_(wakes_done) struct wakes w = { 0 };
	struct sched_event e = story_event(SCHED_WAKING, 5, 0, 9, 3);

	(void)state;
	e.in_interrupt = true;
	wakes_take(&w, &e);
	e = story_event(SCHED_WAKING, 5, 0, UINT32_MAX, 4);
	wakes_take(&w, &e);
	assert_int_equal(w.tasks.items[0].moments.items[0].waker, WAKER_INTERRUPT);
	assert_int_equal(w.tasks.items[1].moments.items[0].waker, WAKER_UNKNOWN);
}

static void a_forgotten_number_is_another_task(void **state)
{
	_cleanup_(wakes_done) struct wakes w = { 0 };
	struct sched_event e = story_switch(5, 0, 9, 1, 3);

	(void)state;
	wakes_take(&w, &e);
	wakes_forget(&w, 9);
	wakes_take(&w, &e);
	assert_int_equal(w.tasks.n, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edges_tell_who_woke_whom),
		cmocka_unit_test(only_the_interval_is_kept),
		cmocka_unit_test(who_is_awake_is_not_woken),
		cmocka_unit_test(interrupts_and_nobody_wake_too),
		cmocka_unit_test(a_forgotten_number_is_another_task),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
