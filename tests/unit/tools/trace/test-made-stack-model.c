/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tools/trace/made-stack-model.h"
#include "tools/trace/kept-call-model.h"
#include "tools/trace/tasks-model.h"

static const uint64_t frames[] = { 0x1000, 0x2000, 0x3000 };

static struct trace_task task = { .pid = 7, .tid = 8 };

static const struct trace_call call = {
	.task = &task, .cpu = 1, .exit_ns = 50, .frames = frames, .n_frames = 3
};

static const struct session_event event;

static uint64_t word(const struct session_sample *s, size_t i)
{
	return words_get(&s->sample->chain, i);
}

static void a_call_has_its_own_frames(void **state)
{
	struct made_stack k = { 0 };
	const struct session_sample *s = made_stack_make(&k, &call, NULL, &event);

	(void)state;
	assert_ptr_equal(s->event, &event);
	assert_int_equal(s->time, 50);
	assert_int_equal(s->sample->pid, 7);
	assert_int_equal(s->sample->tid, 8);
	assert_int_equal(s->sample->chain.n, 4);
	assert_true(word(s, 0) == PERF_CONTEXT_USER);
	assert_int_equal(word(s, 1), 0x1000);
	assert_int_equal(word(s, 3), 0x3000);
	made_stack_done(&k);
}

static void the_kernels_part_is_that_of_its_sample(void **state)
{
	static const uint64_t chain[] = { PERF_CONTEXT_KERNEL, 0xffff800000001000,
					  PERF_CONTEXT_USER, 0x9000 };
	const struct sample sample = { .pid = 7,
				       .tid = 8,
				       .chain = { .bytes = (const uint8_t *)chain, .n = 4 },
				       .stack_size = 64,
				       .stack = (const uint8_t *)chain };
	const struct session_sample from = { .sample = &sample, .event = &event, .time = 51 };
	struct made_stack k = { 0 };
	const struct session_sample *s = made_stack_make(&k, &call, &from, &event);

	(void)state;
	assert_int_equal(s->time, 51);
	assert_int_equal(s->sample->chain.n, 6);
	assert_true(word(s, 0) == PERF_CONTEXT_KERNEL);
	assert_true(word(s, 1) == 0xffff800000001000);
	assert_true(word(s, 2) == PERF_CONTEXT_USER);
	assert_int_equal(word(s, 3), 0x1000);
	/* The copy is not unwound a second time. */
	assert_int_equal(s->sample->stack_size, 0);
	made_stack_done(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_has_its_own_frames),
		cmocka_unit_test(the_kernels_part_is_that_of_its_sample),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
