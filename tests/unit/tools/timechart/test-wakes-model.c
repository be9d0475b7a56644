/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "example-timechart.h"
#include "tools/timechart/rows-model.h"
#include "tools/timechart/wakes-model.h"

static void the_longest_waits_come_first(void **state)
{
	struct chart c;
	struct chart_rows rows;
	struct chart_wake *wakes;
	size_t n;

	(void)state;
	chart_init(&c, &(struct chart_options){ 0 });
	switch_at(&c, 100, 0, 1, TASK_STATE_SLEEPING, 2);
	wake_at(&c, 200, SCHED_WAKEUP, 2, 1, 0);
	switch_at(&c, 210, 0, 2, TASK_STATE_RUNNABLE, 1); /* nobody woke 2 */
	switch_at(&c, 300, 0, 1, TASK_STATE_SLEEPING, 2);
	wake_at(&c, 400, SCHED_WAKEUP, 2, 1, 0);
	switch_at(&c, 490, 0, 2, TASK_STATE_SLEEPING, 1);
	wake_at(&c, 500, SCHED_WAKEUP, 0, 2, 0); /* an interrupt has no row */
	chart_finish(&c);
	chart_rows_init(&rows, &c, &(struct chart_rows_request){ .least = 10 });
	n = chart_wakes(&c, &rows, 10, &wakes);
	assert_int_equal(n, 2);
	assert_int_equal(wakes[0].time, 400 * US);
	assert_int_equal(wakes[0].wait_ns, 90 * US);
	assert_int_equal(c.tasks.items[rows.tasks[wakes[0].from]].tid, 2);
	assert_int_equal(c.tasks.items[rows.tasks[wakes[0].to]].tid, 1);
	free(wakes);
	assert_int_equal(chart_wakes(&c, &rows, 1, &wakes), 1);
	free(wakes);
	chart_rows_done(&rows);
	chart_done(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_longest_waits_come_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
