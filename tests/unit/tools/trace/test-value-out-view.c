/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tools/trace/value-out-view.h"

#include "trace-values.h"

static struct value_out out_to(struct text *t, const struct trace_value_style *style)
{
	return (struct value_out){ .text = t, .style = style };
}

static void write_nested(struct value_out *o)
{
	out_struct_begin(o);
	out_member(o, "a");
	out_array_begin(o);
	for (int i = 0; i < 2; i++) {
		out_element(o);
		out_struct_begin(o);
		out_member(o, "b");
		out_signed(o, -i);
		out_struct_end(o, false);
	}
	out_array_end(o, true);
	out_member(o, "c");
	out_pointer(o, 0);
	out_struct_end(o, true);
}

static void structs_and_arrays_nest(void **state)
{
	(void)state;
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	struct value_out o = out_to(&t, &named);

	write_nested(&o);
	assert_string_equal(t.chars, "{ .a: [{ .b: 0 }, { .b: -1 }, ...], .c: NULL, ... }");
	assert_true(o.is_cut);
	text_clear(&t);
	o = out_to(&t, &bare);
	write_nested(&o);
	assert_string_equal(t.chars, "{[{0}, {-1}, ...], NULL, ...}");
}

static void json_nests_as_well(void **state)
{
	(void)state;
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	struct json j;
	struct value_out o = { .json = &j, .style = &named };

	json_init_text(&j, &t);
	j.on_line = true;
	write_nested(&o);
	assert_string_equal(t.chars, "{\"a\": [{\"b\": 0}, {\"b\": -1}], \"c\": null}");
	assert_true(o.is_cut);
}

static void numbers_have_their_base(void **state)
{
	(void)state;
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	struct value_out o = out_to(&t, &named);

	out_unsigned(&o, UINT64_MAX);
	text_add(&t, " ");
	out_hex(&o, UINT64_MAX);
	text_add(&t, " ");
	out_octal(&o, 0644);
	text_add(&t, " ");
	out_octal(&o, 0);
	text_add(&t, " ");
	out_octal(&o, UINT64_MAX);
	assert_string_equal(t.chars, "18446744073709551615 0xffffffffffffffff 0644 0 "
				     "01777777777777777777777");
}

static void json_has_names_with_their_prefix(void **state)
{
	(void)state;
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	struct json j;
	struct value_out o = { .json = &j, .style = &named };
	char long_name[300];

	memset(long_name, 'x', sizeof(long_name) - 1);
	long_name[sizeof(long_name) - 1] = '\0';
	json_init_text(&j, &t);
	out_name(&o, "O_", "RDONLY");
	assert_string_equal(t.chars, "\"O_RDONLY\"");
	out_name(&o, "O_", long_name);
	assert_true(t.length < 200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(structs_and_arrays_nest),
		cmocka_unit_test(json_nests_as_well),
		cmocka_unit_test(numbers_have_their_base),
		cmocka_unit_test(json_has_names_with_their_prefix),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
