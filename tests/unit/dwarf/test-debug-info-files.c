/* SPDX-License-Identifier: MIT */
/* Tests the lookup of source files by name, and of their lines. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "debug-info-open.h"

#include "dwarf/debug-info-internal.h"

static int add_file(void *arg, uint64_t unit, const char *path)
{
	text_addf(arg, "%llx:%s ", (unsigned long long)unit, path);
	return 0;
}

static void expect_files(struct debug_info *d, const char *tail, const char *expected)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	assert_int_equal(debug_info_files(d, tail, add_file, &t), 0);
	assert_string_equal(t.chars, expected);
}

static void files_are_found_by_the_end_of_their_path(void **state)
{
	struct opened_info o;
	Dwarf_Die unit;
	Dwarf_Files *files;
	size_t n;

	(void)state;
	debug_info_open_built(&o, &(struct dwarf_change){ .depth = 0 }, NULL);
	expect_files(o.info, "a.c", "b:/src/a.c ");
	expect_files(o.info, "src/a.c", "b:/src/a.c ");
	expect_files(o.info, "/src/a.c", "b:/src/a.c ");
	expect_files(o.info, "rc/a.c", "");
	expect_files(o.info, ".c", "");
	expect_files(o.info, "b.c", "");
	expect_files(o.info, "include/a.c", "");
	/* libdw gives the same names. */
	assert_true(debug_info_die(o.info, 0xb, &unit));
	assert_int_equal(dwarf_getsrcfiles(&unit, &files, &n), 0);
	assert_string_equal(dwarf_filesrc(files, 1, NULL, NULL), "/src/a.c");

	_cleanup_(text_done) struct text header = TEXT_EMPTY;

	text_addf(&header, "b:%s ", dwarf_filesrc(files, 2, NULL, NULL));
	expect_files(o.info, "h.h", header.chars);
	expect_files(o.info, "include/h.h", header.chars);
	debug_info_free(o.info);
}

static void expect_line(struct debug_info *d, const char *tail, uint32_t line, const char *expected)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	assert_int_equal(debug_info_line_units(d, tail, line, add_file, &t), 0);
	assert_string_equal(t.chars, expected);
}

static void units_are_found_by_the_lines_of_their_code(void **state)
{
	struct opened_info o;

	(void)state;
	debug_info_open_built(&o, &(struct dwarf_change){ .depth = 0 }, NULL);
	expect_line(o.info, "a.c", 10, "b:/src/a.c ");
	expect_line(o.info, "a.c", 20, "b:/src/a.c ");
	expect_line(o.info, "a.c", 11, "");
	expect_line(o.info, "a.c", 0, "");
	expect_line(o.info, "b.c", 10, "");
	/* Line 12 has no row, but a function is called there. */
	expect_line(o.info, "a.c", 12, "b:/src/a.c ");
	expect_line(o.info, "h.h", 12, "");
	expect_line(o.info, "h.h", 5, "b:include/h.h ");
	/* Line 10 exists only in the other file. */
	expect_line(o.info, "h.h", 10, "");
	debug_info_free(o.info);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_found_by_the_end_of_their_path),
		cmocka_unit_test(units_are_found_by_the_lines_of_their_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
