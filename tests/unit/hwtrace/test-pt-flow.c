/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <stdio.h>

#include "base/diag.h"
#include "hwtrace/pt-flow.h"

/* nop; jne -3; ret */
static const uint8_t program[] = { 0x90, 0x75, 0xfd, 0xc3 };
#define PROGRAM 0x1000

#define PSB   2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82
#define BEGIN PSB, 0x02, 0x23, 0x99, 0x01, 0x71, 0x00, 0x10, 0, 0, 0, 0

static size_t code(void *arg, uint64_t addr, uint8_t *bytes, size_t size)
{
	(void)arg;
	if (addr < PROGRAM || addr >= PROGRAM + sizeof(program))
		return 0;
	if (size > PROGRAM + sizeof(program) - addr)
		size = PROGRAM + sizeof(program) - addr;
	memcpy(bytes, program + (addr - PROGRAM), size);
	return size;
}

/* True if libipt is installed. */
static bool can_decode(void)
{
	_cleanup_(diag_done) struct diag diag = { 0 };

	return pt_flow_check(&diag) >= 0;
}

static struct pt_flow *flow(const uint8_t *bytes, size_t n)
{
	const struct pt_flow_setup setup = { .bytes = bytes, .size = n, .code = code };

	return pt_flow_new(&setup);
}

/* Returns the next step that is an instruction, or a beginning or an end. */
static struct pt_step next(struct pt_flow *f)
{
	struct pt_step s = { 0 };

	while (pt_flow_next(f, &s))
		if (s.kind != PT_STEP_PSB && s.kind != PT_STEP_CBR)
			return s;
	return (struct pt_step){ .kind = PT_STEP_ERROR, .error = PT_ERROR_INTERNAL };
}

static void branches_are_followed(void **state)
{
	(void)state;
	/* taken, not taken; the return leads to 0x1001 */
	static const uint8_t trace[] = { BEGIN, 0x0c, 0x2d, 0x01, 0x10 };
	struct pt_flow *f = flow(trace, sizeof(trace));
	struct pt_step s = next(f);

	assert_int_equal(s.kind, PT_STEP_BEGIN);
	assert_int_equal(s.to, PROGRAM);
	assert_int_equal(next(f).ip, PROGRAM);
	s = next(f);
	assert_int_equal(s.class, PT_CLASS_CONDITIONAL);
	assert_true(s.has_to);
	assert_int_equal(s.to, PROGRAM);
	assert_int_equal(next(f).ip, PROGRAM);
	s = next(f);
	assert_false(s.has_to);
	s = next(f);
	assert_int_equal(s.class, PT_CLASS_RETURN);
	assert_int_equal(s.to, PROGRAM + 1);
	assert_false(pt_flow_next(f, &s));
	pt_flow_free(f);
}

static void code_that_is_not_known_is_an_error(void **state)
{
	(void)state;
	static const uint8_t trace[] = { BEGIN, 0x04, 0x2d, 0x00, 0x20, 0x06, PSB, 0x02, 0x23 };
	struct pt_flow *f = flow(trace, sizeof(trace));
	struct pt_step s = { 0 };
	bool found = false;

	while (pt_flow_next(f, &s))
		found |= s.kind == PT_STEP_ERROR && s.error == PT_ERROR_CODE;
	assert_true(found);
	pt_flow_free(f);
}

static void bytes_that_are_no_trace_end_at_once(void **state)
{
	(void)state;
	static const uint8_t trace[] = { 1, 2, 3, 4 };
	struct pt_flow *f = flow(trace, sizeof(trace));
	struct pt_step s;

	assert_false(pt_flow_next(f, &s));
	pt_flow_free(f);
}

static void where_a_psb_lies_is_told(void **state)
{
	(void)state;
	static const uint8_t trace[] = { BEGIN, 0x04 };
	struct pt_flow *f = flow(trace, sizeof(trace));
	struct pt_step s = { 0 };
	bool psb = false;

	while (pt_flow_next(f, &s))
		psb |= s.kind == PT_STEP_PSB && s.payload == 0;
	assert_true(psb);
	pt_flow_free(f);
}

/* A trace that begins with tracing off is not read again at its end. */
static void a_trace_is_followed_once(void **state)
{
	(void)state;
	static const uint8_t trace[] = { BEGIN, 0x04, PSB, 0x02, 0x23, 0x71, 0x00,
					 0x10,  0,    0,   0,    0,    0x04 };
	struct pt_flow *f = flow(trace, sizeof(trace));
	struct pt_step s = { 0 };
	size_t begins = 0, psbs = 0;

	while (pt_flow_next(f, &s) && begins < 10) {
		begins += s.kind == PT_STEP_BEGIN;
		psbs += s.kind == PT_STEP_PSB;
	}
	assert_int_equal(begins, 2);
	assert_int_equal(psbs, 2);
	pt_flow_free(f);
}

/* Inside of the flow, the step of a PSB comes when the program has reached its address. */
static void a_psb_in_the_flow_waits_for_its_address(void **state)
{
	(void)state;
	/* taken; a PSB at the branch; not taken */
	static const uint8_t trace[] = { BEGIN, 0x06, PSB, 0x99, 0x01, 0x7d, 0x01, 0x10,
					 0,     0,    0,   0,    0x02, 0x23, 0x04 };
	struct pt_flow *f = flow(trace, sizeof(trace));
	struct pt_step s = { 0 };
	uint64_t before = 0;
	size_t psbs = 0;

	while (pt_flow_next(f, &s)) {
		if (s.kind == PT_STEP_PSB && psbs++ == 1) {
			assert_true(s.has_ip);
			assert_int_equal(s.ip, PROGRAM + 1);
			assert_int_equal(s.payload, sizeof((uint8_t[]){ BEGIN, 0x06 }));
			assert_int_equal(before, PROGRAM);
		}
		before = s.kind == PT_STEP_INSN ? s.ip : before;
	}
	assert_int_equal(psbs, 2);
	pt_flow_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(branches_are_followed),
		cmocka_unit_test(code_that_is_not_known_is_an_error),
		cmocka_unit_test(bytes_that_are_no_trace_end_at_once),
		cmocka_unit_test(where_a_psb_lies_is_told),
		cmocka_unit_test(a_trace_is_followed_once),
		cmocka_unit_test(a_psb_in_the_flow_waits_for_its_address),
	};

	if (!can_decode()) {
		puts("1..0 # SKIP libipt is not there");
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
