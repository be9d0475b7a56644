/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "transform/unwound-sample.h"
#include "wire/sample.h"

static const struct attr with_stacks = {
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_CALLCHAIN |
		       PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_DATA_SRC,
	.sample_regs_user = 0x3,
	.sample_stack_user = 16,
	.exclude_callchain_user = 1,
};

static const uint64_t regs[] = { 0xaa, 0xbb };
static const uint64_t stack[] = { 1, 2 };

static struct sample sample_with(const uint64_t *chain, size_t n)
{
	return (struct sample){
		.misc = PERF_RECORD_MISC_USER,
		.ip = 0x401000,
		.pid = 7,
		.tid = 8,
		.chain = { .bytes = (const uint8_t *)chain, .n = n },
		.user_regs = { .abi = 2,
			       .mask = 3,
			       .values = { .bytes = (const uint8_t *)regs, .n = 2 } },
		.stack = (const uint8_t *)stack,
		.stack_size = 16,
		.stack_dyn_size = 16,
		.data_src = 5,
	};
}

static void encode_and_decode(const struct sample *s, const uint64_t *ips, size_t n,
			      const struct attr *to, struct bytes *out, struct sample *ret)
{
	_cleanup_(bytes_done) struct bytes room = { 0 };

	assert_int_equal(unwound_sample_encode(s, ips, n, to, &room, out), 0);
	assert_int_equal(sample_decode(out->data, out->n, false, to, ret), 0);
	assert_int_equal(ret->left_over, 0);
}

static void the_attr_has_chains_instead_of_stacks(void **state)
{
	struct attr to = unwound_attr(&with_stacks, false);

	(void)state;
	assert_true(attr_has_stacks(&with_stacks));
	assert_false(attr_has_stacks(&to));
	assert_int_equal(to.sample_type, PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_CALLCHAIN |
						 PERF_SAMPLE_DATA_SRC);
	assert_int_equal(to.sample_regs_user, 0);
	assert_int_equal(to.sample_stack_user, 0);
	assert_int_equal(to.exclude_callchain_user, 1);
}

static void registers_stay_for_who_asked_for_them(void **state)
{
	struct attr to = unwound_attr(&with_stacks, true);
	struct sample s = sample_with(NULL, 0), got;
	_cleanup_(bytes_done) struct bytes out = { 0 };
	uint64_t value;

	(void)state;
	encode_and_decode(&s, (const uint64_t[]){ 0x401000 }, 1, &to, &out, &got);
	assert_true(sample_reg(&got.user_regs, 1, &value));
	assert_int_equal(value, 0xbb);
	assert_int_equal(got.stack_size, 0);
}

static void user_frames_follow_those_of_the_kernel(void **state)
{
	static const uint64_t kernel[] = { PERF_CONTEXT_KERNEL, 0xffff1, 0xffff2 };
	static const uint64_t ips[] = { 0x401000, 0x402003 };
	struct attr to = unwound_attr(&with_stacks, false);
	struct sample s = sample_with(kernel, 3), got;
	_cleanup_(bytes_done) struct bytes out = { 0 };

	(void)state;
	encode_and_decode(&s, ips, 2, &to, &out, &got);
	assert_int_equal(got.chain.n, 6);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(words_get(&got.chain, i), kernel[i]);
	assert_int_equal(words_get(&got.chain, 3), PERF_CONTEXT_USER);
	assert_int_equal(words_get(&got.chain, 4), ips[0]);
	assert_int_equal(words_get(&got.chain, 5), ips[1]);
	assert_int_equal(got.ip, s.ip);
	assert_int_equal(got.tid, 8);
	assert_int_equal(got.data_src, 5);
	assert_int_equal(got.misc, s.misc);
}

static void what_the_kernel_said_of_the_user_is_replaced(void **state)
{
	static const uint64_t both[] = { PERF_CONTEXT_KERNEL, 0xffff1, PERF_CONTEXT_USER, 0x9 };
	struct attr to = unwound_attr(&with_stacks, false);
	struct sample s = sample_with(both, 4), got;
	_cleanup_(bytes_done) struct bytes out = { 0 };

	(void)state;
	encode_and_decode(&s, (const uint64_t[]){ 0x401000 }, 1, &to, &out, &got);
	assert_int_equal(got.chain.n, 4);
	assert_int_equal(words_get(&got.chain, 3), 0x401000);
}

static void a_sample_without_user_frames_keeps_its_chain(void **state)
{
	static const uint64_t kernel[] = { PERF_CONTEXT_KERNEL, 0xffff1 };
	struct attr to = unwound_attr(&with_stacks, false);
	struct sample s = sample_with(kernel, 2), got;
	_cleanup_(bytes_done) struct bytes out = { 0 };

	(void)state;
	encode_and_decode(&s, NULL, 0, &to, &out, &got);
	assert_int_equal(got.chain.n, 2);
	assert_int_equal(words_get(&got.chain, 1), 0xffff1);
}

static void words_of_the_other_byte_order_come_out_in_ours(void **state)
{
	const uint64_t kernel[] = { __builtin_bswap64(PERF_CONTEXT_KERNEL),
				    __builtin_bswap64(0xffff1) };
	struct attr to = unwound_attr(&with_stacks, false);
	struct sample s = sample_with(kernel, 2), got;
	_cleanup_(bytes_done) struct bytes out = { 0 };

	(void)state;
	s.chain.swap = true;
	encode_and_decode(&s, (const uint64_t[]){ 0x401000 }, 1, &to, &out, &got);
	assert_int_equal(words_get(&got.chain, 0), PERF_CONTEXT_KERNEL);
	assert_int_equal(words_get(&got.chain, 1), 0xffff1);
}

static void a_chain_too_long_for_a_record_loses_its_outermost_frames(void **state)
{
	const size_t n = 10000;
	_cleanup_(freep) uint64_t *ips = xcalloc(n, sizeof(*ips));
	struct attr to = unwound_attr(&with_stacks, false);
	struct sample s = sample_with(NULL, 0), got;
	_cleanup_(bytes_done) struct bytes out = { 0 };

	(void)state;
	for (size_t i = 0; i < n; i++)
		ips[i] = i;
	encode_and_decode(&s, ips, n, &to, &out, &got);
	assert_in_range(got.chain.n, 1000, 8191);
	assert_int_equal(words_get(&got.chain, 1), 0);
}

static void what_else_is_too_long_is_refused(void **state)
{
	static const uint8_t raw[UINT16_MAX + 1];
	const struct attr to = { .sample_type = PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW };
	struct sample s = { .raw = raw, .raw_size = sizeof(raw) };
	_cleanup_(bytes_done) struct bytes room = { 0 }, out = { 0 };

	(void)state;
	assert_int_equal(unwound_sample_encode(&s, (const uint64_t[]){ 1 }, 1, &to, &room, &out),
			 -EMSGSIZE);
	assert_int_equal(out.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_attr_has_chains_instead_of_stacks),
		cmocka_unit_test(registers_stay_for_who_asked_for_them),
		cmocka_unit_test(user_frames_follow_those_of_the_kernel),
		cmocka_unit_test(what_the_kernel_said_of_the_user_is_replaced),
		cmocka_unit_test(a_sample_without_user_frames_keeps_its_chain),
		cmocka_unit_test(words_of_the_other_byte_order_come_out_in_ours),
		cmocka_unit_test(a_chain_too_long_for_a_record_loses_its_outermost_frames),
		cmocka_unit_test(what_else_is_too_long_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
