/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "plan-text.h"

static void flags_are_named_and_the_rest_is_hexadecimal(void **state)
{
	(void)state;
	assert_text("`%s|%s|%s|%s`, __print_flags(0, `,`, { 1, `A` }, { 2, `B` }, { 4, `C` }), "
		    "__print_flags(3, `,`, { 1, `A` }, { 2, `B` }, { 4, `C` }), __print_flags(8, "
		    "`,`, { 1, `A` }, { 2, `B` }, { 4, `C` }), __print_flags(9, `,`, { 1, `A` }, { "
		    "2, `B` }, { 4, `C` })",
		    "|A,B|0x8|A,0x8");
	assert_text("`%s %s %s`, __print_flags(REC->i, `|`, { 1, `A` }, { 2, `B` }, { 4, `C` }), "
		    "__print_flags(REC->b, `|`, { 1, `A` }, { 2, `B` }, { 4, `C` }), "
		    "__print_flags(REC->l, `|`, { 1, `A` }, { 2, `B` }, { 4, `C` })",
		    "A|B|0xfffffff8 0xc8 A|0xfffffffffffffff8");
	assert_text("`%s %s`, __print_flags(7, `|`, {3,`AB`},{1,`A`}), __print_flags(2, `|`, "
		    "{0,`NONE`},{2,`B`})",
		    "AB|0x4 B");
}

static void flags_may_be_joined_by_anything(void **state)
{
	(void)state;
	assert_text("`%s %s %s`, __print_flags(3, ``, {1,`A`},{2,`B`}), __print_flags(3, ` | `, "
		    "{1,`A`},{2,`B`}), __print_flags(3, NULL, {1,`A`},{2,`B`})",
		    "AB A | B AB");
	assert_text("`%s`, __print_flags(7, `|`,)", "0x7");
}

static void values_are_named_or_hexadecimal(void **state)
{
	(void)state;
	assert_text("`%s %s %s %s`, __print_symbolic(1, { 1, `A` }, { 2, `B` }, { 4, `C` }), "
		    "__print_symbolic(3, { 1, `A` }, { 2, `B` }, { 4, `C` }), "
		    "__print_symbolic(REC->i, { 1, `A` }, { 2, `B` }, { 4, `C` }), "
		    "__print_symbolic(REC->h, { 1, `A` }, { 2, `B` }, { 4, `C` })",
		    "A 0x3 0xfffffffb 0xfffd");
	assert_text("`%s %s %s`, __print_symbolic(REC->i, {-5, `five`}), __print_symbolic(REC->l, "
		    "{-7, `seven`}), __print_symbolic(REC->h, {-3, `three`})",
		    "five seven three");
	assert_text("`%s %s`, __print_symbolic(REC->b, {200, `first`},{200,`second`}), "
		    "__print_symbolic_u64(REC->b, {100+100, `sum`})",
		    "first sum");
	assert_text("`%s|%8s|%-8s|%.1s|%5s|`, __print_symbolic(1, {1,`abc`}), __print_symbolic(1, "
		    "{1,`abc`}), __print_symbolic(1, {1,`abc`}), __print_symbolic(1, {1,`abc`}), "
		    "__print_symbolic(2, {1,`abc`})",
		    "abc|     abc|abc     |a|  0x2|");
}

static void entries_without_a_known_value_or_a_name_are_left_out(void **state)
{
	(void)state;
	assert_text("`%s %s`, __print_symbolic(0, {UNRESOLVED, `x`}, {0, `zero`}), "
		    "__print_flags(1, `|`, {(1 << UNRESOLVED), `x`})",
		    "zero 0x1");
	assert_text("`%s`, __print_symbolic(REC->i, {1, `one`}, {-5, ((void *)0)})", "0xfffffffb");
	assert_text(
		"`%s %s %s`, __print_symbolic(REC->b, { }), __print_symbolic(1, {1, `one`}, { }), "
		"__print_flags(3, `|`, { })",
		"0xc8 one 0x3");
}

static void bytes_are_printed_in_hexadecimal(void **state)
{
	(void)state;
	assert_text("`%s %s`, __print_hex(REC->ip6, 4), __print_hex_str(REC->ip6, 4)",
		    "20 01 0d b8 20010db8");
	assert_text("`%s|%s|`, __print_hex(REC->mac, 100), __print_hex(REC->mac, 0)",
		    "52 54 00 ab cd ef||");
	assert_text("`%s`, __print_hex(__get_dynamic_array(words), __get_dynamic_array_len(words))",
		    "01 00 00 00 02 00 00 00 ff ff ff ff");
}

static void arrays_are_printed_as_numbers(void **state)
{
	(void)state;
	assert_text(
		"`%s|%s|%s|%s`, __print_array(REC->mac, 4, 1), __print_array(REC->shorts, 4, 2), "
		"__print_array(__get_dynamic_array(words), 3, 4), __print_array(REC->ip6, 1, 8)",
		"82 84 0 171|1 2 3 65535|1 2 4294967295|3087860000");
	assert_text("`%s|%s|`, __print_array(__get_dynamic_array(words), "
		    "__get_dynamic_array_len(words) / sizeof(u32), sizeof(u32)), "
		    "__print_array(REC->shorts, 300, 2)",
		    "1 2 4294967295|1 2 3 65535|");
	assert_text("`%s %s`, __print_array(REC->shorts, 2, 3), __print_array(REC->shorts, 2, 0)",
		    "BAD SIZE:3 BAD SIZE:0");
	assert_text("`%s|%s`, __print_array(__get_rel_dynamic_array(rel), 3, 2), "
		    "__print_dynamic_array(words, 4)",
		    "10 20 65535|1 2 4294967295");
	assert_text("`%d %d`, __get_dynamic_array_len(words), __get_rel_dynamic_array_len(rel)",
		    "12 6");
}

static void times_and_hints_are_resolved(void **state)
{
	(void)state;
	assert_text(
		"`%llu %llu %d %d`, __print_ns_to_secs(3000000005), "
		"__print_ns_without_secs(3000000005), __builtin_expect(REC->b, 1), likely(REC->b)",
		"3 5 200 200");
	assert_text("`%s %s`, mc_event_error_type(REC->yes), mc_event_error_type(3)",
		    "Uncorrected Fatal");
}

/*
 * The format that kernel/trace/trace_probe.c makes for `strs=+0(...):string[2] s=+0(...):string`.
 */
static const char probe_format[] =
	"name: test\nID: 7\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:unsigned long __probe_ip;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:__data_loc char[][2] strs;\toffset:16;\tsize:8;\tsigned:1;\n"
	"\tfield:__data_loc char[] s;\toffset:24;\tsize:4;\tsigned:1;\n\n"
	"print fmt: \"(%lx) strs={\\\"%s\\\",\\\"%s\\\"} s=\\\"%s\\\"\", REC->__probe_ip, "
	"__get_str(strs[0]), __get_str(strs[1]), __get_str(s)\n";

static void strings_of_a_probe_may_be_arrays_or_not_to_be_read(void **state)
{
	static const uint8_t record[] = {
		7,   0,   0,   0, 1,   0,   0,   0, 0, 0x10, 0, 0, 0, 0, 0,
		0,   28,  0,   4, 0,   32,  0,   4, 0, 28,   0, 0, 0, /* strs, s without bytes */
		'o', 'n', 'e', 0, 't', 'w', 'o', 0,
	};
	const struct tracepoint_machine m = { .hz = 250 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *f = NULL;
	_cleanup_(tracepoint_plan_freep) struct tracepoint_plan *p = NULL;
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	(void)state;
	assert_int_equal(tracepoint_format_parse(probe_format, &f, &diag), 0);
	p = tracepoint_plan_new(f, 8);
	assert_null(tracepoint_plan_problem(p));
	tracepoint_plan_print(p, &m, record, sizeof(record), &out);
	assert_string_equal(out.chars, "(1000) strs={\"one\",\"two\"} s=\"(fault)\"");
}

static void malformed_calls_are_refused(void **state)
{
	(void)state;
	assert_refused("`%s`, __get_str(name[1])", "no such element");
	assert_refused("`%s`, __get_str(name[REC->i])", "no such element");
	assert_refused("`%s`, __get_str(name[0)", "] should");
	assert_refused("`%s`, __print_flags(7)", ", should");
	assert_refused("`%s`, __print_flags(7, 3, {1,`A`})", "delimiter");
	assert_refused("`%s`, __print_flags(`a`, `|`, {1,`A`})", "number");
	assert_refused("`%s`, __print_symbolic(7, {REC->i,`A`})", "constant");
	assert_refused("`%s`, __print_symbolic(7, {1, 2})", "no name");
	assert_refused("`%s`, __print_symbolic(7, 1)", "{ should");
	assert_refused("`%s`, __print_symbolic(7, {)", ") stands where a value");
	assert_refused("`%s`, __print_symbolic(7, {1, `A`)", "} should");
	assert_refused("`%s`, __get_str(nope)", "no field nope");
	assert_refused("`%s`, __get_str(3)", "field's name");
	assert_refused("`%s`, __print_hex(3, 4)", "not in the record");
	assert_refused("`%s`, __print_array(REC->mac, 4)", ", should");
	assert_refused("`%s`, __print_hex(REC->mac, 4", "ends where )");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flags_are_named_and_the_rest_is_hexadecimal),
		cmocka_unit_test(flags_may_be_joined_by_anything),
		cmocka_unit_test(values_are_named_or_hexadecimal),
		cmocka_unit_test(entries_without_a_known_value_or_a_name_are_left_out),
		cmocka_unit_test(bytes_are_printed_in_hexadecimal),
		cmocka_unit_test(arrays_are_printed_as_numbers),
		cmocka_unit_test(times_and_hints_are_resolved),
		cmocka_unit_test(strings_of_a_probe_may_be_arrays_or_not_to_be_read),
		cmocka_unit_test(malformed_calls_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
