/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "view/made-listing.h"

static void a_share_is_of_what_was_asked_for(void **state)
{
	static const double wanted[] = {
		[ANNOTATE_LOCAL_PERIOD] = 60,
		[ANNOTATE_GLOBAL_PERIOD] = 30,
		[ANNOTATE_LOCAL_HITS] = 70,
		[ANNOTATE_GLOBAL_HITS] = 17.5,
	};
	struct made_listing m;

	(void)state;
	made_begin(&m);
	for (size_t i = 0; i < 4; i++) {
		m.view.base = (enum annotate_base)i;
		assert_true(annotate_percent(&m.view, &m.listing, &m.lines[3], 0) == wanted[i]);
	}
	assert_string_equal(annotate_base_name(ANNOTATE_GLOBAL_HITS), "global hits");
	symbolizer_free(m.symbolizer);
}

static void a_share_of_nothing_is_nothing(void **state)
{
	struct made_listing m;

	(void)state;
	made_begin(&m);
	m.function.totals = made_none;
	assert_true(annotate_percent(&m.view, &m.listing, &m.lines[3], 0) == 0);
	assert_false(annotate_is_heavy(&m.view, &m.listing, &m.lines[1]));
	symbolizer_free(m.symbolizer);
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

static void a_path_is_its_last_part_unless_all_is_wanted(void **state)
{
	struct annotate_view v = { .full_paths = false };

	(void)state;
	assert_string_equal(annotate_path(&v, "/a/b.c"), "b.c");
	assert_string_equal(annotate_path(&v, "b.c"), "b.c");
	v.full_paths = true;
	assert_string_equal(annotate_path(&v, "/a/b.c"), "/a/b.c");
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
		cmocka_unit_test(a_share_is_of_what_was_asked_for),
		cmocka_unit_test(a_share_of_nothing_is_nothing),
		cmocka_unit_test(colours_call_for_attention_where_they_may),
		cmocka_unit_test(a_path_is_its_last_part_unless_all_is_wanted),
		cmocka_unit_test(tabs_go_by_the_column_and_nothing_escapes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
