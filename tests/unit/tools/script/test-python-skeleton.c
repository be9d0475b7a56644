/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "tools/script/python/skeleton.h"
#include "tracepoint/format.h"
#include "tracepoint/plan.h"

#define HEAD                                                                                       \
	"name: t\nID: 7\nformat:\n"                                                                \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
#define FIELD(decl, offset, size, sign)                                                            \
	"\tfield:" decl ";\toffset:" #offset ";\tsize:" #size ";\tsigned:" #sign ";\n"

/* Returns the script for one event with the format @text. The caller frees it. */
static char *script_of(const char *system, const char *name, const char *text, bool others)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *f = NULL;
	char *script = NULL;
	size_t n;
	FILE *out = open_memstream(&script, &n);

	assert_int_equal(tracepoint_format_parse(text, &f, &diag), 0);

	_cleanup_(tracepoint_plan_freep) struct tracepoint_plan *plan = tracepoint_plan_new(f, 8);
	struct skeleton_event events[] = { { system, name, f, plan }, { system, name, f, plan } };
	struct skeleton s = { .events = events, .n_events = 2, .others = others };

	python_skeleton_print(&s, out);
	fclose(out);
	return script;
}

static void a_handler_has_every_field_and_prints_it_by_its_type(void **state)
{
	_cleanup_(freep) char *script =
		script_of("irq", "soft",
			  HEAD FIELD("int vec", 8, 4, 1) FIELD("u64 n", 16, 8, 0)
				  FIELD("char who[16]", 24, 16, 0)
					  FIELD("__data_loc char[] name", 40, 4,
						0) "\nprint fmt: \"%s\", "
						   "__print_symbolic(REC->vec, { 0, \"HI\" })\n",
			  false);

	(void)state;
	assert_non_null(strstr(script, "\ndef irq__soft(event_name, context, common_cpu,"));
	assert_non_null(strstr(script, " vec, n, who, name,"));
	assert_non_null(strstr(script,
			       "\tprint(\"vec=%s, n=%u, who=%s, name=%s\" % (\n"
			       "\t\tsymbol_str(\"irq__soft\", \"vec\", vec), n, who, name,))\n"));
	assert_null(strstr(script, "common_type"));
	assert_null(strstr(script, "process_event"));
}

static void the_same_event_twice_has_one_handler(void **state)
{
	_cleanup_(freep) char *script = script_of("a", "b", HEAD FIELD("int x", 8, 4, 1), false);
	char *first = strstr(script, "def a__b(");

	(void)state;
	assert_non_null(first);
	assert_null(strstr(first + 1, "def a__b("));
}

static void words_of_python_are_no_parameters(void **state)
{
	_cleanup_(freep) char *script = script_of("ext4", "e",
						  HEAD FIELD("int from", 8, 4, 1)
							  FIELD("int context", 12, 4, 1)
								  FIELD("int print", 16, 4, 1),
						  false);

	(void)state;
	assert_non_null(strstr(script, " from_, context_, print_,"));
	assert_non_null(strstr(script, "from_=%d, context_=%d, print_=%d"));
}

static void names_that_are_no_identifiers_do_not_get_into_the_script(void **state)
{
	_cleanup_(freep) char *event = script_of("sys():\n\tevil()\ndef x", "e",
						 HEAD FIELD("int x", 8, 4, 1), false);
	_cleanup_(freep) char *field = script_of("s", "e", HEAD FIELD("int evil=1", 8, 4, 1),
						 false);

	(void)state;
	assert_null(strstr(event, "evil"));
	assert_null(strstr(field, "evil"));
	assert_non_null(strstr(field, "def s__e("));
}

static void an_event_without_fields_has_a_handler(void **state)
{
	_cleanup_(freep) char *script = script_of("s", "e", HEAD, false);

	(void)state;
	assert_non_null(strstr(script, "common_callchain, perf_sample_dict):\n"));
	assert_null(strstr(script, "% ()"));
}

static void other_events_have_a_handler_of_their_own(void **state)
{
	_cleanup_(freep) char *script = script_of("s", "e", HEAD, true);

	(void)state;
	assert_non_null(strstr(script, "\ndef process_event(param_dict):\n"));
}

static void identifiers_are_those_of_python(void **state)
{
	(void)state;
	assert_true(python_is_identifier("sched__sched_switch"));
	assert_true(python_is_identifier("_1"));
	assert_false(python_is_identifier(""));
	assert_false(python_is_identifier("1a"));
	assert_false(python_is_identifier("a-b"));
	assert_false(python_is_identifier("a\xc3\xa9"));
	assert_false(python_is_identifier("lambda"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_handler_has_every_field_and_prints_it_by_its_type),
		cmocka_unit_test(the_same_event_twice_has_one_handler),
		cmocka_unit_test(words_of_python_are_no_parameters),
		cmocka_unit_test(names_that_are_no_identifiers_do_not_get_into_the_script),
		cmocka_unit_test(an_event_without_fields_has_a_handler),
		cmocka_unit_test(other_events_have_a_handler_of_their_own),
		cmocka_unit_test(identifiers_are_those_of_python),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
