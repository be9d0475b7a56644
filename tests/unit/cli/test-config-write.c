/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/text.h"
#include "cli/config-write.h"
#include "cli/config.h"

static void assert_header(const char *section, const char *expected)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	config_write_header(&t, section);
	assert_string_equal(t.chars, expected);
}

static void headers_quote_what_needs_it(void **state)
{
	(void)state;
	assert_header("core", "[core]\n");
	assert_header("a.b", "[a.b]\n");
	assert_header("sub.Name", "[sub \"Name\"]\n");
	assert_header("sub.a b.C", "[sub \"a b.C\"]\n");
	assert_header("sub.q\"\\", "[sub \"q\\\"\\\\\"]\n");
}

static void assert_value(const char *value, const char *expected)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	config_write_value(&t, value);
	assert_string_equal(t.chars, expected);
}

static void values_quote_what_needs_it(void **state)
{
	(void)state;
	assert_value("less -R", "less -R");
	assert_value("", "");
	assert_value(" x", "\" x\"");
	assert_value("x ", "\"x \"");
	assert_value("a  b", "\"a  b\"");
	assert_value("#x", "\"#x\"");
	assert_value("a;b", "\"a;b\"");
	assert_value("a\"b\\c", "\"a\\\"b\\\\c\"");
	assert_value("a\nb\tc\bd", "\"a\\nb\\tc\\bd\"");
	assert_value("a\rb", "\"a\rb\"");
}

static void everything_that_is_written_reads_back(void **state)
{
	static const char *const values[] = { "",       " ",   "  a  ",       "\"",      "\\",
					      "\\n",    "\n",  "#",           ";",       "a#b",
					      "\t\b\r", "x\\", "\"a\" \"b\"", "\xff\x01" };
	static const char *const sections[] = { "a",      "a.b", "a.B",   "a. ",
						"a.\"\\", "a..", "a.x.y", "a.]" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		for (size_t j = 0; j < ARRAY_SIZE(sections); j++) {
			_cleanup_(text_done) struct text t = TEXT_EMPTY;
			_cleanup_(config_done) struct config c = { 0 };
			_cleanup_(diag_done) struct diag d = { 0 };

			config_write_header(&t, sections[j]);
			config_write_variable(&t, "name", values[i]);
			assert_int_equal(config_parse(&c, t.chars, t.length, "f", &d), 0);
			assert_int_equal(c.n, 1);
			assert_string_equal(c.items[0].section, sections[j]);
			assert_string_equal(c.items[0].value, values[i]);
		}
	}
}

static void a_keys_section_folds_up_to_its_dot(void **state)
{
	(void)state;
	_cleanup_(freep) char *plain = config_section("CORE.x", 4),
			      *sub = config_section("Sub.Name.x", 8);

	assert_string_equal(plain, "core");
	assert_string_equal(sub, "sub.Name");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(headers_quote_what_needs_it),
		cmocka_unit_test(values_quote_what_needs_it),
		cmocka_unit_test(everything_that_is_written_reads_back),
		cmocka_unit_test(a_keys_section_folds_up_to_its_dot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
