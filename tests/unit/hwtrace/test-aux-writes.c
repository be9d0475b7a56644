/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "hwtrace/aux-writes.h"

static void stretches_are_found_by_cpu_and_by_thread(void **state)
{
	static const struct aux_write w[] = {
		{ .offset = 0, .size = 8, .cpu = 1, .tid = 7 },
		{ .offset = 0, .size = 4, .cpu = 2, .tid = 8 },
		{ .offset = 8, .size = 8, .cpu = 1, .tid = 8 },
	};
	_cleanup_(aux_writes_done) struct aux_writes a = { 0 };
	const struct aux_write *found;
	size_t n = 0;

	(void)state;
	/* As they come. */
	aux_writes_add(&a, w, 1);
	aux_writes_add(&a, w, 3);
	found = aux_writes_from(&a, 1, 0, 0, &n);
	assert_int_equal(n, 2);
	assert_int_equal(found[1].offset, 8);
	found = aux_writes_from(&a, 1, 0, 1, &n);
	assert_int_equal(n, 1);
	assert_int_equal(found->offset, 8);
	assert_null(aux_writes_from(&a, 1, 0, 9, &n));
	found = aux_writes_from(&a, AUX_NONE, 8, 0, &n);
	assert_int_equal(n, 2);
	assert_int_equal(found[1].offset, 8);
	assert_null(aux_writes_from(&a, 3, 0, 0, &n));
	assert_null(aux_writes_from(&a, AUX_NONE, 9, 0, &n));
}

static void stretches_that_overlap_are_left_out(void **state)
{
	static const struct aux_write w[] = {
		{ .offset = 16, .size = 16 },
		{ .offset = 0, .size = 8 },
		{ .offset = 16, .size = 16 },
		{ .offset = 31, .size = 1 },
		{ .offset = 32, .size = 0 },
		{ .offset = 32, .size = 8, .flags = 2 /* a snapshot */ },
		{ .offset = 40, .size = -8 },
		{ .offset = -1, .size = 1 },
	};
	_cleanup_(aux_writes_done) struct aux_writes a = { 0 };
	const struct aux_write *found;
	size_t n = 0;

	(void)state;
	aux_writes_add(&a, w, sizeof(w) / sizeof(w[0]));
	found = aux_writes_from(&a, 0, 0, 0, &n);
	assert_int_equal(n, 3);
	assert_int_equal(found[0].offset, 16);
	assert_int_equal(found[1].offset, 40);
	/* The end of the last write but one is the last address. */
	assert_int_equal(found[2].offset, UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stretches_are_found_by_cpu_and_by_thread),
		cmocka_unit_test(stretches_that_overlap_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
