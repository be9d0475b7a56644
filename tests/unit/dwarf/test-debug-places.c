/* SPDX-License-Identifier: MIT */
/* Where probes can stand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <config.h>
#include <errno.h>

#include "dwarf/debug-places.h"
#include "elf/places-elf.h"

/* Offsets of the places, "0 10 4c"; "-" if there are none. */
static const char *places_of(struct places *p, const struct debug_point *point)
{
	static char text[200];
	struct debug_places l = { 0 };
	size_t n = 0;
	int r = debug_places_find(p->info, point, &l, &p->diag);

	text[0] = '-';
	text[1] = '\0';
	assert_int_equal(r < 0, l.n == 0);
	if (r < 0)
		assert_non_null(p->diag.message);
	for (size_t i = 0; i < l.n; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%jx", i ? " " : "",
				      (uintmax_t)(l.items[i].addr - p->text));
	debug_places_done(&l);
	return text;
}

#define assert_places(p, expected, ...)                                                            \
	assert_string_equal(places_of(p, &(struct debug_point){ __VA_ARGS__ }), expected)

static void a_function_is_where_it_and_its_copies_are_entered(void **state)
{
	struct places p;

	(void)state;
	places_open(&p, 0, 0);
	assert_places(&p, "0", .function = "outer");
	assert_places(&p, "10 4c 50", .function = "inner");
	assert_places(&p, "8", .function = "outer", .offset = 8);
	assert_places(&p, "0 40", .function = "[os]*");
	assert_places(&p, "0", .function = "outer", .has_line = true);
	places_close(&p);
}

static void only_real_functions_return(void **state)
{
	struct places p;

	(void)state;
	places_open(&p, 0, 0);
	assert_places(&p, "50", .function = "inner", .is_return = true);
	assert_places(&p, "50", .function = "inner", .no_inlines = true);
	places_close(&p);
}

static void variables_are_wanted_behind_the_prologue_of_programs(void **state)
{
	struct places p;

	(void)state;
	places_open(&p, 0, 0);
	assert_places(&p, "8", .function = "outer", .wants_variables = true, .is_user = true);
	assert_places(&p, "0", .function = "outer", .wants_variables = true);
	assert_places(&p, "4", .function = "outer", .wants_variables = true, .is_user = true,
		      .offset = 4);
	places_close(&p);
}

static void a_place_knows_what_is_around_it(void **state)
{
	struct debug_places l = { 0 };
	struct places p;

	(void)state;
	places_open(&p, 0, 0);
	assert_int_equal(debug_places_find(p.info, &(struct debug_point){ .function = "inner" }, &l,
					   &p.diag),
			 0);
	assert_int_equal(l.n, 3);
	assert_string_equal(l.items[1].name, "second");
	assert_string_equal(l.items[1].scope_name, "inner");
	assert_int_equal(l.items[1].start, p.text + 0x40);
	assert_true(l.items[1].is_inlined);
	assert_int_not_equal(l.items[1].scope, l.items[1].function);
	assert_string_equal(l.items[2].name, "inner");
	assert_false(l.items[2].is_inlined);
	assert_int_equal(l.items[2].scope, l.items[2].function);
	debug_places_done(&l);
	places_close(&p);
}

static void a_line_is_looked_for_in_the_whole_unit(void **state)
{
	struct places p;

	(void)state;
	places_open(&p, 0, 0);
	assert_places(&p, "8 48", .file = "a.c", .has_line = true, .line = 12);
	assert_places(&p, "8 48", .function = "outer", .has_line = true, .line = 2);
	/* Where a function begins is the line of its name, which may have no row. */
	assert_places(&p, "0", .file = "a.c", .has_line = true, .line = 10);
	/* Of a line that only calls what was inlined. */
	assert_places(&p, "4c", .file = "a.c", .has_line = true, .line = 22);
	assert_places(&p, "18", .file = "include/h.h", .has_line = true, .line = 5);
	places_close(&p);
}

static void an_address_is_of_the_first_line_that_begins_a_statement_there(void **state)
{
	struct places p;

	(void)state;
	places_open(&p, 0, 0);
	assert_places(&p, "30", .function = "outer", .has_line = true, .line = 6);
	assert_places(&p, "-", .function = "outer", .has_line = true, .line = 7);
	assert_places(&p, "-", .function = "outer", .has_line = true, .line = 1);
	assert_places(&p, "20", .function = "inner", .has_line = true, .line = 4);
	assert_places(&p, "-", .function = "inner", .has_line = true, .line = 3);
	/* A line of another file has the address for itself; where a function begins, its name
	 * does. */
	assert_places(&p, "10", .file = "h.h", .has_line = true, .line = 4);
	places_close(&p);
}

static void a_line_without_code_names_the_nearest_with_some(void **state)
{
	struct places p;

	(void)state;
	places_open(&p, 0, 0);
	assert_places(&p, "-", .function = "outer", .has_line = true, .line = 3);
	assert_non_null(strstr(p.diag.hint, "outer:2 and outer:4"));
	assert_places(&p, "-", .function = "outer", .has_line = true, .line = 300);
	assert_non_null(strstr(p.diag.hint, "outer:6"));
	assert_places(&p, "-", .file = "a.c", .has_line = true, .line = 5);
	assert_non_null(strstr(p.diag.hint, "a.c:10"));
	assert_places(&p, "-", .file = "a.c", .has_line = true, .line = UINT32_MAX);
	assert_places(&p, "-", .function = "outer", .has_line = true, .line = UINT32_MAX);
	places_close(&p);
}

static void what_is_not_there_is_told(void **state)
{
	struct places p;

	(void)state;
	places_open(&p, 0, 0);
	assert_places(&p, "-", .function = "none");
	assert_places(&p, "-", .file = "none.c", .has_line = true, .line = 3);
	assert_non_null(strstr(p.diag.message, "no source file 'none.c'"));
	assert_places(&p, "-", .function = "outer", .file = "h.h");
	assert_non_null(strstr(p.diag.hint, "/src/a.c"));
	assert_places(&p, "10 4c 50", .function = "inner", .file = "h.h");
	assert_places(&p, "-", .function = "outer", .offset = 0x40);
	places_close(&p);
}

/* Lines whose number has the last digit @arg. */
static int ends_with(void *arg, const char *path, uint32_t line)
{
	assert_int_equal(*path, '/');
	return line % 10 == *(unsigned *)arg;
}

static int unreadable(void *arg, const char *path, uint32_t line)
{
	(void)arg, (void)path, (void)line;
	return -ENOENT;
}

static void lines_are_found_by_their_text(void **state)
{
	unsigned digit = 4;
	struct places p;

	(void)state;
	places_open(&p, 0, 0);
	assert_places(&p, "10", .function = "outer", .matches = ends_with, .matches_arg = &digit);
	assert_places(&p, "10 50", .function = "inner", .matches = ends_with,
		      .matches_arg = &digit);
	digit = 2;
	assert_places(&p, "8 48 4c", .file = "a.c", .matches = ends_with, .matches_arg = &digit);
	/* Lines of the caller are not those of the copy. */
	digit = 9;
	assert_places(&p, "-", .function = "inner", .matches = ends_with, .matches_arg = &digit);
	assert_places(&p, "-", .function = "outer", .matches = unreadable);
	assert_non_null(strstr(p.diag.message, "a.c"));
	places_close(&p);
}

static void damage_is_survived(void **state)
{
	(void)state;
	for (size_t cut = 1; cut < 130; cut++) {
		struct debug_places l = { 0 };
		struct places p;

		places_open(&p, cut, cut / 2);
		(void)debug_places_find(p.info, &(struct debug_point){ .function = "*" }, &l,
					&p.diag);
		(void)debug_places_find(
			p.info,
			&(struct debug_point){ .file = "a.c", .has_line = true, .line = 12 }, &l,
			&p.diag);
		debug_places_done(&l);
		places_close(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_is_where_it_and_its_copies_are_entered),
		cmocka_unit_test(only_real_functions_return),
		cmocka_unit_test(variables_are_wanted_behind_the_prologue_of_programs),
		cmocka_unit_test(a_place_knows_what_is_around_it),
		cmocka_unit_test(a_line_is_looked_for_in_the_whole_unit),
		cmocka_unit_test(an_address_is_of_the_first_line_that_begins_a_statement_there),
		cmocka_unit_test(a_line_without_code_names_the_nearest_with_some),
		cmocka_unit_test(what_is_not_there_is_told),
		cmocka_unit_test(lines_are_found_by_their_text),
		cmocka_unit_test(damage_is_survived),
	};

	return HAVE_LIBDW ? cmocka_run_group_tests(tests, NULL, NULL) : built_skip();
}
