/* SPDX-License-Identifier: MIT */
/* Tests the lookup of places by address. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "dwarf/debug-places.h"
#include "places-elf.h"

/* Returns "outer:2@/src/a.c" or "outer+4@/src/a.c"; "-" if nothing is there. */
static const char *what_is_at(struct places *p, uint64_t offset)
{
	static char text[100];
	struct debug_place at;

	if (!debug_place_at(p->info, p->text + offset, &at))
		return "-";
	if (at.starts_line)
		snprintf(text, sizeof(text), "%s:%u@%s", at.name, at.line - at.first_line, at.file);
	else
		snprintf(text, sizeof(text), "%s+%ju@%s", at.name, (uintmax_t)(at.addr - at.start),
			 at.file);
	return text;
}

static void a_line_is_named_where_a_statement_is(void **state)
{
	struct places p;

	(void)state;
	places_open(&p, 0, 0);
	assert_string_equal(what_is_at(&p, 0x08), "outer:2@/src/a.c");
	assert_string_equal(what_is_at(&p, 0x30), "outer:6@/src/a.c");
	places_close(&p);
}

static void where_a_function_begins_it_is_named(void **state)
{
	struct places p;

	(void)state;
	places_open(&p, 0, 0);
	assert_string_equal(what_is_at(&p, 0x00), "outer+0@/src/a.c");
	assert_string_equal(what_is_at(&p, 0x40), "second+0@/src/a.c");
	assert_string_equal(what_is_at(&p, 0x50), "inner+0@include/h.h");
	places_close(&p);
}

static void where_a_copy_is_entered_the_call_is_named(void **state)
{
	struct places p;

	(void)state;
	places_open(&p, 0, 0);
	assert_string_equal(what_is_at(&p, 0x10), "outer:4@/src/a.c");
	assert_string_equal(what_is_at(&p, 0x4c), "second:2@/src/a.c");
	places_close(&p);
}

static void in_a_copy_of_another_file_the_real_function_is_named(void **state)
{
	struct places p;

	(void)state;
	places_open(&p, 0, 0);
	assert_string_equal(what_is_at(&p, 0x18), "outer+24@/src/a.c");
	places_close(&p);
}

static void outside_of_functions_is_nothing(void **state)
{
	struct places p;

	(void)state;
	places_open(&p, 0, 0);
	assert_string_equal(what_is_at(&p, 0x60), "-");
	assert_string_equal(what_is_at(&p, UINT64_MAX - p.text), "-");
	places_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_is_named_where_a_statement_is),
		cmocka_unit_test(where_a_function_begins_it_is_named),
		cmocka_unit_test(where_a_copy_is_entered_the_call_is_named),
		cmocka_unit_test(in_a_copy_of_another_file_the_real_function_is_named),
		cmocka_unit_test(outside_of_functions_is_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
