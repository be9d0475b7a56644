/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "example-timechart.h"
#include "tools/timechart/rows-model.h"

/* Makes @n threads; thread i runs for i * 1 ms. */
static void make(struct chart *c, uint32_t n)
{
	uint64_t us = 0;

	chart_init(c, &(struct chart_options){ 0 });
	switch_at(c, us, 0, 0, TASK_STATE_RUNNABLE, 1);
	for (uint32_t i = 1; i <= n; i++)
		switch_at(c, us += i * 1000, 0, i, TASK_STATE_SLEEPING, i < n ? i + 1 : 0);
	chart_finish(c);
}

static uint32_t tid_of(const struct chart *c, const struct chart_rows *rows, size_t i)
{
	return c->tasks.items[rows->tasks[i]].tid;
}

static void those_that_ran_longest_come_first(void **state)
{
	struct chart c;
	struct chart_rows rows;

	(void)state;
	make(&c, 20);
	chart_rows_init(&rows, &c, &(struct chart_rows_request){ .least = 3 });
	assert_int_equal(rows.n, 20);
	assert_int_equal(tid_of(&c, &rows, 0), 20);
	assert_int_equal(tid_of(&c, &rows, 19), 1);
	assert_int_equal(rows.n_drawn, 11); /* 10 ms and more */
	chart_rows_done(&rows);
	chart_rows_init(&rows, &c, &(struct chart_rows_request){ .least = 15 });
	assert_int_equal(rows.n_drawn, 15);
	chart_rows_done(&rows);
	chart_done(&c);
}

static void chosen_threads_are_the_only_ones(void **state)
{
	static const char *const words[] = { "two", "5" };
	struct chart c;
	struct chart_rows rows;

	(void)state;
	make(&c, 6);
	chart_rows_init(&rows, &c,
			&(struct chart_rows_request){ .selected = words, .n_selected = 2 });
	assert_int_equal(rows.n, 2);
	assert_int_equal(rows.n_drawn, 2);
	assert_int_equal(tid_of(&c, &rows, 0), 5);
	assert_int_equal(tid_of(&c, &rows, 1), 2);
	chart_rows_done(&rows);
	chart_done(&c);
}

static void a_word_is_a_number_or_a_name(void **state)
{
	struct chart_task t = { .tid = 12, .pid = 10, .comm = "du", .before = "sh" };

	(void)state;
	assert_true(chart_task_is(&t, "12"));
	assert_true(chart_task_is(&t, "10"));
	assert_true(chart_task_is(&t, "du"));
	assert_true(chart_task_is(&t, "sh"));
	assert_false(chart_task_is(&t, "d"));
	assert_false(chart_task_is(&t, "1"));
	assert_false(chart_task_is(&t, ""));
	assert_false(chart_task_is(&t, "du-and-more-than-sixteen"));
}

static void bytes_decide_where_there_are_only_calls(void **state)
{
	struct chart c;
	struct chart_rows rows;

	(void)state;
	chart_init(&c, &(struct chart_options){ 0 });
	for (uint32_t tid = 1; tid < 4; tid++) {
		chart_call(&c, tid * US, tid, CHART_IO_READ, 0);
		chart_return(&c, tid * US + 1, tid, CHART_IO_READ, tid == 2 ? 1000 : 10);
	}
	chart_finish(&c);
	chart_rows_init(&rows, &c, &(struct chart_rows_request){ .least = 1, .by_bytes = true });
	assert_int_equal(tid_of(&c, &rows, 0), 2);
	assert_int_equal(rows.n_drawn, 1);
	chart_rows_done(&rows);
	chart_done(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(those_that_ran_longest_come_first),
		cmocka_unit_test(chosen_threads_are_the_only_ones),
		cmocka_unit_test(a_word_is_a_number_or_a_name),
		cmocka_unit_test(bytes_decide_where_there_are_only_calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
