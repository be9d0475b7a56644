/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "bytes-of.h"
#include "wire/sample.h"

/* Every field that exists, with two items in every array. */
static const struct attr everything = {
	.sample_type = (1ULL << 25) - 1 - PERF_SAMPLE_WEIGHT,
	.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
		       PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID | PERF_FORMAT_LOST,
	.branch_sample_type = PERF_SAMPLE_BRANCH_HW_INDEX | PERF_SAMPLE_BRANCH_COUNTERS,
	.sample_regs_user = 3,
	.sample_regs_intr = 5,
};

static struct bytes full_sample(bool swap)
{
	return bytes_of(swap, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL,
			"qqwwqqqqwwq" /* up to period */
			"qqqqqqqqq"   /* read */
			"qqq"         /* chain */
			"wbbbb"       /* raw */
			"qqqqqqqqqq"  /* branches */
			"qqq"         /* user regs */
			"qqqq"        /* stack */
			"qqq"         /* weight, data_src, transaction */
			"qqq"         /* intr regs */
			"qqqq"        /* phys_addr, cgroup, page sizes */
			"qbbbbbbbb",  /* aux */
			77UL, 2UL, 3, 4, 5UL, 6UL, 77UL, 8UL, 9, 0, 10UL, 2UL, 100UL, 101UL, 1UL,
			2UL, 3UL, 4UL, 5UL, 6UL, 2UL, 0xff00UL, 0xff08UL, 4, 1, 2, 3, 4, 2UL, 55UL,
			1UL, 2UL, 0UL, 4UL, 5UL, 0UL, 7UL, 8UL, 2UL, 30UL, 31UL, 16UL, UINT64_MAX,
			0UL, 8UL, 0x0003000200000001UL, 51UL, 52UL, 2UL, 60UL, 61UL, 70UL, 71UL,
			72UL, 73UL, 8UL, 1, 2, 3, 4, 5, 6, 7, 8);
}

static void a_sample_is_written_as_it_is_read(void **state)
{
	(void)state;
	_cleanup_(bytes_done) struct bytes native = full_sample(false);

	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = full_sample(swap), out = { 0 };
		struct sample s;

		assert_int_equal(sample_decode(b.data, b.n, swap, &everything, &s), 0);
		assert_int_equal(s.left_over, 0);
		assert_int_equal(sample_encode(&s, &everything, &out), 0);
		assert_int_equal(out.n, native.n);
		assert_memory_equal(out.data, native.data, native.n);
	}
}

static void registers_and_stacks_that_are_not_there_take_a_word(void **state)
{
	(void)state;
	static const struct attr attr = {
		.sample_type = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_WEIGHT,
		.sample_regs_user = 3,
	};
	struct sample s = { .weight = 5 };
	_cleanup_(bytes_done) struct bytes out = { 0 };

	assert_int_equal(sample_encode(&s, &attr, &out), 0);
	assert_int_equal(out.n, 8 + 3 * 8);
}

static void a_sample_that_does_not_fit_is_not_added(void **state)
{
	(void)state;
	static const struct attr attr = { .sample_type = PERF_SAMPLE_STACK_USER };
	static const uint8_t stack[UINT16_MAX] = { 0 };
	struct sample s = { .stack = stack, .stack_size = UINT16_MAX - 23 };
	_cleanup_(bytes_done) struct bytes out = { 0 };

	assert_int_equal(sample_encode(&s, &attr, &out), -EMSGSIZE);
	assert_int_equal(out.n, 0);
	s.stack_size--;
	assert_int_equal(sample_encode(&s, &attr, &out), 0);
	assert_int_equal(out.n, UINT16_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sample_is_written_as_it_is_read),
		cmocka_unit_test(registers_and_stacks_that_are_not_there_take_a_word),
		cmocka_unit_test(a_sample_that_does_not_fit_is_not_added),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
