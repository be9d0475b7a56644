/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/arena.h"
#include "base/cleanup.h"

static void memory_is_zeroed_aligned_and_apart(void **state)
{
	_cleanup_(arena_done) struct arena a = { 0 };

	(void)state;
	for (size_t size = 1; size < 3000; size += 7) {
		uint8_t *p = arena_alloc(&a, size), *q = arena_alloc(&a, size);

		assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
		assert_true(q >= p + size || p >= q + size);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(p[i], 0);
		memset(p, 0xff, size);
		memset(q, 0xff, size);
	}
}

static void what_does_not_fit_into_a_block_gets_its_own(void **state)
{
	_cleanup_(arena_done) struct arena a = { 0 };
	char *small = arena_strndup(&a, "before", 6);
	uint8_t *large = arena_alloc(&a, 1 << 20);

	(void)state;
	memset(large, 1, 1 << 20);
	assert_string_equal(small, "before");
	assert_string_equal(arena_strndup(&a, "behind", 6), "behind");
}

static void texts_are_cut_and_ended(void **state)
{
	_cleanup_(arena_done) struct arena a = { 0 };

	(void)state;
	assert_string_equal(arena_strndup(&a, "abcdef", 3), "abc");
	assert_string_equal(arena_strndup(&a, "", 0), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_is_zeroed_aligned_and_apart),
		cmocka_unit_test(what_does_not_fit_into_a_block_gets_its_own),
		cmocka_unit_test(texts_are_cut_and_ended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
