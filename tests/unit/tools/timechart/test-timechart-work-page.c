/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "tools/timechart/timechart-work.h"

#define MS UINT64_C(1000000)

static const struct chart_task task = { .tid = 7, .pid = 5, .comm = "sixteen letters!" };
static const struct lane_mark mark = { .state = CHART_SLEEPING, .cpu = 3 };

static void begin(struct timechart *t)
{
	static const uint64_t placed[] = { 2, 40 };

	*t = (struct timechart){ .bin_ns = MS, .chart.first = 1000 * MS };
	chart_stacks_init(&t->stacks);
	cell_log_init(&t->log);
	contexts_add(&t->stacks.placed, placed);
}

static void end(struct timechart *t)
{
	chart_stacks_done(&t->stacks);
	cell_log_done(&t->log);
	intern_done(&t->comms);
}

static void a_wait_is_cut_by_bins_and_counted_once(void **state)
{
	struct timechart t;
	uint64_t ns = 0, samples = 0;

	(void)state;
	begin(&t);
	timechart_log_wait(&t, &task, &mark, 1000 * MS + MS / 2, 1003 * MS);
	assert_int_equal(t.log.n, 3);
	assert_int_equal(cell_log_get(&t.log, 1)->time, 1001 * MS);
	assert_int_equal(cell_log_get(&t.log, 0)->period, MS / 2);
	for (size_t i = 0; i < t.log.n; i++) {
		ns += cell_log_get(&t.log, i)->period;
		samples += cell_log_get(&t.log, i)->samples;
		assert_int_equal(cell_log_get(&t.log, i)->node, 40);
	}
	assert_int_equal(ns, 5 * MS / 2);
	assert_int_equal(samples, 1);
	end(&t);
}

static void a_long_wait_has_a_limited_number_of_parts(void **state)
{
	struct timechart t;

	(void)state;
	begin(&t);
	timechart_log_wait(&t, &task, &mark, 1000 * MS, 1000 * MS + 86400000 * MS);
	assert_true(t.log.n <= 513);
	end(&t);
}

static void cells_say_whose_they_are(void **state)
{
	struct timechart t;
	const uint64_t *values;

	(void)state;
	begin(&t);
	timechart_log_wait(&t, &task, &mark, 1000 * MS, 1000 * MS + 1);
	values = contexts_get(&t.log.contexts, cell_log_get(&t.log, 0)->context);
	assert_int_equal(values[CELL_EVENT], 2);
	assert_int_equal(values[CELL_CPU], 3);
	assert_int_equal(values[CELL_PID], 5);
	assert_int_equal(values[CELL_TID], 7);
	assert_string_equal((const char *)(uintptr_t)values[CELL_COMM], "sixteen letters!");
	end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_wait_is_cut_by_bins_and_counted_once),
		cmocka_unit_test(a_long_wait_has_a_limited_number_of_parts),
		cmocka_unit_test(cells_say_whose_they_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
