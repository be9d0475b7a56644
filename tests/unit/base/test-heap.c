/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "base/heap.h"
#include "base/memory.h"

static void memory_is_there_after_much_was_expected(void **state)
{
	size_t size = 8 << 20;
	_cleanup_(freep) uint8_t *before = xmalloc(size), *after = NULL;

	(void)state;
	memset(before, 1, size);
	heap_expect_much();
	after = xmalloc(size);
	memset(after, 2, size);
	before = xrealloc(before, 2 * size);
	assert_int_equal(before[size - 1], 1);
	assert_int_equal(after[0], 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_is_there_after_much_was_expected),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
