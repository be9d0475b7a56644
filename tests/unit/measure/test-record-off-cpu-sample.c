/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/bytes.h"
#include "bpf/off-cpu.h"
#include "measure/record-off-cpu.h"
#include "wire/sample.h"

#define LR 30

static const uint64_t kernel[] = { 0xffff0000, 0xffff0008, 0xffff1000, 0xffff2000 };
static const uint64_t user[] = { 0x400000, 0x400100 };

static struct off_cpu_layout layout(uint64_t regs)
{
	struct off_cpu_layout l = { .attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ADDR |
							PERF_SAMPLE_STACK_USER,
				    .id = 77,
				    .scheduler_start = 0xffff1000,
				    .scheduler_end = 0xffff1800 };

	off_cpu_lay_out(&l.attr, regs);
	return l;
}

static struct sample sample_of(const struct off_cpu_layout *l, const struct off_cpu_time *t,
			       struct bytes *bytes)
{
	struct sample s;

	off_cpu_sample_encode(l, t, bytes);
	assert_int_equal(sample_decode(bytes->data, bytes->n, false, &l->attr, &s), 0);
	return s;
}

static void a_wait_is_a_sample_whose_period_is_time(void **state)
{
	const struct off_cpu_layout l = layout(1ULL << LR);
	struct bytes bytes = { 0 };
	uint64_t lr = 0;
	struct sample s = sample_of(&l,
				    &(struct off_cpu_time){ .tid = 6,
							    .tgid = 5,
							    .cpu = 3,
							    .end_ns = 1000,
							    .ns = 900,
							    .kernel = kernel,
							    .user = user,
							    .n_kernel = 4,
							    .n_user = 2,
							    .link = 0x4000f0 },
				    &bytes);

	(void)state;
	assert_int_equal(s.id, 77);
	assert_int_equal(s.pid, 5);
	assert_int_equal(s.tid, 6);
	assert_int_equal(s.cpu, 3);
	assert_int_equal(s.time, 1000);
	assert_int_equal(s.period, 900);
	assert_int_equal(s.misc, PERF_RECORD_MISC_KERNEL);
	assert_int_equal(s.ip, 0xffff1000);
	/* The chain does not contain perf's own frames. */
	assert_int_equal(s.chain.n, 6);
	assert_int_equal(words_get(&s.chain, 0), PERF_CONTEXT_KERNEL);
	assert_int_equal(words_get(&s.chain, 1), 0xffff1000);
	assert_int_equal(words_get(&s.chain, 3), PERF_CONTEXT_USER);
	assert_int_equal(words_get(&s.chain, 5), 0x400100);
	s.user_regs.mask = l.attr.sample_regs_user;
	assert_true(sample_reg(&s.user_regs, LR, &lr));
	assert_int_equal(lr, 0x4000f0);
	bytes_done(&bytes);
}

static void a_sum_comes_behind_everything(void **state)
{
	const struct off_cpu_layout l = layout(0);
	struct bytes bytes = { 0 };
	struct sample s =
		sample_of(&l, &(struct off_cpu_time){ .ns = 5, .user = user, .n_user = 1 }, &bytes);

	(void)state;
	assert_true(s.time == SAMPLE_TIME_SUM);
	assert_int_equal(s.misc, PERF_RECORD_MISC_USER);
	assert_int_equal(s.ip, 0x400000);
	bytes_done(&bytes);
}

static void a_stack_that_is_whole_needs_no_register(void **state)
{
	const struct off_cpu_layout l = layout(1ULL << LR);
	struct bytes bytes = { 0 };
	struct sample s =
		sample_of(&l, &(struct off_cpu_time){ .ns = 5, .user = user, .n_user = 1 }, &bytes);

	(void)state;
	assert_int_equal(s.chain.n, 2);
	assert_int_equal(s.user_regs.abi, 0);
	bytes_done(&bytes);
}

static void a_stack_that_could_not_be_read_is_empty(void **state)
{
	const struct off_cpu_layout l = layout(1ULL << LR);
	struct bytes bytes = { 0 };
	struct sample s = sample_of(&l, &(struct off_cpu_time){ .ns = 5 }, &bytes);

	(void)state;
	assert_int_equal(s.chain.n, 0);
	assert_int_equal(s.ip, 0);
	assert_int_equal(s.user_regs.abi, 0);
	bytes_done(&bytes);
}

/* --call-graph fp,DEPTH: frames of the program that recorded the stack do not count. */
static void a_stack_is_as_deep_as_it_may_be(void **state)
{
	static const size_t depths[][2] = { { 0, 6 }, { 1, 1 }, { 4, 4 }, { 5, 5 }, { 100, 6 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(depths); i++) {
		struct off_cpu_layout l = layout(0);
		_cleanup_(bytes_done) struct bytes bytes = { 0 };
		size_t frames = 0;

		l.scheduler_end = 0;
		l.attr.sample_max_stack = (uint16_t)depths[i][0];

		struct sample s = sample_of(&l,
					    &(struct off_cpu_time){ .ns = 1,
								    .kernel = kernel,
								    .user = user,
								    .n_kernel = 4,
								    .n_user = 2 },
					    &bytes);

		for (size_t k = 0; k < s.chain.n; k++) {
			uint64_t ip;

			memcpy(&ip, s.chain.bytes + k * sizeof(ip), sizeof(ip));
			frames += ip < (uint64_t)PERF_CONTEXT_MAX;
		}
		assert_int_equal(frames, depths[i][1]);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_wait_is_a_sample_whose_period_is_time),
		cmocka_unit_test(a_sum_comes_behind_everything),
		cmocka_unit_test(a_stack_that_is_whole_needs_no_register),
		cmocka_unit_test(a_stack_that_could_not_be_read_is_empty),
		cmocka_unit_test(a_stack_is_as_deep_as_it_may_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
