/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "dwarf/debug-places.h"
#include "places-elf.h"

/* Returns the offsets of the places, "0 10 4c"; "-" if there are none. */
static const char *places_of(struct places *p, const struct debug_point *point)
{
	static char text[200];
	struct debug_places l = { 0 };
	size_t n = 0;
	int r = debug_places_find(p->info, point, &l);

	text[0] = '-';
	text[1] = '\0';
	assert_int_equal(r < 0, l.n == 0);
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
	assert_places(&p, "0 40", .function = "[os]*");
	assert_places(&p, "0", .function = "outer", .has_line = true);
	places_close(&p);
}

static void inlined_copies_may_be_left_out(void **state)
{
	struct places p;

	(void)state;
	places_open(&p, 0, 0);
	assert_places(&p, "50", .function = "inner", .only_real = true);
	places_close(&p);
}

static void a_prologue_is_passed_on_request(void **state)
{
	struct debug_point point = { .function = "outer", .wants_body = true };
	struct debug_places l = { 0 };
	struct places p;

	(void)state;
	places_open(&p, 0, 0);
	assert_int_equal(debug_places_find(p.info, &point, &l), 0);
	assert_int_equal(l.items[0].addr, p.text);
	assert_int_equal(l.items[0].body, p.text + 8);
	debug_places_done(&l);
	point.wants_body = false;
	assert_int_equal(debug_places_find(p.info, &point, &l), 0);
	assert_int_equal(l.items[0].body, 0);
	debug_places_done(&l);
	places_close(&p);
}

static void a_function_reaches_to_its_end(void **state)
{
	struct debug_places l = { 0 };
	struct places p;

	(void)state;
	places_open(&p, 0, 0);
	assert_int_equal(
		debug_places_find(p.info, &(struct debug_point){ .function = "outer" }, &l), 0);
	assert_true(debug_place_reaches(p.info, &l.items[0], p.text + 0x3f));
	assert_false(debug_place_reaches(p.info, &l.items[0], p.text + 0x40));
	debug_places_done(&l);
	places_close(&p);
}

static void a_place_knows_what_is_around_it(void **state)
{
	struct debug_places l = { 0 };
	struct places p;

	(void)state;
	places_open(&p, 0, 0);
	assert_int_equal(
		debug_places_find(p.info, &(struct debug_point){ .function = "inner" }, &l), 0);
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
	/* The beginning of a function is the line of its name, which may have no row. */
	assert_places(&p, "0", .file = "a.c", .has_line = true, .line = 10);
	/* The line only calls a function that was inlined. */
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
	/*
	 * A line of another file has the address for itself. At the beginning of a function its
	 * name has the address.
	 */
	assert_places(&p, "10", .file = "h.h", .has_line = true, .line = 4);
	places_close(&p);
}

static int error_of(struct places *p, const struct debug_point *point)
{
	struct debug_places l = { 0 };
	int r = debug_places_find(p->info, point, &l);

	debug_places_done(&l);
	return r;
}

#define assert_error(p, expected, ...)                                                             \
	assert_int_equal(error_of(p, &(struct debug_point){ __VA_ARGS__ }), expected)

static void errors_tell_what_is_missing(void **state)
{
	struct places p;

	(void)state;
	places_open(&p, 0, 0);
	assert_error(&p, -ENOENT, .function = "none");
	assert_error(&p, -ENOENT, .function = "outer", .file = "h.h");
	assert_error(&p, -ENODATA, .file = "none.c", .has_line = true, .line = 3);
	assert_error(&p, -ENODATA, .function = "outer", .has_line = true, .line = 3);
	assert_error(&p, -ENODATA, .function = "outer", .has_line = true, .line = UINT32_MAX);
	assert_error(&p, -ENODATA, .file = "a.c", .has_line = true, .line = UINT32_MAX);
	assert_places(&p, "10 4c 50", .function = "inner", .file = "h.h");
	places_close(&p);
}

static void a_function_is_declared_in_a_file(void **state)
{
	struct places p;

	(void)state;
	places_open(&p, 0, 0);
	assert_string_equal(debug_function_file(p.info, "outer"), "/src/a.c");
	assert_null(debug_function_file(p.info, "none"));
	places_close(&p);
}

/* Matches lines whose number has the last digit @arg. */
static int ends_with(void *arg, const char *file, const char *path, uint32_t line)
{
	(void)file;
	assert_int_equal(*path, '/');
	return line % 10 == *(unsigned *)arg;
}

static int unreadable(void *arg, const char *file, const char *path, uint32_t line)
{
	(void)path, (void)line;
	*(const char **)arg = file;
	return -EACCES;
}

static void lines_are_found_by_their_text(void **state)
{
	const char *file = NULL;
	unsigned digit = 4;
	struct places p;

	(void)state;
	places_open(&p, 0, 0);
	assert_places(&p, "10", .function = "outer", .matches = ends_with, .matches_arg = &digit);
	assert_places(&p, "10 50", .function = "inner", .matches = ends_with,
		      .matches_arg = &digit);
	digit = 2;
	assert_places(&p, "8 48 4c", .file = "a.c", .matches = ends_with, .matches_arg = &digit);
	/* Lines of the caller do not belong to the inlined copy. */
	digit = 9;
	assert_places(&p, "-", .function = "inner", .matches = ends_with, .matches_arg = &digit);
	assert_error(&p, -EACCES, .function = "outer", .matches = unreadable, .matches_arg = &file);
	assert_string_equal(file, "/src/a.c");
	places_close(&p);
}

static void damage_is_survived(void **state)
{
	(void)state;
	for (size_t cut = 1; cut < 130; cut++) {
		struct debug_places l = { 0 };
		struct places p;

		places_open(&p, cut, cut / 2);
		(void)debug_places_find(p.info, &(struct debug_point){ .function = "*" }, &l);
		(void)debug_places_find(
			p.info,
			&(struct debug_point){ .file = "a.c", .has_line = true, .line = 12 }, &l);
		debug_places_done(&l);
		places_close(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_is_where_it_and_its_copies_are_entered),
		cmocka_unit_test(inlined_copies_may_be_left_out),
		cmocka_unit_test(a_prologue_is_passed_on_request),
		cmocka_unit_test(a_function_reaches_to_its_end),
		cmocka_unit_test(a_place_knows_what_is_around_it),
		cmocka_unit_test(a_line_is_looked_for_in_the_whole_unit),
		cmocka_unit_test(an_address_is_of_the_first_line_that_begins_a_statement_there),
		cmocka_unit_test(errors_tell_what_is_missing),
		cmocka_unit_test(a_function_is_declared_in_a_file),
		cmocka_unit_test(lines_are_found_by_their_text),
		cmocka_unit_test(damage_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
