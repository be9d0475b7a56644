/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "transform/unwinding.h"
#include "wire/sample.h"

#define STACK 256

static const struct attr attr = {
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_STACK_USER |
		       PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_PHYS_ADDR,
	.sample_stack_user = STACK,
};

static uint8_t stack[STACK];

static void add_trimmed(uint64_t size, uint64_t used, struct bytes *whole, struct bytes *out)
{
	static const uint64_t chain[] = { PERF_CONTEXT_KERNEL, 7 };
	const struct sample s = { .misc = PERF_RECORD_MISC_USER,
				  .ip = 0x401000,
				  .chain = { (const uint8_t *)chain, 2, false },
				  .stack = stack,
				  .stack_size = size,
				  .stack_dyn_size = used,
				  .data_src = 5,
				  .phys_addr = 6 };

	for (size_t i = 0; i < STACK; i++)
		stack[i] = (uint8_t)i;
	assert_int_equal(sample_encode(&s, &attr, whole), 0);
	trimmed_sample_add(whole->data, whole->n, &attr, out);
}

static void only_what_is_used_is_kept(void **state)
{
	_cleanup_(bytes_done) struct bytes whole = { 0 }, out = { 0 };
	struct sample s;

	(void)state;
	add_trimmed(STACK, 60, &whole, &out);
	assert_int_equal(out.n, whole.n - (STACK - 72));
	assert_int_equal(sample_decode(out.data, out.n, false, &attr, &s), 0);
	assert_int_equal(record_header_at(out.data, false).size, out.n);
	assert_int_equal(s.left_over, 0);
	assert_int_equal(s.misc, PERF_RECORD_MISC_USER);
	assert_int_equal(s.chain.n, 2);
	assert_int_equal(s.stack_size, 72);
	assert_int_equal(s.stack_dyn_size, 60);
	assert_memory_equal(s.stack, stack, 60);
	assert_int_equal(s.data_src, 5);
	assert_int_equal(s.phys_addr, 6);
}

static void a_full_stack_stays_as_it_is(void **state)
{
	_cleanup_(bytes_done) struct bytes whole = { 0 }, out = { 0 };

	(void)state;
	add_trimmed(STACK, STACK, &whole, &out);
	assert_int_equal(out.n, whole.n);
	assert_memory_equal(out.data, whole.data, whole.n);
}

static void an_unused_stack_leaves_a_sample_that_can_be_read(void **state)
{
	_cleanup_(bytes_done) struct bytes whole = { 0 }, out = { 0 };
	struct sample s;

	(void)state;
	add_trimmed(STACK, 0, &whole, &out);
	assert_int_equal(sample_decode(out.data, out.n, false, &attr, &s), 0);
	assert_int_equal(s.stack_dyn_size, 0);
	assert_int_equal(s.phys_addr, 6);
}

static void a_sample_without_a_stack_stays_as_it_is(void **state)
{
	_cleanup_(bytes_done) struct bytes whole = { 0 }, out = { 0 };

	(void)state;
	add_trimmed(0, 0, &whole, &out);
	assert_int_equal(out.n, whole.n);
	assert_memory_equal(out.data, whole.data, whole.n);
}

static void what_cannot_be_read_stays_as_it_is(void **state)
{
	_cleanup_(bytes_done) struct bytes whole = { 0 }, out = { 0 };

	(void)state;
	add_trimmed(STACK, 8, &whole, &out);
	out.n = 0;
	trimmed_sample_add(whole.data, 64, &attr, &out);
	assert_int_equal(out.n, 64);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_is_used_is_kept),
		cmocka_unit_test(a_full_stack_stays_as_it_is),
		cmocka_unit_test(an_unused_stack_leaves_a_sample_that_can_be_read),
		cmocka_unit_test(a_sample_without_a_stack_stays_as_it_is),
		cmocka_unit_test(what_cannot_be_read_stays_as_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
