/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "session/span.h"

static void it_holds_from_its_beginning_to_its_end(void **state)
{
	(void)state;
	struct span span = SPAN_ALWAYS;

	span_since(&span, 10);
	span_before(&span, 20);
	assert_false(span_has(&span, 9));
	assert_true(span_has(&span, 10));
	assert_true(span_has(&span, 19));
	assert_false(span_has(&span, 20));
	assert_false(span_has(&span, UINT64_MAX));
}

static void no_time_asks_for_the_end(void **state)
{
	(void)state;
	struct span span = SPAN_ALWAYS;

	assert_true(span_has(&span, 0));
	span_since(&span, 10);
	assert_true(span_has(&span, 0));
	span_before(&span, 20);
	assert_false(span_has(&span, 0));
}

static void for_ever_has_the_last_moment_of_all(void **state)
{
	(void)state;
	struct span span = SPAN_ALWAYS;

	assert_true(span_has(&span, UINT64_MAX));
	span_since(&span, UINT64_MAX);
	assert_true(span_has(&span, UINT64_MAX));
	assert_false(span_has(&span, UINT64_MAX - 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_holds_from_its_beginning_to_its_end),
		cmocka_unit_test(no_time_asks_for_the_end),
		cmocka_unit_test(for_ever_has_the_last_moment_of_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
