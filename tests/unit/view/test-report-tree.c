/* SPDX-License-Identifier: MIT */
/* Alone: it replaces what reads lines (fake-source.h). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "drawn-tree.h"
#include "fake-source.h"

static const struct report_tree_options folded = { .print = REPORT_TREE_FOLDED };

static void frames_without_a_function_are_addresses(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	example_stacks_init(&m);
	example_sample(&m, "70f", 1);
	example_settle(&m, false);
	assert_drawn(&m, folded, "f", "100.00% f;0;0x7\n");
}

static void names_do_not_act_on_a_terminal(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;
	struct report_tree_options o = folded;

	(void)state;
	example_stacks_init(&m);
	example_sample(&m, "af", 1);
	example_settle(&m, false);
	m.names['a'][0] = '\033';
	assert_drawn(&m, o, "f", "100.00% f;\033\n");
	o.form.escape = true;
	assert_drawn(&m, o, "f", "100.00% f;\\x1b\n");
}

static void functions_may_have_lines(void **state)
{
	static const struct source_frame there = { NULL, { "/src/a.c", 12 }, false };
	static const struct fake_code code[] = { { 'f', &there, 1 }, { 0 } };
	struct report_tree_options o = { .print = REPORT_TREE_FOLDED, .lines = true };
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	fake_code = code;
	example_stacks_init(&m);
	example_sample(&m, "7f", 1);
	example_settle(&m, false);
	assert_drawn(&m, o, "f", "100.00% f a.c:12;0x7\n");
	o.full_paths = true;
	assert_drawn(&m, o, "f", "100.00% f /src/a.c:12;0x7\n");
}

static void inlined_functions_are_marked(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	example_stacks_init(&m);
	m.inlined = 'f';
	example_sample(&m, "gf", 1);
	example_settle(&m, false);
	assert_drawn(&m, folded, "f", "100.00% f (inlined);g\n");
}

static void shares_are_of_everything_whatever_filters_leave(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	example_stacks_init(&m);
	example_sample(&m, "af", 1);
	example_sample(&m, "g", 3);
	example_settle(&m, false);
	m.rows.shown.period = 2;
	assert_drawn(&m, folded, "f", "25.00% f;a\n");
}

static void a_row_of_callees_weighs_what_they_do(void **state)
{
	_cleanup_(example_stacks_done) struct example_stacks m;

	(void)state;
	example_stacks_init(&m);
	example_sample(&m, "afg", 1);
	example_settle(&m, true);
	assert_drawn(&m, folded, "f", "100.00% f;a\n");
	m.options.rq.callers_first = true;
	assert_drawn(&m, folded, "f", "100.00% f;g\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_without_a_function_are_addresses),
		cmocka_unit_test(names_do_not_act_on_a_terminal),
		cmocka_unit_test(functions_may_have_lines),
		cmocka_unit_test(inlined_functions_are_marked),
		cmocka_unit_test(shares_are_of_everything_whatever_filters_leave),
		cmocka_unit_test(a_row_of_callees_weighs_what_they_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
