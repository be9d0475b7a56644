/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "probe-refusal.h"
#include "probe/probe-parser.h"

struct taken {
	struct diag diag;
	char *function, *file;
	const char *rest; /* the place where the parser stopped */
	int result;
};

static struct taken take(const char *text, bool may_be_alone)
{
	struct taken t = { .result = 1 };
	struct probe_parser p = { .text = text, .at = text, .diag = &t.diag };

	t.result = probe_place_take(&p, may_be_alone, &t.function, &t.file);
	t.rest = p.at;
	return t;
}

static void taken_done(struct taken *t)
{
	diag_done(&t->diag);
	free(t->function);
	free(t->file);
}

/* Checks that @text begins with the name of a function, and continues with @rest. */
static void names_function(const char *text, const char *function, const char *rest)
{
	struct taken t = take(text, false);

	if (t.result)
		fail_msg("%s: %s", text, t.diag.message);
	assert_null(t.file);
	assert_string_equal(t.function, function);
	assert_string_equal(t.rest, rest);
	taken_done(&t);
}

static void names_file(const char *text, bool may_be_alone, const char *file, const char *rest)
{
	struct taken t = take(text, may_be_alone);

	if (t.result)
		fail_msg("%s: %s", text, t.diag.message);
	assert_null(t.function);
	assert_string_equal(t.file, file);
	assert_string_equal(t.rest, rest);
	taken_done(&t);
}

static void is_refused(const char *text, size_t at, const char *mark, const char *message,
		       const char *hint)
{
	struct taken t = take(text, false);
	char whole[200];

	snprintf(whole, sizeof(whole), "Semantic error: %s", message);
	assert_int_equal(t.result, -EINVAL);
	marks(&t.diag, text, at, mark, whole, hint);
	taken_done(&t);
}

static void a_name_ends_at_each_sign_and_blank(void **state)
{
	(void)state;
	names_function("foo", "foo", "");
	names_function("foo:2", "foo", ":2");
	names_function("foo@t.c", "foo", "@t.c");
	names_function("foo+4", "foo", "+4");
	names_function("foo%return", "foo", "%return");
	names_function("foo;x", "foo", ";x");
	names_function("foo a", "foo", " a");
	names_function("foo\ta", "foo", "\ta");
	names_function("foo\na", "foo", "\na");
}

static void an_empty_name_is_neither(void **state)
{
	static const char *const texts[] = { "", ":3", "+4", " foo" };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct taken t = take(texts[i], true);

		assert_int_equal(t.result, 0);
		assert_null(t.function);
		assert_null(t.file);
		assert_string_equal(t.rest, texts[i]);
		assert_null(t.diag.message);
		taken_done(&t);
	}
}

static void letters_digits_and_signs_of_globs_are_plain(void **state)
{
	(void)state;
	names_function("aZ0_.$*?~", "aZ0_.$*?~", "");
	names_function("f\xc3\xa9", "f\xc3\xa9", "");
	names_function("f\x80", "f\x80", "");
	names_function("0a", "0a", "");
}

static void quotes_hold_everything(void **state)
{
	(void)state;
	names_function("\"a b:c@d\":3", "a b:c@d", ":3");
	names_function("'x \"y\"'+4", "x \"y\"", "+4");
	names_function("\"a\"b", "ab", "");
	is_refused("\"foo", 0, "\"", "this quote is never closed", NULL);
	is_refused("'foo\"", 0, "'", "this quote is never closed", NULL);
	is_refused("\"\"x", 0, "\"\"", "there is no name between these quotes", NULL);
	is_refused("''", 0, "''", "there is no name between these quotes", NULL);
	/* Quotes are allowed only at the beginning of the name. */
	is_refused("a\"b c\"", 1, "\"", "no name of a function has a '\"'",
		   "write a backslash before it if this one has");
}

static void brackets_hold_blanks_and_signs(void **state)
{
	(void)state;
	names_function("a<b, c>:3", "a<b, c>", ":3");
	names_function("a<b<c> d>+1", "a<b<c> d>", "+1");
	names_function("a(b (c) d)e", "a(b (c) d)e", "");
	names_function("a[b:c]:1", "a[b:c]", ":1");
	names_function("a[[b]:]:1", "a[[b]:]", ":1");
	names_function("a{b{c} }:1", "a{b{c} }", ":1");
	names_function("f<A -> B>:1", "f<A -> B>", ":1");
	names_function("f<A-B>:1", "f<A-B>", ":1");
	is_refused("a<b", 1, "<", "this < is never closed", NULL);
	is_refused("a<b->", 1, "<", "this < is never closed", NULL);
	is_refused("a(b", 1, "(", "this ( is never closed", NULL);
	is_refused("a[b", 1, "[", "this [ is never closed", NULL);
	is_refused("a{b{}", 1, "{", "this { is never closed", NULL);
	is_refused("a>b", 1, ">", "no name of a function has a '>'",
		   "write a backslash before it if this one has");
}

static void signs_behind_operator_are_part_of_the_name(void **state)
{
	static const char *const signs[] = {
		"<=>", "->*", "<<=", ">>=", "->", "()", "[]", "++", "--", "<<", ">>", "<=", ">=",
		"==",  "!=",  "&&",  "||",  "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "+",
		"-",   "*",   "/",   "%",   "^",  "&",  "|",  "~",  "!",  "=",  "<",  ">",  ",",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		char text[50], name[40];

		snprintf(name, sizeof(name), "T::operator%s", signs[i]);
		snprintf(text, sizeof(text), "%s:3", name);
		names_function(text, name, ":3");
		names_function(text + 3, name + 3, ":3");
	}
	names_function("operator+ a", "operator+", " a");
	names_function("T::operator++4", "T::operator", "++4");
}

static void a_function_called_operator_takes_offsets(void **state)
{
	(void)state;
	names_function("operator+4", "operator", "+4");
	names_function("operator%return", "operator", "%return");
	names_function("operator:3", "operator", ":3");
	names_function("operator", "operator", "");
	/* The word must begin the name, or follow a colon. */
	names_function("my_operator+", "my_operator", "+");
	is_refused("my_operator=", 11, "=",
		   "an event has one name, and a function's name has no '='",
		   "write \\= where the name of the function has one");
}

static void a_backslash_makes_the_next_character_plain(void **state)
{
	(void)state;
	names_function("a\\@b@c", "a@b", "@c");
	names_function("a\\:b", "a:b", "");
	names_function("a\\ b c", "a b", " c");
	names_function("a\\\\b", "a\\b", "");
	names_function("\\\"a", "\"a", "");
	names_function("a\\-b", "a-b", "");
	is_refused("foo\\", 3, "\\", "nothing follows this backslash", NULL);
}

static void two_colons_are_part_of_a_name(void **state)
{
	(void)state;
	names_function("a::b:3", "a::b", ":3");
	names_function("::b", "::b", "");
	names_function("a:::3", "a::", ":3");
	names_function("a:b::c", "a", ":b::c");
}

static void a_file_has_a_dot_or_a_slash_and_a_line_or_pattern(void **state)
{
	(void)state;
	names_file("t.c:3", false, "t.c", ":3");
	names_file("t.c;x", false, "t.c", ";x");
	names_file("a/b:3", false, "a/b", ":3");
	names_file("x.y:3", false, "x.y", ":3");
	names_file("t.c", true, "t.c", "");
	names_file("t.c a", true, "t.c", " a");
	names_file("a/b", true, "a/b", "");
	names_function("a/b", "a/b", "");
	names_function("x.y", "x.y", "");
	names_function("x.y+4", "x.y", "+4");
	names_function("x.y%return", "x.y", "%return");
}

static void names_of_cpp_are_no_files(void **state)
{
	(void)state;
	names_function("a.b::c:3", "a.b::c", ":3");
	names_function("main.(*T).run:3", "main.(*T).run", ":3");
	names_function("f<a.b>:3", "f<a.b>", ":3");
	names_function("a.operator+:3", "a.operator", "+:3");
	names_function("f<x>.c", "f<x>.c", "");
	/* Characters in the brackets of a glob are allowed. */
	names_file("t[0-9].c:3", false, "t[0-9].c", ":3");
}

static void copies_by_the_compiler_are_no_files(void **state)
{
	static const char *const names[] = { "foo.isra.0", "foo.constprop.1", "foo.part.2",
					     "foo.cold", "foo.llvm.33" };
	char text[40];

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		snprintf(text, sizeof(text), "%s:3", names[i]);
		names_function(text, names[i], ":3");
	}
	names_file("dir/foo.cold:3", false, "dir/foo.cold", ":3");
}

static void a_source_file_alone_is_refused(void **state)
{
	static const char *const names[] = { "a.c",   "a.h",   "a.S",   "a.cc", "a.cpp",
					     "a.cxx", "a.hpp", "a.hxx", "a.rs", "a.go" };

	(void)state;
	for (size_t i = 0; i < 10; i++)
		is_refused(names[i], 0, names[i], "a source file needs a line or a pattern",
			   "FILE:LINE or FILE;PATTERN");
	is_refused("a.c+4", 0, "a.c", "a source file needs a line or a pattern",
		   "FILE:LINE or FILE;PATTERN");
	names_function("a.c.x", "a.c.x", "");
	names_function("a.cold", "a.cold", "");
}

static void odd_characters_get_a_hint_each(void **state)
{
	(void)state;
	is_refused("foo=", 3, "=", "an event has one name, and a function's name has no '='",
		   "write \\= where the name of the function has one");
	is_refused("foo-4", 3, "-", "no name of a function has a '-'",
		   "an offset counts from the function's first byte: FUNC+OFFSET");
	is_refused("a,b", 1, ",", "a definition names one function",
		   "give each its own --add, or use a glob such as 'tcp_*'");
	is_refused("a|b", 1, "|", "a definition names one function",
		   "give each its own --add, or use a glob such as 'tcp_*'");
	is_refused("a&b", 1, "&", "a definition names one function",
		   "give each its own --add, or use a glob such as 'tcp_*'");
	is_refused("a#b", 1, "#", "no name of a function has a '#'",
		   "write a backslash before it if this one has");
	/* The first odd character is reported. */
	is_refused("a#b=c", 1, "#", "no name of a function has a '#'",
		   "write a backslash before it if this one has");
	/* Names of files may contain '-'. */
	names_file("dm-region-hash.c:3", false, "dm-region-hash.c", ":3");
}

static void parentheses_of_a_call_are_refused(void **state)
{
	(void)state;
	is_refused("foo()", 3, "()", "a function is named without its parentheses", NULL);
	is_refused("f()", 1, "()", "a function is named without its parentheses", NULL);
	names_function("()", "()", "");
	names_function("foo(int)", "foo(int)", "");
	names_function("T::operator()", "T::operator()", "");
	names_function("\"foo()\"", "foo()", "");
}

static void a_number_is_no_function(void **state)
{
	(void)state;
	is_refused("2032", 0, "2032", "a number is not a function",
		   "an address is written in hexadecimal: 0x7f0");
	is_refused("09:3", 0, "09", "a number is not a function",
		   "an address is written in hexadecimal: 0x9");
	names_function("2032a", "2032a", "");
}

static void the_name_of_a_file_is_taken_as_it_is(void **state)
{
	struct diag diag = { 0 };
	struct probe_parser p = { .text = "x@a-b.c:3", .diag = &diag };
	char *file = NULL;

	(void)state;
	p.at = p.text + 2;
	assert_int_equal(probe_file_take(&p, &file), 0);
	assert_string_equal(file, "a-b.c");
	assert_string_equal(p.at, ":3");
	free(file);

	file = NULL;
	p.text = "x@:3";
	p.at = p.text + 2;
	assert_int_equal(probe_file_take(&p, &file), -EINVAL);
	assert_null(file);
	marks(&diag, p.text, 2, "", "Semantic error: the name of the source file is missing here",
	      NULL);

	p.text = "x@a<:3";
	p.at = p.text + 2;
	assert_int_equal(probe_file_take(&p, &file), -EINVAL);
	assert_null(file);
	marks(&diag, p.text, 3, "<", "Semantic error: this < is never closed", NULL);
	diag_done(&diag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_ends_at_each_sign_and_blank),
		cmocka_unit_test(an_empty_name_is_neither),
		cmocka_unit_test(letters_digits_and_signs_of_globs_are_plain),
		cmocka_unit_test(quotes_hold_everything),
		cmocka_unit_test(brackets_hold_blanks_and_signs),
		cmocka_unit_test(signs_behind_operator_are_part_of_the_name),
		cmocka_unit_test(a_function_called_operator_takes_offsets),
		cmocka_unit_test(a_backslash_makes_the_next_character_plain),
		cmocka_unit_test(two_colons_are_part_of_a_name),
		cmocka_unit_test(a_file_has_a_dot_or_a_slash_and_a_line_or_pattern),
		cmocka_unit_test(names_of_cpp_are_no_files),
		cmocka_unit_test(copies_by_the_compiler_are_no_files),
		cmocka_unit_test(a_source_file_alone_is_refused),
		cmocka_unit_test(odd_characters_get_a_hint_each),
		cmocka_unit_test(parentheses_of_a_call_are_refused),
		cmocka_unit_test(a_number_is_no_function),
		cmocka_unit_test(the_name_of_a_file_is_taken_as_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
