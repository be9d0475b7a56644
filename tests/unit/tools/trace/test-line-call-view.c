/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tools/trace/kept-call-model.h"
#include "tools/trace/line-view.h"
#include "tools/trace/tasks-model.h"
#include "view/printed.h"

static struct trace_task task = { .pid = 7, .tid = 8, .comm = "ls" };

static const struct syscall_desc close_desc = {
	.name = "close",
	.n_args = 1,
	.args = { { .name = "fd", .kind = ARG_INT, .bytes = 4 } },
};

static const struct trace_line_style usual = {
	.values = { .shows_names = true },
	.alignment = 20,
};

/* Returns the call close(3) of ls, 1 ms after the start, which took 2 us. */
static struct trace_call some_call(void)
{
	return (struct trace_call){
		.task = &task,
		.abi = SYSCALL_ABI_AARCH64,
		.cpu = 1,
		.nr = 57,
		.desc = &close_desc,
		.has_enter = true,
		.enter_ns = 1000000,
		.exit_ns = 1002000,
		.args = { 3 },
	};
}

static void assert_line(const struct trace_line_style *style, const struct trace_call *c,
			const char *wanted)
{
	struct printed p;
	struct trace_lines *l;

	printed_open(&p);
	l = trace_lines_new(p.out, style);
	trace_lines_start(l, 0);
	assert_int_equal(trace_lines_call(l, c), 0);
	assert_int_equal(trace_lines_flush(l), 0);
	trace_lines_free(l);
	assert_printed(&p, wanted);
}

static void a_call_has_time_duration_task_arguments_and_result(void **state)
{
	struct trace_call c = some_call();

	(void)state;
	assert_line(&usual, &c, "     1.000 ( 0.002 ms): ls/8 close(fd: 3)        = 0\n");
}

static void long_arguments_push_the_result(void **state)
{
	struct trace_line_style s = usual;
	struct trace_call c = some_call();

	(void)state;
	s.alignment = 13;
	assert_line(&s, &c, "     1.000 ( 0.002 ms): ls/8 close(fd: 3) = 0\n");
	s.alignment = 0;
	assert_line(&s, &c, "     1.000 ( 0.002 ms): ls/8 close(fd: 3) = 0\n");
}

static void parts_of_a_call_are_marked(void **state)
{
	struct trace_call c = some_call();
	struct trace_line_style s = usual;

	(void)state;
	s.alignment = 30;
	c.part = TRACE_CALL_CONTINUED;
	assert_line(&s, &c, "     1.000 ( 0.002 ms): ls/8  ... [continued]: close())    = 0\n");
	c.part = TRACE_CALL_BEGUN;
	c.exit_ns = 0;
	assert_line(&s, &c, "     1.000 (         ): ls/8 close(fd: 3)               ...\n");
	c.part = TRACE_CALL_NO_RETURN;
	assert_line(&s, &c, "     1.000 (         ): ls/8 close(fd: 3)                  = ?\n");
}

static void the_beginning_may_be_unknown(void **state)
{
	struct trace_call c = some_call();

	(void)state;
	c.has_enter = false;
	c.part = TRACE_CALL_CONTINUED;
	assert_line(&usual, &c, "         ? (         ): ls/8  ... [continued]: close()) = 0\n");
}

static void columns_can_be_left_out(void **state)
{
	struct trace_call c = some_call();
	struct trace_line_style s = usual;

	(void)state;
	s.hides_comm = true;
	assert_line(&s, &c, "     1.000 ( 0.002 ms): 8 close(fd: 3)        = 0\n");
	s.hides_duration = true;
	assert_line(&s, &c, "     1.000 8 close(fd: 3)        = 0\n");
	s.hides_time = true;
	assert_line(&s, &c, "8 close(fd: 3)        = 0\n");
	s.shows_cpu = true;
	assert_line(&s, &c, "[001] 8 close(fd: 3)        = 0\n");
}

static void a_task_without_a_name_has_a_number(void **state)
{
	struct trace_task nobody = { .pid = 7, .tid = 8, .comm = "" };
	struct trace_call c = some_call();

	(void)state;
	c.task = &nobody;
	assert_line(&usual, &c, "     1.000 ( 0.002 ms): :8/8 close(fd: 3)        = 0\n");
}

static void names_of_tasks_are_harmless(void **state)
{
	struct trace_task hostile = { .pid = 7, .tid = 8, .comm = "a\033[2J\n" };
	struct trace_call c = some_call();

	(void)state;
	c.task = &hostile;
	assert_line(&usual, &c, "     1.000 ( 0.002 ms): a\\x1b[2J\\n/8 close(fd: 3)        = 0\n");
}

static void calls_without_a_name_have_a_number(void **state)
{
	struct trace_call c = some_call();

	(void)state;
	c.desc = NULL;
	c.nr = 999;
	c.part = TRACE_CALL_CONTINUED;
	assert_line(&usual, &c,
		    "     1.000 ( 0.002 ms): ls/8  ... [continued]: syscall_999()) = 0\n");
}

static void long_durations_are_coloured(void **state)
{
	struct trace_call c = some_call();
	struct trace_line_style s = usual;

	(void)state;
	s.is_coloured = true;
	assert_line(&s, &c, "     1.000 ( 0.002 ms): ls/8 close(fd: 3)        = 0\n");
	c.exit_ns = c.enter_ns + 20000;
	assert_line(&s, &c, "     1.000 (\033[33m 0.020 ms\033[m): ls/8 close(fd: 3)        = 0\n");
	c.exit_ns = c.enter_ns + 2000000;
	assert_line(&s, &c, "     1.000 (\033[31m 2.000 ms\033[m): ls/8 close(fd: 3)        = 0\n");
	c.part = TRACE_CALL_CONTINUED;
	s.alignment = 28;
	s.hides_duration = true;
	assert_line(&s, &c, "     1.000 ls/8  ... [\033[33mcontinued\033[m]: close())  = 0\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_has_time_duration_task_arguments_and_result),
		cmocka_unit_test(long_arguments_push_the_result),
		cmocka_unit_test(parts_of_a_call_are_marked),
		cmocka_unit_test(the_beginning_may_be_unknown),
		cmocka_unit_test(columns_can_be_left_out),
		cmocka_unit_test(a_task_without_a_name_has_a_number),
		cmocka_unit_test(names_of_tasks_are_harmless),
		cmocka_unit_test(calls_without_a_name_have_a_number),
		cmocka_unit_test(long_durations_are_coloured),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
