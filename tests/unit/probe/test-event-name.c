/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "probe-refusal.h"
#include "probe/event-name.h"

static void group_is(const char *path, const char *group)
{
	char *g = event_group_of(path);

	assert_string_equal(g, group);
	free(g);
}

static void a_group_is_the_beginning_of_the_file_name(void **state)
{
	(void)state;
	group_is("/lib/aarch64-linux-gnu/libc.so.6", "probe_libc");
	group_is("t2", "probe_t2");
	group_is("/a/lib-foo.so.1", "probe_lib");
	group_is("/a/1x", "probe_1x");
	group_is("/a/.hidden", "probe_");
}

static void a_group_has_63_characters_at_most(void **state)
{
	char path[101] = "";

	(void)state;
	memset(path, 'n', sizeof(path) - 1);

	char *g = event_group_of(path);

	assert_int_equal(strlen(g), 63);
	free(g);
}

static void name_is(const char *text, const char *function, const char *name)
{
	struct probe_def d = parsed(text);
	char *n = event_base_name(&d, function);

	assert_string_equal(n, name);
	free(n);
	probe_def_done(&d);
}

/* As Linux's perf 6.1 names them. */
static void an_event_is_called_after_its_function(void **state)
{
	(void)state;
	name_is("foo", "foo", "foo");
	name_is("foo+4", "foo", "foo");
	name_is("foo:0", "foo", "foo");
	name_is("foo:2", "foo", "foo_L2");
	name_is("t.c:8", "foo", "foo");
	name_is("foo;*x*", "foo", "foo");
	name_is("foo%return", "foo", "foo__return");
	name_is("f*", "foo", "foo");
	name_is("0x7f0", NULL, "abs_7f0");
	name_is("0x7f0%return", NULL, "abs_7f0__return");
	name_is("__und", "__und", "__und");
}

static void a_name_that_is_given_stays_but_for_returns(void **state)
{
	(void)state;
	name_is("e=foo:2", "foo", "e");
	name_is("e=0x7f0", NULL, "e");
	name_is("e=foo%return", "foo", "e__return");
}

static void what_compilers_and_linkers_add_is_left_out(void **state)
{
	(void)state;
	name_is("foo", "foo.isra.0", "foo");
	name_is("foo:2", "foo.constprop.0", "foo_L2");
	name_is("foo", "foo@GLIBC_2.17", "foo");
	name_is("foo", ".foo", "foo");
}

static void names_of_other_languages_become_names_of_events(void **state)
{
	(void)state;
	name_is("foo", "ns::Box<int>::~Box", "ns_Box_int_Box");
	name_is("foo", "a$b", "a_b");
	name_is("foo", "T::operator+", "T_operator");
	name_is("foo%return", "1foo", "_1foo__return");
	name_is("foo", "\xc3\xa4", "probe");
}

static void a_long_name_is_cut_before_its_end(void **state)
{
	char function[101] = "";

	(void)state;
	memset(function, 'n', sizeof(function) - 1);

	struct probe_def d = parsed("foo%return");
	char *name = event_base_name(&d, function);

	assert_int_equal(strlen(name), 63);
	assert_string_equal(name + 55, "__return");
	free(name);
	probe_def_done(&d);
}

static void gets(const struct name_list *taken, const char *name)
{
	struct diag diag = { 0 };
	char *free_name = NULL;

	assert_int_equal(event_free_name("probe", "foo", taken, true, &free_name, &diag), 0);
	assert_string_equal(free_name, name);
	free(free_name);
}

static void numbers_fill_the_gaps(void **state)
{
	struct name_list taken = { 0 };

	(void)state;
	gets(&taken, "foo");
	name_list_add(&taken, "other:foo");
	gets(&taken, "foo");
	name_list_add(&taken, "probe:foo_2");
	name_list_add(&taken, "probe:foo");
	gets(&taken, "foo_1");
	name_list_add(&taken, "probe:foo_1");
	gets(&taken, "foo_3");
	name_list_done(&taken);
}

static void without_force_a_name_can_be_had_once(void **state)
{
	struct name_list taken = { 0 };
	struct diag diag = { 0 };
	char *name = NULL;

	(void)state;
	name_list_add(&taken, "probe:foo");
	assert_int_equal(event_free_name("probe", "foo", &taken, false, &name, &diag), -EEXIST);
	assert_null(name);
	assert_string_equal(diag.message, "Error: event \"foo\" already exists.");
	assert_non_null(strstr(diag.hint, "-f"));
	assert_non_null(strstr(diag.hint, "probe:foo"));
	diag_done(&diag);
	assert_int_equal(event_free_name("g", "foo", &taken, false, &name, &diag), 0);
	free(name);
	name_list_done(&taken);
}

static void there_is_an_end_to_numbers(void **state)
{
	struct name_list taken = { 0 };
	struct diag diag = { 0 };
	char *name = NULL;

	(void)state;
	name_list_add(&taken, "probe:foo");
	for (int i = 1; i < 1024; i++) {
		char other[32];

		snprintf(other, sizeof(other), "probe:foo_%d", i);
		name_list_add(&taken, other);
	}
	assert_int_equal(event_free_name("probe", "foo", &taken, true, &name, &diag), -EEXIST);
	assert_non_null(strstr(diag.message, "1024"));
	diag_done(&diag);
	name_list_done(&taken);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_group_is_the_beginning_of_the_file_name),
		cmocka_unit_test(a_group_has_63_characters_at_most),
		cmocka_unit_test(an_event_is_called_after_its_function),
		cmocka_unit_test(a_name_that_is_given_stays_but_for_returns),
		cmocka_unit_test(what_compilers_and_linkers_add_is_left_out),
		cmocka_unit_test(names_of_other_languages_become_names_of_events),
		cmocka_unit_test(a_long_name_is_cut_before_its_end),
		cmocka_unit_test(numbers_fill_the_gaps),
		cmocka_unit_test(without_force_a_name_can_be_had_once),
		cmocka_unit_test(there_is_an_end_to_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
