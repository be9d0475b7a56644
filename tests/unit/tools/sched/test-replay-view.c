/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/cleanup.h"
#include "tools/sched/replay-model.h"
#include "tools/sched/replay-view.h"

static void tasks_and_steps_are_listed(void **state)
{
	_cleanup_(freep) char *printed = NULL;
	size_t size;
	FILE *out = open_memstream(&printed, &size);
	struct sched_replay_task tasks[] = { { .tid = 10, .comm = "one\x1b[m", .n = 3 },
					     { .n = 1 } };
	const struct sched_replay r = { .items = tasks,
					.n = 2,
					.runs = 1,
					.sleeps = 2,
					.wakes = 3,
					.targetless = 4,
					.multi_target = 5 };

	(void)state;
	sched_replay_print(out, &r);
	fclose(out);
	assert_string_equal(printed,
			    "nr_run_events:        1\n"
			    "nr_sleep_events:      2\n"
			    "nr_wakeup_events:     3\n"
			    "target-less wakeups:  4\n"
			    "multi-target wakeups: 5\n"
			    "task      0 (           one\\x1b[m:        10), nr_events: 3\n"
			    "task      1 (                    :         0), nr_events: 1\n"
			    "-----------------------------------------------------------"
			    "-\n");
}

static void rounds_have_averages_that_run_along(void **state)
{
	_cleanup_(freep) char *printed = NULL;
	size_t size;
	FILE *out = open_memstream(&printed, &size);
	struct sched_averages a = { .n = 0 };

	(void)state;
	sched_overheads_print(out, &(struct sched_overheads){ 1, 2, 3, 4 });
	sched_round_print(out, &a, 4, 8000000, 4000000);
	sched_round_print(out, &a, 4, 16000000, 8000000);
	fclose(out);
	assert_string_equal(printed, "run measurement overhead: 1 nsecs\n"
				     "sleep measurement overhead: 2 nsecs\n"
				     "the run test took 3 nsecs\n"
				     "the sleep test took 4 nsecs\n"
				     "#1  : 8.000, ravg: 8.00, cpu: 4.00 / 4.00\n"
				     "#2  : 16.000, ravg: 10.00, cpu: 8.00 / 5.00\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tasks_and_steps_are_listed),
		cmocka_unit_test(rounds_have_averages_that_run_along),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
