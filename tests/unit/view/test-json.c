/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "printed.h"
#include "view/json.h"

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

static void numbers_have_the_form_that_was_asked_for(void **state)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	struct json j;

	(void)state;
	json_init_text(&j, &t);
	j.on_line = true;
	json_array(&j);
	json_signed(&j, -1);
	json_address(&j, 0x1f);
	json_fixed(&j, 2, 3);
	json_fixed(&j, 1.0 / 0.0, 3);
	json_end(&j, ']');
	assert_string_equal(t.chars, "[-1, \"0x1f\", 2.000, null]");
}

static void documents_may_follow_each_other_with_another_colon(void **state)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	struct json j;

	(void)state;
	json_init_text(&j, &t);
	j.on_line = true;
	j.colon = " : ";
	for (int i = 0; i < 2; i++) {
		json_object(&j);
		json_member_bool(&j, "a", i);
		json_member_signed(&j, "b", -i);
		json_end(&j, '}');
		json_end_line(&j);
	}
	assert_string_equal(t.chars, "{\"a\" : false, \"b\" : 0}\n{\"a\" : true, \"b\" : -1}\n");
}

static void programs_need_no_blanks(void **state)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	struct json j;

	(void)state;
	json_init_text(&j, &t);
	j.on_line = true;
	j.is_tight = true;
	j.colon = ":";
	json_object(&j);
	json_member_unsigned(&j, "a", 1);
	json_member_unsigned(&j, "b", 2);
	json_end(&j, '}');
	assert_string_equal(t.chars, "{\"a\":1,\"b\":2}");
}

static void what_is_empty_may_take_two_lines(void **state)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	struct json j;

	(void)state;
	json_init_text(&j, &t);
	j.spreads_empty = true;
	json_object(&j);
	json_key(&j, "a");
	json_array(&j);
	json_end(&j, ']');
	json_end(&j, '}');
	assert_string_equal(t.chars, "{\n\t\"a\": [\n\t]\n}");
}

static void a_value_can_be_written_before_its_document(void **state)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY, value = TEXT_EMPTY;
	struct json j;

	(void)state;
	json_init_value(&j, &value, 2);
	json_object(&j);
	json_member_address(&j, "ip", 1);
	json_end(&j, '}');
	json_init_text(&j, &t);
	j.depth = 2;
	j.filled = true;
	json_written(&j, value.chars, value.length);
	assert_string_equal(t.chars, ",\n\t\t{\n\t\t\t\"ip\": \"0x1\"\n\t\t}");
}

static void a_large_document_reaches_the_stream_whole(void **state)
{
	struct printed p;
	struct json j;

	(void)state;
	printed_open(&p);
	json_init(&j, p.out);
	j.on_line = true;
	json_array(&j);
	for (size_t i = 0; i < 100000; i++)
		json_unsigned(&j, 1);
	json_end(&j, ']');
	json_done(&j);
	fflush(p.out);
	assert_int_equal(p.size, 3 * 100000 + 1);
	fclose(p.out);
	free(p.text);
}

static void values_are_written_as_their_type_has_it(void **state)
{
	const struct value list[] = { value_percent(12.5), VALUE_UNKNOWN };
	const struct value values[] = {
		VALUE_UNKNOWN,
		value_text("a\"b"),
		value_unsigned(1),
		value_signed(-1),
		value_number(VALUE_ADDRESS, 0x1f),
		value_number(VALUE_BYTES, 4096),
		value_number(VALUE_TIME, 1500000000),
		value_flag(true),
		{ .type = VALUE_LIST, .list = { list, 2 } },
	};
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	struct json j;

	(void)state;
	json_init_text(&j, &t);
	j.on_line = true;
	json_array(&j);
	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		json_value(&j, &values[i]);
	json_end(&j, ']');
	assert_string_equal(t.chars, "[null, \"a\\\"b\", 1, -1, \"0x1f\", 4096, 1500000000, true, "
				     "[12.5, null]]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_array_is_two_brackets),
		cmocka_unit_test(members_are_separated_and_indented),
		cmocka_unit_test(strings_are_escaped),
		cmocka_unit_test(fractions_read_back_and_what_is_no_number_is_null),
		cmocka_unit_test(a_line_can_hold_all_and_nesting_has_no_end),
		cmocka_unit_test(numbers_have_the_form_that_was_asked_for),
		cmocka_unit_test(documents_may_follow_each_other_with_another_colon),
		cmocka_unit_test(programs_need_no_blanks),
		cmocka_unit_test(what_is_empty_may_take_two_lines),
		cmocka_unit_test(a_value_can_be_written_before_its_document),
		cmocka_unit_test(a_large_document_reaches_the_stream_whole),
		cmocka_unit_test(values_are_written_as_their_type_has_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
