/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "cli/config.h"

static void assert_edit(const char *text, const char *key, const char *value, const char *expected)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(config_done) struct config c = { 0 };
	_cleanup_(freep) char *edited = NULL;

	assert_int_equal(config_edit(text, strlen(text), "f", key, value, &edited, &d), 0);
	assert_string_equal(edited, expected);
	assert_int_equal(config_parse(&c, edited, strlen(edited), "f", &d), 0);
	assert_string_equal(config_get(&c, key), value);
}

static void a_new_file_gets_a_section(void **state)
{
	(void)state;
	assert_edit("", "core.pager", "less -R", "[core]\n\tpager = less -R\n");
	assert_edit("", "sub.Name.x", " y", "[sub \"Name\"]\n\tx = \" y\"\n");
}

static void a_value_is_replaced_in_its_place(void **state)
{
	(void)state;
	assert_edit("# c\n[a]\n  x=1 # why\n\ty = 2\n", "a.x", "3",
		    "# c\n[a]\n  x= 3 # why\n\ty = 2\n");
	assert_edit("[a]\n\tx = \"long \\\nvalue\" ; c\n", "a.x", "s", "[a]\n\tx = s ; c\n");
	assert_edit("[a]\n\tx =\n\ty = 1\n", "a.x", "s", "[a]\n\tx = s\n\ty = 1\n");
	assert_edit("[a] x = 1", "A.X", "2", "[a] x = 2");
}

static void a_name_alone_gets_a_value(void **state)
{
	(void)state;
	assert_edit("[a]\n\tx # on\n", "a.x", "off", "[a]\n\tx = off # on\n");
}

static void the_last_of_several_is_the_one_that_counts(void **state)
{
	(void)state;
	assert_edit("[a]\nx = 1\n[b]\nx = 2\n[a]\nx = 3\n", "a.x", "9",
		    "[a]\nx = 1\n[b]\nx = 2\n[a]\nx = 9\n");
}

static void a_new_variable_joins_its_section(void **state)
{
	(void)state;
	assert_edit("[a]\n\tx = 1\n\n# about b\n[b]\n\ty = 2\n", "a.z", "3",
		    "[a]\n\tx = 1\n\tz = 3\n\n# about b\n[b]\n\ty = 2\n");
	assert_edit("[a]\n[b]\n", "a.z", "3", "[a]\n\tz = 3\n[b]\n");
	assert_edit("[a]", "a.z", "3", "[a]\n\tz = 3\n");
}

static void a_new_section_goes_to_the_end(void **state)
{
	(void)state;
	assert_edit("[a]\n\tx = 1", "b.y", "2", "[a]\n\tx = 1\n[b]\n\ty = 2\n");
	assert_edit("[a] [b]\n\tx = 1\n", "a.y", "2", "[a] [b]\n\tx = 1\n[a]\n\ty = 2\n");
}

static void line_ends_of_other_systems_survive(void **state)
{
	(void)state;
	assert_edit("[a]\r\n\tx = 1\r\n", "a.x", "2", "[a]\r\n\tx = 2\r\n");
}

static void a_file_with_a_mistake_is_left_alone(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	char *edited = NULL;

	(void)state;
	assert_int_equal(config_edit("[a]\n???\n", 8, "f", "a.x", "1", &edited, &d), -EINVAL);
	assert_null(edited);
}

static void keys_have_a_form(void **state)
{
	static const char *const bad[] = { "",      "x",    ".x",   "a.",    "a.1x",   "a.x y",
					   "a b.x", "a.x=", ".a.b", "[a].x", "a.b\n.x" };
	static const char *const good[] = { "a.x", "A-b.x_y", "a.Sub Section.x", "a..x", "a_b.x1" };
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(config_check_key(bad[i], &d), -EINVAL);
	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		assert_int_equal(config_check_key(good[i], &d), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_file_gets_a_section),
		cmocka_unit_test(a_value_is_replaced_in_its_place),
		cmocka_unit_test(a_name_alone_gets_a_value),
		cmocka_unit_test(the_last_of_several_is_the_one_that_counts),
		cmocka_unit_test(a_new_variable_joins_its_section),
		cmocka_unit_test(a_new_section_goes_to_the_end),
		cmocka_unit_test(line_ends_of_other_systems_survive),
		cmocka_unit_test(a_file_with_a_mistake_is_left_alone),
		cmocka_unit_test(keys_have_a_form),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
