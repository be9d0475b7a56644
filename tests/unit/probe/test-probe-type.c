/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "probe-refusal.h"
#include "probe/probe-parser.h"

#define BITS_HINT "bWIDTH@OFFSET/SIZE, as in b3@4/32: 3 bits from bit 4 of 32"
#define TYPES_HINT                                                                                 \
	"types: u8 to u64, s8 to s64, x8 to x64 (or u, s, x alone), char, string, "                \
	"ustring, symbol, bWIDTH@OFFSET/SIZE; TYPE[COUNT]"

/* Checks @type; the text behind it must not matter. */
static int check(const char *type, char *text, size_t size, struct diag *diag)
{
	struct probe_parser p = { .text = text, .diag = diag };

	snprintf(text, size, "f a:%s]@/9", type);
	return probe_type_check(&p, text + 4, text + 4 + strlen(type));
}

static void is_type(const char *type)
{
	struct diag diag = { 0 };
	char text[100];

	if (check(type, text, sizeof(text), &diag) != 0)
		fail_msg("%s: %s", type, diag.message);
	assert_null(diag.message);
}

static void is_no_type(const char *type, size_t at, const char *mark, const char *message,
		       const char *hint)
{
	struct diag diag = { 0 };
	char text[100], whole[200];

	snprintf(whole, sizeof(whole), "Semantic error: %s", message);
	assert_int_equal(check(type, text, sizeof(text), &diag), -EINVAL);
	marks(&diag, text, 4 + at, mark, whole, hint);
	diag_done(&diag);
}

static void all_types_of_the_kernel_are_taken(void **state)
{
	static const char *const types[] = {
		"u8", "u16", "u32", "u64",     "s8",     "s16",    "s32",   "s64",
		"x8", "x16", "x32", "x64",     "char",   "string", "x",     "s",
		"u",  "%pd", "%pD", "ustring", "symbol", "symstr", "u8[1]",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		is_type(types[i]);
}

static void a_missing_type_is_pointed_at(void **state)
{
	(void)state;
	is_no_type("", 0, "", "the type is missing here", "as in :u32, :x64 or :string");
	is_no_type("[3]", 0, "", "the type is missing here", "as in :u32, :x64 or :string");
}

static void types_of_c_are_translated(void **state)
{
	static const char *const names[][2] = {
		{ "int", "s32" },      { "unsigned", "u32" }, { "long", "s64" },
		{ "short", "s16" },    { "size_t", "u64" },   { "bool", "u8" },
		{ "str", "string" },   { "hex", "x" },        { "ptr", "x64" },
		{ "pointer", "x64" },  { "int8_t", "s8" },    { "int16_t", "s16" },
		{ "int32_t", "s32" },  { "int64_t", "s64" },  { "uint8_t", "u8" },
		{ "uint16_t", "u16" }, { "uint32_t", "u32" }, { "uint64_t", "u64" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char message[60], hint[60];

		snprintf(message, sizeof(message), "there is no type '%s'", names[i][0]);
		snprintf(hint, sizeof(hint), "write '%s'", names[i][1]);
		is_no_type(names[i][0], 0, names[i][0], message, hint);
	}
}

static void similar_types_are_named(void **state)
{
	(void)state;
	is_no_type("strng", 0, "strng", "there is no type 'strng'",
		   "did you mean 'string' or 'ustring'?");
	is_no_type("sybmol[3]", 0, "sybmol", "there is no type 'sybmol'", "did you mean 'symbol'?");
	is_no_type("zzzzzz", 0, "zzzzzz", "there is no type 'zzzzzz'", TYPES_HINT);
	is_no_type("u323", 0, "u323", "there is no type 'u323'", "did you mean 'u32'?");
	is_no_type("u9", 0, "u9", "there is no type 'u9'", "did you mean 'u8' or 'u'?");
	/* Too many types are similar to a single letter. */
	is_no_type("y", 0, "y", "there is no type 'y'", TYPES_HINT);
	is_no_type("b", 0, "b", "there is no type 'b'", TYPES_HINT);
}

static void only_user_follows_a_type(void **state)
{
	(void)state;
	is_no_type("u8@kernel", 2, "@kernel", "only @user may follow a type", NULL);
	is_no_type("@u8", 0, "@u8", "only @user may follow a type", NULL);
}

static void bit_fields_are_inside_of_their_unit(void **state)
{
	(void)state;
	is_type("b1@0/8");
	is_type("b8@0/8");
	is_type("b1@7/8");
	is_type("b16@0/16");
	is_type("b3@4/32");
	is_type("b32@0/32");
	is_type("b1@63/64");
	is_type("b0x3@0x4/0x20");
	is_type("b3@4/32[2]");
	is_no_type("b0@0/8", 0, "b0@0/8", "0 bits from bit 0 are not all in 8 bits", NULL);
	is_no_type("b9@0/8", 0, "b9@0/8", "9 bits from bit 0 are not all in 8 bits", NULL);
	is_no_type("b8@1/8", 0, "b8@1/8", "8 bits from bit 1 are not all in 8 bits", NULL);
	is_no_type("b1@8/8", 0, "b1@8/8", "1 bits from bit 8 are not all in 8 bits", NULL);
	is_no_type("b1@18446744073709551615/64", 0, "b1@18446744073709551615/64",
		   "1 bits from bit 18446744073709551615 are not all in 64 bits", NULL);
	is_no_type("b1@0/7", 0, "b1@0/7", "a bit field is in 8, 16, 32 or 64 bits, not in 7", NULL);
	is_no_type("b1@0/65", 0, "b1@0/65", "a bit field is in 8, 16, 32 or 64 bits, not in 65",
		   NULL);
}

static void malformed_bit_fields_are_refused(void **state)
{
	static const char *const types[] = { "b1",   "b1@",   "b1@0",   "b1@0/",   "b@0/8",
					     "b1/8", "b1@/8", "b1@x/8", "b1@0/8x", "b1x@0/8" };

	(void)state;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		is_no_type(types[i], 0, types[i], "this is not a bit field", BITS_HINT);
	is_no_type("b1@0[3]", 0, "b1@0", "this is not a bit field", BITS_HINT);
	/* Without a digit behind it, the 'b' begins a name. */
	is_no_type("bx@0/8", 2, "@0/8", "only @user may follow a type", NULL);
	is_no_type("bytes", 0, "bytes", "there is no type 'bytes'", TYPES_HINT);
}

static void arrays_have_1_to_64_items(void **state)
{
	(void)state;
	is_type("u8[1]");
	is_type("u8[64]");
	is_type("string[0x10]");
	is_no_type("u8[0]", 2, "[0]", "the kernel's arrays have 1 to 64 items", NULL);
	is_no_type("u8[65]", 2, "[65]", "the kernel's arrays have 1 to 64 items", NULL);
	is_no_type("u8[]", 2, "[]", "the kernel's arrays have 1 to 64 items", NULL);
	is_no_type("u8[x]", 2, "[x]", "the kernel's arrays have 1 to 64 items", NULL);
	is_no_type("u8[-1]", 2, "[-1]", "the kernel's arrays have 1 to 64 items", NULL);
	is_no_type("u8[18446744073709551617]", 2, "[18446744073709551617]",
		   "the kernel's arrays have 1 to 64 items", NULL);
	is_no_type("u8[4", 2, "[4", "this [ is never closed", NULL);
	is_no_type("u8[4]x", 5, "x", "nothing follows the count of an array", NULL);
	is_no_type("u8[4][4]", 5, "[4]", "nothing follows the count of an array", NULL);
	/* The type is checked first. */
	is_no_type("b9@0/8[4", 0, "b9@0/8", "9 bits from bit 0 are not all in 8 bits", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_types_of_the_kernel_are_taken),
		cmocka_unit_test(a_missing_type_is_pointed_at),
		cmocka_unit_test(types_of_c_are_translated),
		cmocka_unit_test(similar_types_are_named),
		cmocka_unit_test(only_user_follows_a_type),
		cmocka_unit_test(bit_fields_are_inside_of_their_unit),
		cmocka_unit_test(malformed_bit_fields_are_refused),
		cmocka_unit_test(arrays_have_1_to_64_items),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
