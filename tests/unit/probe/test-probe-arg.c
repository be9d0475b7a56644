/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "probe-refusal.h"

static void called(const char *arg, const char *name)
{
	char text[100];

	snprintf(text, sizeof(text), "foo %s", arg);

	struct probe_def d = parsed(text);
	char *own = probe_arg_name(&d.args[0]);

	if (name)
		assert_string_equal(own, name);
	else
		assert_null(own);
	free(own);
	probe_def_done(&d);
}

static void an_argument_is_called_after_what_it_is(void **state)
{
	(void)state;
	called("a", "a");
	called("x=a", "x");
	called("a:u8", "a_u8");
	called("filename:string", "filename_string");
	called("a:b3@0/32", "a_b3");
	called("a:u8[4]", "a_u8");
	called("tsk->flags", "flags");
	called("a->b.c[3]", "c");
	called("a->b.c[3]:u8", "c");
	called("buf[2]", "buf");
	called("ns::count", "count");
	called("s->n2345678901234567890123456789012345", "n2345678901234567890123456789012");
	called("%x0", NULL);
	called("$comm", NULL);
	called("+8(%sp):string", NULL);
}

static void fields_are_taken_apart(void **state)
{
	struct probe_def d = parsed("foo a->b.c[3][-0x4]");
	const struct probe_arg *a = &d.args[0];

	(void)state;
	assert_true(a->is_variable);
	assert_string_equal(a->what, "a");
	assert_int_equal(a->n_fields, 4);
	assert_string_equal(a->fields[0].name, "b");
	assert_true(a->fields[0].is_arrow);
	assert_string_equal(a->fields[1].name, "c");
	assert_false(a->fields[1].is_arrow);
	assert_null(a->fields[2].name);
	assert_int_equal(a->fields[2].index, 3);
	assert_int_equal(a->fields[3].index, -4);
	probe_def_done(&d);
}

static void memory_of_user_space_is_marked(void **state)
{
	struct probe_def d = parsed("foo buf:string@user x=s->p@user @user");

	(void)state;
	assert_true(d.args[0].is_user);
	assert_string_equal(d.args[0].type, "string");
	assert_true(d.args[1].is_user);
	assert_false(d.args[2].is_user);
	assert_string_equal(d.args[2].what, "@user");
	probe_def_done(&d);
	refuses("foo a@usr", 5, "@usr", "@user");
	refuses("foo a:u8@usr", 8, "@usr", "@user");
	refuses("foo a@user:u8", 5, "@user", "follow the type");
}

static void what_the_kernel_fetches_is_taken(void **state)
{
	(void)state;
	takes("foo rdi=%di %x0:u32", "foo", "rdi=%di %x0:u32");
	takes("foo $stack $stack3 $arg1 $comm $comm:string", "foo",
	      "$stack $stack3 $arg1 $comm $comm:string");
	takes("foo @jiffies @jiffies+4 @sym-8 @0x100 @+0x10", "foo",
	      "@jiffies @jiffies+4 @sym-8 @0x100 @+0x10");
	takes("foo +8(%sp) -8(%sp) +0(+8(%di)):string +u8(%si)", "foo",
	      "+8(%sp) -8(%sp) +0(+8(%di)):string +u8(%si)");
	takes("foo \\1 \\-1 \\\"ab\" \\\"a=b\"", "foo", "\\1 \\-1 \\\"ab\" \\\"a=b\"");
	takes("foo%return ret=$retval +0($retval):string", "foo%return",
	      "ret=$retval +0($retval):string");
	takes("foo $vars $params", "foo", "$vars $params");
}

/* Without a declared type, the whole register counts. */
static void a_sign_alone_is_64_bits_of_a_register(void **state)
{
	(void)state;
	takes("foo %x0:x %x1:s a:x", "foo", "%x0:x64 %x1:s64 a:x");
}

static void names_of_all_variables_are_their_own(void **state)
{
	(void)state;
	takes("foo x=$vars", "foo", "$vars");
}

static void names_must_be_those_of_fields(void **state)
{
	(void)state;
	refuses("foo =a", 4, "=", "missing");
	refuses("foo x=", 6, "", "missing");
	refuses("foo 1x=a", 4, "1x", "letters");
	refuses("foo x-y=a", 4, "x-y", "letters");
	refuses("foo x=y=a", 7, "=a", "member");
	refuses("foo n23456789012345678901234567890123=a", 4, "n23456789012345678901234567890123",
		"32 characters");
	takes("foo n2345678901234567890123456789012=a", "foo",
	      "n2345678901234567890123456789012=a");
}

static void wrong_fields_are_pointed_at(void **state)
{
	(void)state;
	refuses("foo ::", 6, "", "variable");
	refuses("foo ns::", 8, "", "variable");
	refuses("foo ns::1a", 8, "1a", "variable");
	refuses("foo s->", 7, "", "member is missing");
	refuses("foo s->d.", 9, "", "member is missing");
	refuses("foo s->.d", 7, "", "member is missing");
	refuses("foo s->1d", 7, "1d", "digit");
	refuses("foo s[]", 6, "", "index");
	refuses("foo s[x]", 6, "x", "index");
	refuses("foo s[1", 5, "[1", "never closed");
	refuses("foo s[1]x", 8, "x", "member");
	refuses("foo s[99999999999]", 6, "99999999999", "too large");
	refuses("foo s+1", 5, "+1", "nothing is computed");
	refuses("foo s-1", 5, "-1", "nothing is computed");
	refuses("foo a,b", 5, ",", "blanks");
	refuses("foo f(x)", 5, "(x)", "called");
}

static void what_is_c_but_cannot_be_recorded_gets_a_hint(void **state)
{
	(void)state;
	refuses("foo *p", 4, "*p", "p[0]");
	refuses("foo &p", 4, "&p", "not where they are");
	refuses("foo (int)p", 4, "(int)p", "cast follows");
	refuses("foo 5", 4, "5", "\\5");
	refuses("foo +8(p)", 7, "p", "variable");
	refuses("foo -5", 6, "", "'(' is missing");
	refuses("foo !p", 4, "!p", "cannot be recorded");
}

static void wrong_fetches_are_pointed_at(void **state)
{
	(void)state;
	refuses("foo $stackx", 4, "$stackx", "$stack");
	refuses("foo%return $retvl", 11, "$retvl", "$retval");
	refuses("foo $", 4, "$", "variables have no $");
	refuses("foo $arg0", 4, "$arg0", "$arg1");
	refuses("foo $retval", 4, "$retval", "FUNC%return");
	refuses("foo +0($vars)", 7, "$vars", "several");
	refuses("foo %", 5, "", "register is missing");
	refuses("foo %a.b", 6, ".", "register");
	refuses("foo %return", 4, "%return", "without a blank");
	refuses("foo @", 5, "", "missing");
	refuses("foo @0xg", 5, "0xg", "address");
	refuses("foo @a+x", 6, "+x", "number");
	refuses("foo @a#b", 6, "#", "no symbol");
	refuses("foo @,", 5, ",", "no symbol");
	refuses("foo +8", 6, "", "'(' is missing");
	refuses("foo +(%sp)", 5, "", "offset is missing");
	refuses("foo +x(%sp)", 5, "x", "number");
	refuses("foo +8()", 7, "", "missing");
	refuses("foo +8(%sp", 6, "(", "never closed");
	refuses("foo +8(%sp))", 10, ")", "no (");
	refuses("foo +8(%sp)x", 11, "x", "')' is expected");
	refuses("foo +8($comm)", 7, "$comm", "text");
	refuses("foo \\", 5, "", "missing");
	refuses("foo \\x", 5, "x", "number");
	refuses("foo \\\"ab", 5, "\"ab", "never closed");
}

static void nested_deeper_than_the_kernel_follows_is_refused(void **state)
{
	(void)state;
	refuses("foo +1(+1(+1(+1(+1(+1(+1(+1(+1(+1(+1(+1(+1(+1(+1(%sp)))))))))))))))", 46,
		"+1(%sp)", "14 pointers");
}

static void a_return_probe_has_no_variables(void **state)
{
	(void)state;
	refuses("foo%return a", 11, "a", "$retval");
	refuses("foo%return $params", 11, "$params", "$retval");
	takes("foo%return @glob", "foo%return", "@glob");
}

static void types_are_those_of_the_kernel(void **state)
{
	static const char *const good[] = {
		"u8",  "u16",    "u32",     "u64",    "s8",     "s16",     "s32",    "s64",
		"x8",  "x16",    "x32",     "x64",    "x",      "s",       "u",      "char",
		"%pd", "string", "ustring", "symbol", "symstr", "b3@4/32", "u8[64]", "string[2]",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		char text[40];

		snprintf(text, sizeof(text), "foo a:%s", good[i]);

		struct probe_def d = parsed(text);

		assert_string_equal(d.args[0].type, good[i]);
		probe_def_done(&d);
	}
}

static void wrong_types_are_pointed_at(void **state)
{
	(void)state;
	refuses("foo a:u33", 6, "u33", "did you mean 'u32'?");
	refuses("foo a:strng", 6, "strng", "'string'");
	refuses("foo a:int", 6, "int", "'s32'");
	refuses("foo a:foo", 6, "foo", "u8 to u64");
	refuses("foo a:", 6, "", "missing");
	refuses("foo a:[4]", 6, "", "missing");
	refuses("foo a :u8", 6, ":u8", "no blanks");
	refuses("foo a:u8[4", 8, "[4", "never closed");
	refuses("foo a:u8[4]x", 11, "x", "nothing follows");
	refuses("foo a:u8[0]", 8, "[0]", "1 to 64");
	refuses("foo a:u8[65]", 8, "[65]", "1 to 64");
	refuses("foo a:b3@0", 6, "b3@0", "bWIDTH@OFFSET/SIZE");
	refuses("foo a:b0@0/32", 6, "b0@0/32", "not all in");
	refuses("foo a:b3@30/32", 6, "b3@30/32", "not all in");
	refuses("foo a:b3@0/33", 6, "b3@0/33", "8, 16, 32 or 64");
	refuses("foo $comm:u8", 10, "u8", "string");
	refuses("foo%return $retval:string", 11, "$retval", "+0($retval):string");
	refuses("foo %x0:u8[4]", 4, "%x0", "+0(%x0):u8[4]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_argument_is_called_after_what_it_is),
		cmocka_unit_test(fields_are_taken_apart),
		cmocka_unit_test(memory_of_user_space_is_marked),
		cmocka_unit_test(what_the_kernel_fetches_is_taken),
		cmocka_unit_test(a_sign_alone_is_64_bits_of_a_register),
		cmocka_unit_test(names_of_all_variables_are_their_own),
		cmocka_unit_test(names_must_be_those_of_fields),
		cmocka_unit_test(wrong_fields_are_pointed_at),
		cmocka_unit_test(what_is_c_but_cannot_be_recorded_gets_a_hint),
		cmocka_unit_test(wrong_fetches_are_pointed_at),
		cmocka_unit_test(nested_deeper_than_the_kernel_follows_is_refused),
		cmocka_unit_test(a_return_probe_has_no_variables),
		cmocka_unit_test(types_are_those_of_the_kernel),
		cmocka_unit_test(wrong_types_are_pointed_at),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
