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
#include "base/text.h"
#include "cli/config.h"

static void read_text(struct config *c, const char *text, const char *origin)
{
	_cleanup_(diag_done) struct diag d = { 0 };

	assert_int_equal(config_parse(c, text, strlen(text), origin, &d), 0);
}

static void variables_are_found_by_section_and_name(void **state)
{
	_cleanup_(config_done) struct config c = { 0 };

	(void)state;
	read_text(&c, "[core]\n\tPager = less\n[sub \"Name\"]\n\tx = y\n", "f");
	assert_string_equal(config_get(&c, "core.pager"), "less");
	assert_string_equal(config_get(&c, "CORE.PAGER"), "less");
	assert_string_equal(config_get(&c, "sub.Name.x"), "y");
	assert_null(config_get(&c, "sub.name.x"));
	assert_null(config_get(&c, "sub.x"));
	assert_null(config_get(&c, "pager"));
	assert_null(config_get(&c, "core."));
	assert_null(config_get(&c, ".pager"));
	assert_null(config_get(&c, ""));
}

static void a_later_value_replaces_an_earlier_one(void **state)
{
	_cleanup_(config_done) struct config c = { 0 };

	(void)state;
	read_text(&c, "[a]\nx = 1\nx = 2\n", "first");
	read_text(&c, "[a]\n\nX = 3\n", "second");
	assert_int_equal(c.n, 1);
	assert_string_equal(c.items[0].value, "3");
	assert_string_equal(c.items[0].origin, "second");
	assert_int_equal(c.items[0].line, 3);
}

static void a_listing_keeps_sections_together(void **state)
{
	_cleanup_(config_done) struct config c = { 0 };

	(void)state;
	read_text(&c, "[a]\nx=1\n[b]\ny=2\n[a]\nz=3\n", "f");
	assert_int_equal(c.n, 3);
	assert_string_equal(c.items[0].name, "x");
	assert_string_equal(c.items[1].name, "z");
	assert_string_equal(c.items[2].name, "y");
}

static void what_comes_before_a_mistake_counts(void **state)
{
	_cleanup_(config_done) struct config c = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };
	static const char text[] = "[a]\nx = 1\n???\ny = 2\n";

	(void)state;
	assert_int_equal(config_parse(&c, text, strlen(text), "~/.perfconfig", &d), -EINVAL);
	assert_string_equal(config_get(&c, "a.x"), "1");
	assert_null(config_get(&c, "a.y"));
	assert_memory_equal(d.message, "~/.perfconfig:3: ", 17);
	assert_string_equal(d.excerpt, "???");
}

static void switches_are_written_in_many_ways(void **state)
{
	static const char *const yes[] = { "true", "YES", "on", "1" };
	static const char *const no[] = { "false", "No", "off", "0", "" };
	bool b;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(yes); i++)
		assert_true(config_parse_bool(yes[i], &b) == 0 && b);
	for (size_t i = 0; i < ARRAY_SIZE(no); i++)
		assert_true(config_parse_bool(no[i], &b) == 0 && !b);
	assert_int_equal(config_parse_bool("maybe", &b), -EINVAL);
	assert_int_equal(config_parse_bool("2", &b), -EINVAL);
}

static void typed_values_are_told_from_unset_and_wrong_ones(void **state)
{
	_cleanup_(config_done) struct config c = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };
	uint64_t n = 7;
	bool b = true;

	(void)state;
	read_text(&c, "[a]\nb = off\nn = 12\nw = what\n", "/etc/perfconfig");
	assert_int_equal(config_get_bool(&c, "a.b", &b, &d), 1);
	assert_false(b);
	assert_int_equal(config_get_uint(&c, "a.n", &n, &d), 1);
	assert_int_equal(n, 12);
	assert_int_equal(config_get_bool(&c, "a.none", &b, &d), 0);
	assert_int_equal(config_get_uint(&c, "a.none", &n, &d), 0);
	assert_null(d.message);
	assert_int_equal(config_get_bool(&c, "a.w", &b, &d), -EINVAL);
	assert_string_equal(d.message, "/etc/perfconfig:4: a.w is true or false, not 'what'");
	assert_int_equal(config_get_uint(&c, "a.w", &n, &d), -EINVAL);
	assert_string_equal(d.message, "/etc/perfconfig:4: a.w is a number, not 'what'");
	assert_int_equal(n, 12);
}

static void a_copy_stands_alone(void **state)
{
	_cleanup_(config_done) struct config a = { 0 }, b = { 0 };

	(void)state;
	read_text(&a, "[a]\nx = 1\n", "f");
	config_copy(&b, &a);
	config_done(&a);
	assert_string_equal(config_get(&b, "a.x"), "1");
	assert_string_equal(b.items[0].origin, "f");
}

static void a_flood_of_variables_is_refused(void **state)
{
	_cleanup_(config_done) struct config c = { 0 };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	text_add(&t, "[a]\n");
	for (int i = 0; i <= CONFIG_ITEMS_MAX; i++)
		text_addf(&t, "v%d\n", i);
	assert_int_equal(config_parse(&c, t.chars, t.length, "f", &d), -E2BIG);
	assert_string_equal(d.message, "f:4098: more than 4096 variables");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(variables_are_found_by_section_and_name),
		cmocka_unit_test(a_later_value_replaces_an_earlier_one),
		cmocka_unit_test(a_listing_keeps_sections_together),
		cmocka_unit_test(what_comes_before_a_mistake_counts),
		cmocka_unit_test(switches_are_written_in_many_ways),
		cmocka_unit_test(typed_values_are_told_from_unset_and_wrong_ones),
		cmocka_unit_test(a_copy_stands_alone),
		cmocka_unit_test(a_flood_of_variables_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
