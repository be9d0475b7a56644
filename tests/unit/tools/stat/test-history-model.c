/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tools/stat/history-model.h"

/* Adds a table of rows "a", "b", ... with the value @value. */
static void add(struct history *h, const char *keys, double value)
{
	history_begin(h);
	for (const char *k = keys; *k; k++)
		history_add(h, (char[]){ *k, '\0' }, value);
	history_end(h);
}

static void assert_past(const struct history *h, size_t row, size_t n, double first, double last)
{
	struct past p = history_get(h, row);

	assert_int_equal(p.n, n);
	assert_true(p.values[0] == first && p.values[n - 1] == last);
}

static void rows_are_found_by_their_key(void **state)
{
	_cleanup_(history_freep) struct history *h = history_new();

	(void)state;
	add(h, "abc", 1);
	add(h, "abc", 2);
	add(h, "cab", 3);
	for (size_t i = 0; i < 3; i++)
		assert_past(h, i, 3, 1, 3);
}

static void equal_keys_are_told_apart_by_their_order(void **state)
{
	_cleanup_(history_freep) struct history *h = history_new();

	(void)state;
	history_begin(h);
	history_add(h, "x", 1);
	history_add(h, "x", 10);
	history_end(h);
	history_begin(h);
	history_add(h, "x", 2);
	history_add(h, "x", 20);
	history_end(h);
	assert_past(h, 0, 2, 1, 2);
	assert_past(h, 1, 2, 10, 20);
}

static void rows_that_are_gone_are_forgotten(void **state)
{
	_cleanup_(history_freep) struct history *h = history_new();

	(void)state;
	add(h, "ab", 1);
	add(h, "a", 2);
	add(h, "ab", 3);
	assert_past(h, 0, 3, 1, 3);
	assert_past(h, 1, 1, 3, 3);
	add(h, "", 4);
	add(h, "a", 5);
	assert_past(h, 0, 1, 5, 5);
}

static void only_the_last_values_are_kept(void **state)
{
	_cleanup_(history_freep) struct history *h = history_new();

	(void)state;
	for (int i = 0; i < HISTORY_MAX + 5; i++)
		add(h, "a", i);
	assert_past(h, 0, HISTORY_MAX, 5, HISTORY_MAX + 4);
	history_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_found_by_their_key),
		cmocka_unit_test(equal_keys_are_told_apart_by_their_order),
		cmocka_unit_test(rows_that_are_gone_are_forgotten),
		cmocka_unit_test(only_the_last_values_are_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
