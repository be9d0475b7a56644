/* SPDX-License-Identifier: MIT */
/* Tests the lookup of lines by address. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "dwarf-open.h"

/* Returns the file and line of the code at @offset of .text, as "h.h:5"; "" if there is none. */
static const char *line_of(struct opened *o, uint64_t offset, char *ret, size_t size)
{
	struct dwarf_unit *u = dwarf_units_find(o->units, o->text + offset);
	const struct dwarf_row *row = u ? dwarf_unit_row(u, o->text + offset) : NULL;

	*ret = '\0';
	if (row)
		snprintf(ret, size, "%s:%u", row->file, row->line);
	return ret;
}

#define assert_line(o, offset, expected)                                                           \
	do {                                                                                       \
		char text[100];                                                                    \
		assert_string_equal(line_of(o, offset, text, sizeof(text)), expected);             \
	} while (0)

static void an_address_is_of_the_row_before_it(void **state)
{
	struct opened o;

	(void)state;
	dwarf_open_built(&o, &(struct dwarf_change){ .depth = 0 });
	assert_line(&o, 0x00, "/src/a.c:10");
	assert_line(&o, 0x0f, "/src/a.c:10");
	assert_line(&o, 0x10, "/src/include/h.h:4");
	assert_line(&o, 0x21, "/src/include/h.h:8");
	assert_line(&o, 0x28, "/src/include/h.h:5");
	assert_line(&o, 0x9f, "/src/a.c:20");
	assert_line(&o, 0xa0, "");
	dwarf_close_built(&o);
}

static void of_several_rows_at_one_address_the_last_counts(void **state)
{
	struct opened o;

	(void)state;
	dwarf_open_built(&o, &(struct dwarf_change){ .depth = 0 });
	assert_line(&o, 0x40, "/src/a.c:14");
	dwarf_close_built(&o);
}

static void rows_of_a_range_come_in_order_with_the_one_it_begins_in(void **state)
{
	const struct dwarf_row *rows = NULL;
	struct opened o;

	(void)state;
	dwarf_open_built(&o, &(struct dwarf_change){ .depth = 0 });

	struct dwarf_unit *u = dwarf_units_find(o.units, o.text);

	assert_int_equal(dwarf_unit_rows(u, o.text + 0x14, o.text + 0x28, &rows), 2);
	assert_int_equal(rows[0].addr, o.text + 0x10);
	assert_int_equal(rows[0].line, 4);
	assert_true(rows[0].is_stmt);
	assert_int_equal(rows[1].addr, o.text + 0x20);
	assert_int_equal(dwarf_unit_rows(u, 0, 0, &rows), 0);
	dwarf_close_built(&o);
}

static void code_that_was_left_out_has_no_rows(void **state)
{
	const struct dwarf_row *rows = NULL;
	struct opened o;

	(void)state;
	dwarf_open_built(&o, &(struct dwarf_change){ .depth = 0 });

	struct dwarf_unit *u = dwarf_units_find(o.units, o.text);

	assert_null(dwarf_unit_row(u, 4));
	assert_true(dwarf_unit_rows(u, 0, UINT64_MAX, &rows) > 0);
	assert_int_equal(rows[0].addr, o.text);
	dwarf_close_built(&o);
}

static void a_table_that_ends_too_early_is_no_table(void **state)
{
	(void)state;
	for (size_t cut = 1; cut < 100; cut++) {
		struct opened o;
		char text[100];

		dwarf_open_built(&o, &(struct dwarf_change){ .cut_lines = cut });
		line_of(&o, 0x21, text, sizeof(text));
		dwarf_close_built(&o);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_address_is_of_the_row_before_it),
		cmocka_unit_test(of_several_rows_at_one_address_the_last_counts),
		cmocka_unit_test(rows_of_a_range_come_in_order_with_the_one_it_begins_in),
		cmocka_unit_test(code_that_was_left_out_has_no_rows),
		cmocka_unit_test(a_table_that_ends_too_early_is_no_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
