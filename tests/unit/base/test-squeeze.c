/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/squeeze.h"
#include "base/text.h"

static size_t assert_squeezed(const char *s, size_t columns, const char *expected)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	size_t left_out = text_add_squeezed(&t, s, columns);

	assert_string_equal(t.chars, expected);
	return left_out;
}

static void what_fits_stays_as_it_is(void **state)
{
	(void)state;
	assert_int_equal(assert_squeezed("", 10, ""), 0);
	assert_squeezed("\n\na   b\nc   d\n", 5, "\n\na   b\nc   d\n");
}

static void the_widest_gaps_become_narrower_first(void **state)
{
	(void)state;
	assert_squeezed("  name      n   m\n  longer   10  11\n", 14,
			"name     n   m\nlonger  10  11\n");
	assert_squeezed("  name      n   m\n  longer   10  11\n", 12,
			"name    n  m\nlonger 10 11\n");
}

static void what_has_no_gaps_is_left_to_the_terminal(void **state)
{
	(void)state;
	assert_squeezed("aaaaaaaa bbbbbbbb\n", 5, "aaaaaaaa bbbbbbbb\n");
	/* The line ends in blanks, which are invisible. */
	assert_squeezed("aaaa   \n", 4, "aaaa\n");
}

static void dashes_are_as_long_as_rows(void **state)
{
	(void)state;
	assert_squeezed("name     n\n----  ----\nabcd     1\n", 8,
			"name   n\n----  --\nabcd   1\n");
	assert_squeezed("-----------\nname      n\n-----------\n", 6, "------\nname n\n------\n");
}

static void tables_end_at_empty_lines(void **state)
{
	(void)state;
	assert_squeezed("a sentence here\n\nname         n\nabcd         1\n", 8,
			"a sentence here\n\nname   n\nabcd   1\n");
}

static void a_heading_may_stand_above_an_empty_line(void **state)
{
	(void)state;
	assert_squeezed("name         n\n\nabcd         1\n", 8, "name   n\n\nabcd   1\n");
}

static void more_rows_below_a_title_have_the_same_columns(void **state)
{
	(void)state;
	assert_squeezed("name         n\nabcd       123\n\nEnded:\nxy           1\n\nm  n  o\n", 8,
			"name   n\nabcd 123\n\nEnded:\nxy     1\n\nm  n  o\n");
	/* Another table. */
	assert_squeezed("name         n\nabcd       123\n\nEnded:\nxy          1\n", 8,
			"name   n\nabcd 123\n\nEnded:\nxy     1\n");
}

static void the_last_cells_go_where_bars_separate_them(void **state)
{
	static const char table[] = " a    | b    | c    | first | last  |\n"
				    " 1111 | 2222 | 3333 | 44444 | 55555 |\n"
				    " sum  | 2222 |\n";
	size_t n;

	(void)state;
	n = assert_squeezed(table, 22,
			    "a    | b    | c    |\n1111 | 2222 | 3333 |\nsum  | 2222 |\n");
	assert_int_equal(n, 2);
	/* The bar at the end need not fit. */
	n = assert_squeezed(
		table, 26,
		"a    | b    | c    | first\n1111 | 2222 | 3333 | 44444\nsum  | 2222 |\n");
	assert_int_equal(n, 1);
}

static void a_row_that_left_the_columns_does_not_keep_the_others_wide(void **state)
{
	(void)state;
	assert_squeezed(" a    |    b |\n 1111 | 2222 |\n 11111111 | 2222 |\n", 13,
			"a    |    b |\n1111 | 2222 |\n 11111111 | 2222 |\n");
}

static void short_lines_move_only_if_nothing_gets_lost(void **state)
{
	(void)state;
	assert_squeezed("name               n\nabcd               1\nm: x\n   |\n", 10,
			"name     n\nabcd     1\nm: x\n   |\n");
}

static void colours_have_no_width(void **state)
{
	(void)state;
	assert_squeezed("name     \033[31m7\033[m\nabcd     1\n", 6,
			"name \033[31m7\033[m\nabcd 1\n");
	assert_squeezed("n\303\244me     7\nabcd     1\n", 6, "n\303\244me 7\nabcd 1\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_fits_stays_as_it_is),
		cmocka_unit_test(the_widest_gaps_become_narrower_first),
		cmocka_unit_test(what_has_no_gaps_is_left_to_the_terminal),
		cmocka_unit_test(dashes_are_as_long_as_rows),
		cmocka_unit_test(tables_end_at_empty_lines),
		cmocka_unit_test(a_heading_may_stand_above_an_empty_line),
		cmocka_unit_test(more_rows_below_a_title_have_the_same_columns),
		cmocka_unit_test(the_last_cells_go_where_bars_separate_them),
		cmocka_unit_test(a_row_that_left_the_columns_does_not_keep_the_others_wide),
		cmocka_unit_test(short_lines_move_only_if_nothing_gets_lost),
		cmocka_unit_test(colours_have_no_width),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
