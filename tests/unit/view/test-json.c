/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "view/json.h"
#include "view/printed.h"

static void an_empty_array_is_two_brackets(void **state)
{
	struct printed p;
	struct json j;

	(void)state;
	printed_open(&p);
	json_init(&j, p.out);
	json_array(&j);
	json_end(&j, ']');
	json_done(&j);
	assert_printed(&p, "[]\n");
}

static void members_are_separated_and_indented(void **state)
{
	struct printed p;
	struct json j;

	(void)state;
	printed_open(&p);
	json_init(&j, p.out);
	json_array(&j);
	json_object(&j);
	json_member(&j, "a", "x");
	json_member(&j, "left out", NULL);
	json_key(&j, "n");
	json_unsigned(&j, UINT64_MAX);
	json_key(&j, "list");
	json_array(&j);
	json_bool(&j, true);
	json_bool(&j, false);
	json_end(&j, ']');
	json_end(&j, '}');
	json_object(&j);
	json_end(&j, '}');
	json_end(&j, ']');
	json_done(&j);
	assert_printed(&p, "[\n\t{\n\t\t\"a\": \"x\",\n\t\t\"n\": 18446744073709551615,\n"
			   "\t\t\"list\": [\n\t\t\ttrue,\n\t\t\tfalse\n\t\t]\n\t},\n\t{}\n]\n");
}

static void strings_are_escaped(void **state)
{
	struct printed p;
	struct json j;

	(void)state;
	printed_open(&p);
	json_init(&j, p.out);
	json_string(&j, "\"\\\n\x1b");
	json_done(&j);
	assert_printed(&p, "\"\\\"\\\\\\n\\u001b\"\n");
}

static void fractions_read_back_and_what_is_no_number_is_null(void **state)
{
	struct printed p;
	struct json j;

	(void)state;
	printed_open(&p);
	json_init(&j, p.out);
	json_array(&j);
	json_double(&j, 0.1);
	json_double(&j, -2);
	json_double(&j, 0.0 / 0.0);
	json_null(&j);
	json_end(&j, ']');
	json_done(&j);
	assert_printed(&p, "[\n\t0.1,\n\t-2,\n\tnull,\n\tnull\n]\n");
}

static void a_line_can_hold_all_and_nesting_has_no_end(void **state)
{
	struct printed p;
	struct json j;

	(void)state;
	printed_open(&p);
	json_init(&j, p.out);
	json_array(&j);
	json_unsigned(&j, 1);
	j.on_line = true;
	for (size_t i = 0; i < 1000; i++)
		json_array(&j);
	json_unsigned(&j, 2);
	json_unsigned(&j, 3);
	for (size_t i = 0; i < 1000; i++)
		json_end(&j, ']');
	j.on_line = false;
	json_end(&j, ']');
	json_done(&j);
	fflush(p.out);
	assert_int_equal(p.size, strlen("[\n\t1, 2, 3\n]\n") + 2000);
	assert_memory_equal(p.text, "[\n\t1, [[", strlen("[\n\t1, [["));
	fclose(p.out);
	free(p.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_array_is_two_brackets),
		cmocka_unit_test(members_are_separated_and_indented),
		cmocka_unit_test(strings_are_escaped),
		cmocka_unit_test(fractions_read_back_and_what_is_no_number_is_null),
		cmocka_unit_test(a_line_can_hold_all_and_nesting_has_no_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
