/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/text.h"
#include "probe-refusal.h"

static void named(const char *text, const char *group, const char *event)
{
	struct probe_def d = parsed(text);

	if (group)
		assert_string_equal(d.group, group);
	else
		assert_null(d.group);
	if (event)
		assert_string_equal(d.event, event);
	else
		assert_null(d.event);
	assert_string_equal(d.point.function, "foo");
	probe_def_done(&d);
}

static void an_event_may_be_named(void **state)
{
	(void)state;
	named("foo", NULL, NULL);
	named("Donald_Duck=foo:27", NULL, "Donald_Duck");
	named("g:e=foo", "g", "e");
	named("sdt_a:b=foo", "sdt_a", "b");
	named("foo;a=b", NULL, NULL);
}

static void a_name_of_the_kernels_is_needed(void **state)
{
	(void)state;
	refuses("=foo", 0, "", "event's name is missing");
	refuses(":e=foo", 0, "", "event group's name is missing");
	refuses("g:=foo", 2, "", "event's name is missing");
	refuses("e-1=foo", 0, "e-1", "letters, digits");
	refuses("1e=foo", 0, "1e", "letters, digits");
	refuses("g.1:e=foo", 0, "g.1", "letters, digits");
	refuses("a:b:c=foo", 2, "b:c", "letters, digits");
	refuses("a=b=foo", 3, "=", "one name");
	refuses("e= foo", 2, "", "probe point is missing");
	refuses("e =foo", 2, "=", "no blanks");
}

static void a_name_has_63_characters_at_most(void **state)
{
	char text[80];

	(void)state;
	memset(text, 'n', sizeof(text));
	strcpy(text + 63, "=foo");

	struct probe_def d = parsed(text);

	probe_def_done(&d);
	text[63] = 'n';
	strcpy(text + 64, "=foo");

	struct diag diag = { 0 };

	assert_int_equal(probe_def_parse(text, &d, &diag), -EINVAL);
	assert_int_equal(diag.length, 64);
	diag_done(&diag);
}

static void an_empty_definition_is_refused(void **state)
{
	(void)state;
	refuses("", 0, "", "empty");
	refuses(" \t", 2, "", "empty");
}

static void marker_is(const char *text, const char *marker)
{
	struct probe_def d = parsed(text);

	if (marker)
		assert_string_equal(d.marker, marker);
	else
		assert_null(d.marker);
	probe_def_done(&d);
}

static void markers_and_cached_probes_have_names(void **state)
{
	(void)state;
	marker_is("%sdt_libc:setjmp", "sdt_libc:setjmp");
	marker_is("sdt_libc:setjmp", "sdt_libc:setjmp");
	marker_is("%setjmp", "setjmp");
	marker_is("%sdt_libc:*", "sdt_libc:*");
	marker_is("sdt_read:12", NULL);
	marker_is("sdt_read", NULL);
	marker_is("sdt_read:e=foo", NULL);
	refuses("%", 1, "", "missing");
	refuses("%return $retval", 0, "", "function is missing");
	refuses("%a:", 3, "", "missing");
	refuses("%:a", 1, ":", "%NAME");
	refuses("%a:b:c", 4, ":", "%NAME");
	refuses("%a=foo", 2, "=", "%NAME");
	refuses("e=%a", 0, "e=", "its own name");
}

static void two_arguments_of_one_name_are_refused(void **state)
{
	(void)state;
	refuses("foo a b a", 8, "a", "two arguments");
	refuses("foo a->x b.x", 9, "b.x", "two arguments");
	takes("foo a a:u8 x=a", "foo", "a a:u8 x=a");
	takes("foo %x0 %x0", "foo", "%x0 %x0");
}

static void the_kernel_takes_128_arguments(void **state)
{
	struct text t = TEXT_EMPTY;
	struct diag diag = { 0 };
	struct probe_def d = { 0 };

	(void)state;
	text_add(&t, "foo");
	for (int i = 0; i < 128; i++)
		text_addf(&t, " a%d", i);
	assert_int_equal(probe_def_parse(t.chars, &d, &diag), 0);
	assert_int_equal(d.n_args, 128);
	probe_def_done(&d);
	text_add(&t, " b");
	assert_int_equal(probe_def_parse(t.chars, &d, &diag), -EINVAL);
	assert_int_equal(diag.offset, t.length - 1);
	diag_done(&diag);
	text_done(&t);
}

static void each_part_can_be_marked_later(void **state)
{
	struct probe_def d = parsed(" e=foo:2 x=tsk->mm[1]:u8");
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(d.point.where.at, 3);
	assert_int_equal(d.point.where.length, 5);
	assert_int_equal(d.args[0].where.at, 9);
	assert_int_equal(d.args[0].where.length, 15);
	assert_int_equal(d.args[0].fields[0].where.at, 14);
	assert_int_equal(d.args[0].fields[0].where.length, 4);
	assert_int_equal(d.args[0].fields[1].where.at, 18);
	assert_int_equal(d.args[0].fields[1].where.length, 3);
	assert_int_equal(probe_def_mark(&d, d.point.where, -ENOENT, &diag, "no %s", "foo"),
			 -ENOENT);
	assert_string_equal(diag.message, "no foo");
	assert_int_equal(diag.offset, 3);
	assert_int_equal(diag.length, 5);
	diag_done(&diag);
	probe_def_done(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_event_may_be_named),
		cmocka_unit_test(a_name_of_the_kernels_is_needed),
		cmocka_unit_test(a_name_has_63_characters_at_most),
		cmocka_unit_test(an_empty_definition_is_refused),
		cmocka_unit_test(markers_and_cached_probes_have_names),
		cmocka_unit_test(two_arguments_of_one_name_are_refused),
		cmocka_unit_test(the_kernel_takes_128_arguments),
		cmocka_unit_test(each_part_can_be_marked_later),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
