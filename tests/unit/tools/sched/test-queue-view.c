/* SPDX-License-Identifier: MIT */
#include "sched-story.h"

#include "tools/sched/queue-model.h"
#include "base/cleanup.h"
#include "base/cpu-list.h"
#include "view/printed.h"
#include "tools/sched/queue-view.h"

/* Returns a queue: a task runs from 10 to 30 us, another one from 20 to 40. */
static struct sched_queue example(void)
{
	struct sched_event events[] = {
		story_switch(10, 0, 0, 0, 7), story_event(SCHED_WAKING, 20, 0, 7, 8),
		story_switch(30, 0, 7, 1, 8), story_switch(40, 0, 8, 1, 0),
		story_switch(50, 0, 0, 0, 7),
	};
	struct sched_queue q;

	sched_queue_init(&q, &(struct queue_options){ 10 * US, 64 });
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
		sched_queue_take(&q, &events[i]);
	sched_queue_end(&q);
	return q;
}

static void shares_and_strips(void **state)
{
	_cleanup_(sched_queue_done) struct sched_queue q = example();
	struct printed out;

	(void)state;
	printed_open(&out);
	queue_print(out.out, &q, &(struct queue_style){ 0 });
	assert_printed(
		&out,
		"Runnable tasks, running or waiting, in 0.000040 s\n\n"
		"  CPU     mean    max        0        1        2        3        4       5+\n"
		"    0    1.000      2   25.00%   50.00%   25.00%    0.00%    0.00%    0.00%\n"
		"  all    1.000      2   25.00%   50.00%   25.00%    0.00%    0.00%    0.00%\n"
		"\nMeans of 0.010 ms each\n"
		"    0  |121..|\n"
		"  all  |121..|\n"
		"\n2 tasks were runnable before the recording told so, the last until 0.040 "
		"ms: lengths before that may be too small.\n");
}

static void intervals_have_lines(void **state)
{
	_cleanup_(sched_queue_done) struct sched_queue q = example();
	unsigned cpus[] = { 5 };
	const struct cpu_list other = { .items = cpus, .n = 1 };
	struct printed out;

	(void)state;
	printed_open(&out);
	queue_print(out.out, &q, &(struct queue_style){ .intervals = true, .cpus = &other });
	assert_int_equal(fflush(out.out), 0);
	assert_non_null(strstr(out.text, "           time      all\n"
					 "       0.000010    1.000\n"
					 "       0.000020    2.000\n"));
	fclose(out.out);
	free(out.text);
}

static void json_has_the_times(void **state)
{
	_cleanup_(sched_queue_done) struct sched_queue q = example();
	struct printed out;

	(void)state;
	printed_open(&out);
	queue_print_json(out.out, &q, &(struct queue_style){ 0 });
	assert_int_equal(fflush(out.out), 0);
	assert_non_null(strstr(out.text, "\"ns_at_length\": [10000, 20000, 10000, 0,"));
	assert_non_null(strstr(out.text, "\"tasks_unseen_at_begin\": 2"));
	fclose(out.out);
	free(out.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_and_strips),
		cmocka_unit_test(intervals_have_lines),
		cmocka_unit_test(json_has_the_times),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
