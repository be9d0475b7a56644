/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "made-types.h"

static const struct made_type int_type = MADE_SIMPLE(C_INTEGER, "int", 4, true);
static const struct made_type uint_type = MADE_SIMPLE(C_INTEGER, "unsigned int", 4, false);
static const struct made_type char_type = MADE_SIMPLE(C_CHARACTER, "char", 1, false);
static const struct made_type byte_type = MADE_SIMPLE(C_INTEGER, "byte", 1, false);
static const struct made_type bool_type = MADE_SIMPLE(C_BOOL, "bool", 1, false);
static const struct made_type big_type = MADE_SIMPLE(C_STRUCT, "big", 32, false);
static const struct made_type three_type = MADE_SIMPLE(C_STRUCT, "three", 3, false);
static const struct made_type five_type = MADE_SIMPLE(C_STRUCT, "five", 5, false);
static const struct made_type nothing_type = MADE_SIMPLE(C_STRUCT, "nothing", 0, false);
static const struct made_type pointer_type = MADE_OF(C_POINTER, 8, 0, &char_type);
static const struct made_type bare_pointer_type = MADE_OF(C_POINTER, 0, 0, &char_type);
static const struct made_type byte_pointer_type = MADE_OF(C_POINTER, 8, 0, &byte_type);
static const struct made_type bool_pointer_type = MADE_OF(C_POINTER, 8, 0, &bool_type);
static const struct made_type int_pointer_type = MADE_OF(C_POINTER, 8, 0, &int_type);
static const struct made_type void_pointer_type = MADE_OF(C_POINTER, 8, 0, NULL);
static const struct made_type typedef_type = MADE_OF(C_TYPEDEF, 0, 0, &pointer_type);
static const struct made_type chars_type = MADE_OF(C_ARRAY, 16, 16, &char_type);
static const struct made_type lines_type = MADE_OF(C_ARRAY, 32, 2, &chars_type);
static const struct made_type ints_type = MADE_OF(C_ARRAY, 16, 4, &int_type);

static struct fetch_value in_register(const struct made_type *t)
{
	return (struct fetch_value){ .name = "a",
				     .type = t ? &t->type : NULL,
				     .at = { .where = VARIABLE_REGISTER, .reg = 1 } };
}

static struct fetch_value in_memory(const struct made_type *t, int64_t step)
{
	return (struct fetch_value){
		.name = "a",
		.type = t ? &t->type : NULL,
		.at = { .where = VARIABLE_MEMORY, .reg = 31, .steps = { step }, .n_steps = 1 },
		.own_steps = 1
	};
}

/*
 * Checks that the value becomes @expected, "VALUE[:TYPE]", if @type is requested (NULL: none is).
 */
static void becomes(struct fetch_value v, const char *type, const char *expected)
{
	struct made_fetch f;
	char got[200];

	made_begin(&f, EM_AARCH64);
	f.arg.type = (char *)type;
	if (fetch_value_add(&f.fetch, &v, xstrdup("n")) != 0)
		fail_msg("%s: %s", expected, f.diag.message);
	assert_int_equal(f.probe.n_args, 1);
	assert_string_equal(f.probe.args[0].name, "n");
	snprintf(got, sizeof(got), "%s%s%s", f.probe.args[0].value, f.probe.args[0].type ? ":" : "",
		 f.probe.args[0].type ? f.probe.args[0].type : "");
	assert_string_equal(got, expected);
	assert_null(f.diag.message);
	made_end(&f);
}

static void is_refused(struct fetch_value v, const char *type, int error, const char *message,
		       const char *hint)
{
	struct made_fetch f;

	made_begin(&f, EM_AARCH64);
	f.arg.type = (char *)type;
	assert_int_equal(fetch_value_add(&f.fetch, &v, xstrdup("n")), error);
	assert_int_equal(f.probe.n_args, 0);
	made_says(&f, 2, 4, message, hint);
	made_end(&f);
}

static void each_machine_has_its_registers(void **state)
{
	struct fetch_value v = in_register(&int_type);
	struct made_fetch f;

	(void)state;
	becomes(v, NULL, "%x1:s32");
	made_begin(&f, EM_X86_64);
	assert_int_equal(fetch_value_add(&f.fetch, &v, NULL), 0);
	assert_null(f.probe.args[0].name);
	assert_string_equal(f.probe.args[0].value, "%dx");
	made_end(&f);
	v.at.reg = 64;
	is_refused(v, NULL, -ENODATA,
		   "'a' is in a register here that probes cannot read: DWARF's number 64",
		   "floating-point and vector registers are not saved for probes");
}

static void each_step_reads_what_the_one_before_it_found(void **state)
{
	struct fetch_value v = in_memory(&int_type, 16);

	(void)state;
	becomes(v, NULL, "+16(%sp):s32");
	v.at.steps[0] = 0;
	becomes(v, NULL, "+0(%sp):s32");
	v.at.steps[0] = -8;
	becomes(v, NULL, "-8(%sp):s32");
	v.at.steps[1] = 24;
	v.at.n_steps = 2;
	becomes(v, NULL, "+24(-8(%sp)):s32");
	v.at.steps[0] = INT64_MIN;
	becomes(v, NULL, "+24(-9223372036854775808(%sp)):s32");
}

/* The variable itself is in memory of the kernel. */
static void memory_of_user_space_begins_behind_the_variable(void **state)
{
	struct fetch_value v = in_memory(&int_type, 16);
	struct made_fetch f;

	(void)state;
	v.at.steps[1] = 8;
	v.at.steps[2] = -4;
	v.at.n_steps = 3;
	made_begin(&f, EM_AARCH64);
	f.arg.is_user = true;
	assert_int_equal(fetch_value_add(&f.fetch, &v, NULL), 0);
	assert_string_equal(f.probe.args[0].value, "-u4(+u8(+16(%sp)))");
	v.own_steps = 0;
	assert_int_equal(fetch_value_add(&f.fetch, &v, NULL), 0);
	assert_string_equal(f.probe.args[1].value, "-u4(+u8(+u16(%sp)))");
	made_end(&f);
}

static void constants_are_signed_numbers(void **state)
{
	struct fetch_value v = { .name = "a", .type = &int_type.type };

	(void)state;
	v.at.where = VARIABLE_CONSTANT;
	v.at.value = 7;
	becomes(v, NULL, "\\7:s32");
	v.at.value = (uint64_t)-3;
	becomes(v, NULL, "\\-3:s32");
}

static void types_are_those_of_the_variable(void **state)
{
	(void)state;
	becomes(in_register(&uint_type), NULL, "%x1:x32");
	becomes(in_register(&char_type), NULL, "%x1:x8");
	becomes(in_register(&typedef_type), NULL, "%x1:x64");
	becomes(in_register(&bare_pointer_type), NULL, "%x1");
	becomes(in_register(NULL), NULL, "%x1");
	becomes(in_memory(&chars_type, 0), NULL, "+0(%sp)");
	becomes(in_memory(&nothing_type, 0), NULL, "+0(%sp)");
	/* The kernel reads at most 8 bytes. */
	becomes(in_memory(&big_type, 0), NULL, "+0(%sp):x64");
}

static void types_that_are_asked_for_come_first(void **state)
{
	(void)state;
	becomes(in_register(&int_type), "x", "%x1:x32");
	becomes(in_register(&int_type), "u", "%x1:u32");
	becomes(in_register(&uint_type), "s", "%x1:s32");
	becomes(in_register(&int_type), "u8", "%x1:u8");
	becomes(in_register(&int_type), "x64", "%x1:x64");
	becomes(in_register(&int_type), "b3@0/32", "%x1:b3@0/32");
	becomes(in_register(NULL), "u16", "%x1:u16");
}

static void sizes_without_a_type_are_bit_fields(void **state)
{
	(void)state;
	becomes(in_memory(&three_type, 0), NULL, "+0(%sp):b24@0/32");
	becomes(in_memory(&five_type, 0), NULL, "+0(%sp):b40@0/64");
	becomes(in_register(&three_type), NULL, "%x1:b24@0/64");
}

static void a_part_of_a_register_is_a_bit_field(void **state)
{
	struct fetch_value v = in_register(&int_type);

	(void)state;
	v.in_register = 4;
	becomes(v, NULL, "%x1:b32@32/64");
	v.in_register = 2;
	becomes(v, "u", "%x1:b32@16/64");
	/* The value is only partly in the register. */
	v.in_register = 5;
	becomes(v, NULL, "%x1");
	v = in_register(&bare_pointer_type);
	v.in_register = 8;
	becomes(v, NULL, "%x1");
	v = in_register(&int_type);
	v.bit_size = 3;
	v.bit_offset = 5;
	v.bit_unit = 32;
	becomes(v, NULL, "%x1:b3@5/64");
	v.in_register = 1;
	becomes(v, NULL, "%x1:b3@13/64");
	v.type = &bare_pointer_type.type;
	becomes(v, NULL, "%x1:b3@13/64");
}

static void bit_fields_in_memory_keep_their_unit(void **state)
{
	struct fetch_value v = in_memory(&int_type, 4);

	(void)state;
	v.bit_size = 3;
	v.bit_offset = 5;
	v.bit_unit = 16;
	becomes(v, NULL, "+4(%sp):b3@5/16");
	becomes(v, "s", "+4(%sp):b3@5/16");
}

static void texts_are_what_a_pointer_points_to_or_an_array(void **state)
{
	(void)state;
	becomes(in_register(&pointer_type), "string", "+0(%x1):string");
	becomes(in_register(&typedef_type), "ustring", "+0(%x1):ustring");
	becomes(in_register(&byte_pointer_type), "string", "+0(%x1):string");
	becomes(in_memory(&pointer_type, 8), "string", "+0(+8(%sp)):string");
	becomes(in_memory(&chars_type, 8), "string", "+8(%sp):string");
	becomes(in_memory(&lines_type, 8), "string", "+8(%sp):string");
}

static void other_types_are_no_texts(void **state)
{
	(void)state;
	is_refused(in_register(&int_type), "string", -EINVAL,
		   "this is of the type 'int', which is not a pointer or an array: it cannot be a "
		   "string",
		   NULL);
	is_refused(in_register(NULL), "ustring", -EINVAL, "it cannot be a ustring", NULL);
	is_refused(in_register(&int_pointer_type), "string", -EINVAL,
		   "this is a int*, not a string", NULL);
	is_refused(in_register(&bool_pointer_type), "string", -EINVAL, "not a string", NULL);
	is_refused(in_register(&void_pointer_type), "ustring", -EINVAL, "not a ustring", NULL);
	is_refused(in_memory(&ints_type, 0), "string", -EINVAL, "not a string", NULL);
}

static void arrays_are_read_from_memory(void **state)
{
	(void)state;
	becomes(in_memory(&chars_type, 8), "u8[4]", "+8(%sp):u8[4]");
	becomes(in_memory(&pointer_type, 8), "u8[4]", "+8(%sp):u8[4]");
	becomes(in_register(&pointer_type), "u8[4]", "+0(%x1):u8[4]");
	is_refused(in_register(&int_type), "u8[4]", -EINVAL,
		   "'a' is in a register here, and arrays are read from memory", NULL);
	is_refused(in_register(NULL), "u8[4]", -EINVAL, "arrays are read from memory", NULL);
}

static void computed_values_are_refused(void **state)
{
	struct fetch_value v = in_memory(&int_type, 8);

	(void)state;
	v.at.where = VARIABLE_ADDRESS;
	v.at.reg = 1;
	is_refused(v, NULL, -ENODATA,
		   "'a' is computed here (%x1 +8), and probes record only registers and memory",
		   NULL);
	v.type = &typedef_type.type;
	is_refused(v, NULL, -ENODATA, "(%x1 +8)",
		   "what it points to can be had: a->MEMBER or a[0]");
	v.at.n_steps = 2;
	is_refused(v, NULL, -ENODATA,
		   "'a' is computed here, and probes record only registers and memory",
		   "what it points to can be had: a->MEMBER or a[0]");
	v.at.n_steps = 1;
	v.at.reg = 64;
	is_refused(v, NULL, -ENODATA, "'a' is computed here, and",
		   "what it points to can be had: a->MEMBER or a[0]");
	v.at.reg = 1;
	v.at.is_static = true;
	v.type = NULL;
	is_refused(v, NULL, -ENODATA, "'a' is computed here, and", NULL);
}

static void what_has_no_place_is_explained(void **state)
{
	static const struct {
		enum variable_where where;
		const char *message, *hint;
	} all[] = {
		{ VARIABLE_THREAD, "'a' is each thread's own, which probes cannot read", NULL },
		{ VARIABLE_UNFRAMED,
		  "'a' is in the stack frame, which the function has not made yet at this address",
		  "probe a line after the beginning of the function" },
		{ VARIABLE_NOWHERE, "'a' has no place at this address: it is optimised out here",
		  NULL },
		{ VARIABLE_OTHER, "'a' is computed here in a way that probes cannot follow", NULL },
	};

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct fetch_value v = { .name = "a", .type = &int_type.type };
		struct made_fetch f;

		v.at.where = all[i].where;
		is_refused(v, NULL, -ENODATA, all[i].message, all[i].hint);
		made_begin(&f, EM_AARCH64);
		assert_int_equal(fetch_value_refuse(&f.fetch, &v), -ENODATA);
		made_says(&f, 2, 4, all[i].message, all[i].hint);
		made_end(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_machine_has_its_registers),
		cmocka_unit_test(each_step_reads_what_the_one_before_it_found),
		cmocka_unit_test(memory_of_user_space_begins_behind_the_variable),
		cmocka_unit_test(constants_are_signed_numbers),
		cmocka_unit_test(types_are_those_of_the_variable),
		cmocka_unit_test(types_that_are_asked_for_come_first),
		cmocka_unit_test(sizes_without_a_type_are_bit_fields),
		cmocka_unit_test(a_part_of_a_register_is_a_bit_field),
		cmocka_unit_test(bit_fields_in_memory_keep_their_unit),
		cmocka_unit_test(texts_are_what_a_pointer_points_to_or_an_array),
		cmocka_unit_test(other_types_are_no_texts),
		cmocka_unit_test(arrays_are_read_from_memory),
		cmocka_unit_test(computed_values_are_refused),
		cmocka_unit_test(what_has_no_place_is_explained),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
