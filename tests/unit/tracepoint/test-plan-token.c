/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "tracepoint/plan-token.h"

static struct token only(const char *s)
{
	const char *at = s;

	return token_take(&at);
}

static void tokens_are_as_long_as_c_has_them(void **state)
{
	static const struct {
		const char *spelling;
		enum token_kind kind;
	} expected[] = {
		{ "REC", TOKEN_NAME },        { "->", TOKEN_MARK },
		{ "a_1", TOKEN_NAME },        { "<<", TOKEN_MARK },
		{ "0x1fUL", TOKEN_NUMBER },   { "<=", TOKEN_MARK },
		{ "<", TOKEN_MARK },          { "\"a\\\"b\"", TOKEN_STRING },
		{ "'\\''", TOKEN_CHARACTER }, { "&&", TOKEN_MARK },
		{ "&", TOKEN_MARK },
	};
	const char *at = "REC->a_1<<0x1fUL <=\t<\"a\\\"b\"'\\''&&&";

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		struct token t = token_take(&at);

		assert_int_equal(t.kind, expected[i].kind);
		assert_int_equal(t.length, strlen(expected[i].spelling));
		assert_memory_equal(t.start, expected[i].spelling, t.length);
	}
	assert_int_equal(token_take(&at).kind, TOKEN_END);
	assert_int_equal(token_take(&at).kind, TOKEN_END);
}

static void what_is_not_c_is_bad(void **state)
{
	(void)state;
	assert_int_equal(only("\"open").kind, TOKEN_BAD);
	assert_int_equal(only("\"open\\").kind, TOKEN_BAD);
	assert_int_equal(only("'").kind, TOKEN_BAD);
	assert_int_equal(only("@").kind, TOKEN_BAD);
	assert_int_equal(only("\x80").kind, TOKEN_BAD);
}

static void a_spelling_is_the_whole_token(void **state)
{
	struct token name = only("sizeof_x"), quoted = only("\"->\"");

	(void)state;
	assert_true(token_is(&name, "sizeof_x"));
	assert_false(token_is(&name, "sizeof"));
	assert_false(token_is(&quoted, "\"->\""));
}

static void numbers_tell_their_types(void **state)
{
	static const struct {
		const char *spelling;
		struct token_number number;
	} good[] = {
		{ "0", { .value = 0 } },
		{ "12", { .value = 12, .is_decimal = true } },
		{ "010", { .value = 8 } },
		{ "0xFf", { .value = 255 } },
		{ "1ul", { .value = 1, .is_decimal = true, .is_unsigned = true, .is_long = true } },
		{ "1LLU",
		  { .value = 1, .is_decimal = true, .is_unsigned = true, .is_long = true } },
		{ "0xffffffffffffffff", { .value = UINT64_MAX } },
	};
	static const char *const bad[] = { "12a", "08", "0x1g", "1f", "18446744073709551616" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		struct token t = only(good[i].spelling);
		struct token_number n;

		assert_true(token_number(&t, &n));
		assert_int_equal(n.value, good[i].number.value);
		assert_int_equal(n.is_decimal, good[i].number.is_decimal);
		assert_int_equal(n.is_unsigned, good[i].number.is_unsigned);
		assert_int_equal(n.is_long, good[i].number.is_long);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct token t = only(bad[i]);
		struct token_number n;

		assert_false(token_number(&t, &n));
	}
}

static void escapes_are_resolved(void **state)
{
	static const char quoted[] = "\"\\n\\t\\\\\\\"\\e\\x1b\\033\\q\\0z\"";
	struct token t = only(quoted);
	_cleanup_(text_done) struct text s = TEXT_EMPTY;

	(void)state;
	token_unquote(&t, &s);
	assert_int_equal(s.length, 10);
	assert_memory_equal(s.chars, "\n\t\\\"\033\033\033q\0z", 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tokens_are_as_long_as_c_has_them),
		cmocka_unit_test(what_is_not_c_is_bad),
		cmocka_unit_test(a_spelling_is_the_whole_token),
		cmocka_unit_test(numbers_tell_their_types),
		cmocka_unit_test(escapes_are_resolved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
