/* SPDX-License-Identifier: MIT */
#include "tui/coloured-text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text.h"

static void assert_stripped(const char *from, const char *wanted)
{
	struct text t = TEXT_EMPTY, out = TEXT_EMPTY;

	text_add(&t, from);
	coloured_strip(&t, &out);
	assert_string_equal(out.chars, wanted);
	text_done(&t);
	text_done(&out);
}

static void marks_are_left_out(void **state)
{
	(void)state;
	assert_stripped("", "");
	assert_stripped("plain", "plain");
	assert_stripped("+ \033[31m  99.97%\033[m  \033[32m 0.60%\033[m x", "+   99.97%   0.60% x");
}

static void what_is_no_mark_stays(void **state)
{
	(void)state;
	assert_stripped("a\033[7mb\033", "a\033[7mb\033");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(marks_are_left_out),
		cmocka_unit_test(what_is_no_mark_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
