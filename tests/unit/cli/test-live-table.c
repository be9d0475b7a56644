/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>

#include "captured.h"
#include "cli/command.h"
#include "cli/live-table.h"

static void without_a_terminal_tables_follow_each_other(void **state)
{
	struct invocation inv = { 0 };
	struct live_table t;
	struct captured c;

	(void)state;
	captured_init(&c);
	live_table_open(&t, &inv, c.file, false);
	assert_null(inv.redraw);
	assert_int_equal(live_table_size(&t).rows, UINT_MAX);
	fputs("a\n", live_table_begin(&t, 1500000000));
	live_table_end(&t);
	fputs("b\n", live_table_page(&t));
	live_table_end(&t);
	live_table_close(&t, true);
	assert_string_equal(captured_text(&c), "\nAt 1.500 seconds:\na\nb\n");
	captured_done(&c);
}

static void what_is_left_at_the_end_is_printed_without_a_terminal(void **state)
{
	struct live_table t = { .in_place = true };

	(void)state;
	/* The first table may come early. */
	assert_false(live_table_is_rest(&t, 400000000, 1000));
	assert_false(live_table_is_rest(&t, 1000000000, 1000));
	assert_true(live_table_is_rest(&t, 1400000000, 1000));
	t = (struct live_table){ 0 };
	assert_false(live_table_is_rest(&t, 1000000000, 1000));
	assert_false(live_table_is_rest(&t, 1000000001, 1000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_terminal_tables_follow_each_other),
		cmocka_unit_test(what_is_left_at_the_end_is_printed_without_a_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
