/* SPDX-License-Identifier: MIT */
#include "wake-story.h"

#include "tools/sched/wake-path-model.h"
#include "base/cleanup.h"

static uint32_t index_of(const struct wakes *w, uint32_t tid)
{
	for (size_t i = 0; i < w->tasks.n; i++)
		if (w->tasks.items[i].tid == tid)
			return (uint32_t)i;
	fail();
	return 0;
}

static uint64_t steps_sum(const struct wake_path *p)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < p->steps.n; i++) {
		if (i)
			assert_int_equal(p->steps.items[i].from_ns, p->steps.items[i - 1].to_ns);
		sum += p->steps.items[i].to_ns - p->steps.items[i].from_ns;
	}
	return sum;
}

static void the_path_leads_through_the_wakers(void **state)
{
	_cleanup_(wakes_done) struct wakes w = { 0 };
	_cleanup_(wake_path_done) struct wake_path p;
	const struct wake_node *n;

	(void)state;
	wake_story(&w);
	wake_path_make(&w, index_of(&w, 3), 0, 100 * US, 8, true, &p);
	assert_int_equal(steps_sum(&p), 100 * US);
	n = &p.nodes.items[0];
	assert_int_equal(n->doing_ns[WAKE_RUNS], 40 * US);
	assert_int_equal(n->doing_ns[WAKE_WAITS_FOR_CPU], 10 * US);
	n = &p.nodes.items[n->child]; /* 2, from 10 to 60 */
	assert_int_equal(w.tasks.items[n->task].tid, 2);
	assert_int_equal(n->ns, 50 * US);
	assert_int_equal(n->doing_ns[WAKE_RUNS], 15 * US);
	assert_int_equal(n->doing_ns[WAKE_WAITS_FOR_CPU], 5 * US);
	n = &p.nodes.items[n->child]; /* 1, from 10 to 40 */
	assert_int_equal(n->ns, 30 * US);
	assert_int_equal(n->doing_ns[WAKE_RUNS], 15 * US);
	n = &p.nodes.items[n->child]; /* the timer, from 10 to 20 */
	assert_int_equal(n->task, WAKER_INTERRUPT);
	assert_int_equal(n->ns, 10 * US);
	assert_int_equal(n->child, 0);
}

static void depth_ends_the_explanation(void **state)
{
	_cleanup_(wakes_done) struct wakes w = { 0 };
	_cleanup_(wake_path_done) struct wake_path p;
	const struct wake_node *n;

	(void)state;
	wake_story(&w);
	wake_path_make(&w, index_of(&w, 3), 0, 100 * US, 1, true, &p);
	assert_int_equal(steps_sum(&p), 100 * US);
	n = &p.nodes.items[p.nodes.items[0].child];
	assert_int_equal(n->doing_ns[WAKE_SLEEPS], 30 * US);
	assert_int_equal(n->child, 0);
}

static void times_outside_of_what_is_known_are_not_seen(void **state)
{
	_cleanup_(wakes_done) struct wakes w = { 0 };
	struct wake_path p;
	struct sched_event e = story_switch(50, 0, 7, 16, 8);

	(void)state;
	e.state = TASK_STATE_DEAD;
	wakes_take(&w, &e);
	wake_path_make(&w, index_of(&w, 7), 0, 100 * US, 8, true, &p);
	assert_int_equal(steps_sum(&p), 100 * US);
	assert_int_equal(p.nodes.items[0].doing_ns[WAKE_NOT_YET], 100 * US);
	wake_path_done(&p);
	wake_path_make(&w, index_of(&w, 7), 100, 100, 8, true, &p);
	assert_int_equal(p.steps.n, 0);
	wake_path_done(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_path_leads_through_the_wakers),
		cmocka_unit_test(depth_ends_the_explanation),
		cmocka_unit_test(times_outside_of_what_is_known_are_not_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
