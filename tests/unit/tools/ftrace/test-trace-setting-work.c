/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>
#include <stdlib.h>

#include "tools/ftrace/trace-buffer-work.h"

static void assert_original(const char *file, const char *text, const char *expected, bool list)
{
	bool is_list;
	char *value = trace_setting_original(file, text, &is_list);

	assert_string_equal(value, expected);
	assert_int_equal(is_list, list);
	free(value);
}

static void a_value_is_its_first_line(void **state)
{
	(void)state;
	assert_original("current_tracer", "nop\n", "nop", false);
	assert_original("tracing_cpumask", "ff,ffffffff\n", "ff,ffffffff", false);
	assert_original("tracing_thresh", "", "", false);
}

static void a_list_is_its_first_words(void **state)
{
	(void)state;
	assert_original("set_ftrace_filter", "schedule\nloop_probe [loop]\n",
			"schedule\nloop_probe\n", true);
	assert_original("set_ftrace_pid", "12\n34\n", "12\n34\n", true);
}

static void remarks_and_triggers_are_not_in_lists(void **state)
{
	(void)state;
	assert_original("set_ftrace_filter", "#### all functions enabled ####\n", "", true);
	assert_original("set_ftrace_filter", "schedule:traceoff:unlimited\nvfs_read\n",
			"vfs_read\n", true);
	assert_original("set_ftrace_pid", "no pid\n", "", true);
}

static void a_buffer_that_was_not_used_has_the_size_it_will_have(void **state)
{
	(void)state;
	assert_original("buffer_size_kb", "7 (expanded: 1408)\n", "1408", false);
	assert_original("buffer_size_kb", "4096\n", "4096", false);
	assert_original("buffer_size_kb", "X\n", "", false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_value_is_its_first_line),
		cmocka_unit_test(a_list_is_its_first_words),
		cmocka_unit_test(remarks_and_triggers_are_not_in_lists),
		cmocka_unit_test(a_buffer_that_was_not_used_has_the_size_it_will_have),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
