/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "tools/timechart/samples-model.h"

static void every_call_is_there_once_and_has_a_kind(void **state)
{
	size_t n;
	const struct chart_call_name *calls = chart_call_names(&n);

	(void)state;
	for (size_t i = 0; i < n; i++) {
		assert_in_range(calls[i].kind, CHART_IO_READ, CHART_IO_KINDS - 1);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(calls[i].name, calls[k].name);
	}
}

static void calls_that_move_bytes_have_a_descriptor(void **state)
{
	size_t n;
	const struct chart_call_name *calls = chart_call_names(&n);

	(void)state;
	for (size_t i = 0; i < n; i++)
		if (calls[i].kind != CHART_IO_POLL && calls[i].kind != CHART_IO_SYNC)
			assert_string_equal(calls[i].fd, "fd");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_call_is_there_once_and_has_a_kind),
		cmocka_unit_test(calls_that_move_bytes_have_a_descriptor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
