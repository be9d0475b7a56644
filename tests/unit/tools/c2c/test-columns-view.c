/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "tools/c2c/columns-view.h"

/* The columns have a width of 29 in all, 4 blanks of which are spare. */
static const struct c2c_column sample[] = {
	{ .second = "Num", .width = 3 },
	{ .second = "Address", .width = 10, .spare = 4 },
	{ .second = "A", .width = 4, .rank = 2 },
	{ .second = "B", .width = 4, .rank = 1 },
};

#define N 4

static void check(unsigned terminal_columns, size_t left_out, const char *row, const char *expected)
{
	struct c2c_column columns[N];
	struct c2c_row whole;
	_cleanup_(freep) char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	for (size_t i = 0; i < N; i++)
		columns[i] = sample[i];
	assert_int_equal(c2c_columns_fit(columns, N, terminal_columns), left_out);
	c2c_row_begin(&whole);
	fputs(row, whole.file);
	c2c_row_end(&whole, columns, N, f);
	fclose(f);
	assert_string_equal(text, expected);
}

#define ROW "    1        0x10     2     3\n"

static void rows_that_fit_stay_as_they_are(void **state)
{
	(void)state;
	check(0, 0, ROW, ROW);
	check(29, 0, ROW, ROW);
}

static void spare_blanks_go_first_then_columns_by_rank(void **state)
{
	(void)state;
	check(25, 0, ROW, "    1    0x10     2     3\n");
	check(24, 1, ROW, "    1    0x10     3\n");
	check(18, 2, ROW, "    1    0x10\n");
	check(5, 2, ROW, "    1    0x10\n");
}

static void a_row_that_leaves_its_columns_stays_whole(void **state)
{
	(void)state;
	check(18, 2, "    1        0x10  12345     3\n", "    1        0x10  12345     3\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_that_fit_stay_as_they_are),
		cmocka_unit_test(spare_blanks_go_first_then_columns_by_rank),
		cmocka_unit_test(a_row_that_leaves_its_columns_stays_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
