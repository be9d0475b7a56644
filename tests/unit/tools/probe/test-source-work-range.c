/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "tools/probe/source-work.h"

static void same(const char *a, const char *b)
{
	if (b)
		assert_string_equal(a, b);
	else
		assert_null(a);
}

static void takes(const char *text, const char *function, const char *file, uint32_t from,
		  uint32_t to)
{
	struct diag diag = { 0 };
	struct line_range l = { 0 };

	if (line_range_parse(text, &l, &diag) < 0)
		fail_msg("%s: %s", text, diag.message);
	same(l.function, function);
	same(l.file, file);
	assert_int_equal(l.from, from);
	assert_int_equal(l.to, to);
	line_range_done(&l);
}

static void refuses(const char *text, size_t at, const char *mark, const char *why)
{
	struct diag diag = { 0 };
	struct line_range l = { .from = 77 };

	if (line_range_parse(text, &l, &diag) != -EINVAL)
		fail_msg("%s: was taken", text);
	assert_int_equal(l.from, 77);
	if (diag.offset != at || diag.length != strlen(mark) ||
	    strncmp(text + at, mark, diag.length) != 0)
		fail_msg("%s: marks %zu+%zu", text, diag.offset, diag.length);
	if (!strstr(diag.message, why))
		fail_msg("%s: says '%s'", text, diag.message);
	diag_done(&diag);
}

static void lines_of_a_function_count_from_its_own(void **state)
{
	(void)state;
	takes("schedule", "schedule", NULL, 0, UINT32_MAX);
	takes(" schedule:3", "schedule", NULL, 3, UINT32_MAX);
	takes("__do_page_fault:173-175", "__do_page_fault", NULL, 173, 175);
	takes("f:0-5", "f", NULL, 0, 5);
	takes("f:10+20", "f", NULL, 10, 29);
	takes("f@t.c:0x2-0x3", "f", "t.c", 2, 3);
	takes("ns::f:1-2", "ns::f", NULL, 1, 2);
	takes("f.isra.0:1", "f.isra.0", NULL, 1, UINT32_MAX);
}

static void a_name_with_a_dot_is_a_file(void **state)
{
	(void)state;
	takes("t.c", NULL, "t.c", 0, UINT32_MAX);
	takes("net/ipv4/tcp.c:100-120", NULL, "net/ipv4/tcp.c", 100, 120);
	takes("a\\+b.c:3", NULL, "a+b.c", 3, UINT32_MAX);
}

static void wrong_ranges_are_pointed_at(void **state)
{
	(void)state;
	refuses("", 0, "", "missing");
	refuses(":3", 0, ":3", "only lines");
	refuses("f:", 2, "", "first line is missing");
	refuses("f:x", 2, "x", "must be a number");
	refuses("f:3x", 2, "3x", "must be a number");
	refuses("f:3-", 4, "", "last line is missing");
	refuses("f:3+", 4, "", "number of lines is missing");
	refuses("f:3+0", 4, "0", "no lines");
	refuses("f:3-1", 2, "3-1", "before the first");
	refuses("f:1-2-3", 4, "2-3", "must be a number");
	refuses("f:99999999999", 2, "99999999999", "too large");
	refuses("f+2", 1, "+2", "only lines");
	refuses("f%return", 1, "%return", "only lines");
	refuses("f@", 2, "", "missing");
	refuses("f ", 1, " ", "only lines");
	refuses("f*", 0, "f*", "one function");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_a_function_count_from_its_own),
		cmocka_unit_test(a_name_with_a_dot_is_a_file),
		cmocka_unit_test(wrong_ranges_are_pointed_at),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
