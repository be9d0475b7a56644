/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"

static void an_empty_text_reads_as_nothing(void **state)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	assert_string_equal(t.chars, "");
	text_clear(&t);
	text_add(&t, "");
	assert_string_equal(t.chars, "");
	assert_int_equal(t.length, 0);
}

static void text_grows_by_every_way_of_adding(void **state)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	text_add(&t, "one");
	text_add_char(&t, ' ');
	text_addf(&t, "%d", 2);
	text_add_bytes(&t, " threefour", 6);
	assert_string_equal(t.chars, "one 2 three");
	assert_int_equal(t.length, strlen(t.chars));
}

static void long_texts_are_kept_whole(void **state)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	for (int i = 0; i < 10000; i++)
		text_add_char(&t, (char)('a' + i % 26));
	assert_int_equal(t.length, 10000);
	assert_int_equal(t.chars[9999], 'a' + 9999 % 26);
	assert_int_equal(t.chars[10000], '\0');
}

static void bytes_may_be_nul(void **state)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	text_add_bytes(&t, "a\0b", 3);
	assert_int_equal(t.length, 3);
	assert_memory_equal(t.chars, "a\0b", 4);
}

static void padding_reaches_the_column(void **state)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	text_add(&t, "12345");
	text_pad(&t, 2, 6, 0, '.');
	assert_string_equal(t.chars, "12345...");
	text_pad(&t, 0, 4, 0, '.');
	assert_string_equal(t.chars, "12345...");
	text_pad(&t, 0, 4, 2, ' ');
	assert_string_equal(t.chars, "12345...  ");
}

static void what_is_taken_belongs_to_the_taker(void **state)
{
	struct text t = TEXT_EMPTY;

	(void)state;
	text_add(&t, "x");

	_cleanup_(freep) char *first = text_take(&t), *second = text_take(&t);

	assert_string_equal(first, "x");
	assert_string_equal(second, "");
	assert_string_equal(t.chars, "");
	text_done(&t);
}

static void a_cleared_text_begins_anew(void **state)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	text_add(&t, "old");
	text_clear(&t);
	assert_string_equal(t.chars, "");
	text_add(&t, "new");
	assert_string_equal(t.chars, "new");
}

static void room_is_filled_by_the_caller(void **state)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	char *at;

	(void)state;
	text_add(&t, "a");
	at = text_room(&t, 1000);
	memset(at, 'b', 1000);
	text_filled(&t, at + 2);
	assert_string_equal(t.chars, "abb");
	assert_int_equal(t.length, 3);
}

static void lines_lose_the_blanks_at_their_end(void **state)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY, nothing = TEXT_EMPTY;

	(void)state;
	text_add(&t, " a b  \n   \n\n  c\nd ");
	text_trim_lines(&t);
	assert_string_equal(t.chars, " a b\n\n\n  c\nd ");
	assert_int_equal(t.length, strlen(t.chars));
	text_trim_lines(&nothing);
	assert_string_equal(nothing.chars, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(room_is_filled_by_the_caller),
		cmocka_unit_test(an_empty_text_reads_as_nothing),
		cmocka_unit_test(text_grows_by_every_way_of_adding),
		cmocka_unit_test(long_texts_are_kept_whole),
		cmocka_unit_test(bytes_may_be_nul),
		cmocka_unit_test(padding_reaches_the_column),
		cmocka_unit_test(what_is_taken_belongs_to_the_taker),
		cmocka_unit_test(a_cleared_text_begins_anew),
		cmocka_unit_test(lines_lose_the_blanks_at_their_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
