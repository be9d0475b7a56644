/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "tools/trace/kept-call-model.h"

static void data_is_found_by_argument_and_part(void **state)
{
	struct call_data data[] = { { .arg = 1 }, { .arg = 1, .part = 2 }, { .arg = 3 } };
	struct trace_call c = { .data = data, .n_data = 3 };

	(void)state;
	assert_ptr_equal(trace_call_data(&c, 1, 0), &data[0]);
	assert_ptr_equal(trace_call_data(&c, 1, 2), &data[1]);
	assert_ptr_equal(trace_call_data(&c, 3, 0), &data[2]);
	assert_null(trace_call_data(&c, 1, 1));
	assert_null(trace_call_data(&c, 0, 0));
}

static void only_small_negative_results_are_errors(void **state)
{
	struct trace_call c = { .exit_ns = 1, .result = -1 };

	(void)state;
	assert_true(trace_call_failed(&c));
	c.result = -4095;
	assert_true(trace_call_failed(&c));
	c.result = -4096;
	assert_false(trace_call_failed(&c));
	c.result = 0;
	assert_false(trace_call_failed(&c));
	c = (struct trace_call){ .result = -ENOENT };
	assert_false(trace_call_failed(&c));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(data_is_found_by_argument_and_part),
		cmocka_unit_test(only_small_negative_results_are_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
