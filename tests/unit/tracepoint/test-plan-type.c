/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "tracepoint/plan-type.h"

static void declared_types_have_elements(void **state)
{
	static const struct {
		const char *type;
		unsigned bytes;
		bool is_signed;
	} cases[] = {
		{ "int", 4, true },
		{ "unsigned", 4, false },
		{ "long unsigned int", 8, false },
		{ "long long", 8, true },
		{ "unsigned short[4]", 2, false },
		{ "const u8[16]", 1, false },
		{ "__data_loc u32[]", 4, false },
		{ "__rel_loc __s64[]", 8, true },
		{ "__data_loc char[]", 1, false },
		{ "signed char", 1, true },
		{ "const char *", 8, false },
		{ "size_t", 8, false },
		{ "pid_t", 4, true },
		{ "bool", 1, false },
		{ "struct page", 0, false },
		{ "enum zone_type", 0, false },
		{ "no_such_t", 0, false },
		{ "void", 0, false },
		{ "", 0, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct integer_type t = type_of_declaration(cases[i].type, 8);

		assert_int_equal(t.bytes, cases[i].bytes);
		assert_int_equal(t.is_signed, cases[i].is_signed);
	}
}

static void a_long_is_what_the_machine_says(void **state)
{
	(void)state;
	assert_int_equal(type_of_declaration("unsigned long", 4).bytes, 4);
	assert_int_equal(type_of_declaration("size_t", 4).bytes, 4);
	assert_int_equal(type_of_declaration("void *", 4).bytes, 4);
	assert_int_equal(type_of_declaration("long long", 4).bytes, 8);
	assert_int_equal(type_of_declaration("u64", 4).bytes, 8);
}

static void words_that_are_no_type_are_not_taken(void **state)
{
	struct type_words words = { 0 };

	(void)state;
	assert_true(type_word_add(&words, "unsigned", strlen("unsigned")));
	assert_false(type_word_add(&words, "REC", strlen("REC")));
	assert_false(type_word_add(&words, "intx", strlen("intx")));
	assert_true(type_word_add(&words, "struct", strlen("struct")));
	assert_true(type_word_add(&words, "anything", strlen("anything")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(declared_types_have_elements),
		cmocka_unit_test(a_long_is_what_the_machine_says),
		cmocka_unit_test(words_that_are_no_type_are_not_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
