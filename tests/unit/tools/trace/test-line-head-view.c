/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tools/trace/writer-view.h"

static void assert_time(struct trace_lines *l, uint64_t ns, const char *wanted)
{
	struct trace_line_head h = { .has_time = true, .time_ns = ns };

	text_clear(&l->text);
	trace_line_head(l, &h);
	assert_string_equal(l->text.chars, wanted);
}

/* Checks that the time in milliseconds is the one that printf prints. */
static void assert_time_as_printf(struct trace_lines *l, uint64_t ns)
{
	char wanted[64];

	snprintf(wanted, sizeof(wanted), "%10.3f ", (double)ns / 1e6);
	assert_time(l, ns, wanted);
}

static void times_are_rounded_as_printf_does(void **state)
{
	struct trace_lines l = { .style = { .hides_duration = true }, .text = TEXT_EMPTY };

	(void)state;
	for (uint64_t ns = 0; ns < 30000000; ns += 250)
		assert_time_as_printf(&l, ns);
	for (uint64_t ns = 9007199254000500; ns < 9007199254740000; ns += 1000)
		assert_time_as_printf(&l, ns);
	text_done(&l.text);
}

static void times_before_the_start_are_negative(void **state)
{
	struct trace_lines l = { .style = { .hides_duration = true },
				 .text = TEXT_EMPTY,
				 .start_ns = 2000000 };

	(void)state;
	assert_time(&l, 3000000, "     1.000 ");
	assert_time(&l, 1500000, "    -0.500 ");
	assert_time(&l, 0, "    -2.000 ");
	l.style.full_time = true;
	assert_time(&l, 1000000, "     1.000 ");
	assert_time(&l, UINT64_MAX, "18446744073709.552 ");
	text_done(&l.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_rounded_as_printf_does),
		cmocka_unit_test(times_before_the_start_are_negative),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
