/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "tools/script/plan-names-model.h"
#include "tracepoint/format.h"
#include "tracepoint/plan.h"

#define FIELDS                                                                                     \
	"name: t\nID: 7\nformat:\n"                                                                \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:int vec;\toffset:8;\tsize:4;\tsigned:1;\n"                                        \
	"\tfield:unsigned long state;\toffset:16;\tsize:8;\tsigned:0;\n\n"

struct fixture {
	struct tracepoint_format *format;
	struct tracepoint_plan *plan;
};

static struct fixture plan_of(const char *text)
{
	struct fixture f = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	assert_int_equal(tracepoint_format_parse(text, &f.format, &diag), 0);
	f.plan = tracepoint_plan_new(f.format, 8);
	return f;
}

static void fixture_done(struct fixture *f)
{
	tracepoint_plan_free(f->plan);
	tracepoint_format_free(f->format);
}

static void a_symbolic_field_has_a_name_for_each_value(void **state)
{
	_cleanup_(fixture_done) struct fixture f = plan_of(
		FIELDS "print fmt: \"vec=%u [action=%s]\", REC->vec, "
		       "__print_symbolic(REC->vec, { 0, \"HI\" }, { 1, \"TIMER\" })\n");
	struct named_field named;
	struct field_value_name name;

	(void)state;
	assert_true(plan_named_field(f.plan, 0, &named));
	assert_string_equal(named.field->name, "vec");
	assert_false(named.is_flags);
	assert_int_equal(named.separator_length, 0);
	assert_int_equal(named.n, 2);
	name = plan_named_value(f.plan, &named, 1);
	assert_int_equal(name.value, 1);
	assert_int_equal(name.length, 5);
	assert_memory_equal(name.name, "TIMER", 5);
	assert_false(plan_named_field(f.plan, 1, &named));
}

static void a_field_inside_of_an_expression_has_the_flags(void **state)
{
	_cleanup_(fixture_done) struct fixture f = plan_of(
		FIELDS "print fmt: \"%s\", (REC->state & 3) ? __print_flags(REC->state & 3,"
		       " \"|\", { 1, \"S\" }, { 2, \"D\" }) : \"R\"\n");
	struct named_field named;

	(void)state;
	assert_true(plan_named_field_find(f.plan, "state", &named));
	assert_true(named.is_flags);
	assert_int_equal(named.separator_length, 1);
	assert_memory_equal(named.separator, "|", 1);
	assert_int_equal(named.n, 2);
	assert_false(plan_named_field_find(f.plan, "vec", &named));
}

static void names_of_what_is_no_field_are_left_out(void **state)
{
	_cleanup_(fixture_done) struct fixture f =
		plan_of(FIELDS "print fmt: \"%s\", __print_symbolic(7, { 7, \"seven\" })\n");
	struct named_field named;

	(void)state;
	assert_false(plan_named_field(f.plan, 0, &named));
}

static void a_print_fmt_that_is_not_understood_names_nothing(void **state)
{
	_cleanup_(fixture_done) struct fixture f =
		plan_of(FIELDS "print fmt: \"%s\", __print_symbolic(REC->vec, { 0, \"x\" }\n");
	struct named_field named;

	(void)state;
	assert_non_null(tracepoint_plan_problem(f.plan));
	assert_false(plan_named_field(f.plan, 0, &named));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_symbolic_field_has_a_name_for_each_value),
		cmocka_unit_test(a_field_inside_of_an_expression_has_the_flags),
		cmocka_unit_test(names_of_what_is_no_field_are_left_out),
		cmocka_unit_test(a_print_fmt_that_is_not_understood_names_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
