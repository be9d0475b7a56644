/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>

#include "session/consumer.h"
#include "skip.h"
#include "tools/trace/kept-call-model.h"
#include "tools/trace/line-view.h"
#include "tools/trace/tasks-model.h"
#include "view/printed.h"

static struct trace_task task = { .pid = 7, .tid = 8, .comm = "ls" };

static const struct syscall_desc sync_desc = { .name = "sync" };

static const struct trace_line_style usual = { 0 };

static struct trace_call sync_at(uint64_t enter_ns)
{
	return (struct trace_call){ .task = &task,
				    .desc = &sync_desc,
				    .has_enter = true,
				    .enter_ns = enter_ns,
				    .exit_ns = enter_ns + 1000 };
}

static void times_count_from_the_first_line_unless_told_otherwise(void **state)
{
	struct trace_call first = sync_at(5000000), second = sync_at(6000000);
	struct trace_lines *l;
	struct printed p;

	(void)state;
	printed_open(&p);
	l = trace_lines_new(p.out, &usual);
	assert_int_equal(trace_lines_call(l, &first), 0);
	assert_int_equal(trace_lines_call(l, &second), 0);
	trace_lines_start(l, 2000000);
	assert_int_equal(trace_lines_call(l, &second), 0);
	assert_int_equal(trace_lines_flush(l), 0);
	trace_lines_free(l);
	assert_printed(&p, "     0.000 ( 0.001 ms): ls/8 sync() = 0\n"
			   "     1.000 ( 0.001 ms): ls/8 sync() = 0\n"
			   "     4.000 ( 0.001 ms): ls/8 sync() = 0\n");
}

static void losses_are_told(void **state)
{
	struct trace_lines *l;
	struct printed p;

	(void)state;
	printed_open(&p);
	l = trace_lines_new(p.out, &usual);
	assert_int_equal(trace_lines_lost(l, 5, 12), 0);
	assert_int_equal(trace_lines_flush(l), 0);
	trace_lines_free(l);
	assert_printed(&p, "LOST 12 events!\n");
}

static void samples_need_a_session(void **state)
{
	const struct session_sample s = { .time = 1 };
	struct trace_lines *l;
	struct printed p;

	(void)state;
	printed_open(&p);
	l = trace_lines_new(p.out, &usual);
	assert_int_equal(trace_lines_sample(l, &s, &task), 0);
	assert_int_equal(trace_lines_flush(l), 0);
	trace_lines_free(l);
	assert_printed(&p, "");
}

static void a_full_disk_is_an_error(void **state)
{
	struct trace_lines *l;
	FILE *full = fopen("/dev/full", "w");

	(void)state;
	if (!full)
		skip_because("there is no /dev/full");
	l = trace_lines_new(full, &usual);
	assert_int_equal(trace_lines_lost(l, 5, 12), 0);
	assert_int_equal(trace_lines_flush(l), -ENOSPC);
	trace_lines_free(l);
	fclose(full);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_count_from_the_first_line_unless_told_otherwise),
		cmocka_unit_test(losses_are_told),
		cmocka_unit_test(samples_need_a_session),
		cmocka_unit_test(a_full_disk_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
