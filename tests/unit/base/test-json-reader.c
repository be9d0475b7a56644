/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/json-reader.h"
#include "base/text.h"

static void values_come_one_by_one(void **state)
{
	static const char json[] = " {\"a\": [1, -2.5e1], \"b\\u00e9\": \"x\\n\\ud83d\\ude00\","
				   "\"c\": {}, \"d\":[ ], \"e\": true, \"f\":null}\n";
	_cleanup_(text_done) struct text key = TEXT_EMPTY, s = TEXT_EMPTY;
	_cleanup_(diag_done) struct diag d = { 0 };
	struct json_reader r;
	double x = 0;
	bool yes = false;

	(void)state;
	json_reader_init(&r, json, sizeof(json) - 1);
	assert_true(json_reader_enter(&r, '{'));
	assert_true(json_reader_member(&r, &key));
	assert_string_equal(key.chars, "a");
	assert_true(json_reader_enter(&r, '['));
	assert_true(json_reader_item(&r));
	json_reader_number(&r, &x);
	assert_true(x == 1);
	assert_true(json_reader_item(&r));
	json_reader_number(&r, &x);
	assert_true(x == -25);
	assert_false(json_reader_item(&r));
	assert_true(json_reader_member(&r, &key));
	assert_string_equal(key.chars, "b\xc3\xa9");
	json_reader_string(&r, &s);
	assert_string_equal(s.chars, "x\n\xf0\x9f\x98\x80");
	for (int i = 0; i < 2; i++) {
		assert_true(json_reader_member(&r, &key));
		json_reader_skip(&r);
	}
	assert_true(json_reader_member(&r, &key));
	json_reader_bool(&r, &yes);
	assert_true(yes);
	assert_true(json_reader_member(&r, &key));
	assert_int_equal(json_reader_peek(&r), JSON_READER_NULL);
	json_reader_skip(&r);
	assert_false(json_reader_member(&r, &key));
	assert_int_equal(json_reader_finish(&r, "it", &d), 0);
}

static const char *mistake_in(const char *json)
{
	static char message[200];
	struct diag d = { 0 };
	struct json_reader r;

	json_reader_init(&r, json, strlen(json));
	json_reader_skip(&r);
	if (json_reader_finish(&r, "it", &d) == 0)
		return NULL;
	strncpy(message, d.message, sizeof(message) - 1);
	diag_done(&d);
	return message;
}

static void what_is_malformed_is_refused(void **state)
{
	static const char *const wrong[] = {
		"",          "{",           "[1",
		"[1 2]",     "[1,]",        "{\"a\" 1}",
		"{a:1}",     "\"x",         "\"\\q\"",
		"\"\\u12\"", "\"\\u0000\"", "\"\\ud800\"",
		"\"\n\"",    "nul",         "tru",
		"1e999",     "--1",         "1.2.3",
		"[]x",       "{\"a\":}",    "{\"a\":1,}",
		"}",         "[}",          "\"\\",
		"nan",       "-",           "\"\\ud800\\u0041\"",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		if (!mistake_in(wrong[i]))
			fail_msg("'%s' was taken", wrong[i]);
	assert_string_equal(mistake_in("[1 2]"),
			    "it is not what it should be: a comma is missing (at byte 3)");
	assert_null(mistake_in("[1, {\"a\": [null, false, \"\\/\"]}]"));
}

static void nesting_has_an_end(void **state)
{
	char deep[300];

	(void)state;
	memset(deep, '[', 200);
	deep[200] = '\0';
	assert_non_null(strstr(mistake_in(deep), "too deeply"));
	memset(deep, '[', 64);
	memset(deep + 64, ']', 64);
	deep[128] = '\0';
	assert_null(mistake_in(deep));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_come_one_by_one),
		cmocka_unit_test(what_is_malformed_is_refused),
		cmocka_unit_test(nesting_has_an_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
