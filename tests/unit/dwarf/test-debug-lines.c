/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "dwarf/debug-places.h"
#include "places-elf.h"

/* Returns the lines as "/src/a.c 10: 10 11 12"; "-": there are none. */
static const char *lines_of(struct places *p, const char *function, const char *file, uint32_t from,
			    uint32_t to)
{
	static char text[200];
	struct debug_lines l = { 0 };
	int n;

	if (debug_lines_find(p->info, function, file, from, to, &l) < 0)
		return "-";
	assert_string_equal(l.directory, "/src");
	n = snprintf(text, sizeof(text), "%s %u:", l.file, l.start);
	for (size_t i = 0; i < l.n; i++)
		n += snprintf(text + n, sizeof(text) - (size_t)n, " %u", l.lines[i]);
	debug_lines_done(&l);
	return text;
}

static void a_function_has_the_lines_of_its_own_code(void **state)
{
	struct places p;

	(void)state;
	places_open(&p, 0, 0);
	assert_string_equal(lines_of(&p, "outer", NULL, 0, UINT32_MAX), "/src/a.c 10: 10 12 14 16");
	assert_string_equal(lines_of(&p, "inner", "h.h", 0, UINT32_MAX), "include/h.h 3: 3 5 7");
	assert_string_equal(lines_of(&p, "outer", NULL, 2, 4), "/src/a.c 10: 12 14");
	places_close(&p);
}

static void a_file_has_the_lines_of_all_its_functions(void **state)
{
	struct places p;

	(void)state;
	places_open(&p, 0, 0);
	assert_string_equal(lines_of(&p, NULL, "a.c", 0, UINT32_MAX), "/src/a.c 0: 10 12 14 16 20");
	assert_string_equal(lines_of(&p, NULL, "src/a.c", 15, 20), "/src/a.c 0: 16 20");
	places_close(&p);
}

static void no_lines_are_an_error(void **state)
{
	struct debug_lines l = { 0 };
	struct places p;

	(void)state;
	places_open(&p, 0, 0);
	assert_int_equal(debug_lines_find(p.info, "none", NULL, 0, UINT32_MAX, &l), -ENOENT);
	assert_int_equal(debug_lines_find(p.info, NULL, "none.c", 0, UINT32_MAX, &l), -ENODATA);
	assert_int_equal(debug_lines_find(p.info, "outer", NULL, 300, 400, &l), -ENODATA);
	assert_string_equal(lines_of(&p, "outer", NULL, UINT32_MAX - 1, UINT32_MAX), "-");
	assert_string_equal(lines_of(&p, NULL, "a.c", 13, 13), "-");
	places_close(&p);
}

static void damage_is_survived(void **state)
{
	(void)state;
	for (size_t cut = 1; cut < 120; cut++) {
		struct places p;

		places_open(&p, 0, cut);
		lines_of(&p, "outer", NULL, 0, UINT32_MAX);
		lines_of(&p, NULL, "a.c", 0, UINT32_MAX);
		places_close(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_has_the_lines_of_its_own_code),
		cmocka_unit_test(a_file_has_the_lines_of_all_its_functions),
		cmocka_unit_test(no_lines_are_an_error),
		cmocka_unit_test(damage_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
