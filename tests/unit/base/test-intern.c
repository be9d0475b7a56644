/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "base/cleanup.h"
#include "base/intern.h"

static void equal_texts_are_one(void **state)
{
	_cleanup_(intern_done) struct intern t = { 0 };
	char mine[] = "libc.so.6";
	const char *first = intern_text(&t, mine);

	(void)state;
	assert_ptr_not_equal(first, mine);
	mine[0] = 'L';
	assert_string_equal(first, "libc.so.6");
	assert_ptr_equal(intern_text(&t, "libc.so.6"), first);
	assert_ptr_not_equal(intern_text(&t, mine), first);
	assert_string_equal(intern_text(&t, ""), "");
}

static void looking_adds_nothing(void **state)
{
	_cleanup_(intern_done) struct intern t = { 0 };

	(void)state;
	assert_null(intern_find(&t, "a"));
	const char *a = intern_text(&t, "a");

	assert_ptr_equal(intern_find(&t, "a"), a);
	assert_null(intern_find(&t, "b"));
	assert_int_equal(t.n, 1);
}

static void pointers_stay_as_the_table_grows(void **state)
{
	_cleanup_(intern_done) struct intern t = { 0 };
	const char *seen[1000];
	char text[32];

	(void)state;
	for (int i = 0; i < 1000; i++) {
		snprintf(text, sizeof(text), "name-%d", i);
		seen[i] = intern_text(&t, text);
	}
	for (int i = 0; i < 1000; i++) {
		snprintf(text, sizeof(text), "name-%d", i);
		assert_ptr_equal(intern_text(&t, text), seen[i]);
		assert_string_equal(seen[i], text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_texts_are_one),
		cmocka_unit_test(looking_adds_nothing),
		cmocka_unit_test(pointers_stay_as_the_table_grows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
