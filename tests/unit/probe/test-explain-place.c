/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "dwarf/debug-places.h"
#include "dwarf/places-elf.h"
#include "probe/explain-place.h"

static void explain(struct places *p, const struct debug_point *point)
{
	struct debug_places l = { 0 };
	int r = debug_places_find(p->info, point, &l);

	assert_true(r < 0);
	assert_int_equal(explain_place(p->info, point, r, &p->diag), -ENOENT);
	assert_non_null(p->diag.message);
	debug_places_done(&l);
}

#define EXPLAIN(p, ...) explain(p, &(struct debug_point){ __VA_ARGS__ })

static void a_line_without_code_names_the_nearest_with_some(void **state)
{
	struct places p;

	(void)state;
	places_open(&p, 0, 0);
	EXPLAIN(&p, .function = "outer", .has_line = true, .line = 3);
	assert_non_null(strstr(p.diag.hint, "outer:2 and outer:4"));
	EXPLAIN(&p, .function = "outer", .has_line = true, .line = 300);
	assert_non_null(strstr(p.diag.hint, "outer:6"));
	EXPLAIN(&p, .file = "a.c", .has_line = true, .line = 5);
	assert_non_null(strstr(p.diag.hint, "a.c:10"));
	EXPLAIN(&p, .file = "a.c", .has_line = true, .line = UINT32_MAX);
	EXPLAIN(&p, .function = "outer", .has_line = true, .line = UINT32_MAX);
	places_close(&p);
}

static void what_is_not_there_is_told(void **state)
{
	struct places p;

	(void)state;
	places_open(&p, 0, 0);
	EXPLAIN(&p, .function = "none");
	assert_non_null(strstr(p.diag.message, "no function 'none'"));
	EXPLAIN(&p, .file = "none.c", .has_line = true, .line = 3);
	assert_non_null(strstr(p.diag.message, "no source file 'none.c'"));
	EXPLAIN(&p, .function = "outer", .file = "h.h");
	assert_non_null(strstr(p.diag.message, "not a function of 'h.h'"));
	assert_non_null(strstr(p.diag.hint, "/src/a.c"));
	places_close(&p);
}

static int matches_nothing(void *arg, const char *file, const char *path, uint32_t line)
{
	(void)arg, (void)file, (void)path, (void)line;
	return 0;
}

static void a_text_that_no_line_has_is_explained(void **state)
{
	struct places p;

	(void)state;
	places_open(&p, 0, 0);
	EXPLAIN(&p, .function = "outer", .matches = matches_nothing);
	assert_non_null(strstr(p.diag.message, "no line of 'outer'"));
	places_close(&p);
}

static void lines_without_code_are_told(void **state)
{
	struct places p;

	(void)state;
	places_open(&p, 0, 0);
	assert_int_equal(explain_lines(p.info, "none", NULL, -ENOENT, &p.diag), -ENOENT);
	assert_non_null(strstr(p.diag.message, "no function 'none'"));
	assert_int_equal(explain_lines(p.info, NULL, "a.c", -ENODATA, &p.diag), -ENOENT);
	assert_non_null(strstr(p.diag.message, "no line of 'a.c'"));
	places_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_without_code_names_the_nearest_with_some),
		cmocka_unit_test(what_is_not_there_is_told),
		cmocka_unit_test(a_text_that_no_line_has_is_explained),
		cmocka_unit_test(lines_without_code_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
