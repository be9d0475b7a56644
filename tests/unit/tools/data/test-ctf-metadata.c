/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "session/session.h"
#include "tools/data/ctf-metadata.h"
#include "tracepoint/format.h"

#define FIELD(d, n, t, o, s, ...)                                                                  \
	{                                                                                          \
		.declaration = (char *)(d), .name = (char *)(n), .type = (char *)(t), .offset = o, \
		.size = s, __VA_ARGS__                                                             \
	}

/* Writes the text of an event whose @n fields are @f. */
static void print_field(struct text *out, struct tracepoint_field *f, size_t n)
{
	const struct tracepoint_format format = { .fields = f, .n_fields = n };
	const struct session_event e = { .name = "sys:event", .format = &format };

	text_clear(out);
	ctf_add_event(out, 3, &e);
}

static void numbers_have_32_or_64_bits(void **state)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	struct tracepoint_field fields[] = {
		FIELD("u8 a", "a", "u8", 0, 1, .is_signed = false),
		FIELD("short b", "b", "short", 2, 2, .is_signed = true),
		FIELD("u64 c", "c", "u64", 8, 8, .is_signed = false),
		FIELD("void * p", "p", "void *", 16, 8, .is_pointer = true),
		FIELD("unsigned long w", "w", "unsigned long", 24, 8, .is_signed = false),
	};

	(void)state;
	print_field(&out, fields, 5);
	assert_non_null(strstr(out.chars, "\tid = 3;\n\tname = \"sys:event\";"));
	assert_non_null(
		strstr(out.chars, "u32 a;\n\t\ti32 b;\n\t\tu64 c;\n\t\tx64 p;\n\t\tx64 w;\n"));
}

static void arrays_have_their_length(void **state)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	struct tracepoint_field fields[] = {
		FIELD("long args[6]", "args", "long[6]", 0, 48, .is_array = true,
		      .is_signed = true),
		FIELD("char comm[16]", "comm", "char[16]", 48, 16, .is_array = true,
		      .is_string = true),
		FIELD("u8 odd[3]", "odd", "u8[3]", 64, 3, .is_array = true),
		FIELD("__data_loc char[] name", "name", "__data_loc char[]", 68, 4,
		      .is_array = true, .is_string = true, .is_dynamic = true),
		FIELD("__data_loc u8[] data", "data", "__data_loc u8[]", 72, 4, .is_array = true,
		      .is_dynamic = true),
	};

	(void)state;
	print_field(&out, fields, 5);
	assert_non_null(strstr(out.chars,
			       "i64 args[6];\n\t\tstring comm;\n\t\tu32 odd[3];\n"
			       "\t\tstring name;\n\t\tu32 data_size; u8 data[data_size];"));
}

static void a_length_that_does_not_fit_makes_bytes(void **state)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	struct tracepoint_field fields[] = {
		FIELD("long a[7]", "a", "long[7]", 0, 48, .is_array = true),
		FIELD("long b[99999999999]", "b", "long[99999999999]", 0, 6, .is_array = true),
		FIELD("struct x c[2]", "c", "struct x[2]", 0, 24, .is_array = true),
	};

	(void)state;
	print_field(&out, fields, 3);
	assert_non_null(strstr(out.chars, "a[48];"));
	assert_non_null(strstr(out.chars, "b[6];"));
	assert_non_null(strstr(out.chars, "c[24];"));
}

static void arrays_that_no_record_has_cost_nothing(void **state)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	struct tracepoint_field fields[] = {
		FIELD("u8 a[1000]", "a", "u8[1000]", 0, 1000, .is_array = true),
		FIELD("u8 b[4000000000]", "b", "u8[4000000000]", 0, 4000000000, .is_array = true),
		FIELD("u8 c[24]", "c", "u8[24]", 0, 24, .is_array = true),
	};

	(void)state;
	print_field(&out, fields, 3);
	assert_non_null(
		strstr(out.chars, "u32 a[1000];\n\t\tu32 b_size; u8 b[b_size];\n\t\tu32 c[24];\n"));
}

static void hostile_names_become_identifiers(void **state)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	struct tracepoint_field fields[] = {
		FIELD("int x", "event", "int", 0, 4, .is_signed = true),
		FIELD("int x", "a;} //", "int", 4, 4, .is_signed = true),
		FIELD("int x", "9", "int", 8, 4, .is_signed = true),
		FIELD("int x", "perf_ip", "int", 12, 4, .is_signed = true),
		FIELD("int x", "twice", "int", 16, 4, .is_signed = true),
		FIELD("int x", "twice", "int", 20, 4, .is_signed = true),
		FIELD("int x", "a;}-//", "int", 24, 4, .is_signed = true),
		FIELD("int x", "", "int", 24, 4, .is_signed = true),
	};

	(void)state;
	print_field(&out, fields, 8);
	assert_non_null(strstr(out.chars, "i32 _event;\n\t\ti32 a_____;\n\t\ti32 _9;\n"
					  "\t\ti32 _perf_ip;\n\t\ti32 twice;\n\t\ti32 twice_5;\n"
					  "\t\ti32 a______6;\n\t\ti32 _;"));
}

static void hostile_events_and_facts_stay_in_their_quotes(void **state)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	const struct session_event e = { .name = "a\"; }\\\n\xff" };

	(void)state;
	ctf_add_event(&out, 0, &e);
	assert_non_null(strstr(out.chars, "name = \"a\\042; }\\134\\012\\377\";\n"));
}

static void samples_have_what_their_type_says(void **state)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	const struct session_event e = {
		.name = "x", .attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_WEIGHT_STRUCT
	};

	(void)state;
	ctf_add_event(&out, 0, &e);
	assert_null(strstr(out.chars, "perf_ip"));
	assert_non_null(strstr(out.chars, "i32 perf_tid; i32 perf_pid;\n\t\tu64 perf_weight;\n"));
	assert_true(ctf_sample_has(&e, CTF_SAMPLE_WEIGHT));
	assert_false(ctf_sample_has(&e, CTF_SAMPLE_IP));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_have_32_or_64_bits),
		cmocka_unit_test(arrays_have_their_length),
		cmocka_unit_test(a_length_that_does_not_fit_makes_bytes),
		cmocka_unit_test(arrays_that_no_record_has_cost_nothing),
		cmocka_unit_test(hostile_names_become_identifiers),
		cmocka_unit_test(hostile_events_and_facts_stay_in_their_quotes),
		cmocka_unit_test(samples_have_what_their_type_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
