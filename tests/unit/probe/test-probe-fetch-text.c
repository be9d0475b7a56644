/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "probe-refusal.h"
#include "probe/probe-parser.h"

#define INNER_HINT                                                                                 \
	"write VARIABLE->MEMBER or VARIABLE[INDEX]; in parentheses there may be %REG, $stack, "    \
	"@SYMBOL or +OFFSET(...)"
#define ALL_HINT "a variable, or one of $retval, $arg1, $stack, $comm, %REG, @SYMBOL, +OFFSET(...)"
#define DOLLAR_HINT                                                                                \
	"there are $retval, $arg1 and so on, $stack, $stack0 and so on, $comm, $vars and "         \
	"$params; variables have no $"

/* Checks @arg; the text behind it must not matter. */
static int check(const char *arg, bool is_return, char *text, size_t size, struct diag *diag)
{
	struct probe_parser p = { .text = text, .diag = diag };

	snprintf(text, size, "f %s0)\" x", arg);
	return probe_fetch_check(&p, text + 2, text + 2 + strlen(arg), is_return);
}

static void fetches(const char *arg)
{
	struct diag diag = { 0 };
	char text[200];

	if (check(arg, false, text, sizeof(text), &diag) != 0)
		fail_msg("%s: %s", arg, diag.message);
	assert_null(diag.message);
}

static void is_refused(const char *arg, size_t at, const char *mark, const char *message,
		       const char *hint)
{
	struct diag diag = { 0 };
	char text[200], whole[200];

	snprintf(whole, sizeof(whole), "Semantic error: %s", message);
	assert_int_equal(check(arg, false, text, sizeof(text), &diag), -EINVAL);
	marks(&diag, text, 2 + at, mark, whole, hint);
	diag_done(&diag);
}

static void words_with_a_dollar_are_those_of_the_kernel(void **state)
{
	(void)state;
	fetches("$stack");
	fetches("$stack0");
	fetches("$stack12");
	fetches("$comm");
	fetches("$COMM");
	fetches("$arg*");
	fetches("$arg1");
	fetches("$arg10");
	is_refused("$arg0", 0, "$arg0", "the first argument of a function is $arg1", NULL);
	is_refused("$arg01", 0, "$arg01", "the first argument of a function is $arg1", NULL);
	is_refused("$vars", 0, "$vars", "'$vars' is several values", NULL);
	is_refused("$params", 0, "$params", "'$params' is several values", NULL);
}

static void unknown_words_with_a_dollar_get_a_suggestion(void **state)
{
	(void)state;
	is_refused("$stak", 0, "$stak", "there is no '$stak'", "did you mean '$stack'?");
	is_refused("$stackx", 0, "$stackx", "there is no '$stackx'", "did you mean '$stack'?");
	is_refused("$stack1x", 0, "$stack1x", "there is no '$stack1x'", "did you mean '$stack'?");
	is_refused("$rteval", 0, "$rteval", "there is no '$rteval'", "did you mean '$retval'?");
	is_refused("$parms", 0, "$parms", "there is no '$parms'",
		   "did you mean '$params' or '$vars'?");
	is_refused("$", 0, "$", "there is no '$'", DOLLAR_HINT);
	is_refused("$arg", 0, "$arg", "there is no '$arg'", "did you mean '$vars'?");
	is_refused("$arg1x", 0, "$arg1x", "there is no '$arg1x'", DOLLAR_HINT);
	is_refused("$xrg1", 0, "$xrg1", "there is no '$xrg1'", DOLLAR_HINT);
	is_refused("$other", 0, "$other", "there is no '$other'", DOLLAR_HINT);
}

static void a_returned_value_needs_a_return_probe(void **state)
{
	struct diag diag = { 0 };
	char text[100];

	(void)state;
	assert_int_equal(check("$retval", true, text, sizeof(text), &diag), 0);
	assert_int_equal(check("+4($retval)", true, text, sizeof(text), &diag), 0);
	assert_null(diag.message);
	is_refused("$retval", 0, "$retval", "there is no $retval before the function returns",
		   "a return probe has it: FUNC%return");
}

static void registers_are_letters_digits_and_underscores(void **state)
{
	(void)state;
	fetches("%x0");
	fetches("%a_1");
	fetches("%r");
	fetches("%returns");
	is_refused("%", 1, "", "the name of a register is missing after '%'", NULL);
	is_refused("%return", 0, "%return", "%return follows the function without a blank", NULL);
	is_refused("%a)", 2, ")", "this ) has no ( before it", NULL);
	is_refused("%a-b", 2, "-", "no register has a '-' in its name", NULL);
	is_refused("%.", 1, ".", "no register has a '.' in its name", NULL);
}

static void memory_is_a_symbol_or_an_address(void **state)
{
	(void)state;
	fetches("@jiffies");
	fetches("@a.b$c_1");
	fetches("@jiffies+8");
	fetches("@jiffies-0x8");
	fetches("@0xffff0000");
	fetches("@12");
	fetches("@+0x10");
	fetches("@-8");
	is_refused("@", 1, "", "a symbol or an address is missing after '@'", NULL);
	is_refused("@1x", 1, "1x", "this is not an address", NULL);
	is_refused("@+", 1, "+", "this is not an address", NULL);
	is_refused("@-x", 1, "-x", "this is not an address", NULL);
	is_refused("@+18446744073709551616", 1, "+18446744073709551616", "this is not an address",
		   NULL);
	is_refused("@a#", 2, "#", "no symbol has a '#'", NULL);
	is_refused("@#a", 1, "#", "no symbol has a '#'", NULL);
	is_refused("@a+", 2, "+", "the offset behind a symbol must be a number", NULL);
	is_refused("@a-x", 2, "-x", "the offset behind a symbol must be a number", NULL);
}

static void constants_are_numbers_or_texts(void **state)
{
	(void)state;
	fetches("\\1");
	fetches("\\-1");
	fetches("\\+1");
	fetches("\\0xff");
	fetches("\\\"\"");
	fetches("\\\"ab\"");
	is_refused("\\", 1, "", "a number or \"text\" is missing after '\\'", NULL);
	is_refused("\\x", 1, "x", "a number or \"text\" follows '\\'", NULL);
	is_refused("\\-", 1, "-", "a number or \"text\" follows '\\'", NULL);
	is_refused("\\\"", 1, "\"", "this text is never closed (it cannot have blanks)", NULL);
	is_refused("\\\"a", 1, "\"a", "this text is never closed (it cannot have blanks)", NULL);
}

static void memory_behind_a_pointer_has_an_offset(void **state)
{
	(void)state;
	fetches("+8(%sp)");
	fetches("-8(%sp)");
	fetches("+u8(%sp)");
	fetches("-u0x8(%sp)");
	fetches("+0(+8(@a+4))");
	fetches("+0($stack1)");
	fetches("+0(\\1)");
	is_refused("+8", 2, "", "'(' is missing here: +8(WHERE)",
		   "an offset in a function follows it without a blank");
	is_refused("-", 1, "", "'(' is missing here: -(WHERE)",
		   "an offset in a function follows it without a blank");
	is_refused("+(%sp)", 1, "", "the offset is missing here", NULL);
	is_refused("+u(%sp)", 2, "", "the offset is missing here", NULL);
	is_refused("+x(%sp)", 1, "x", "the offset must be a number of 64 bits", NULL);
	is_refused("+8x(%sp)", 1, "8x", "the offset must be a number of 64 bits", NULL);
	is_refused("+-8(%sp)", 1, "-8", "the offset must be a number of 64 bits", NULL);
	is_refused("+18446744073709551616(%sp)", 1, "18446744073709551616",
		   "the offset must be a number of 64 bits", NULL);
}

static void parentheses_are_closed(void **state)
{
	(void)state;
	is_refused("+8(%sp", 2, "(", "this ( is never closed", NULL);
	is_refused("+8(+4(%sp)", 4 + 1, "(", "this ( is never closed", NULL);
	is_refused("+8(%sp)x", 7, "x", "')' is expected here", NULL);
	is_refused("+8(%sp))", 6, ")", "this ) has no ( before it", NULL);
	is_refused("+8()", 3, "", "what is to be read is missing here", NULL);
}

/* Writes @n pointers, each inside of the other. */
static void nested(char *ret, size_t n)
{
	*ret = '\0';
	for (size_t i = 0; i < n; i++)
		strcat(ret, "+1(");
	strcat(ret, "%x");
	for (size_t i = 0; i < n; i++)
		strcat(ret, ")");
}

static void the_kernel_follows_14_pointers(void **state)
{
	char arg[100];

	(void)state;
	nested(arg, 14);
	fetches(arg);
	nested(arg, 15);
	is_refused(arg, 42, "+1(%x)", "the kernel follows 14 pointers at most", NULL);
}

static void texts_are_no_pointers(void **state)
{
	(void)state;
	is_refused("+0($comm)", 3, "$comm", "this is a text, not a pointer", NULL);
	is_refused("+0(\\\"a\")", 3, "\\\"a\"", "this is a text, not a pointer", NULL);
	is_refused("+0($vars)", 3, "$vars", "'$vars' is several values", NULL);
}

static void what_cannot_be_recorded_gets_a_hint(void **state)
{
	(void)state;
	is_refused("+0(p)", 3, "p", "a variable cannot be in parentheses", INNER_HINT);
	is_refused("+0(_p)", 3, "_p", "a variable cannot be in parentheses", INNER_HINT);
	is_refused("*p->q", 0, "*p->q", "this cannot be recorded",
		   "write p->q[0] for what a pointer points to");
	is_refused("&p", 0, "&p", "this cannot be recorded",
		   "values are recorded, not where they are");
	is_refused("(int)p", 0, "(int)p", "this cannot be recorded",
		   "a cast follows its value: VARIABLE:u32");
	is_refused("15", 0, "15", "this cannot be recorded",
		   "a constant is written \\15, memory +8(%REG)");
	is_refused("!p", 0, "!p", "this cannot be recorded", ALL_HINT);
	is_refused("", 0, "", "what is to be read is missing here", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_with_a_dollar_are_those_of_the_kernel),
		cmocka_unit_test(unknown_words_with_a_dollar_get_a_suggestion),
		cmocka_unit_test(a_returned_value_needs_a_return_probe),
		cmocka_unit_test(registers_are_letters_digits_and_underscores),
		cmocka_unit_test(memory_is_a_symbol_or_an_address),
		cmocka_unit_test(constants_are_numbers_or_texts),
		cmocka_unit_test(memory_behind_a_pointer_has_an_offset),
		cmocka_unit_test(parentheses_are_closed),
		cmocka_unit_test(the_kernel_follows_14_pointers),
		cmocka_unit_test(texts_are_no_pointers),
		cmocka_unit_test(what_cannot_be_recorded_gets_a_hint),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
