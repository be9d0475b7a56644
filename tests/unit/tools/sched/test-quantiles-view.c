/* SPDX-License-Identifier: MIT */
#include "sched-story.h"

#include "tools/sched/task-times-model.h"
#include "base/cleanup.h"
#include "view/printed.h"
#include "tools/sched/quantiles-view.h"

static void tell(struct task_times *t)
{
	struct sched_event events[] = {
		story_switch(10, 0, 7, 1, 8),
		story_event(SCHED_WAKING, 30, 0, 8, 7),
		story_switch(40, 0, 8, 1, 7),
		story_switch(100, 0, 7, 1, 8),
	};

	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
		task_times_take(t, &events[i]);
}

static void three_lines_a_task_and_a_histogram(void **state)
{
	_cleanup_(task_times_done) struct task_times t = { 0 };
	struct printed out;

	(void)state;
	tell(&t);
	printed_open(&out);
	quantiles_print(out.out, &t, true);
	assert_int_equal(fflush(out.out), 0);
	assert_non_null(strstr(
		out.text,
		"\nTask, times in msec       time      count         p50         p90         p99   "
		" "
		"     max           sum\n"
		"prev[7]                   delay         1       0.010       0.010       0.010     "
		"  0.010         0.010\n"
		"                          sleep         1       0.020       0.020       0.020     "
		"  0.020         0.020\n"
		"                          run           1       0.060       0.060       0.060     "
		"  0.060         0.060\n"
		"                        nsec     delay     sleep       run\n"
		"        8192 ->        16383         1         0         0  "
		"|##############################\n"
		"       16384 ->        32767         0         1         0  |\n"
		"       32768 ->        65535         0         0         1  |\n"));
	fclose(out.out);
	free(out.text);
}

static void json_has_nanoseconds(void **state)
{
	_cleanup_(task_times_done) struct task_times t = { 0 };
	struct printed out;

	(void)state;
	tell(&t);
	printed_open(&out);
	quantiles_print_json(out.out, &t);
	assert_int_equal(fflush(out.out), 0);
	assert_non_null(strstr(out.text, "\"p99\": 60000"));
	fclose(out.out);
	free(out.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_lines_a_task_and_a_histogram),
		cmocka_unit_test(json_has_nanoseconds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
