/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "kernel/fake-tree.h"
#include "tools/ftrace/trace-dir-work.h"

static void assert_says(const struct trace_dir *d, const char *file, const char *expected)
{
	char *text;

	assert_int_equal(trace_dir_read(d, file, &text), 0);
	assert_string_equal(text, expected);
	free(text);
}

static void values_are_replaced_and_added(void **state)
{
	struct trace_dir d;

	fake_file(*state, "set_ftrace_pid", "no pid\n");
	assert_int_equal(trace_dir_open(*state, &d), 0);
	assert_int_equal(trace_dir_write(&d, "set_ftrace_pid", "12"), 0);
	assert_says(&d, "set_ftrace_pid", "12\n");
	assert_int_equal(trace_dir_append(&d, "set_ftrace_pid", "34"), 0);
	assert_says(&d, "set_ftrace_pid", "12\n34\n");
	trace_dir_close(&d);
}

static void a_line_has_no_newline(void **state)
{
	struct trace_dir d;
	char *line;

	fake_file(*state, "current_tracer", "nop\n");
	assert_int_equal(trace_dir_open(*state, &d), 0);
	assert_int_equal(trace_dir_read_line(&d, "current_tracer", &line), 0);
	assert_string_equal(line, "nop");
	free(line);
	trace_dir_close(&d);
}

static void what_is_missing_is_an_error(void **state)
{
	struct trace_dir d = TRACE_DIR_NONE;
	char *text;

	assert_int_equal(trace_dir_open("/nowhere", &d), -ENOENT);
	assert_int_equal(trace_dir_open(*state, &d), 0);
	assert_int_equal(trace_dir_read(&d, "trace", &text), -ENOENT);
	assert_int_equal(trace_dir_write(&d, "trace", "0"), -ENOENT);
	assert_int_equal(trace_dir_open_reader(&d, "trace_pipe"), -ENOENT);
	trace_dir_close(&d);
	trace_dir_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(values_are_replaced_and_added, fake_tree_open,
						fake_tree_close),
		cmocka_unit_test_setup_teardown(a_line_has_no_newline, fake_tree_open,
						fake_tree_close),
		cmocka_unit_test_setup_teardown(what_is_missing_is_an_error, fake_tree_open,
						fake_tree_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
