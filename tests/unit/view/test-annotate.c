/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "example-listing.h"

static void bases_have_names(void **state)
{
	(void)state;
	assert_string_equal(annotate_base_name(ANNOTATE_GLOBAL_HITS), "global hits");
}

static void colours_call_for_attention_where_they_may(void **state)
{
	struct annotate_view v = { .colour = true }, plain = { .colour = false };

	(void)state;
	assert_string_equal(annotate_colour(&v, 5.0), "\033[31m");
	assert_string_equal(annotate_colour(&v, 0.6), "\033[32m");
	assert_string_equal(annotate_colour(&v, 0.5), "");
	assert_string_equal(annotate_colour_off(&v, 0.5), "");
	assert_string_equal(annotate_colour(&plain, 99), "");
}

static void tabs_go_by_the_column_and_nothing_escapes(void **state)
{
	struct text t = TEXT_EMPTY;

	(void)state;
	text_add(&t, "xx");
	annotate_add_expanded(&t, 2, "a\tb\033[m", 6);
	assert_string_equal(t.chars, "xxa       b\\x1b[m");
	text_done(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bases_have_names),
		cmocka_unit_test(colours_call_for_attention_where_they_may),
		cmocka_unit_test(tabs_go_by_the_column_and_nothing_escapes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
