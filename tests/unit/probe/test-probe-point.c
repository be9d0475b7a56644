/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "probe-refusal.h"

static void each_form_of_a_point_is_taken(void **state)
{
	(void)state;
	takes("foo", "foo", "");
	takes("foo:2", "foo:2", "");
	takes("foo+0x10", "foo+16", "");
	takes("foo%return", "foo%return", "");
	takes("foo@t.c", "foo@t.c", "");
	takes("t.c:8", "@t.c:8", "");
	takes("@t.c:8", "@t.c:8", "");
	takes("/src/dm-region-hash.c:8", "@/src/dm-region-hash.c:8", "");
	takes("0x7f0", "0x7f0", "");
	takes("0x7f0%return", "0x7f0%return", "");
	takes("tcp_*", "tcp_*", "");
	takes("[!a]oo", "[!a]oo", "");
}

static void parts_come_in_any_order(void **state)
{
	(void)state;
	takes("foo@t.c:2", "foo:2@t.c", "");
	takes("foo:2@t.c", "foo:2@t.c", "");
	takes("foo+4@t.c", "foo+4@t.c", "");
	takes("foo%return@t.c", "foo%return@t.c", "");
	takes("foo@t.c%return", "foo%return@t.c", "");
}

static void blanks_around_do_not_matter(void **state)
{
	(void)state;
	takes(" \tfoo:2  a \n b ", "foo:2", "a b");
}

/* The tests that come with Linux's perf write FUNC: if they found no line. */
static void line_zero_or_none_is_the_entry(void **state)
{
	(void)state;
	takes("e=foo: x=a", "foo", "x=a");

	struct probe_def d = parsed("foo:0");

	assert_false(d.point.has_line);
	probe_def_done(&d);
	takes("foo:0%return", "foo%return", "");
	takes("foo%return+0", "foo%return", "");
}

static void pattern_is(const char *text, const char *pattern)
{
	struct probe_def d = parsed(text);

	assert_string_equal(d.point.pattern, pattern);
	probe_def_done(&d);
}

static void a_pattern_is_the_rest_of_the_word(void **state)
{
	(void)state;
	pattern_is("tcp_sendmsg;tcp_push(* copied flags", "tcp_push(*");
	pattern_is("foo@t.c;*a=b:3+4%c@d;*", "*a=b:3+4%c@d;*");
	pattern_is("t.c;*puts*", "*puts*");
	pattern_is("e=foo;a=b", "a=b");
	pattern_is("foo;\\*p\\;*", "\\*p\\;*");
	pattern_is("foo;puts(\"hi\")", "puts(\"hi\")");
}

static void a_pattern_may_have_blanks_in_quotes_or_behind_a_backslash(void **state)
{
	(void)state;
	pattern_is("foo;\"*loc += *\" a", "*loc += *");
	pattern_is("foo;'puts(\"hi\") ;'", "puts(\"hi\") ;");
	pattern_is("foo;*loc\\ +=\\ *", "*loc += *");
}

static void a_backslash_takes_a_signs_meaning(void **state)
{
	(void)state;
	takes("malloc\\@GLIBC_2.17", "malloc@GLIBC_2.17", "");
	takes("foo\\+bar.c:4", "@foo+bar.c:4", "");
	takes("e=a\\=b", "a=b", "");
	takes("fo\\o", "foo", "");
	takes("foo\\%return", "foo%return", "");

	struct probe_def d = parsed("foo\\%return");

	assert_false(d.point.is_return);
	probe_def_done(&d);
}

static void names_of_other_languages_need_no_escapes(void **state)
{
	(void)state;
	takes("ns::Box::~Box%return", "ns::Box::~Box%return", "");
	takes("ns::map<int, char>::get:3 a", "ns::map<int, char>::get:3", "a");
	takes("f<(A->B)>+4", "f<(A->B)>+4", "");
	takes("T::operator+=", "T::operator+=", "");
	takes("T::operator= a", "T::operator=", "a");
	takes("e=T::operator()", "T::operator()", "");
	takes("T::operator->+4", "T::operator->+4", "");
	takes("operator+4", "operator+4", "");
	takes("foo[abi:cxx11]:3", "foo[abi:cxx11]:3", "");
	takes("<T as core::fmt::Debug>::fmt", "<T as core::fmt::Debug>::fmt", "");
	takes("a::{{closure}}:1", "a::{{closure}}:1", "");
	takes("\"T::get(int) const\":3 a", "T::get(int) const:3", "a");
	takes("main.(*T).run", "main.(*T).run", "");
}

static void copies_by_the_compiler_are_functions_with_dots(void **state)
{
	(void)state;
	takes("foo.isra.0:3", "foo.isra.0:3", "");
	takes("foo.cold", "foo.cold", "");
	takes("foo.constprop.0+4", "foo.constprop.0+4", "");
	takes("foo.x:3", "@foo.x:3", "");
}

static void what_is_missing_is_pointed_at(void **state)
{
	(void)state;
	refuses("foo:+4", 4, "", "line number is missing");
	refuses("t.c:", 4, "", "FILE:LINE");
	refuses("0x7f0:", 5, ":", "address");
	refuses("foo+ 4", 4, "", "offset is missing");
	refuses("foo@", 4, "", "source file is missing");
	refuses("foo;", 4, "", "pattern");
	refuses("foo;\"\"", 4, "\"\"", "pattern");
	refuses(":4", 0, "", "name of a function is missing");
	refuses("+4", 0, "", "name of a function is missing");
	refuses("foo\\", 3, "\\", "backslash");
	refuses("@t.c", 4, "", "FILE:LINE");
	refuses("t.c", 0, "t.c", "FILE:LINE");
	refuses("t.c+4", 0, "t.c", "FILE:LINE");
	refuses("\"\"", 0, "\"\"", "no name");
}

static void numbers_must_be_such(void **state)
{
	(void)state;
	refuses("foo:x", 4, "x", "must be a number");
	refuses("foo:3x", 4, "3x", "must be a number");
	refuses("foo+0x", 4, "0x", "must be a number");
	refuses("foo:-1", 4, "-1", "negative");
	refuses("foo:99999999999", 4, "99999999999", "too large");
	refuses("foo+18446744073709551616", 4, "18446744073709551616", "too large");
	refuses("0x7g0", 0, "0x7g0", "hexadecimal");
	refuses("0x1ffffffffffffffff", 0, "0x1ffffffffffffffff", "64 bits");
	refuses("2032", 0, "2032", "0x7f0");
	refuses("t.c:0", 3, ":0", "count from 1");
}

static void what_does_not_go_together_is_refused(void **state)
{
	(void)state;
	refuses("foo:3%return", 5, "%return", "whole function");
	refuses("foo%return+4", 10, "+4", "whole function");
	refuses("foo%return;x", 10, ";x", "whole function");
	refuses("foo:2+3", 5, "+3", "line and an offset");
	refuses("foo+3:2", 5, ":2", "line and an offset");
	refuses("foo:2;x", 5, ";x", "line and a pattern");
	refuses("foo+2;x", 5, ";x", "offset and a pattern");
	refuses("foo:2:3", 5, ":", "twice");
	refuses("foo+2+3", 5, "+", "already");
	refuses("foo@a.c@b.c", 7, "@", "twice");
	refuses("t.c:8@foo", 5, "@", "a file already");
	refuses("foo%ret", 3, "%ret", "%return");
	refuses("foo%", 3, "%", "%return");
	refuses("0x7f0+4", 5, "+4", "0x7f4");
	refuses("0x7f0:2", 5, ":2", "address");
	refuses("@t.c:8%return", 6, "%return", "function");
	refuses("@t.c+8", 4, "+8", "function");
}

static void names_that_no_function_has_are_refused(void **state)
{
	(void)state;
	refuses("foo-4", 3, "-", "FUNC+OFFSET");
	refuses("foo,bar", 3, ",", "one function");
	refuses("!foo", 0, "!", "no name");
	refuses("foo()", 3, "()", "without its parentheses");
	refuses("foo(", 3, "(", "never closed");
	refuses("foo<int", 3, "<", "never closed");
	refuses("\"foo", 0, "\"", "never closed");
	refuses("f[oo", 1, "[", "never closed");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_form_of_a_point_is_taken),
		cmocka_unit_test(parts_come_in_any_order),
		cmocka_unit_test(blanks_around_do_not_matter),
		cmocka_unit_test(line_zero_or_none_is_the_entry),
		cmocka_unit_test(a_pattern_is_the_rest_of_the_word),
		cmocka_unit_test(a_pattern_may_have_blanks_in_quotes_or_behind_a_backslash),
		cmocka_unit_test(a_backslash_takes_a_signs_meaning),
		cmocka_unit_test(names_of_other_languages_need_no_escapes),
		cmocka_unit_test(copies_by_the_compiler_are_functions_with_dots),
		cmocka_unit_test(what_is_missing_is_pointed_at),
		cmocka_unit_test(numbers_must_be_such),
		cmocka_unit_test(what_does_not_go_together_is_refused),
		cmocka_unit_test(names_that_no_function_has_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
