/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "tools/lock/lock-bpf.h"

static void counts_of_cpus_are_added_up(void **state)
{
	const struct bpf_lock_counts counts[3] = {
		{ .waits = 2, .total_ns = 30, .max_ns = 20, .max_inverse = ~UINT64_C(10) },
		{ 0 },
		{ .waits = 1, .total_ns = 5, .max_ns = 5, .max_inverse = ~UINT64_C(5) },
	};
	struct bpf_lock_row row = { 0 };

	(void)state;
	bpf_lock_row_count(&row, counts, 3, NULL);
	assert_int_equal(row.waits, 3);
	assert_int_equal(row.total_ns, 35);
	assert_int_equal(row.max_ns, 20);
	assert_int_equal(row.min_ns, 5);
	assert_int_equal(row.open, 0);
}

static void a_row_that_nobody_counted_has_no_waits(void **state)
{
	const struct bpf_lock_counts counts[1] = { { 0 } };
	struct bpf_lock_row row = { 0 };

	(void)state;
	bpf_lock_row_count(&row, counts, 1, NULL);
	assert_int_equal(row.waits, 0);
	assert_int_equal(row.min_ns, 0);
}

static void open_waits_last_until_now(void **state)
{
	const struct bpf_lock_wait waits[] = {
		{ .addr = 0x10, .begin_ns = 100, .row = 7 },
		{ .addr = 0x10, .begin_ns = 400, .row = 7 },
		{ .addr = 0x20, .begin_ns = 900, .row = 8 }, /* begins after now */
		{ .addr = 0x20, .begin_ns = 0, .row = 9 },   /* has ended */
		{ .addr = 0, .begin_ns = 100, .row = 9 },    /* is being made */
	};
	const struct bpf_lock_counts counts[1] = {
		{ .waits = 1, .total_ns = 50, .max_ns = 50, .max_inverse = ~UINT64_C(50) }
	};
	struct bpf_lock_open_waits open = { 0 };
	struct bpf_lock_row row = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++)
		bpf_lock_open_waits_add(&open, &waits[i], 500);
	bpf_lock_row_count(&row, counts, 1, bpf_lock_open_waits_of(&open, 7));
	assert_int_equal(row.waits, 3);
	assert_int_equal(row.open, 2);
	assert_int_equal(row.total_ns, 50 + 400 + 100);
	assert_int_equal(row.max_ns, 400);
	assert_int_equal(row.min_ns, 50);
	assert_int_equal(bpf_lock_open_waits_of(&open, 8)->total_ns, 0);
	assert_null(bpf_lock_open_waits_of(&open, 9));
	bpf_lock_open_waits_done(&open);
}

static void texts_end_and_stacks_stay_inside_what_was_read(void **state)
{
	const struct bpf_lock_key key = { .is_futex = 1 };
	struct bpf_lock_info info = { .stack_bytes = 1 << 20, .name = 77, .addr = 5 };
	struct bpf_lock_row row;

	(void)state;
	memset(info.comm, 'x', sizeof(info.comm));
	memset(info.cache, 'y', sizeof(info.cache));
	bpf_lock_row_make(&key, &info, offsetof(struct bpf_lock_info, stack) + 24, &row);
	assert_true(row.is_futex);
	assert_int_equal(row.n_stack, 3);
	assert_int_equal(strlen(row.comm), BPF_LOCK_COMM_MAX - 1);
	assert_int_equal(strlen(row.cache), BPF_LOCK_CACHE_MAX - 1);
	assert_int_equal(row.name, BPF_LOCK_UNNAMED);
	bpf_lock_row_make(&key, &info, 4, &row);
	assert_int_equal(row.n_stack, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_of_cpus_are_added_up),
		cmocka_unit_test(a_row_that_nobody_counted_has_no_waits),
		cmocka_unit_test(open_waits_last_until_now),
		cmocka_unit_test(texts_end_and_stacks_stay_inside_what_was_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
