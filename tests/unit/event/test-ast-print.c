/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "event/ast.h"

static char *printed(const char *text)
{
	_cleanup_(event_ast_done) struct event_ast ast = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct text t = TEXT_EMPTY;

	if (event_ast_parse(text, &ast, &diag) < 0)
		fail_msg("%s: %s", text, diag.message);
	event_ast_print(&ast, &t);
	return text_take(&t);
}

static void assert_printed(const char *text, const char *want)
{
	_cleanup_(freep) char *once = printed(text);
	_cleanup_(freep) char *twice = printed(once);

	assert_string_equal(once, want);
	assert_string_equal(twice, want);
}

/* EV-28: one of everything that the grammar has, in its canonical form. */
static void what_is_canonical_is_printed_as_it_was(void **state)
{
	static const char *const texts[] = {
		"cycles",
		"cycles:",
		"cycles:ukhIGHpppPSDWeb",
		"cycles,cs,faults",
		"cpu//",
		"cpu//u",
		"cpu/event=0x3c,inv,cmask=1/pp",
		"cs/name=a:b%c@d/",
		"cs_etm/@tmc_etr0,@sink=x/",
		"sched:sched_switch",
		"sys*:sys_enter_?[ab]*:u",
		"sched:sched_switch/call-graph=fp/k",
		"probe:p:u",
		"1:0x0",
		"4294967295:0x1ffffffff:u",
		"1:0x3/name=x/",
		"mem:0x1000",
		"mem:0x1000/8:rw",
		"mem:0x1000:x:u",
		"mem:0x1000:u",
		"mem:0x1000/4:w/name=x/u",
		"./filter.c",
		"{cycles,cs}",
		"{cycles:u,cs/period=1/}:S",
		"name{cs},{faults}",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		assert_printed(texts[i], texts[i]);
}

static void blanks_are_not_printed(void **state)
{
	(void)state;
	assert_printed(" { cs , cpu / config = 0 , inv / u } : k , g { faults } ",
		       "{cs,cpu/config=0,inv/u}:k,g{faults}");
}

static void numbers_are_printed_in_one_form(void **state)
{
	(void)state;
	assert_printed("0x1:10", "1:0xa");
	assert_printed("mem:4096/0x8", "mem:0x1000/8");
	assert_printed("mem:0x1000:rwu", "mem:0x1000:rw:u");
}

static void the_percent_sign_of_sdt_events_is_dropped(void **state)
{
	(void)state;
	assert_printed("%sdt_libc:setjmp", "sdt_libc:setjmp");
}

static void values_are_quoted_only_where_they_must_be(void **state)
{
	(void)state;
	assert_printed("cs/name='plain'/", "cs/name=plain/");
	assert_printed("cs/name=\"a b\"/", "cs/name='a b'/");
	assert_printed("cs/name=\\'a,b=c/d\\'/", "cs/name='a,b=c/d'/");
	assert_printed("cs/name=\"it's\"/", "cs/name=\"it's\"/");
	assert_printed("cs/name='say \"x\"'/", "cs/name='say \"x\"'/");
	assert_printed("cs/name='{},'/", "cs/name='{},'/");
}

/* Only the third kind of quotes can hold both of the others. */
static void a_value_with_both_quotes_parses_again(void **state)
{
	(void)state;
	assert_printed("cs/name=\\'it's \"x\"\\'/", "cs/name=\\'it's \"x\"\\'/");
}

static void one_event_is_printed_without_its_neighbours(void **state)
{
	(void)state;
	_cleanup_(event_ast_done) struct event_ast ast = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	assert_int_equal(event_ast_parse("faults,{cs,cpu/inv/u}:k", &ast, &diag), 0);
	text_add(&t, "event ");
	event_node_print(&ast.items[1].items[1], &t);
	assert_string_equal(t.chars, "event cpu/inv/u");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_canonical_is_printed_as_it_was),
		cmocka_unit_test(blanks_are_not_printed),
		cmocka_unit_test(numbers_are_printed_in_one_form),
		cmocka_unit_test(the_percent_sign_of_sdt_events_is_dropped),
		cmocka_unit_test(values_are_quoted_only_where_they_must_be),
		cmocka_unit_test(a_value_with_both_quotes_parses_again),
		cmocka_unit_test(one_event_is_printed_without_its_neighbours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
