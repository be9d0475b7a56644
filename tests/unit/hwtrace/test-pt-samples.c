/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "hwtrace/decoder.h"
#include "hwtrace/pt-samples.h"

static const struct pt_sampler_setup all = {
	.wanted = { true, true, true, true, true, true, true, true, true, true },
	.errors = true,
	.overflow_errors = true,
	.period = 1,
	.max_ratio = 34,
	.tsc_khz = 3400000,
};

static struct pt_step insn(uint64_t ip, enum pt_class class)
{
	return (struct pt_step){
		.kind = PT_STEP_INSN, .ip = ip, .has_ip = true, .class = class, .length = 2
	};
}

static struct pt_step jump(uint64_t ip, enum pt_class class, uint64_t to)
{
	struct pt_step s = insn(ip, class);

	s.has_to = true;
	s.to = to;
	return s;
}

static void an_instruction_comes_before_its_branch(void **state)
{
	(void)state;
	struct pt_step step = jump(0x1000, PT_CLASS_CALL, 0x2000);
	const struct pt_sample *p;
	struct pt_sampler s;

	pt_sampler_init(&s, &all);
	pt_sampler_take(&s, &step);
	p = pt_sampler_next(&s);
	assert_int_equal(p->event, PT_EVENT_INSTRUCTIONS);
	p = pt_sampler_next(&s);
	assert_int_equal(p->event, PT_EVENT_BRANCHES);
	assert_int_equal(p->ip, 0x1000);
	assert_int_equal(p->to, 0x2000);
	assert_int_equal(p->flags, AUX_FLAG_BRANCH | AUX_FLAG_CALL);
	assert_null(pt_sampler_next(&s));
}

static void a_branch_that_is_not_taken_is_no_sample(void **state)
{
	(void)state;
	struct pt_sampler_setup setup = all;
	struct pt_step step = insn(0x1000, PT_CLASS_CONDITIONAL);
	struct pt_sampler s;

	setup.wanted[PT_EVENT_INSTRUCTIONS] = false;
	pt_sampler_init(&s, &setup);
	pt_sampler_take(&s, &step);
	assert_null(pt_sampler_next(&s));
}

static void a_period_counts_instructions(void **state)
{
	(void)state;
	struct pt_sampler_setup setup = all;
	struct pt_sampler s;
	size_t n = 0;

	setup.period = 3;
	pt_sampler_init(&s, &setup);
	for (uint64_t i = 0; i < 9; i++) {
		struct pt_step step = insn(0x1000 + 2 * i, PT_CLASS_OTHER);
		const struct pt_sample *p;

		pt_sampler_take(&s, &step);
		while ((p = pt_sampler_next(&s))) {
			assert_int_equal(p->period, 3);
			n++;
		}
	}
	assert_int_equal(n, 3);
}

static void calls_alone_leave_out_jumps_and_returns(void **state)
{
	(void)state;
	struct pt_sampler_setup setup = all;
	struct pt_step steps[] = { jump(1, PT_CLASS_JUMP, 9), jump(3, PT_CLASS_RETURN, 9),
				   jump(5, PT_CLASS_CALL, 9) };
	struct pt_sampler s;
	size_t n = 0;

	setup.wanted[PT_EVENT_INSTRUCTIONS] = false;
	setup.calls_only = true;
	pt_sampler_init(&s, &setup);
	for (size_t i = 0; i < 3; i++) {
		pt_sampler_take(&s, &steps[i]);
		while (pt_sampler_next(&s))
			n++;
	}
	assert_int_equal(n, 1);
}

static void the_end_is_the_last_instructions_branch(void **state)
{
	(void)state;
	struct pt_step call = insn(0x1000, PT_CLASS_FAR_CALL);
	struct pt_step end = { .kind = PT_STEP_END };
	const struct pt_sample *p;
	struct pt_sampler s;

	memcpy(call.bytes, "\x0f\x05", 2);
	pt_sampler_init(&s, &all);
	pt_sampler_take(&s, &call);
	pt_sampler_take(&s, &end);
	p = pt_sampler_next(&s);
	assert_int_equal(p->ip, 0x1000);
	assert_int_equal(p->flags, AUX_FLAG_BRANCH | AUX_FLAG_CALL | AUX_FLAG_SYSCALLRET |
					   AUX_FLAG_TRACE_END);
}

static void an_overflow_is_an_error_and_a_beginning(void **state)
{
	(void)state;
	struct pt_step step = { .kind = PT_STEP_OVERFLOW, .has_to = true, .to = 0x3000 };
	const struct pt_sample *p;
	struct pt_sampler s;

	pt_sampler_init(&s, &all);
	pt_sampler_take(&s, &step);
	p = pt_sampler_next(&s);
	assert_int_equal(p->event, PT_EVENT_ERROR);
	assert_string_equal(pt_error_text(p->code), "Overflow packet");
	p = pt_sampler_next(&s);
	assert_int_equal(p->to, 0x3000);
	assert_int_equal(p->flags, AUX_FLAG_BRANCH | AUX_FLAG_TRACE_BEGIN);
}

static void the_same_ratio_is_told_once(void **state)
{
	(void)state;
	struct pt_step step = { .kind = PT_STEP_CBR, .payload = 17 };
	const struct pt_sample *p;
	struct pt_sampler s;
	uint32_t khz;

	pt_sampler_init(&s, &all);
	pt_sampler_take(&s, &step);
	p = pt_sampler_next(&s);
	assert_int_equal(p->raw[0], 17);
	assert_int_equal(p->raw[2], 34);
	memcpy(&khz, p->raw + 4, sizeof(khz));
	assert_int_equal(khz, 1700000);
	pt_sampler_take(&s, &step);
	assert_null(pt_sampler_next(&s));
}

static void the_first_events_are_skipped(void **state)
{
	(void)state;
	struct pt_sampler_setup setup = all;
	struct pt_step step = jump(0x1000, PT_CLASS_JUMP, 0x2000);
	struct pt_sampler s;

	setup.skip = 1;
	pt_sampler_init(&s, &setup);
	pt_sampler_take(&s, &step);
	assert_int_equal(pt_sampler_next(&s)->event, PT_EVENT_BRANCHES);
	assert_null(pt_sampler_next(&s));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_instruction_comes_before_its_branch),
		cmocka_unit_test(a_branch_that_is_not_taken_is_no_sample),
		cmocka_unit_test(a_period_counts_instructions),
		cmocka_unit_test(calls_alone_leave_out_jumps_and_returns),
		cmocka_unit_test(the_end_is_the_last_instructions_branch),
		cmocka_unit_test(an_overflow_is_an_error_and_a_beginning),
		cmocka_unit_test(the_same_ratio_is_told_once),
		cmocka_unit_test(the_first_events_are_skipped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
