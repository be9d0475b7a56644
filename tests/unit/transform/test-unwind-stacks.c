/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include "collected.h"
#include "transform/rewrite.h"
#include "transform/unwind-stacks.h"

#define LAYOUT                                                                                     \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_CALLCHAIN)

static void unwind(struct recording *rec, struct collected *c, struct attr *ret)
{
	_cleanup_(session_freep) struct session *s = opened(rec, false);
	_cleanup_(unwind_stacks_freep) struct unwind_stacks *u = unwind_stacks_new(s);
	_cleanup_(diag_done) struct diag d = { 0 };
	uint64_t left_out;

	unwind_stacks_transform(u)->next = &c->transform;
	*ret = rec->attr;
	transform_attr(unwind_stacks_transform(u), ret);
	assert_int_equal(rewrite(s, unwind_stacks_transform(u), &left_out, &d), 0);
	if (c->n)
		assert_int_equal(c->events[0]->attr.sample_type, ret->sample_type);
	c->events[0] = NULL;
}

static void samples_without_stacks_are_as_they_were(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_of(LAYOUT);
	_cleanup_(collected_done) struct collected c = collected_new();
	struct attr now;

	sampled(&rec, 1, 7, 30);
	unwind(&rec, &c, &now);
	assert_int_equal(now.sample_type, LAYOUT);
	assert_int_equal(c.n, 1);
	assert_int_equal(c.bytes.n, rec.records.n);
}

/* A stack about which nothing is known keeps its program counter. */
static void registers_and_stack_become_a_chain(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec =
		recording_of(LAYOUT | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
	_cleanup_(collected_done) struct collected c = collected_new();
	static const uint64_t chain[] = { PERF_CONTEXT_KERNEL, 0xffff800000000010 };
	uint64_t regs[33] = { [31] = 0x7000, [32] = 0x1010 };
	uint8_t stack[64] = { 0 };
	struct sample s = { .misc = PERF_RECORD_MISC_USER,
			    .id = 1,
			    .pid = 7,
			    .tid = 7,
			    .time = 30,
			    .ip = 0x1010,
			    .chain = { .bytes = (const uint8_t *)chain, .n = 2 },
			    .user_regs = { .abi = 2,
					   .mask = (UINT64_C(1) << 33) - 1,
					   .values = { .bytes = (const uint8_t *)regs, .n = 33 } },
			    .stack = stack,
			    .stack_size = sizeof(stack),
			    .stack_dyn_size = sizeof(stack) };
	struct attr now;

	rec.attr.sample_regs_user = s.user_regs.mask;
	rec.attr.sample_stack_user = sizeof(stack);
	assert_int_equal(sample_encode(&s, &rec.attr, &rec.records), 0);
	unwind(&rec, &c, &now);
	assert_int_equal(now.sample_type, LAYOUT);
	assert_int_equal(c.n, 1);
	s = collected_sample(&c, 0, &now);
	assert_int_equal(s.time, 30);
	assert_true(s.chain.n >= 2);
	assert_true(words_get(&s.chain, 0) == PERF_CONTEXT_KERNEL);
	assert_true(words_get(&s.chain, 1) == chain[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_without_stacks_are_as_they_were),
		cmocka_unit_test(registers_and_stack_become_a_chain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
