/* SPDX-License-Identifier: MIT */
/* Tests the lookup of units by address. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "dwarf-open.h"

static void a_unit_has_the_addresses_that_it_says(void **state)
{
	struct opened o;

	(void)state;
	dwarf_open_built(&o, &(struct dwarf_change){ .depth = 0 });
	assert_non_null(dwarf_units_find(o.units, o.text));
	assert_ptr_equal(dwarf_units_find(o.units, o.text + 0x9f),
			 dwarf_units_find(o.units, o.text));
	assert_null(dwarf_units_find(o.units, o.text - 1));
	assert_null(dwarf_units_find(o.units, o.text + 0xa0));
	dwarf_close_built(&o);
}

static void the_table_of_addresses_helps_out(void **state)
{
	struct opened o;

	(void)state;
	dwarf_open_built(&o, &(struct dwarf_change){ .no_unit_range = true });

	struct dwarf_unit *u = dwarf_units_find(o.units, o.text + 0x20);

	assert_non_null(u);
	assert_string_equal(dwarf_scope_name(dwarf_unit_scope(u, o.text + 0x20)), "innermost");
	assert_null(dwarf_units_find(o.units, o.text + 0xa0));
	dwarf_close_built(&o);
}

static void a_unit_that_the_linker_left_out_hides_nothing(void **state)
{
	struct opened o;

	(void)state;
	dwarf_open_built(&o, &(struct dwarf_change){ .dead_unit = true });

	struct dwarf_unit *u = dwarf_units_find(o.units, o.text + 0x20);

	assert_non_null(u);
	assert_string_equal(dwarf_scope_name(dwarf_unit_scope(u, o.text + 0x20)), "innermost");
	assert_null(dwarf_units_find(o.units, 0));
	assert_null(dwarf_units_find(o.units, 0x1000));
	dwarf_close_built(&o);
}

static void units_of_a_range_come_in_order(void **state)
{
	struct opened o;
	uint64_t at = 0, end;

	(void)state;
	dwarf_open_built(&o, &(struct dwarf_change){ .depth = 0 });
	assert_ptr_equal(dwarf_units_next(o.units, &at, UINT64_MAX, &end),
			 dwarf_units_find(o.units, o.text));
	assert_int_equal(at, o.text);
	assert_int_equal(end, o.text + 0xa0);
	at = end;
	assert_null(dwarf_units_next(o.units, &at, UINT64_MAX, &end));
	at = o.text + 8;
	assert_non_null(dwarf_units_next(o.units, &at, o.text + 0x10, &end));
	assert_int_equal(at, o.text + 8);
	assert_int_equal(end, o.text + 0x10);
	dwarf_close_built(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_unit_has_the_addresses_that_it_says),
		cmocka_unit_test(the_table_of_addresses_helps_out),
		cmocka_unit_test(a_unit_that_the_linker_left_out_hides_nothing),
		cmocka_unit_test(units_of_a_range_come_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
