/* SPDX-License-Identifier: MIT */
#include "sched-story.h"

#include "tools/sched/queue-model.h"
#include "base/cleanup.h"

static void take(struct sched_queue *q, struct sched_event e)
{
	sched_queue_take(q, &e);
}

static struct sched_queue queue(uint64_t interval_us, size_t max)
{
	struct sched_queue q;

	sched_queue_init(&q, &(struct queue_options){ interval_us * US, max });
	return q;
}

/*
 * Delivers events: 7 runs, 8 waits from 20 to 40 and runs until 80; then the CPU is idle until 100.
 */
static void tell(struct sched_queue *q)
{
	take(q, story_switch(10, 0, 0, 0, 7));
	take(q, story_event(SCHED_WAKING, 20, 0, 7, 8));
	take(q, story_event(SCHED_WAKEUP, 21, 0, 7, 8));
	take(q, story_switch(40, 0, 7, 1, 8));
	take(q, story_switch(80, 0, 8, 1, 0));
	take(q, story_switch(100, 0, 0, 0, 7));
	sched_queue_end(q);
}

static void lengths_have_their_times(void **state)
{
	_cleanup_(sched_queue_done) struct sched_queue q = queue(0, 64);
	const struct queue_line *l;

	(void)state;
	tell(&q);
	l = &q.cpus.items[0];
	assert_int_equal(l->at_ns[0], 20 * US);
	assert_int_equal(l->at_ns[1], 50 * US);
	assert_int_equal(l->at_ns[2], 20 * US);
	assert_int_equal(l->max, 2);
	assert_true(queue_line_mean(l) * 90 > 89.9 && queue_line_mean(l) * 90 < 90.1);
	assert_int_equal(q.all.sum, l->sum);
	assert_int_equal(q.late, 2); /* 7, twice: it was never woken */
	assert_int_equal(q.last_late_ns, 100 * US);
}

static void intervals_become_wider_where_there_are_too_many(void **state)
{
	_cleanup_(sched_queue_done) struct sched_queue few = queue(10, 4), all = queue(10, 100);

	(void)state;
	tell(&all);
	assert_int_equal(sched_queue_intervals(&all), 10);
	assert_true(queue_line_interval(&all, &all.all, 1) == 2);
	assert_true(queue_line_interval(&all, &all.all, 7) == 0);
	tell(&few);
	assert_int_equal(few.interval_ns, 40 * US);
	assert_int_equal(sched_queue_intervals(&few), 3);
	assert_true(queue_line_interval(&few, &few.all, 0) == 60 / 40.0);
}

static void tasks_move_between_queues(void **state)
{
	_cleanup_(sched_queue_done) struct sched_queue q = queue(0, 64);
	struct sched_event m = story_event(SCHED_MIGRATE, 30, 0, 7, 8);

	(void)state;
	take(&q, story_event(SCHED_WAKING, 20, 0, 7, 8));
	m.target_cpu = 1;
	take(&q, m);
	take(&q, story_switch(50, 1, 0, 0, 8));
	take(&q, story_switch(60, 1, 8, 1, 0));
	sched_queue_end(&q);
	assert_int_equal(q.cpus.items[0].sum, 10 * US);
	assert_int_equal(q.cpus.items[1].sum, 30 * US);
	assert_int_equal(q.all.sum, 40 * US);
	assert_int_equal(q.late, 0);
}

static void a_departure_that_was_lost_ends_at_the_next_switch(void **state)
{
	_cleanup_(sched_queue_done) struct sched_queue q = queue(0, 64);

	(void)state;
	take(&q, story_switch(10, 0, 0, 0, 7));
	take(&q, story_switch(50, 0, 9, 1, 0));
	assert_int_equal(q.vanished, 1);
	assert_int_equal(q.all.length, 0);
}

static void absurd_events_are_passed_over(void **state)
{
	_cleanup_(sched_queue_done) struct sched_queue q = queue(1, 4);
	struct sched_event e = story_event(SCHED_WAKING, 30, 0, 7, 8);

	(void)state;
	take(&q, story_switch(20, 4000000000U, 7, 1, 8));
	take(&q, story_switch(50, 0, 7, 1, 8));
	take(&q, story_switch(40, 0, 8, 1, 7)); /* back in time */
	e.time = 60 * US;
	e.target_cpu = 4000000000U;
	take(&q, e);
	take(&q, story_switch(UINT64_MAX / US, 0, 8, 1, 7));
	sched_queue_end(&q);
	assert_int_equal(q.cpus.n, 1);
	assert_in_range(sched_queue_intervals(&q), 1, 4);
}

static void very_many_cpus_have_fewer_intervals(void **state)
{
	_cleanup_(sched_queue_done) struct sched_queue q = queue(1, 65536);
	size_t cells = 0;

	(void)state;
	for (uint32_t i = 0; i < 20000; i++)
		take(&q, story_switch(60000 + i, i % 10000, i % 7 + 1, 1, i % 5 + 10));
	sched_queue_end(&q);
	for (size_t i = 0; i < q.cpus.n; i++)
		cells += q.cpus.items[i].intervals.room;
	assert_in_range(cells, 1, 4 * 1024 * 1024);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lengths_have_their_times),
		cmocka_unit_test(intervals_become_wider_where_there_are_too_many),
		cmocka_unit_test(tasks_move_between_queues),
		cmocka_unit_test(a_departure_that_was_lost_ends_at_the_next_switch),
		cmocka_unit_test(absurd_events_are_passed_over),
		cmocka_unit_test(very_many_cpus_have_fewer_intervals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
